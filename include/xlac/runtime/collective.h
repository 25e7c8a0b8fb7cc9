// What a program asks of its peers and of the host, as its image describes it.
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

} // namespace xlac::runtime
