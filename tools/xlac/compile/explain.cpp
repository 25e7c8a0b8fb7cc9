// xlac explain: estimates the cost of a program on a mesh of devices.
#include "commands.h"
#include "jobs/measure_links.h"
#include "json.h"
#include "mesh_plan.h"
#include "message_replay.h"
#include "run/machine_peaks.h"
#include "xlac/loader/compiler_library.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdio>
#include <map>

namespace xlac::cli {
namespace {

struct ExplainOptions : SharedOptions {
  std::string mesh;
  std::vector<std::string> axes, shards;
  std::vector<double> gbytes, microseconds;
  std::string topology = "torus";
  double device_gflops = 0, device_gbytes = 0;
  int64_t trips = 1;
  bool measure = false, simulate = false, sharding = false;
  HostLinks links;
};

constexpr std::array kMethods = {ReplayMethod::Plan, ReplayMethod::Hierarchical,
                                 ReplayMethod::Engine};

/// Volume and time of the collectives of one kind over the same axes.
struct Row {
  int64_t count = 0;
  CollectiveCost cost;
};

struct Plan {
  DeviceMeshPlan mesh;
  int64_t argument_bytes = 0, result_bytes = 0, arena_bytes = 0,
          constant_bytes = 0;
  double flops = 0, bytes = 0, compute_ms = 0;
  std::map<std::pair<std::string, std::string>, Row> rows;
  std::array<ReplayTime, kMethods.size()> replays; ///< with --simulate
  bool loops = false;
  std::vector<OpSharding> shardings; ///< with --sharding

  double communication_ms() const {
    double total = 0;
    for (const auto &[name, row] : rows)
      total += row.cost.microseconds * 1e-3;
    return total;
  }
};

//===- Shardings ----------------------------------------------------------===//

/// Returns the argument numbers in "3", "3,5" or "2-9"; empty for other text.
std::vector<size_t> numbers_of(const std::string &text, size_t count) {
  std::vector<size_t> numbers;
  const char *at = text.data(), *end = at + text.size();
  while (at < end) {
    size_t first = 0;
    auto [next, error] = std::from_chars(at, end, first);
    size_t last = first;
    if (error == std::errc() && next < end && *next == '-') {
      auto behind = std::from_chars(next + 1, end, last);
      next = behind.ptr;
      error = behind.ec;
    }
    if (error != std::errc() || first > last || last >= count ||
        (next < end && *next != ','))
      return {};
    for (size_t i = first; i <= last; ++i)
      numbers.push_back(i);
    at = next < end ? next + 1 : end;
  }
  return numbers;
}

/// Returns the partitions of the mesh and the shardings of --shard. Without
/// them, and without annotations in the program, the compiler selects
/// shardings.
Result<PartitionOptions> partition_options(const ExplainOptions &options,
                                           const std::vector<Type> &arguments,
                                           const DeviceMeshPlan &mesh) {
  PartitionOptions partition;
  partition.count = mesh.count();
  partition.automatic = options.shards.empty();
  for (const std::string &word : options.shards) {
    size_t equal = word.find('=');
    auto numbers = numbers_of(word.substr(0, equal), arguments.size());
    if (equal == std::string::npos || numbers.empty())
      return failure(
          FailureKind::User,
          fmt::format("--shard {}: is not of the form 0=x,- or 2-5=-,y with "
                      "numbers of the {} arguments",
                      word, arguments.size()));
    for (size_t number : numbers) {
      const Type &type = arguments[number];
      auto sharding =
          parse_spec(word.substr(equal + 1),
                     type.is_tensor() ? type.tensor().dims.size() : 0, mesh);
      if (!sharding)
        return sharding.error();
      partition.arguments.emplace_back(static_cast<uint32_t>(number),
                                       std::move(*sharding));
    }
  }
  return partition;
}

//===- The plan -----------------------------------------------------------===//

int64_t bytes_of(const std::vector<Type> &types) {
  int64_t bytes = 0;
  for (const Type &type : types)
    if (type.is_tensor())
      bytes += type.tensor().byte_count().value_or(0);
  return bytes;
}

std::string axis_names(const runtime::Collective &what,
                       const DeviceMeshPlan &mesh) {
  std::string names;
  for (size_t axis : axes_of(what, mesh))
    names += (names.empty() ? "" : "+") + mesh.axes[axis].name;
  return names.empty() ? "any" : names;
}

/// Sums the costs of the steps in order. The steps have the order of the
/// image's collectives.
class PlanMaker {
public:
  PlanMaker(Plan &plan, const ProgramPicture &picture,
            const runtime::ExecutableImage &image, const MachinePeaks &peaks,
            const ExplainOptions &options)
      : plan_(plan), picture_(picture), image_(image), peaks_(peaks),
        options_(options), trips_(static_cast<double>(options.trips)) {}

  Status add(const std::vector<ProgramPicture::Step> &steps, double times) {
    for (const ProgramPicture::Step &step : steps)
      XLAC_RETURN_IF_ERROR(add(step, times));
    return {};
  }

private:
  using Kind = ProgramPicture::Step::Kind;

  Status add(const ProgramPicture::Step &step, double times) {
    if (step.kind == Kind::Launch) {
      const ProgramPicture::Kernel &kernel = picture_.kernels[step.kernel];
      plan_.flops += times * kernel.flops;
      plan_.bytes += times * kernel.bytes;
      plan_.compute_ms +=
          times * peaks_.bound_ms(static_cast<double>(kernel.flops),
                                  static_cast<double>(kernel.bytes), false);
    } else if (step.kind == Kind::Collective) {
      if (next_ >= image_.collectives.size())
        return failure(FailureKind::Internal,
                       "the picture has more collectives "
                       "than the program");
      const runtime::Collective &what = image_.collectives[next_++];
      CollectiveCost cost = cost_of(what, plan_.mesh);
      if (cost.bytes > 0) {
        Row &row = plan_.rows[{std::string(to_string(what.kind)),
                               axis_names(what, plan_.mesh)}];
        row.count += static_cast<int64_t>(times);
        row.cost.bytes += times * cost.bytes;
        row.cost.microseconds += times * cost.microseconds;
        for (size_t i = 0; options_.simulate && i < kMethods.size(); ++i)
          plan_.replays[i] +=
              replay(what, kMethods[i], plan_.mesh.count(), options_.links) *
              times;
      }
    }
    bool loop = step.kind == Kind::While;
    plan_.loops = plan_.loops || loop;
    for (const auto &body : step.bodies)
      XLAC_RETURN_IF_ERROR(add(body, loop ? times * trips_ : times));
    return {};
  }

  Plan &plan_;
  const ProgramPicture &picture_;
  const runtime::ExecutableImage &image_;
  const MachinePeaks &peaks_;
  const ExplainOptions &options_;
  double trips_;
  size_t next_ = 0;
};

MachinePeaks peaks_of(const ExplainOptions &options,
                      const CompilerOptions &compile) {
  MachinePeaks peaks;
  if (options.device_gflops <= 0 || options.device_gbytes <= 0)
    peaks = measure_peaks(compile.target);
  if (options.device_gflops > 0)
    peaks.f32_gflops = options.device_gflops;
  if (options.device_gbytes > 0)
    peaks.bandwidth = {{0, options.device_gbytes}};
  return peaks;
}

Result<Plan> make_plan(ExplainOptions options, const DeviceMeshPlan &mesh) {
  auto text = read_program(options);
  if (!text)
    return text.error();
  auto compile = compile_options(options);
  if (!compile)
    return compile.error();
  auto compiler = open_compiler();
  if (!compiler)
    return compiler.error();
  Source source{*text, options.input, options.entry};
  auto signature = (*compiler)->signature(source);
  if (!signature)
    return signature.error();
  auto partition = partition_options(options, signature->arguments, mesh);
  if (!partition)
    return partition.error();
  compile->partition = std::move(*partition);
  auto picture = (*compiler)->picture(source, *compile);
  if (!picture)
    return picture.error();
  compile->partition.explains = options.sharding;
  CompileReport report;
  auto image = (*compiler)->compile(source, *compile, &report);
  if (!image)
    return image.error();
  Plan plan;
  plan.shardings = std::move(report.shardings);
  plan.mesh = mesh;
  plan.argument_bytes = bytes_of(image->arguments);
  plan.result_bytes = bytes_of(image->results);
  plan.arena_bytes = image->arena_bytes;
  for (const auto &constant : image->constants)
    plan.constant_bytes += static_cast<int64_t>(constant.size());
  MachinePeaks peaks = peaks_of(options, *compile);
  XLAC_RETURN_IF_ERROR(
      PlanMaker(plan, *picture, *image, peaks, options).add(picture->steps, 1));
  return plan;
}

//===- Printing -----------------------------------------------------------===//

constexpr double kMiB = 1 << 20;

void print_text(const Plan &plan, const ExplainOptions &options) {
  std::string axes;
  for (const MeshAxis &axis : plan.mesh.axes)
    axes +=
        fmt::format("{}{}={}", axes.empty() ? "" : ", ", axis.name, axis.size);
  int64_t memory = plan.argument_bytes + plan.result_bytes + plan.arena_bytes +
                   plan.constant_bytes;
  fmt::print("mesh: {} ({} devices, {})\n", axes, plan.mesh.count(),
             options.topology);
  fmt::print("memory of a device: {:.2f} MiB = {:.2f} arguments + {:.2f} "
             "results + {:.2f} arena + {:.2f} constants\n",
             memory / kMiB, plan.argument_bytes / kMiB,
             plan.result_bytes / kMiB, plan.arena_bytes / kMiB,
             plan.constant_bytes / kMiB);
  fmt::print("work of a device: {:.3f} GFLOP on {:.2f} MiB: {:.3f} ms\n",
             plan.flops * 1e-9, plan.bytes / kMiB, plan.compute_ms);
  fmt::print("{:<20} {:<12} {:>8} {:>14} {:>12}\n", "collective", "axes",
             "count", "MiB sent", "ms");
  for (const auto &[name, row] : plan.rows)
    fmt::print("{:<20} {:<12} {:>8} {:>14.3f} {:>12.3f}\n", name.first,
               name.second, row.count, row.cost.bytes / kMiB,
               row.cost.microseconds * 1e-3);
  double communication = plan.communication_ms();
  fmt::print("step: {:.3f} ms one after the other, {:.3f} ms if all of the "
             "communication overlaps with the work\n",
             plan.compute_ms + communication,
             std::max(plan.compute_ms, communication));
  if (plan.loops)
    fmt::print("bodies of loops count {} times (--trips)\n", options.trips);
}

void print_shardings(const Plan &plan) {
  fmt::print("{:>12}  {:<40} {:<36} {}\n", "KiB received", "op", "sharding",
             "decided by");
  for (const OpSharding &one : plan.shardings)
    fmt::print("{:>12.1f}  {:<40} {:<36} {}\n", one.bytes / 1024, one.op,
               one.sharding, one.decided_by);
}

Json shardings_json(const Plan &plan) {
  Json list = Json::list();
  for (const OpSharding &sharding : plan.shardings) {
    Json one;
    one.add("op", sharding.op);
    one.add("location", sharding.location);
    one.add("sharding", sharding.sharding);
    one.add("decided_by", sharding.decided_by);
    one.add("bytes_received", sharding.bytes);
    list.push(std::move(one));
  }
  return list;
}

void print_replays(const Plan &plan, const ExplainOptions &options) {
  const job::LinkCosts &costs = options.links.costs;
  fmt::print("simulated: {} devices on each host; {:.4g} us and {:.4g} GB/s "
             "within a host, {:.4g} us and {:.4g} GB/s between hosts\n",
             options.links.devices_per_host, costs.near_latency,
             costs.near_bandwidth, costs.far_latency, costs.far_bandwidth);
  fmt::print("{:<14} {:>12} {:>18} {:>18} {:>12}\n", "collectives", "ms",
             "messages of a rank", "MiB on a link", "step, ms");
  for (size_t i = 0; i < kMethods.size(); ++i) {
    const ReplayTime &time = plan.replays[i];
    double ms = time.microseconds * 1e-3;
    fmt::print("{:<14} {:>12.3f} {:>18.0f} {:>18.3f} {:>12.3f}\n",
               to_string(kMethods[i]), ms, time.messages,
               time.link_bytes / kMiB, plan.compute_ms + ms);
  }
}

Json replays_json(const Plan &plan) {
  Json list = Json::list();
  for (size_t i = 0; i < kMethods.size(); ++i) {
    Json one;
    one.add("collectives", std::string(to_string(kMethods[i])));
    one.add("ms", plan.replays[i].microseconds * 1e-3);
    one.add("messages", plan.replays[i].messages);
    one.add("link_bytes", plan.replays[i].link_bytes);
    list.push(std::move(one));
  }
  return list;
}

void print_json(const Plan &plan, const ExplainOptions &options) {
  Json list = Json::list();
  for (const auto &[name, row] : plan.rows) {
    Json one;
    one.add("collective", name.first);
    one.add("axes", name.second);
    one.add("count", row.count);
    one.add("bytes_sent", row.cost.bytes);
    one.add("ms", row.cost.microseconds * 1e-3);
    list.push(std::move(one));
  }
  Json json;
  json.add("devices", plan.mesh.count());
  json.add("argument_bytes", plan.argument_bytes);
  json.add("result_bytes", plan.result_bytes);
  json.add("arena_bytes", plan.arena_bytes);
  json.add("constant_bytes", plan.constant_bytes);
  json.add("flops", plan.flops);
  json.add("bytes", plan.bytes);
  json.add("compute_ms", plan.compute_ms);
  json.add("communication_ms", plan.communication_ms());
  json.add("collectives", std::move(list));
  if (options.simulate)
    json.add("simulated", replays_json(plan));
  if (options.sharding)
    json.add("shardings", shardings_json(plan));
  std::puts(json.text().c_str());
}

/// Sets the links to those of XLAC_LINKS or, with --measure, of the job. False
/// in the processes that do not report.
Result<bool> set_links(ExplainOptions &options) {
  Result<job::LinkCosts> costs = job::link_costs();
  if (!costs)
    return costs.error();
  options.links.costs = *costs;
  if (!options.measure)
    return true;
  Result<MeasuredLinks> measured = measure_links();
  if (!measured)
    return measured.error();
  options.links.costs = measured->costs;
  options.links.devices_per_host = measured->processes_per_host;
  return measured->is_first;
}

/// Axes within a host have its links; others have those between hosts.
void set_axes(DeviceMeshPlan &mesh, const HostLinks &links) {
  int64_t inner = 1;
  for (size_t i = mesh.axes.size(); i-- > 0;) {
    MeshAxis &axis = mesh.axes[i];
    inner *= axis.size;
    bool is_near = inner <= links.devices_per_host;
    axis.microseconds =
        is_near ? links.costs.near_latency : links.costs.far_latency;
    axis.gbytes =
        is_near ? links.costs.near_bandwidth : links.costs.far_bandwidth;
  }
}

int explain(ExplainOptions &options) {
  Result<bool> reports = set_links(options);
  if (!reports)
    return report(reports.error());
  if (!*reports)
    return 0;
  auto mesh = parse_mesh(options.mesh, options.axes);
  if (!mesh)
    return report(mesh.error());
  mesh->topology =
      options.topology == "switch" ? MeshTopology::Switch : MeshTopology::Torus;
  if (options.measure)
    set_axes(*mesh, options.links);
  for (size_t i = 0; i < mesh->axes.size(); ++i) {
    // The last number applies to all further axes.
    auto figure = [&](const std::vector<double> &list, double &into) {
      if (!list.empty())
        into = list[std::min(i, list.size() - 1)];
    };
    figure(options.gbytes, mesh->axes[i].gbytes);
    figure(options.microseconds, mesh->axes[i].microseconds);
  }
  auto plan = make_plan(options, *mesh);
  if (!plan)
    return report(plan.error());
  if (options.json) {
    print_json(*plan, options);
    return 0;
  }
  if (options.measure)
    fmt::print(
        "measured: XLAC_LINKS={:.3g},{:.3g},{:.3g},{:.3g}\n",
        options.links.costs.near_latency, options.links.costs.near_bandwidth,
        options.links.costs.far_latency, options.links.costs.far_bandwidth);
  print_text(*plan, options);
  if (options.simulate)
    print_replays(*plan, options);
  if (options.sharding)
    print_shardings(*plan);
  return 0;
}

} // namespace

Command add_explain(CLI::App &app) {
  auto options = std::make_shared<ExplainOptions>();
  add_input(app, *options);
  add_target(app, *options);
  app.add_option("--mesh", options->mesh, "Sizes of the mesh, such as 16x16")
      ->required();
  app.add_option("--axes", options->axes,
                 "Names of the mesh's axes; by default x, y, z …")
      ->delimiter(',');
  app.add_option("--shard", options->shards,
                 "How arguments are sharded: 0=x,- cuts the first dimension of "
                 "argument 0 along x, 2-5=-,x+y the second of 2 to 5 along "
                 "both");
  app.add_option("--bandwidth", options->gbytes,
                 "GB/s between neighbours, each way; for each axis or for all "
                 "(50)")
      ->delimiter(',')
      ->check(CLI::PositiveNumber);
  app.add_option("--latency", options->microseconds,
                 "Microseconds until the first byte arrives; for each axis or "
                 "for all (1)")
      ->delimiter(',')
      ->check(CLI::NonNegativeNumber);
  app.add_option("--topology", options->topology,
                 "torus, each axis a ring, or switch")
      ->check(CLI::IsMember({"torus", "switch"}))
      ->capture_default_str();
  app.add_option("--device-gflops", options->device_gflops,
                 "Products and sums of f32 a second of a device; by default "
                 "this machine's, measured");
  app.add_option("--device-bandwidth", options->device_gbytes,
                 "GB/s of a device's memory; by default this machine's, "
                 "measured");
  app.add_option("--trips", options->trips, "How often the bodies of loops run")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_flag("--measure", options->measure,
               "Measure the links of the job that mpirun or another launcher "
               "has started, and use them");
  app.add_flag("--sharding", options->sharding,
               "List the sharding of each op, what decided it, and the bytes "
               "that a device receives for it");
  app.add_flag("--simulate", options->simulate,
               "Replay the messages of the collectives over hosts with the "
               "links of XLAC_LINKS");
  app.add_option("--host-devices", options->links.devices_per_host,
                 "Devices of a host, for --simulate")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  app.add_option("--message-cost", options->links.message_microseconds,
                 "Microseconds of a process for each message, for --simulate")
      ->check(CLI::NonNegativeNumber)
      ->capture_default_str();
  app.add_flag("--json", options->json, "Print one JSON object");
  return [options] { return explain(*options); };
}

} // namespace xlac::cli
