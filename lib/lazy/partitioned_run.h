// Programs of SPMD, whose execution differs from that on one device.
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

/// How the values of a cut are to lie on the devices; without shardings where
/// there is one device.
struct Partitioning {
  int count = 1;
  /// One for each argument and result; those without a value are for the
  /// compiler to choose.
  std::vector<std::optional<Sharding>> arguments, results;

  void hash(FastHasher &hasher) const;
};

/// Results lie as they were asked to, else as the argument that they replace,
/// unless that is an upload without a requested sharding: state that a
/// program of shards takes over may well be shards. Takes out of `aliases` the
/// pairs whose memory may differ. Under automatic SPMD
/// large arguments without a requested sharding are distributed now.
Partitioning partitioning_of(const SyncGraph &sync_graph,
                             const graph::HashedGraph &walked,
                             std::vector<AliasPair> &aliases);

/// Adds to a program, which is only to be looked at, how its arguments lie on
/// the devices and what its results were asked.
void add_partitioning(graph::Program &program);

/// Buffers for the results on every device.
Status check_capacity_of_all(const runtime::Executable &executable);

/// Launches on all devices: `arguments` hold for each argument what shards()
/// gave, laid out as the image wants. Gives for each result its shards.
std::vector<std::vector<runtime::BufferRef>>
launch_everywhere(std::shared_ptr<const runtime::Executable> executable,
                  std::vector<std::vector<runtime::BufferRef>> arguments,
                  metrics::Metric *run_time);

/// For each argument of a program of SPMD the shards that it wants.
std::vector<std::vector<runtime::BufferRef>>
arguments_everywhere(const graph::HashedGraph &walked,
                     const runtime::Executable &executable);

/// run_executable() of a program that was cut up for the devices of SPMD, on
/// the whole of each argument.
/// UserError when it was made for another number of them.
std::vector<graph::Value>
run_partitioned(std::shared_ptr<const runtime::Executable> executable,
                const std::vector<host::Literal> &arguments,
                const std::vector<TensorType> &results,
                metrics::Metric *run_time);

/// How result `number` of a program comes out.
Layout result_layout(const runtime::Executable &executable, size_t number);

/// Waits for all devices; throws the failure of the first that had one.
void wait_everywhere();

} // namespace xlac::lazy
