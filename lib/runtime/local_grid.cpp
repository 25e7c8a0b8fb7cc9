// The grid whose processes are launches on devices of this process. Whoever
// comes last to a meeting does its work while the others sleep, so that buffers
// need no second meeting to be let go of.
#include "collective_moves.h"

#include <algorithm>
#include <map>
#include <optional>

namespace xlac {

namespace {

constexpr int kHost = -1;

class LocalGrid final : public Communicator {
public:
  explicit LocalGrid(const GridOptions &options)
      : options_(options), processes_(options.shape.count()) {}

  GridShape shape() const override { return options_.shape; }
  std::chrono::milliseconds deadline() const override {
    return options_.deadline;
  }
  void enter(int process) override;
  void leave(int process, const Status &status) override;
  Status run(int process, const CollectiveCall &call) override;
  Status status() const override;
  void push(int64_t channel, Transfer transfer) override;
  Result<Transfer> pop(int64_t channel) override;

private:
  using Lock = std::unique_lock<std::mutex>;
  using Clock = std::chrono::steady_clock;

  struct Process {
    uint64_t begun = 0, ended = 0; ///< runs
    /// In this run, collectives of each group.
    std::map<ProcessGroup, uint64_t> sequence;
  };
  struct Gathering {
    Meeting meeting;
    size_t arrived = 0;
    bool done = false;
    Status status;
  };
  /// The members, their run, and the number of the collective in it.
  struct Key {
    ProcessGroup members;
    uint64_t run, number;
    auto operator<=>(const Key &) const = default;
  };
  /// A queue between two processes; kHost for both where the host is an end.
  struct Route {
    int64_t channel;
    int source, target;
    auto operator<=>(const Route &) const = default;
  };

  Status meet(int process, const CollectiveCall &call, Meeting plan);
  Status wait(Lock &lock, int process,
              const std::shared_ptr<Gathering> &gathering,
              const std::string &name);
  Status hold(Lock &lock, const CollectiveCall &call, Gathering &gathering);
  std::string missing(const Gathering &gathering) const;
  std::optional<int> gone(int process, const Gathering &gathering) const;
  Result<std::vector<Route>> routes(int process, const Collective &what) const;
  Status send(int process, const CollectiveCall &call);
  Status receive(int process, const CollectiveCall &call);
  /// What comes next on the route; `process` is who waits, kHost for the host.
  Result<Transfer> take(Lock &lock, const Route &route, int process,
                        const std::string &what);
  /// The grid's failure from now on; all who wait hear of it.
  Failure break_with(Failure failure);

  const GridOptions options_;
  mutable std::mutex mutex_;
  std::condition_variable changed_;
  std::vector<Process> processes_;
  std::map<Key, std::shared_ptr<Gathering>> gatherings_;
  std::map<Route, std::deque<Transfer>> queues_;
  Status status_;
};

std::string duration_text(std::chrono::milliseconds time) {
  return time.count() % 1000 == 0 ? std::to_string(time.count() / 1000) + " s"
                                  : std::to_string(time.count()) + " ms";
}

/// `other` beside `what`, from which it differs.
std::string other_text(const Collective &other, const Collective &what) {
  std::string text = describe(other);
  return text != describe(what)
             ? text
             : "one with other groups, dimensions or computation";
}

//===- Runs ---------------------------------------------------------------===//

void LocalGrid::enter(int process) {
  std::lock_guard lock(mutex_);
  ++processes_[process].begun;
  processes_[process].sequence.clear();
}

void LocalGrid::leave(int process, const Status &status) {
  std::lock_guard lock(mutex_);
  processes_[process].ended = processes_[process].begun;
  // A failure that came from the grid is not to be told twice.
  if (!status && status_)
    status_ =
        failure(status.error().fault, process_text(process, options_.shape) +
                                          " failed: " + status.error().message);
  changed_.notify_all();
}

Status LocalGrid::status() const {
  std::lock_guard lock(mutex_);
  return status_;
}

Failure LocalGrid::break_with(Failure failure) {
  if (status_)
    status_ = failure;
  changed_.notify_all();
  return failure;
}

Status LocalGrid::run(int process, const CollectiveCall &call) {
  const Collective &what = call.what;
  if (what.kind == CollectiveKind::Send)
    return send(process, call);
  if (what.kind == CollectiveKind::Recv)
    return receive(process, call);
  Result<std::vector<ProcessGroup>> groups =
      process_groups(what, options_.shape);
  if (!groups)
    return groups.error();
  Meeting plan;
  if (what.kind == CollectiveKind::Permute) {
    // Pairs form chains: all that have a part on this side of the grid meet.
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
    return failure(Fault::User, describe(what) + ": " +
                                    process_text(process, options_.shape) +
                                    " is in none of its groups");
  fill_results(call);
  return {};
}

//===- Meetings -----------------------------------------------------------===//

std::string LocalGrid::missing(const Gathering &gathering) const {
  std::string text;
  for (size_t i = 0; i < gathering.meeting.members.size(); ++i)
    if (!gathering.meeting.calls[i])
      text += (text.empty() ? "" : "; ") +
              process_text(gathering.meeting.members[i], options_.shape);
  return text;
}

/// A member that has not come and, its run over, never will.
std::optional<int> LocalGrid::gone(int process,
                                   const Gathering &gathering) const {
  for (size_t i = 0; i < gathering.meeting.members.size(); ++i) {
    int member = gathering.meeting.members[i];
    if (!gathering.meeting.calls[i] &&
        processes_[member].ended >= processes_[process].begun)
      return member;
  }
  return std::nullopt;
}

Status LocalGrid::meet(int process, const CollectiveCall &call, Meeting plan) {
  Lock lock(mutex_);
  if (!status_)
    return status_;
  Process &self = processes_[process];
  Key key{plan.members, self.begun, self.sequence[plan.members]++};
  std::string name = describe(call.what) + ", number " +
                     std::to_string(key.number) + " of its group";
  std::shared_ptr<Gathering> &slot = gatherings_[key];
  if (!slot) {
    slot = std::make_shared<Gathering>();
    slot->meeting = std::move(plan);
    slot->meeting.calls.assign(slot->meeting.members.size(), nullptr);
  }
  std::shared_ptr<Gathering> gathering = slot;
  Meeting &meeting = gathering->meeting;
  for (size_t i = 0; i < meeting.members.size(); ++i)
    if (meeting.calls[i] && !agree(meeting.calls[i]->what, call.what))
      return break_with(
          failure(Fault::User,
                  "programs differ: " + process_text(process, options_.shape) +
                      " is at " + name + ", but " +
                      process_text(meeting.members[i], options_.shape) +
                      " at " + other_text(meeting.calls[i]->what, call.what)));
  for (size_t i = 0; i < meeting.members.size(); ++i)
    if (meeting.members[i] == process)
      meeting.calls[i] = &call;
  if (++gathering->arrived < meeting.members.size())
    return wait(lock, process, gathering, name);
  gatherings_.erase(key);
  return hold(lock, call, *gathering);
}

/// With everybody there and asleep: the work, without the lock.
Status LocalGrid::hold(Lock &lock, const CollectiveCall &call,
                       Gathering &gathering) {
  lock.unlock();
  Status status = carry_out(gathering.meeting, call);
  lock.lock();
  gathering.status = status;
  gathering.done = true;
  if (!status)
    break_with(status.error());
  changed_.notify_all();
  return status;
}

Status LocalGrid::wait(Lock &lock, int process,
                       const std::shared_ptr<Gathering> &gathering,
                       const std::string &name) {
  auto end = Clock::now() + options_.deadline;
  while (!gathering->done) {
    // Once all are there the buffers are in use until the work is done.
    bool held = gathering->arrived == gathering->meeting.members.size();
    if (!held && !status_)
      return status_;
    if (!held) {
      if (std::optional<int> member = gone(process, *gathering))
        return break_with(failure(
            Fault::User,
            "programs differ: " + process_text(process, options_.shape) +
                " is at " + name + ", but the program of " +
                process_text(*member, options_.shape) + " has ended"));
      if (Clock::now() >= end)
        return break_with(failure(
            Fault::Runtime, process_text(process, options_.shape) + " waited " +
                                duration_text(options_.deadline) + " at " +
                                name + "; not there: " + missing(*gathering)));
    }
    if (held)
      changed_.wait(lock);
    else
      changed_.wait_until(lock, end);
  }
  return gathering->status;
}

//===- Channels -----------------------------------------------------------===//

/// Where a send of `process` goes to, or a receive comes from.
Result<std::vector<LocalGrid::Route>>
LocalGrid::routes(int process, const Collective &what) const {
  bool sends = what.kind == CollectiveKind::Send;
  if (what.host || what.groups.empty())
    return std::vector<Route>{{what.channel, kHost, kHost}};
  Collective pairs = what;
  // Channels tell partitions apart; with one partition they can only mean
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
  std::lock_guard lock(mutex_);
  if (!status_)
    return status_;
  for (const Route &route : *to)
    queues_[route].push_back(transfer);
  changed_.notify_all();
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
  Result<Transfer> transfer = take(lock, from->front(), process, name);
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
      return status_.error();
    if (route.source != kHost &&
        processes_[route.source].ended >= processes_[process].begun)
      return break_with(failure(
          Fault::User, "programs differ: " + what + ", but the program of " +
                           process_text(route.source, options_.shape) +
                           " has ended"));
    if (Clock::now() >= end)
      return break_with(failure(
          Fault::Runtime, what + " waited " + duration_text(options_.deadline) +
                              " and nothing was sent"));
    changed_.wait_until(lock, end);
  }
  Transfer transfer = std::move(queue.front());
  queue.pop_front();
  return transfer;
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

Result<std::shared_ptr<Communicator>>
make_local_grid(const GridOptions &options) {
  constexpr int kMost = 1 << 16;
  GridShape shape = options.shape;
  if (shape.replicas < 1 || shape.partitions < 1 || shape.replicas > kMost ||
      shape.partitions > kMost / shape.replicas)
    return failure(Fault::User,
                   "got a grid of " + std::to_string(shape.replicas) +
                       " replicas and " + std::to_string(shape.partitions) +
                       " partitions");
  return std::shared_ptr<Communicator>(std::make_shared<LocalGrid>(options));
}

} // namespace xlac
