// The interface of what executes collectives. The runtime has one for the
// virtual devices of this process; transports to other processes and hosts
// implement the same.
#pragma once

#include "xlac/runtime/collective.h"
#include "xlac/support/result.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

namespace xlac::runtime {

/// One process's call of a collective.
struct CollectiveCall {
  const Collective &what;
  std::span<const void *const> operands;
  std::span<void *const> results;
  /// Combines two runs of neighbouring elements of result `number`'s type, the
  /// left one first. `result`, aligned as memory of devices is, may be `left`.
  std::function<Status(size_t number, const void *left, const void *right,
                       void *result, int64_t elements)>
      reduce;
  int threads = 0; ///< that copies may take; 0 for all
};

/// Values of one transfer, each a tensor's bytes.
using Transfer = std::vector<std::vector<std::byte>>;

/// What the host feeds a device, or a device the host, in order.
class TransferQueue {
public:
  void push(Transfer transfer);
  /// The oldest transfer; waits for it. Fails past `deadline`, or as soon as
  /// `alive` (asked now and then; may be empty) does.
  Result<Transfer> pop(std::chrono::milliseconds deadline,
                       const std::function<Status()> &alive = {});
  size_t size() const;

private:
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Transfer> transfers_;
};

/// Where the processes of a grid meet. Floats are reduced in the order of the
/// group, on any thread and at any time, so results have the same bits over
/// every transport. The k-th run of each process meets the k-th runs of the
/// others; in it the n-th collective of a group meets the n-th of each member.
/// A failure of one process fails those who wait for it, as a Collective one,
/// and stays.
class Communicator {
public:
  virtual ~Communicator() = default;

  virtual GridShape shape() const = 0;
  /// How long anybody waits.
  virtual std::chrono::milliseconds deadline() const = 0;

  /// A run of `process` begins, or has ended as `status` says.
  virtual void enter(int process) = 0;
  virtual void leave(int process, const Status &status) = 0;

  /// Carries out `call` for `process`, which has entered; blocks until that is
  /// done. Peers that ask for something else, are gone or never come are
  /// failures of every process concerned.
  virtual Status run(int process, const CollectiveCall &call) = 0;

  /// The grid's failure, if it has one.
  virtual Status status() const = 0;
  /// Fails the grid from outside, unless it has failed.
  virtual void fail(const Failure &failure) = 0;

  /// The host's end of a channel: what Recv with `host` takes, and what Send
  /// with `host` leaves (one queue, so a program may also be its own peer).
  virtual void push(int64_t channel, Transfer transfer) = 0;
  virtual Result<Transfer> pop(int64_t channel) = 0;
};

struct GridOptions {
  GridShape shape;
  std::chrono::milliseconds deadline = std::chrono::seconds(120);
};

/// A grid of which each process is a launch on a device of this process. User
/// for a grid without processes.
Result<std::shared_ptr<Communicator>>
make_local_grid(const GridOptions &options);

/// Where a launch stands.
struct GridRank {
  std::shared_ptr<Communicator> grid; ///< null: a grid of its own
  int process = 0;
};

} // namespace xlac::runtime
