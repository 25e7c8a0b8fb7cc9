// A part of the pending graph, cut to be run.
#pragma once

#include "xlac/graph/graph_key.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/tensor_impl.h"

#include <map>

namespace xlac::lazy {

/// A storage that waits for the result `number`.
struct PendingResult {
  std::shared_ptr<Storage> storage;
  graph::Value pending;
  uint32_t number;
};

/// Distinct values in order, and who waits for them.
struct SyncGraph {
  std::vector<graph::Value> roots;
  std::vector<PendingResult> waiting;

  /// The number of the result that `value` is, added if need be.
  uint32_t add(const graph::Value &value);
  /// The value of `storage`, unless that is computed already.
  void add(std::shared_ptr<Storage> storage);

private:
  std::map<std::pair<const graph::Node *, uint32_t>, uint32_t> numbers_;
};

/// What live storages of `device` wait for, after the collectives that it has
/// recorded. Without `with_traced` it leaves out what no program can compute:
/// what depends on the inputs of a traced function.
SyncGraph collect_pending(int device, bool with_traced = false);

/// Results of the collectives that `device` has recorded and not run, in order.
std::vector<graph::Value> pending_collectives(int device);
/// Those that `roots` need are about to run.
void forget_collectives_of(const std::vector<graph::Value> &roots, int device);

/// What the trace `from` has left pending on `device` is of the trace `to` now,
/// or of none if that is 0.
void hand_over_pending(int device, uint64_t from, uint64_t to);

/// What `parameter` holds, which must be data of `device`.
DeviceData &data_of(const graph::Node &parameter, int device);

/// Pairs each result with the argument that its storage held before, where
/// their types agree: the memory may be used again. Sorted by result.
std::vector<AliasPair> find_aliases(const SyncGraph &sync_graph,
                                    const graph::HashedGraph &walked,
                                    int device);

} // namespace xlac::lazy
