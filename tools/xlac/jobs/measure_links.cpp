#include "measure_links.h"

#include "xlac/job/launcher.h"
#include "xlac/job/placed_grid.h"
#include "xlac/support/clock.h"

#include <algorithm>
#include <vector>

namespace xlac::cli {
namespace {

constexpr std::chrono::seconds kDeadline(120);

Status add_floats(size_t, const void *left, const void *right, void *result,
                  int64_t elements) {
  const auto *a = static_cast<const float *>(left);
  const auto *b = static_cast<const float *>(right);
  auto *sum = static_cast<float *>(result);
  for (int64_t i = 0; i < elements; ++i)
    sum[i] = a[i] + b[i];
  return {};
}

/// Two processes that add floats.
class Pair {
public:
  /// `member` is the position of this process in the pair.
  Pair(std::shared_ptr<runtime::Communicator> grid, int member)
      : grid_(std::move(grid)), member_(member) {}

  /// The median time of a sum of `bytes` bytes, in microseconds.
  Result<double> time(int64_t bytes, int rounds) {
    std::vector<float> in(bytes / sizeof(float), 1), out(in.size());
    what_.kind = runtime::CollectiveKind::AllReduce;
    what_.operands.resize(1);
    what_.operands[0].dims = {std::ssize(in)};
    what_.results = what_.operands;
    const void *operands[] = {in.data()};
    void *results[] = {out.data()};
    std::vector<double> times;
    for (int i = 0; i < rounds; ++i) {
      auto start = Clock::now();
      grid_->enter(member_);
      Status status =
          grid_->run(member_, {what_, operands, results, add_floats});
      grid_->leave(member_, status);
      XLAC_RETURN_IF_ERROR(status);
      times.push_back(milliseconds_since(start) * 1e3);
    }
    std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
    return times[rounds / 2];
  }

private:
  const std::shared_ptr<runtime::Communicator> grid_;
  const int member_;
  runtime::Collective what_;
};

/// Measures latency and GB/s between the first devices of two processes. All
/// processes call it; the others wait.
Status measure_pair(job::Job &job, int other_process, double &latency,
                    double &gbytes) {
  int own = job.topology().process();
  if (own == 0 || own == other_process) {
    std::vector<int> members = {0, other_process};
    Result<std::shared_ptr<runtime::Communicator>> grid =
        job::place_grid(job, {2, 1}, members);
    if (!grid)
      return grid.error();
    Pair pair(*grid, own == 0 ? 0 : 1);
    // A small sum has one step. A large one has two, and each process sends
    // half of the bytes in each.
    constexpr int64_t kSmall = 64, kLarge = 8 << 20;
    Result<double> small = pair.time(kSmall, 101);
    if (!small)
      return small.error();
    Result<double> large = pair.time(kLarge, 11);
    if (!large)
      return large.error();
    latency = *small;
    gbytes = static_cast<double>(kLarge) /
             std::max(*large - 2 * latency, 1e-3) * 1e-3;
  }
  auto done =
      job.rendezvous(own, "measured " + std::to_string(other_process), "");
  return done ? Status() : Status(done.error());
}

} // namespace

Result<MeasuredLinks> measure_links() {
  Result<std::optional<job::Topology>> place = job::launched_topology(1);
  if (!place)
    return place.error();
  if (!*place || (*place)->processes() < 2)
    return failure(FailureKind::User,
                   "--measure: no launcher such as mpirun has started this "
                   "process with others");
  Result<job::LinkCosts> costs = job::link_costs();
  if (!costs)
    return costs.error();
  job::Topology topology = **place;
  // Sums have the messages of the plan.
  topology.collectives = job::CollectiveMethod::Plan;
  auto job = job::join_job(topology, kDeadline);
  if (!job)
    return job.error();
  MeasuredLinks links{.costs = *costs,
                      .processes_per_host = topology.processes_per_host,
                      .has_near = topology.processes_per_host > 1,
                      .has_far = topology.hosts > 1,
                      .is_first = topology.process() == 0};
  Status status;
  if (links.has_near)
    status = measure_pair(**job, 1, links.costs.near_latency,
                          links.costs.near_bandwidth);
  if (status && links.has_far)
    status = measure_pair(**job, topology.processes_per_host,
                          links.costs.far_latency, links.costs.far_bandwidth);
  (*job)->leave(status);
  if (!status)
    return status.error();
  return links;
}

} // namespace xlac::cli
