// A grid of which some processes are launches on devices of this process and
// the others are elsewhere. Who meets whom, in which order, and what happens
// when a member is missing is decided here; how bytes reach the others is a
// carrier's.
#pragma once

#include "xlac/runtime/collective_plan.h"

#include <compare>

namespace xlac::runtime {

/// Which meeting it is: of these members, in so many runs of each of them the
/// so-many-th of theirs.
struct RendezvousKey {
  ProcessGroup members;
  uint64_t run = 0, number = 0;
  auto operator<=>(const RendezvousKey &) const = default;
};

/// A queue between two processes; kHost for both where the host is an end.
struct Route {
  static constexpr int kHost = -1;
  int64_t channel = 0;
  int source = kHost, target = kHost;
  auto operator<=>(const Route &) const = default;
};

/// What a process of the grid is doing, for others who wait for it.
struct Progress {
  uint64_t begun = 0, ended = 0; ///< runs
  /// The collective it is at, or empty: "all_reduce of tensor<4xf32>, number 0
  /// of its group".
  std::string at;
};

/// The way to the processes that are elsewhere.
class Transport {
public:
  virtual ~Transport() = default;

  /// Fills the results of those members that are here, all of whom are there;
  /// on the thread of one of them, whose call is `leader`. `name` says what it
  /// is, for messages.
  virtual Status execute(const RendezvousKey &key,
                         const Rendezvous &rendezvous_state,
                         const CollectiveCall &leader,
                         const std::string &name) = 0;
  /// Leaves a transfer for a process elsewhere.
  virtual Status send(const Route &route, const Transfer &transfer) = 0;
  /// Why nothing will come from there any more.
  virtual Status reachable(int process) = 0;
  /// The grid has failed here: the others shall hear of it. Called with the
  /// grid locked; must not wait.
  virtual void failed(const Failure &failure) = 0;
};

class PartialGrid : public Communicator {
public:
  /// What a process elsewhere has left for one here.
  virtual void deliver(const Route &route, Transfer transfer) = 0;
  /// Of a process that is here.
  virtual Progress progress(int process) const = 0;
  /// Wakes those who wait for what others send, so that they look whether they
  /// are still reachable.
  virtual void wake() = 0;
};

/// Processes [first, first + count) are here.
Result<std::shared_ptr<PartialGrid>>
make_partial_grid(const GridOptions &options, int first, int count,
                  std::shared_ptr<Transport> transport);

} // namespace xlac::runtime
