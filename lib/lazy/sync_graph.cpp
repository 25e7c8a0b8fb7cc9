#include "sync_graph.h"

#include "xlac/lazy/device_data.h"
#include "xlac/lazy/pending_collectives.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/trace_inputs.h"

#include <algorithm>
#include <cassert>
#include <unordered_map>
#include <unordered_set>

namespace xlac::lazy {

using graph::NodeKind;
using graph::Value;

uint32_t SyncGraph::add(const Value &value) {
  auto [found, added] = numbers_.try_emplace(
      {value.node.get(), value.number}, static_cast<uint32_t>(roots.size()));
  if (added)
    roots.push_back(value);
  return found->second;
}

void SyncGraph::add(std::shared_ptr<Storage> storage) {
  Value value = storage->value();
  if (value.node->kind() == NodeKind::Parameter)
    return;
  uint32_t number = add(value);
  waiting.push_back({std::move(storage), std::move(value), number});
}

/// Removes storages whose values depend on inputs of traced functions.
static void drop_traced(std::vector<std::shared_ptr<Storage>> &storages) {
  std::vector<Value> values;
  for (const std::shared_ptr<Storage> &storage : storages)
    values.push_back(storage->value());
  std::unordered_set<const graph::Node *> traced;
  for (const graph::NodeRef &node : graph::post_order(values)) {
    bool depends = is_trace_input(*node);
    graph::PostOrderFrame frame(node.get());
    while (const graph::Node *child = frame.next_child())
      depends |= traced.contains(child);
    if (depends)
      traced.insert(node.get());
  }
  size_t kept = 0;
  for (size_t i = 0; i < storages.size(); ++i)
    if (!traced.contains(values[i].node.get()))
      std::swap(storages[kept++], storages[i]);
  storages.resize(kept);
}

SyncGraph collect_pending(int device, bool with_traced) {
  SyncGraph sync_graph;
  for (const Value &result : pending_collectives(device))
    sync_graph.add(result);
  std::vector<std::shared_ptr<Storage>> storages = pending_storages(device);
  if (!with_traced && has_trace_inputs())
    drop_traced(storages);
  // Storages that held data before come first. State that is created in the
  // first step, after gradients, then has the same position as in later steps.
  std::stable_partition(storages.begin(), storages.end(),
                        [](const std::shared_ptr<Storage> &storage) {
                          return storage->last_data() != 0;
                        });
  for (std::shared_ptr<Storage> &storage : storages)
    sync_graph.add(std::move(storage));
  return sync_graph;
}

std::vector<AliasPair> find_aliases(const SyncGraph &sync_graph,
                                    const graph::HashedGraph &walked,
                                    int device) {
  std::vector<AliasPair> aliases;
  if (sync_graph.waiting.empty())
    return aliases;
  std::unordered_map<uint64_t, uint32_t> arguments;
  for (uint32_t i = 0; i < walked.arguments.size(); ++i)
    arguments.emplace(data_of(*walked.arguments[i], device).number(), i);
  std::vector<bool> taken(sync_graph.roots.size(), false);
  for (const PendingResult &waiting : sync_graph.waiting) {
    assert(waiting.number < sync_graph.roots.size() && "a root is waited for");
    auto found = arguments.find(waiting.storage->last_data());
    if (found == arguments.end() || taken[waiting.number])
      continue;
    if (!(walked.arguments[found->second]->types()[0] ==
          sync_graph.roots[waiting.number].type()))
      continue;
    aliases.push_back({waiting.number, found->second});
    taken[waiting.number] = true;
    arguments.erase(found);
  }
  std::sort(aliases.begin(), aliases.end(),
            [](const AliasPair &a, const AliasPair &b) {
              return a.result < b.result;
            });
  return aliases;
}

} // namespace xlac::lazy
