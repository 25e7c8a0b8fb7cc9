// A grid whose processes, or some of them, are launches on devices of this
// process. The last member to arrive at a rendezvous executes it while the
// others sleep. Buffers therefore need no second rendezvous before they are
// released.
#include "collective_moves.h"

#include "xlac/runtime/partial_grid.h"
#include "xlac/support/clock.h"

#include <algorithm>
#include <cassert>
#include <map>
#include <optional>

namespace xlac::runtime {

namespace {

class LocalGrid final : public PartialGrid {
public:
  /// Without a transport all processes are local.
  LocalGrid(const GridOptions &options, int first, int count,
            std::shared_ptr<Transport> transport)
      : options_(options), first_(first), count_(count),
        transport_(std::move(transport)), processes_(options.shape.count()) {}

  GridShape shape() const override { return options_.shape; }
  std::chrono::milliseconds deadline() const override {
    return options_.deadline;
  }
  void enter(int process) override;
  void leave(int process, const Status &status) override;
  Status run(int process, const CollectiveCall &call) override;
  Status status() const override;
  void fail(const Failure &failure) override;
  void push(int64_t channel, Transfer transfer) override;
  Result<Transfer> pop(int64_t channel) override;
  void deliver(const Route &route, Transfer transfer) override;
  Progress progress(int process) const override;
  void wake() override;

private:
  using Lock = std::unique_lock<std::mutex>;

  struct Process {
    uint64_t begun = 0, ended = 0; ///< counts of runs
    /// Number of collectives of each group in this run.
    std::map<ProcessGroup, uint64_t> sequence;
    std::string at; ///< the collective that it executes
  };
  struct PendingRendezvous {
    Rendezvous rendezvous_state;
    size_t arrived = 0, wanted = 0; ///< counts of local members
    bool done = false;
    Status status;
  };
  static constexpr int kHost = Route::kHost;

  bool is_here(int process) const {
    return process >= first_ && process < first_ + count_;
  }
  Status meet(int process, const CollectiveCall &call, Rendezvous plan);
  Status wait(Lock &lock, int process,
              const std::shared_ptr<PendingRendezvous> &pending,
              const std::string &name);
  Status hold(Lock &lock, const RendezvousKey &key, const CollectiveCall &call,
              PendingRendezvous &pending, const std::string &name);
  std::string missing(const PendingRendezvous &pending) const;
  std::optional<int> gone(int process, const PendingRendezvous &pending) const;
  Result<std::vector<Route>> routes(int process, const Collective &what) const;
  Status send(int process, const CollectiveCall &call);
  Status receive(int process, const CollectiveCall &call);
  /// Waits for the next transfer on the route; `process` is the waiter, kHost
  /// for the host.
  Result<Transfer> take(Lock &lock, const Route &route, int process,
                        const std::string &what);
  /// Sets the grid's failure and wakes all waiters.
  Failure break_with(Failure failure);
  /// The grid's failure, reported for the member at `name`.
  Failure interrupted(const std::string &name) const;

  const GridOptions options_;
  const int first_, count_;
  const std::shared_ptr<Transport> transport_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Process> processes_;
  std::map<RendezvousKey, std::shared_ptr<PendingRendezvous>> pending_;
  std::map<Route, std::deque<Transfer>> queues_;
  Status status_;
};

/// Describes `other`, which differs from `what`.
std::string other_text(const Collective &other, const Collective &what) {
  std::string text = describe(other);
  return text != describe(what)
             ? text
             : "one with other groups, dimensions or computation";
}

//===- Runs ---------------------------------------------------------------===//

void LocalGrid::enter(int process) {
  std::lock_guard lock(mutex_);
  assert(is_here(process) && "a process of this grid");
  ++processes_[process].begun;
  processes_[process].sequence.clear();
}

void LocalGrid::leave(int process, const Status &status) {
  std::lock_guard lock(mutex_);
  processes_[process].ended = processes_[process].begun;
  // A failure that came from the grid is not reported again.
  if (!status && status_)
    break_with(failure(FailureKind::Collective,
                       process_text(process, options_.shape) +
                           " failed: " + status.error().message));
  changed_.notify_all();
}

Status LocalGrid::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

void LocalGrid::fail(const Failure &failure) {
  std::lock_guard lock(mutex_);
  if (status_)
    status_ = failure;
  changed_.notify_all();
}

Failure LocalGrid::break_with(Failure failure) {
  if (status_ && transport_)
    transport_->failed(failure);
  if (status_)
    status_ = failure;
  changed_.notify_all();
  return failure;
}

Failure LocalGrid::interrupted(const std::string &name) const {
  return failure(status_.error().failure_kind,
                 name + ": " + status_.error().message);
}

Progress LocalGrid::progress(int process) const {
  std::lock_guard lock(mutex_);
  const Process &one = processes_[process];
  return {one.begun, one.ended, one.at};
}

void LocalGrid::wake() {
  std::lock_guard lock(mutex_);
  changed_.notify_all();
}

Status LocalGrid::run(int process, const CollectiveCall &call) {
  const Collective &what = call.what;
  if (!is_here(process))
    return failure(FailureKind::Internal,
                   process_text(process, options_.shape) +
                       " is not run by this process");
  if (what.kind == CollectiveKind::Send)
    return send(process, call);
  if (what.kind == CollectiveKind::Recv)
    return receive(process, call);
  Result<std::vector<ProcessGroup>> groups =
      process_groups(what, options_.shape);
  if (!groups)
    return groups.error();
  Rendezvous plan;
  if (what.kind == CollectiveKind::Permute) {
    // Pairs form chains: all processes of this part of the grid that are in a
    // pair take part.
    int partitions = options_.shape.partitions;
    bool rows = what.grouping == ProcessGrouping::CrossReplica;
    auto side = [&](int other) {
      return rows ? other % partitions : other / partitions;
    };
    for (const ProcessGroup &pair : *groups)
      if (pair.size() == 2 && side(pair[0]) == side(process)) {
        plan.pairs.push_back(pair);
        plan.members.insert(plan.members.end(), pair.begin(), pair.end());
      }
    std::sort(plan.members.begin(), plan.members.end());
    plan.members.erase(std::unique(plan.members.begin(), plan.members.end()),
                       plan.members.end());
  } else {
    for (const ProcessGroup &group : *groups)
      if (std::find(group.begin(), group.end(), process) != group.end())
        plan.members = group;
  }
  if (std::find(plan.members.begin(), plan.members.end(), process) !=
      plan.members.end())
    return meet(process, call, std::move(plan));
  bool optional = what.kind == CollectiveKind::Permute ||
                  what.kind == CollectiveKind::Broadcast ||
                  what.kind == CollectiveKind::Reduce;
  if (!optional)
    return failure(FailureKind::User,
                   describe(what) + ": " +
                       process_text(process, options_.shape) +
                       " is in none of its groups");
  fill_results(call);
  return {};
}

//===- Rendezvous ---------------------------------------------------------===//

std::string LocalGrid::missing(const PendingRendezvous &pending) const {
  std::string text;
  for (size_t i = 0; i < pending.rendezvous_state.members.size(); ++i)
    if (!pending.rendezvous_state.calls[i] &&
        is_here(pending.rendezvous_state.members[i]))
      text += (text.empty() ? "" : "; ") +
              process_text(pending.rendezvous_state.members[i], options_.shape);
  return text;
}

/// A member that has not arrived and whose run has ended.
std::optional<int> LocalGrid::gone(int process,
                                   const PendingRendezvous &pending) const {
  for (size_t i = 0; i < pending.rendezvous_state.members.size(); ++i) {
    int member = pending.rendezvous_state.members[i];
    if (!pending.rendezvous_state.calls[i] && is_here(member) &&
        processes_[member].ended >= processes_[process].begun)
      return member;
  }
  return std::nullopt;
}

Status LocalGrid::meet(int process, const CollectiveCall &call,
                       Rendezvous plan) {
  Lock lock(mutex_);
  Process &self = processes_[process];
  RendezvousKey key{plan.members, self.begun, self.sequence[plan.members]++};
  std::string name = describe(call.what) + ", number " +
                     std::to_string(key.number) + " of its group";
  if (!status_)
    return interrupted(name);
  std::shared_ptr<PendingRendezvous> &slot = pending_[key];
  if (!slot) {
    slot = std::make_shared<PendingRendezvous>();
    slot->rendezvous_state = std::move(plan);
    slot->rendezvous_state.calls.assign(slot->rendezvous_state.members.size(),
                                        nullptr);
    for (int member : slot->rendezvous_state.members)
      slot->wanted += is_here(member);
  }
  std::shared_ptr<PendingRendezvous> pending = slot;
  Rendezvous &rendezvous_state = pending->rendezvous_state;
  for (size_t i = 0; i < rendezvous_state.members.size(); ++i)
    if (rendezvous_state.calls[i] &&
        !agree(rendezvous_state.calls[i]->what, call.what))
      return break_with(failure(
          FailureKind::Collective,
          "programs differ: " + process_text(process, options_.shape) +
              " is at " + name + ", but " +
              process_text(rendezvous_state.members[i], options_.shape) +
              " at " + other_text(rendezvous_state.calls[i]->what, call.what)));
  for (size_t i = 0; i < rendezvous_state.members.size(); ++i)
    if (rendezvous_state.members[i] == process)
      rendezvous_state.calls[i] = &call;
  self.at = name;
  assert(pending->arrived < pending->wanted && "a process arrives once");
  if (++pending->arrived < pending->wanted) {
    Status status = wait(lock, process, pending, name);
    self.at.clear();
    return status;
  }
  pending_.erase(key);
  Status status = hold(lock, key, call, *pending, name);
  self.at.clear();
  return status;
}

/// Executes the collective without the lock, once all local members have
/// arrived and sleep.
Status LocalGrid::hold(Lock &lock, const RendezvousKey &key,
                       const CollectiveCall &call, PendingRendezvous &pending,
                       const std::string &name) {
  lock.unlock();
  bool all_here = pending.wanted == pending.rendezvous_state.members.size();
  Status status =
      all_here ? execute(pending.rendezvous_state, call)
               : transport_->execute(key, pending.rendezvous_state, call, name);
  assert((all_here || transport_) && "other processes need a transport");
  lock.lock();
  pending.status = status;
  pending.done = true;
  if (!status)
    break_with(status.error());
  changed_.notify_all();
  return status;
}

Status LocalGrid::wait(Lock &lock, int process,
                       const std::shared_ptr<PendingRendezvous> &pending,
                       const std::string &name) {
  auto end = Clock::now() + options_.deadline;
  while (!pending->done) {
    // Once all have arrived, the buffers are in use until execution is done.
    bool held = pending->arrived == pending->wanted;
    if (!held && !status_)
      return interrupted(name);
    if (!held) {
      if (std::optional<int> member = gone(process, *pending))
        return break_with(failure(
            FailureKind::Collective,
            "programs differ: " + process_text(process, options_.shape) +
                " is at " + name + ", but the program of " +
                process_text(*member, options_.shape) + " has ended"));
      if (Clock::now() >= end)
        return break_with(
            failure(FailureKind::Collective,
                    process_text(process, options_.shape) + " waited " +
                        duration_text(options_.deadline) + " at " + name +
                        "; not there: " + missing(*pending)));
    }
    if (held)
      changed_.wait(lock);
    else
      changed_.wait_until(lock, end);
  }
  return pending->status;
}

//===- Channels -----------------------------------------------------------===//

/// The routes of a send or receive of `process`.
Result<std::vector<Route>> LocalGrid::routes(int process,
                                             const Collective &what) const {
  bool sends = what.kind == CollectiveKind::Send;
  if (what.host || what.groups.empty())
    return std::vector<Route>{{what.channel, kHost, kHost}};
  Collective pairs = what;
  // Channels distinguish partitions. With one partition they distinguish
  // replicas.
  if (options_.shape.partitions == 1)
    pairs.grouping = ProcessGrouping::CrossReplica;
  Result<std::vector<ProcessGroup>> groups =
      process_groups(pairs, options_.shape);
  if (!groups)
    return groups.error();
  std::vector<Route> found;
  for (const ProcessGroup &pair : *groups)
    if (pair.size() == 2 && pair[sends ? 0 : 1] == process)
      found.push_back({what.channel, pair[0], pair[1]});
  return found;
}

Status LocalGrid::send(int process, const CollectiveCall &call) {
  Result<std::vector<Route>> to = routes(process, call.what);
  if (!to)
    return to.error();
  Transfer transfer;
  for (size_t i = 0; i < call.operands.size(); ++i) {
    const auto *from = static_cast<const std::byte *>(call.operands[i]);
    int64_t bytes = call.what.operands[i].byte_count().value_or(0);
    transfer.emplace_back(from, from + bytes);
  }
  Lock lock(mutex_);
  if (!status_)
    return interrupted(describe(call.what));
  for (const Route &route : *to)
    if (route.target == kHost || is_here(route.target))
      queues_[route].push_back(transfer);
  changed_.notify_all();
  lock.unlock();
  for (const Route &route : *to)
    if (route.target != kHost && !is_here(route.target))
      XLAC_RETURN_IF_ERROR(transport_->send(route, transfer));
  return {};
}

Status LocalGrid::receive(int process, const CollectiveCall &call) {
  Result<std::vector<Route>> from = routes(process, call.what);
  if (!from)
    return from.error();
  if (from->empty()) {
    fill_results(call);
    return {};
  }
  std::string name =
      process_text(process, options_.shape) + " at " + describe(call.what);
  Lock lock(mutex_);
  processes_[process].at = describe(call.what);
  Result<Transfer> transfer = take(lock, from->front(), process, name);
  processes_[process].at.clear();
  lock.unlock();
  if (!transfer)
    return transfer.error();
  return accept(call, *transfer, name);
}

Result<Transfer> LocalGrid::take(Lock &lock, const Route &route, int process,
                                 const std::string &what) {
  std::deque<Transfer> &queue = queues_[route];
  auto end = Clock::now() + options_.deadline;
  while (queue.empty()) {
    if (!status_)
      return interrupted(what);
    bool here = route.source == kHost || is_here(route.source);
    if (!here)
      if (Status status = transport_->reachable(route.source); !status)
        return break_with(failure(status.error().failure_kind,
                                  what + ": " + status.error().message));
    if (here && route.source != kHost &&
        processes_[route.source].ended >= processes_[process].begun)
      return break_with(failure(
          FailureKind::Collective,
          "programs differ: " + what + ", but the program of " +
              process_text(route.source, options_.shape) + " has ended"));
    if (Clock::now() >= end)
      return break_with(failure(FailureKind::Collective,
                                what + " waited " +
                                    duration_text(options_.deadline) +
                                    " and nothing was sent"));
    changed_.wait_until(lock, end);
  }
  Transfer transfer = std::move(queue.front());
  queue.pop_front();
  return transfer;
}

void LocalGrid::deliver(const Route &route, Transfer transfer) {
  std::lock_guard lock(mutex_);
  queues_[route].push_back(std::move(transfer));
  changed_.notify_all();
}

void LocalGrid::push(int64_t channel, Transfer transfer) {
  std::lock_guard lock(mutex_);
  queues_[{channel, kHost, kHost}].push_back(std::move(transfer));
  changed_.notify_all();
}

Result<Transfer> LocalGrid::pop(int64_t channel) {
  Lock lock(mutex_);
  return take(lock, {channel, kHost, kHost}, kHost,
              "the host at channel " + std::to_string(channel));
}

} // namespace

static Status check_shape(GridShape shape) {
  constexpr int kMost = 1 << 16;
  if (shape.replicas < 1 || shape.partitions < 1 || shape.replicas > kMost ||
      shape.partitions > kMost / shape.replicas)
    return failure(FailureKind::User,
                   "got a grid of " + std::to_string(shape.replicas) +
                       " replicas and " + std::to_string(shape.partitions) +
                       " partitions");
  return {};
}

Result<std::shared_ptr<Communicator>>
make_local_grid(const GridOptions &options) {
  XLAC_RETURN_IF_ERROR(check_shape(options.shape));
  return std::shared_ptr<Communicator>(
      std::make_shared<LocalGrid>(options, 0, options.shape.count(), nullptr));
}

Result<std::shared_ptr<PartialGrid>>
make_partial_grid(const GridOptions &options, int first, int count,
                  std::shared_ptr<Transport> transport) {
  XLAC_RETURN_IF_ERROR(check_shape(options.shape));
  return std::shared_ptr<PartialGrid>(
      std::make_shared<LocalGrid>(options, first, count, std::move(transport)));
}

} // namespace xlac::runtime
