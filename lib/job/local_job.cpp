// A job whose replicas are threads of this process.
#include "job_text.h"
#include "payload_rendezvous.h"

#include "xlac/job/job.h"

#include <map>
#include <mutex>

namespace xlac::job {

namespace {

class LocalJob final : public Job {
public:
  LocalJob(int replicas, std::chrono::milliseconds deadline,
           std::shared_ptr<runtime::Communicator> grid,
           std::shared_ptr<runtime::Communicator> partitions)
      : deadline_(deadline), grid_(std::move(grid)),
        partitions_(std::move(partitions)), rendezvous_points_(0, replicas) {
    topology_.devices_per_process = replicas;
  }

  const Topology &topology() const override { return topology_; }
  std::chrono::milliseconds deadline() const override { return deadline_; }
  std::shared_ptr<runtime::Communicator> grid() override { return grid_; }
  std::shared_ptr<runtime::Communicator> partitions() override {
    return partitions_;
  }

  Result<std::shared_ptr<runtime::Communicator>>
  named_grid(std::string_view name) override {
    std::lock_guard lock(mutex_);
    auto found = named_.find(name);
    if (found != named_.end())
      return found->second;
    auto grid = runtime::make_local_grid({partitions_->shape(), deadline_});
    if (grid)
      named_.emplace(name, *grid);
    return grid;
  }

  Result<std::vector<std::string>>
  rendezvous(int ordinal, std::string_view tag, std::string_view payload,
             std::span<const int> ordinals) override {
    Result<std::vector<int>> all =
        participants(ordinal, tag, ordinals, topology_.replicas());
    if (!all)
      return all.error();
    PayloadRendezvous::Key key{std::string(tag), std::move(*all)};
    rendezvous_points_.bring(key, ordinal, payload);
    return rendezvous_points_.collect(key, ordinal, deadline_);
  }

  void leave(const Status &why) override {
    if (why) {
      rendezvous_points_.forget(0, topology_.replicas(), "the job has ended");
      return;
    }
    Failure failure{FailureKind::Collective, why.error().message};
    rendezvous_points_.fail(failure);
    grid_->fail(failure);
    partitions_->fail(failure);
    std::lock_guard lock(mutex_);
    for (const auto &[name, grid] : named_)
      grid->fail(failure);
  }

private:
  Topology topology_;
  const std::chrono::milliseconds deadline_;
  const std::shared_ptr<runtime::Communicator> grid_, partitions_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<runtime::Communicator>, std::less<>>
      named_;
  PayloadRendezvous rendezvous_points_;
};

} // namespace

Result<std::shared_ptr<Job>>
make_local_job(int replicas, std::chrono::milliseconds deadline) {
  Result<std::shared_ptr<runtime::Communicator>> grid =
      runtime::make_local_grid({{replicas, 1}, deadline});
  if (!grid)
    return grid.error();
  Result<std::shared_ptr<runtime::Communicator>> partitions =
      runtime::make_local_grid({{1, replicas}, deadline});
  if (!partitions)
    return partitions.error();
  return std::shared_ptr<Job>(
      std::make_shared<LocalJob>(replicas, deadline, *grid, *partitions));
}

} // namespace xlac::job
