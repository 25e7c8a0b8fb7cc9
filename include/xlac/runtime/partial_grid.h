// A grid with some processes on devices of this process and the others
// elsewhere. The grid matches collectives, keeps their order and handles
// missing members. A transport moves the bytes to the other processes.
#pragma once

#include "xlac/runtime/collective_plan.h"

#include <compare>

namespace xlac::runtime {

/// Identifies a collective: its members, their run and the index of the group's
/// collective within the run.
struct RendezvousKey {
  ProcessGroup members;
  uint64_t run = 0, number = 0;
  auto operator<=>(const RendezvousKey &) const = default;
};

/// A queue between two processes; both are kHost if the host is one end.
struct Route {
  static constexpr int kHost = -1;
  int64_t channel = 0;
  int source = kHost, target = kHost;
  auto operator<=>(const Route &) const = default;
};

/// What a process of the grid is doing, for diagnostics of processes that wait
/// for it.
struct Progress {
  uint64_t begun = 0, ended = 0; ///< counts of runs
  /// The collective that it executes, or empty: "all_reduce of tensor<4xf32>,
  /// number 0 of its group".
  std::string at;
};

/// Moves data to and from processes that are elsewhere.
class Transport {
public:
  virtual ~Transport() = default;

  /// Computes the results of the local members, all of which have arrived. Runs
  /// on the thread of one of them, whose call is `leader`. `name` identifies
  /// the collective in messages.
  virtual Status execute(const RendezvousKey &key,
                         const Rendezvous &rendezvous_state,
                         const CollectiveCall &leader,
                         const std::string &name) = 0;
  /// Sends a transfer to a process elsewhere.
  virtual Status send(const Route &route, const Transfer &transfer) = 0;
  /// The reason why `process` can no longer be reached, or ok.
  virtual Status reachable(int process) = 0;
  /// The grid failed in this process: the transport tells the other processes.
  /// It is called with the grid locked and must not wait.
  virtual void failed(const Failure &failure) = 0;
};

class PartialGrid : public Communicator {
public:
  /// Delivers a transfer that a process elsewhere sent to a local one.
  virtual void deliver(const Route &route, Transfer transfer) = 0;
  /// The progress of a local process.
  virtual Progress progress(int process) const = 0;
  /// Wakes local processes that wait for others, so that they check whether the
  /// others are still reachable.
  virtual void wake() = 0;
};

/// Makes a grid whose processes [first, first + count) are local.
Result<std::shared_ptr<PartialGrid>>
make_partial_grid(const GridOptions &options, int first, int count,
                  std::shared_ptr<Transport> transport);

} // namespace xlac::runtime
