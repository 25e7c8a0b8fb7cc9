// The part of the pending graph that is executed.
#pragma once

#include "xlac/graph/graph_key.h"
#include "xlac/lazy/storage.h"

#include <map>

namespace xlac::lazy {

/// A storage whose value is the result `number`.
struct PendingResult {
  std::shared_ptr<Storage> storage;
  graph::Value pending;
  uint32_t number;
};

/// Distinct values in order, and the storages that wait for them.
struct SyncGraph {
  std::vector<graph::Value> roots;
  std::vector<PendingResult> waiting;

  /// The result number of `value`, which is added if needed.
  uint32_t add(const graph::Value &value);
  /// Adds the value of `storage`, unless it is computed already.
  void add(std::shared_ptr<Storage> storage);

private:
  std::map<std::pair<const graph::Node *, uint32_t>, uint32_t> numbers_;
};

/// The pending values of live storages of `device`, after its recorded
/// collectives. Without `with_traced` it excludes values that depend on inputs
/// of a traced function, which no program can compute.
SyncGraph collect_pending(int device, bool with_traced = false);

/// Pairs each result with the previous value of its storage, if that is an
/// argument of the same type: its memory may be reused. Sorted by result.
std::vector<AliasPair> find_aliases(const SyncGraph &sync_graph,
                                    const graph::HashedGraph &walked,
                                    int device);

} // namespace xlac::lazy
