// The estimate of a program on a mesh, from what the compiler makes of it.
#pragma once

#include "commands.h"
#include "mesh_plan.h"
#include "message_replay.h"
#include "run/machine_peaks.h"

#include <array>
#include <map>
#include <utility>

namespace xlac::cli {

inline constexpr double kMiB = 1 << 20;

/// The command line of `xlac explain`.
struct ExplainOptions : SharedOptions {
  std::string mesh;
  std::vector<std::string> axes, shards;
  std::vector<double> gbytes, microseconds;
  std::string topology = "torus";
  double device_gflops = 0, device_gbytes = 0;
  int64_t trips = 1;
  std::string against; ///< another file, for --against
  bool measure = false, simulate = false, sharding = false, searches = false;
  HostLinks links;
};

/// The ways to carry out collectives that --simulate compares.
inline constexpr std::array kMethods = {
    ReplayMethod::Plan, ReplayMethod::Hierarchical, ReplayMethod::Engine};

/// Volume and time of the collectives of one kind over the same axes.
struct Row {
  int64_t count = 0;
  CollectiveCost cost;
};

/// The estimate of a partitioned program.
struct Plan {
  DeviceMeshPlan mesh;
  int64_t argument_bytes = 0, result_bytes = 0, arena_bytes = 0,
          constant_bytes = 0;
  double flops = 0, bytes = 0, compute_ms = 0;
  std::map<std::pair<std::string, std::string>, Row> rows;
  std::array<ReplayTime, kMethods.size()> replays; ///< with --simulate
  bool loops = false;
  std::vector<OpSharding> shardings; ///< with --sharding

  int64_t memory() const {
    return argument_bytes + result_bytes + arena_bytes + constant_bytes;
  }
  double communication_ms() const {
    double total = 0;
    for (const auto &[name, row] : rows)
      total += row.cost.microseconds * 1e-3;
    return total;
  }
};

/// A program that was read, and its signature.
struct OpenProgram {
  std::string text;
  Compiler *compiler;
  Signature signature;
};

/// Reads the program of the options, which take those of an image.
Result<OpenProgram> open_program(ExplainOptions &options);

/// Partitions the program over `mesh` and sums the costs of its steps.
/// `arguments`, if not empty, has the sharding of each argument, instead of the
/// options.
Result<Plan> make_plan(const OpenProgram &program,
                       const ExplainOptions &options,
                       const DeviceMeshPlan &mesh,
                       const std::vector<Sharding> &arguments = {});
/// The same for the program of the options.
Result<Plan> make_plan(ExplainOptions options, const DeviceMeshPlan &mesh);

/// Returns the rates that --device-gflops and --device-bandwidth give, or those
/// of this machine.
Result<MachinePeaks> peaks_of(const ExplainOptions &options);

/// Returns what the compiler's search assumes: the links of the slowest axis.
DeviceRates rates_of(const MachinePeaks &peaks, const DeviceMeshPlan &mesh);

/// Returns the numbers of the devices of `mesh` as rows and columns: the last
/// axis runs along rows, the one before along columns, and each combination of
/// the others has a block. Long axes are shortened.
std::string picture_of(const DeviceMeshPlan &mesh);

/// Prints the ops of two programs whose shardings or bytes differ, and the sums
/// of bytes. Ops correspond that have the same text, in order.
void print_difference(const Plan &plan, const Plan &other);

/// Searches shardings of arguments on `mesh`, or on all meshes with as many
/// devices if it has one axis, and prints the best three. Returns the exit
/// status.
int explain_search(ExplainOptions options, const DeviceMeshPlan &mesh);

} // namespace xlac::cli
