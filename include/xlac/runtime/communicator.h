// The interface for executing collectives. The runtime implements it for the
// virtual devices of this process; transports to other processes and hosts
// implement it too.
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
  /// Combines two arrays of consecutive elements of result `number`'s type, the
  /// left one first. `result` is aligned as device memory and may equal `left`.
  std::function<Status(size_t number, const void *left, const void *right,
                       void *result, int64_t elements)>
      reduce;
  int threads = 0; ///< limit on threads for copies; 0: no limit
};

/// Values of one transfer: the bytes of each tensor.
using Transfer = std::vector<std::vector<std::byte>>;

/// Infeed or outfeed data between host and device, in order.
class TransferQueue {
public:
  void push(Transfer transfer);
  /// Waits for the oldest transfer. Fails after `deadline`, or when `alive`
  /// fails, which is polled and may be empty.
  Result<Transfer> pop(std::chrono::milliseconds deadline,
                       const std::function<Status()> &alive = {});
  size_t size() const;

private:
  mutable std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Transfer> transfers_;
};

/// Matches the collectives of the processes of a grid. Floats are reduced in
/// group order, so results are bitwise equal over every transport. Run k of a
/// process matches run k of the others; within it, collective n of a group
/// matches collective n of each member. If one process fails, all that wait for
/// it fail with a Collective failure, and the grid stays failed.
class Communicator {
public:
  virtual ~Communicator() = default;

  virtual GridShape shape() const = 0;
  /// How long a process waits for others.
  virtual std::chrono::milliseconds deadline() const = 0;

  /// A run of `process` begins, or has ended with `status`.
  virtual void enter(int process) = 0;
  virtual void leave(int process, const Status &status) = 0;

  /// Executes `call` for `process`, which has entered, and blocks until it is
  /// done. If a peer makes a different call, leaves or does not arrive, every
  /// process concerned fails.
  virtual Status run(int process, const CollectiveCall &call) = 0;

  /// The grid's failure, if it has one.
  virtual Status status() const = 0;
  /// Marks the grid as failed, unless it is failed already.
  virtual void fail(const Failure &failure) = 0;

  /// The host's end of a channel: push() feeds Recv with `host`, pop() takes
  /// the values of Send with `host`. Both use one queue, so a program may also
  /// send to itself.
  virtual void push(int64_t channel, Transfer transfer) = 0;
  virtual Result<Transfer> pop(int64_t channel) = 0;
};

struct GridOptions {
  GridShape shape;
  std::chrono::milliseconds deadline = std::chrono::seconds(120);
};

/// A grid whose processes are all launches on devices of this process. User
/// failure for a grid without processes.
Result<std::shared_ptr<Communicator>>
make_local_grid(const GridOptions &options);

/// The rank of a launch in a grid.
struct GridRank {
  std::shared_ptr<Communicator> grid; ///< null: the launch has its own grid
  int process = 0;
};

} // namespace xlac::runtime
