// Execution of SPMD programs.
#pragma once

#include "sync_graph.h"

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"
#include "xlac/lazy/layout.h"
#include "xlac/runtime/buffer.h"
#include "xlac/runtime/executable.h"
#include "xlac/support/fast_hash.h"
#include "xlac/support/metrics.h"

namespace xlac::lazy {

/// The shardings of a graph's values; empty if there is only one device.
struct Partitioning {
  int count = 1;
  /// Whether the compiler searches shardings of arguments without a value.
  bool automatic = false;
  /// One per argument and result. The compiler chooses those without a value.
  std::vector<std::optional<Sharding>> arguments, results;
  /// Under automatic SPMD: identifies the graph without `arguments`, for
  /// keep_plan().
  Hash128 graph;

  /// Hashes everything but `graph`.
  void hash(FastHasher &hasher) const;
  /// Sets the partitions and shardings of a program.
  void add_to(graph::Program &program) const;
};

/// Results get the requested sharding, else the sharding of the argument that
/// they replace. An argument that is an upload without a requested sharding
/// does not count, since state that a partitioned program updates may be
/// sharded. Removes pairs from `aliases` whose memory may differ. Under
/// automatic SPMD, arguments without a layout are left to the compiler. If an
/// earlier program of the graph left more arguments open and serves this one,
/// the result is the same as for that program.
Partitioning partitioning_of(const SyncGraph &sync_graph,
                             const graph::HashedGraph &walked,
                             std::vector<AliasPair> &aliases);

/// The key of a graph's program in this process.
Hash128 key_of(const graph::HashedGraph &walked,
               const std::vector<AliasPair> &aliases,
               const Partitioning &partitioning);

/// Adds shardings of arguments and requested shardings of results to a program
/// that is only inspected.
void add_partitioning(graph::Program &program);

/// OutOfMemory unless the results fit on every device that the program runs on.
Status check_capacities(const runtime::Executable &executable);

/// Launches on all devices, or on the first one if all would compute the same.
/// For each argument, `arguments` holds the buffers of shards(), with the
/// layout that the image expects. Returns the shards of each result.
std::vector<std::vector<runtime::BufferRef>>
launch_everywhere(std::shared_ptr<const runtime::Executable> executable,
                  std::vector<std::vector<runtime::BufferRef>> arguments,
                  metrics::Metric *run_time);

/// For each argument of an SPMD program, the shards that it expects. Under
/// automatic SPMD, data without a layout keeps the one that the program shards
/// it with.
std::vector<std::vector<runtime::BufferRef>>
arguments_everywhere(const graph::HashedGraph &walked,
                     const runtime::Executable &executable);

/// run_executable() for a partitioned program, with the global value of each
/// argument. UserError if the program was made for another number of devices.
std::vector<graph::Value>
run_partitioned(std::shared_ptr<const runtime::Executable> executable,
                const std::vector<host::Literal> &arguments,
                const std::vector<TensorType> &results,
                metrics::Metric *run_time);

/// The layout of result `number` of a program.
Layout result_layout(const runtime::Executable &executable, size_t number);

/// Waits for all devices; throws the failure of the first device that failed.
void wait_everywhere();

} // namespace xlac::lazy
