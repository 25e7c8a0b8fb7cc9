// Collectives and host calls of a program, as its image describes them.
#pragma once

#include "xlac/custom_call.h"
#include "xlac/support/result.h"
#include "xlac/support/tensor_type.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::runtime {

/// The values are written to images: append only.
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

/// How groups of ids map to groups of processes (StableHLO specification,
/// "Collective ops").
enum class ProcessGrouping : uint8_t {
  CrossReplica,
  CrossPartition,
  CrossReplicaAndPartition,
  FlattenedIds,
};
inline constexpr int kProcessGroupingCount = 4;

/// A compiled kernel that combines two contiguous arrays elementwise.
struct CollectiveReducer {
  uint32_t kernel = 0;        ///< index of its first phase in the image
  std::vector<int64_t> tasks; ///< number of tasks of each phase
  int64_t elements = 1;       ///< length of the arrays; positive
};

/// The host function of a custom call and its arguments.
struct HostFunction {
  std::string target;
  std::string source; ///< "file:line:column" of the call
  CustomCallAttributes attributes;
  CustomCallDictionary exact; ///< the same, sorted, with exact types
  /// For each operand, then each result: its dimensions from minor to major.
  /// Empty: all are row-major.
  std::vector<std::vector<int64_t>> layouts;
  /// Positions of tokens in the call's lists of operands and of results.
  std::vector<int64_t> operand_tokens, result_tokens;
  /// Pairs of a result and the operand that its memory begins as, by their
  /// positions in those lists.
  std::vector<int64_t> result_aliases;
  /// The one partition that calls it; -1: each does.
  int64_t only_partition = -1;
};

/// One collective, transfer, feed or custom call of a program.
struct Collective {
  CollectiveKind kind = CollectiveKind::AllReduce;
  ProcessGrouping grouping = ProcessGrouping::CrossReplica;
  int64_t channel = 0;
  /// Groups of ids; for Permute, Send and Recv pairs of source and target.
  /// Empty: one group of all processes.
  std::vector<std::vector<int64_t>> groups;
  int64_t dimension = 0; ///< the dimension that is gathered, scattered or split
  int64_t concat_dimension = 0;
  /// The last operand has one i32 per result: the group member that is its
  /// root.
  bool dynamic_root = false;
  bool host = false; ///< Send and Recv: the peer is the host
  /// For each result the bit pattern of elements that receive nothing; zeros if
  /// empty.
  std::vector<int64_t> fill;
  /// A hash of the computation, by which peers check that theirs is the same.
  uint64_t body = 0;
  std::vector<TensorType> operands, results; ///< without tokens
  std::vector<CollectiveReducer> reducers;   ///< one per result, or none
  HostFunction function;                     ///< for CustomCall
};

/// "all_reduce", …
std::string_view to_string(CollectiveKind kind);
/// A 64-bit hash; equal for collectives that agree.
uint64_t fingerprint(const Collective &what);
/// True if peers may combine `a` and `b`: they are equal except for the kernel
/// indices of their reducers.
bool agree(const Collective &a, const Collective &b);
/// Whether operands, results and reducers have the number and types that
/// execution expects, in an image with `kernels` kernel phases.
bool is_complete(const Collective &what, size_t kernels);
/// "all_reduce of tensor<4xf32> on channel 1", for messages.
std::string describe(const Collective &what);

/// Grid of processes: one row per replica, one column per partition. The index
/// of a process is replica * partitions + partition.
struct GridShape {
  int replicas = 1, partitions = 1;
  int count() const { return replicas * partitions; }
};

} // namespace xlac::runtime
