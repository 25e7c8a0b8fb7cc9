// What a program asks of its peers and of the host, as its image describes it,
// and the interface of what executes it. The runtime has one for the
// virtual devices of this process; transports to other processes and hosts
// implement the same.
#pragma once

#include "xlac/custom_call.h"
#include "xlac/support/result.h"
#include "xlac/support/tensor_type.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac {

/// Written to images: append only.
enum class CollectiveKind : uint8_t {
  AllGather,
  AllReduce,
  AllToAll,
  Broadcast,
  Permute,
  Reduce,
  ReduceScatter,
  Send,
  Recv,
  Infeed,
  Outfeed,
  PartitionId,
  ReplicaId,
  CustomCall,
};
inline constexpr int kCollectiveKindCount = 14;

/// How groups of ids become groups of processes (StableHLO specification,
/// "Collective ops").
enum class ProcessGrouping : uint8_t {
  CrossReplica,
  CrossPartition,
  CrossReplicaAndPartition,
  FlattenedIds,
};
inline constexpr int kProcessGroupingCount = 4;

/// A compiled kernel that combines two runs of so many elements, one by one.
struct CollectiveReducer {
  uint32_t kernel = 0;        ///< its first phase among the image's
  std::vector<int64_t> tasks; ///< of each phase
  int64_t elements = 1;       ///< positive
};

/// Which function of the host a custom call is for, and how.
struct HostFunction {
  std::string target;
  std::string source; ///< "file:line:column" of the call
  CustomCallAttributes attributes;
  /// Of operands, then results: dimensions from the fastest in memory to the
  /// slowest. Empty: all are row-major.
  std::vector<std::vector<int64_t>> layouts;
};

/// One collective, transfer, feed or custom call of a program.
struct Collective {
  CollectiveKind kind = CollectiveKind::AllReduce;
  ProcessGrouping grouping = ProcessGrouping::CrossReplica;
  int64_t channel = 0;
  /// Rows of ids; of Permute, Send and Recv pairs of source and target. None at
  /// all means one group of everybody.
  std::vector<std::vector<int64_t>> groups;
  int64_t dimension = 0; ///< gathered, scattered or split
  int64_t concat_dimension = 0;
  /// The last operand has an i32 for each result: which member is its root.
  bool dynamic_root = false;
  bool host = false; ///< Send and Recv: the other end is the host
  /// For each result the bits of an element where nothing is received; zeros
  /// if empty.
  std::vector<int64_t> fill;
  /// A hash of the computation, so that peers can tell whether it is one.
  uint64_t body = 0;
  std::vector<TensorType> operands, results; ///< without tokens
  std::vector<CollectiveReducer> reducers;   ///< one a result, or none
  HostFunction function;                     ///< of a custom call
};

/// "all_reduce", …
std::string_view to_string(CollectiveKind kind);
/// Equal for collectives that agree, and hardly ever for others.
uint64_t fingerprint(const Collective &what);
/// True if processes on both sides mean the same: all but the reducers' places
/// in their images are equal.
bool agree(const Collective &a, const Collective &b);
/// True if there are as many operands, results and reducers, of such types, as
/// carrying it out looks for, in an image of so many kernel phases.
bool is_complete(const Collective &what, size_t kernels);
/// "all_reduce of tensor<4xf32> on channel 1", for messages.
std::string describe(const Collective &what);

/// Processes in rows (replicas) and columns (partitions). A process is known by
/// its number, replica * partitions + partition.
struct GridShape {
  int replicas = 1, partitions = 1;
  int count() const { return replicas * partitions; }
};

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

} // namespace xlac
