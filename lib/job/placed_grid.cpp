#include "xlac/job/placed_grid.h"

#include "job_text.h"

#include "xlac/runtime/process_groups.h"

#include <set>
#include <utility>

namespace xlac::job {

namespace {

class PlacedGrid final : public runtime::Communicator {
public:
  PlacedGrid(std::shared_ptr<runtime::Communicator> replicas,
             runtime::GridShape shape, std::vector<int> ordinals)
      : replicas_(std::move(replicas)), shape_(shape),
        ordinals_(std::move(ordinals)) {}

  runtime::GridShape shape() const override { return shape_; }
  std::chrono::milliseconds deadline() const override {
    return replicas_->deadline();
  }
  void enter(int process) override { replicas_->enter(ordinals_[process]); }
  void leave(int process, const Status &status) override {
    replicas_->leave(ordinals_[process], status);
  }
  Status run(int process, const runtime::CollectiveCall &call) override;
  Status status() const override { return replicas_->status(); }
  void fail(const Failure &failure) override { replicas_->fail(failure); }
  void push(int64_t channel, runtime::Transfer transfer) override {
    replicas_->push(channel, std::move(transfer));
  }
  Result<runtime::Transfer> pop(int64_t channel) override {
    return replicas_->pop(channel);
  }

private:
  const std::shared_ptr<runtime::Communicator> replicas_;
  const runtime::GridShape shape_;
  const std::vector<int> ordinals_;
};

/// The same collective, its groups spelled as replicas of the job.
Status PlacedGrid::run(int process, const runtime::CollectiveCall &call) {
  runtime::Collective what = call.what;
  bool is_host = what.host || ((what.kind == runtime::CollectiveKind::Send ||
                                what.kind == runtime::CollectiveKind::Recv) &&
                               what.groups.empty());
  if (!is_host) {
    // Channels tell partitions apart; with one partition they mean replicas.
    bool has_channel = what.kind == runtime::CollectiveKind::Send ||
                       what.kind == runtime::CollectiveKind::Recv;
    if (has_channel && shape_.partitions == 1)
      what.grouping = runtime::ProcessGrouping::CrossReplica;
    Result<std::vector<runtime::ProcessGroup>> groups =
        runtime::process_groups(what, shape_);
    if (!groups)
      return groups.error();
    what.grouping = runtime::ProcessGrouping::FlattenedIds;
    what.groups.clear();
    for (const runtime::ProcessGroup &group : *groups) {
      std::vector<int64_t> &row = what.groups.emplace_back();
      for (int member : group)
        row.push_back(ordinals_[member]);
    }
  }
  runtime::CollectiveCall placed{what, call.operands, call.results, call.reduce,
                                 call.threads};
  return replicas_->run(ordinals_[process], placed);
}

} // namespace

Result<std::shared_ptr<runtime::Communicator>>
place_grid(Job &job, runtime::GridShape shape, std::vector<int> ordinals) {
  int count = job.topology().replicas();
  if (static_cast<int64_t>(ordinals.size()) !=
      int64_t(shape.replicas) * shape.partitions)
    return failure(FailureKind::User,
                   "got " + std::to_string(ordinals.size()) +
                       " replicas of a job for a grid of " +
                       std::to_string(shape.replicas) + " replicas and " +
                       std::to_string(shape.partitions) + " partitions");
  std::string name = std::to_string(shape.replicas);
  std::set<int> seen;
  for (int ordinal : ordinals) {
    if (ordinal < 0 || ordinal >= count || !seen.insert(ordinal).second)
      return failure(FailureKind::User,
                     "a grid has " + replica_text(ordinal, 1) +
                         ", wants each of " + std::to_string(count) +
                         " replicas at most once");
    name += " " + std::to_string(ordinal);
  }
  Result<std::shared_ptr<runtime::Communicator>> grid = job.named_grid(name);
  if (!grid)
    return grid.error();
  return std::shared_ptr<runtime::Communicator>(std::make_shared<PlacedGrid>(
      std::move(*grid), shape, std::move(ordinals)));
}

} // namespace xlac::job
