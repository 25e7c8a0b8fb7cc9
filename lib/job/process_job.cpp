// A job of several processes: its two grids and its rendezvous.
#include "engine_schedule.h"
#include "job_text.h"
#include "message_schedule.h"
#include "mpi_job.h"
#include "socket_transport.h"

#include "xlac/job/job.h"
#include "xlac/support/fast_hash.h"

#include <algorithm>

namespace xlac::job {

namespace {

/// The transport of a grid to the processes of the job.
class GridTransport final : public runtime::Transport {
public:
  GridTransport(std::shared_ptr<JobState> state, GridId grid)
      : state_(std::move(state)), grid_(grid) {}

  Status execute(const runtime::RendezvousKey &key,
                 const runtime::Rendezvous &rendezvous_state,
                 const runtime::CollectiveCall &leader,
                 const std::string &name) override;
  Status send(const runtime::Route &route,
              const runtime::Transfer &transfer) override;
  Status reachable(int replica) override {
    return state_->reachable(grid_, state_->process_of(replica));
  }
  void failed(const Failure &failure) override {
    state_->tell_failure(grid_, failure);
  }

private:
  GroupChannel &channel_of(const runtime::ProcessGroup &members);

  const std::shared_ptr<JobState> state_;
  const GridId grid_;
  std::mutex mutex_;
  std::map<runtime::ProcessGroup, GroupChannel> channels_;
};

GroupChannel &GridTransport::channel_of(const runtime::ProcessGroup &members) {
  std::lock_guard lock(mutex_);
  return channels_.try_emplace(members, *state_, grid_, members).first->second;
}

Status GridTransport::execute(const runtime::RendezvousKey &key,
                              const runtime::Rendezvous &rendezvous_state,
                              const runtime::CollectiveCall &leader,
                              const std::string &name) {
  GroupChannel &channel = channel_of(key.members);
  Status status = channel.begin({.group = channel.group(),
                                 .run = key.run,
                                 .number = key.number,
                                 .fingerprint = fingerprint(leader.what),
                                 .name = name});
  if (status)
    status = uses_engine(channel, leader.what)
                 ? run_engine(channel, rendezvous_state, leader)
                 : run_schedule(channel, rendezvous_state, leader);
  return channel.end(status);
}

Status GridTransport::send(const runtime::Route &route,
                           const runtime::Transfer &transfer) {
  int process = state_->process_of(route.target);
  Status reachable = state_->reachable(grid_, process);
  if (!reachable)
    return reachable;
  TextWriter writer;
  writer << route.channel << int64_t(route.source) << int64_t(route.target)
         << int64_t(transfer.size());
  for (const std::vector<std::byte> &value : transfer)
    writer << std::string_view(reinterpret_cast<const char *>(value.data()),
                               value.size());
  state_->transport().post(process, {.kind = FrameKind::Transfer, .tag = grid_},
                           writer.bytes());
  return {};
}

class ProcessJob final : public Job {
public:
  explicit ProcessJob(std::shared_ptr<JobState> state)
      : state_(std::move(state)) {}
  ~ProcessJob() override { state_->leave({}); }

  Status open() {
    for (GridId id : {kReplicaGrid, kPartitionGrid}) {
      Result<std::shared_ptr<runtime::PartialGrid>> grid = make_grid(id);
      if (!grid)
        return grid.error();
      grids_[id] = *grid;
    }
    return state_->start();
  }

  const Topology &topology() const override { return state_->topology(); }
  std::chrono::milliseconds deadline() const override {
    return state_->deadline();
  }
  std::shared_ptr<runtime::Communicator> grid() override {
    return grid_of(kReplicaGrid);
  }
  std::shared_ptr<runtime::Communicator> partitions() override {
    return grid_of(kPartitionGrid);
  }
  Result<std::shared_ptr<runtime::Communicator>>
  named_grid(std::string_view name) override;
  void leave(const Status &why) override { state_->leave(why); }

  Result<std::vector<std::string>>
  rendezvous(int ordinal, std::string_view tag, std::string_view payload,
             std::span<const int> ordinals) override;

private:
  Result<std::shared_ptr<runtime::PartialGrid>> make_grid(GridId id);
  std::shared_ptr<runtime::PartialGrid> grid_of(GridId id) {
    std::lock_guard lock(mutex_);
    return grids_[id];
  }

  const std::shared_ptr<JobState> state_;
  std::mutex mutex_;
  std::map<GridId, std::shared_ptr<runtime::PartialGrid>> grids_;
};

Result<std::shared_ptr<runtime::PartialGrid>> ProcessJob::make_grid(GridId id) {
  const Topology &topology = state_->topology();
  int count = topology.replicas();
  runtime::GridShape shape = id == kReplicaGrid ? runtime::GridShape{count, 1}
                                                : runtime::GridShape{1, count};
  Result<std::shared_ptr<runtime::PartialGrid>> grid =
      make_partial_grid({shape, state_->deadline()}, topology.first_replica(),
                        topology.devices_per_process,
                        std::make_shared<GridTransport>(state_, id));
  if (grid)
    state_->set_grid(id, *grid);
  return grid;
}

Result<std::shared_ptr<runtime::Communicator>>
ProcessJob::named_grid(std::string_view name) {
  FastHasher hasher;
  hasher.update(name);
  GridId id = hasher.finish().low | kFirstNamedGrid;
  std::lock_guard lock(mutex_);
  if (!grids_.contains(id)) {
    Result<std::shared_ptr<runtime::PartialGrid>> made = make_grid(id);
    if (!made)
      return made.error();
    grids_[id] = *made;
  }
  return std::shared_ptr<runtime::Communicator>(grids_[id]);
}

Result<std::vector<std::string>>
ProcessJob::rendezvous(int ordinal, std::string_view tag,
                       std::string_view payload,
                       std::span<const int> ordinals) {
  const Topology &topology = state_->topology();
  Result<std::vector<int>> all =
      participants(ordinal, tag, ordinals, topology.replicas());
  if (!all)
    return all.error();
  if (state_->process_of(ordinal) != topology.process())
    return failure(FailureKind::Internal, "rendezvous '" + std::string(tag) +
                                              "': " + replica_text(ordinal, 1) +
                                              " is not of this process");
  TextWriter writer;
  writer << int64_t(ordinal) << tag << int64_t(all->size());
  std::vector<int> processes;
  for (int each : *all) {
    writer << int64_t(each);
    processes.push_back(state_->process_of(each));
  }
  writer << payload;
  std::sort(processes.begin(), processes.end());
  processes.erase(std::unique(processes.begin(), processes.end()),
                  processes.end());
  for (int process : processes)
    if (process != topology.process())
      state_->transport().post(process, {.kind = FrameKind::Payload},
                               writer.bytes());
  PayloadRendezvous::Key key{std::string(tag), std::move(*all)};
  state_->rendezvous_points().bring(key, ordinal, payload);
  Result<std::vector<std::string>> payloads =
      state_->rendezvous_points().collect(key, ordinal, state_->deadline());
  if (!payloads)
    state_->record_cause(payloads.error().message);
  return payloads;
}

Status check(const Topology &topology, bool takes_any_port) {
  constexpr int kMost = 1 << 12;
  auto fits = [](int index, int count) {
    return count >= 1 && count <= kMost && index >= 0 && index < count;
  };
  if (!fits(topology.host, topology.hosts) ||
      !fits(topology.local_process, topology.processes_per_host) ||
      !fits(0, topology.devices_per_process) ||
      int64_t(topology.hosts) * topology.processes_per_host > kMost)
    return failure(FailureKind::User,
                   "got process " + std::to_string(topology.local_process) +
                       " of " + std::to_string(topology.processes_per_host) +
                       " of host " + std::to_string(topology.host) + " of " +
                       std::to_string(topology.hosts) + " with " +
                       std::to_string(topology.devices_per_process) +
                       " devices");
  if (topology.collectives == CollectiveMethod::Engine &&
      topology.transport != HostTransport::Mpi)
    return failure(FailureKind::User,
                   "XLAC_COLLECTIVES is 'engine', which needs a job over MPI");
  if (topology.hosts > 1 && topology.transport == HostTransport::Tcp &&
      (topology.master_port < (takes_any_port ? 0 : 1) ||
       topology.master_port > 65535))
    return failure(FailureKind::User, "got port " +
                                          std::to_string(topology.master_port) +
                                          " for the first host of a job");
  return {};
}

} // namespace

Result<std::shared_ptr<Job>>
join_job(const Topology &topology, std::chrono::milliseconds deadline,
         const std::function<Status(int port)> &listening) {
  XLAC_RETURN_IF_ERROR(check(topology, listening && topology.process() == 0));
  Result<JoinedProcesses> joined =
      topology.transport == HostTransport::Mpi
          ? join_over_mpi(topology, deadline)
          : join_over_sockets(topology, deadline, listening);
  if (!joined)
    return joined.error();
  auto job = std::make_shared<ProcessJob>(
      std::make_shared<JobState>(topology, deadline, *joined));
  XLAC_RETURN_IF_ERROR(job->open());
  return std::shared_ptr<Job>(std::move(job));
}

} // namespace xlac::job
