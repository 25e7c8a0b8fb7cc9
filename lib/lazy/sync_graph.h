// A part of the pending graph, cut to be run.
#pragma once

#include "xlac/graph/graph_key.h"
#include "xlac/lazy/storage.h"

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

/// Pairs each result with the argument that its storage held before, where
/// their types agree: the memory may be used again. Sorted by result.
std::vector<AliasPair> find_aliases(const SyncGraph &sync_graph,
                                    const graph::HashedGraph &walked,
                                    int device);

} // namespace xlac::lazy
