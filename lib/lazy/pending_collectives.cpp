#include "xlac/lazy/pending_collectives.h"

#include "current_trace.h"

#include "xlac/lazy/device_data.h"
#include "xlac/lazy/storage.h"
#include "xlac/support/fork.h"

#include <algorithm>
#include <atomic>
#include <map>
#include <mutex>
#include <unordered_set>

namespace xlac::lazy {

using graph::NodeRef;
using graph::Value;

namespace {

struct Pending {
  std::atomic<int> devices{0}; ///< number of devices that have any
  ForkMutex mutex;
  std::map<int, std::vector<Value>> of_device; ///< in recording order

  void erase(std::map<int, std::vector<Value>>::iterator place) {
    of_device.erase(place);
    devices = static_cast<int>(of_device.size());
  }
};

Pending &pending() {
  static auto *instance = new Pending; // outlives threads
  return *instance;
}

} // namespace

void add_pending_collective(int device, Value result) {
  if (current_trace())
    return;
  Pending &all = pending();
  std::lock_guard lock(all.mutex);
  all.of_device[device].push_back(std::move(result));
  all.devices = static_cast<int>(all.of_device.size());
}

void drop_collectives(int device) {
  Pending &all = pending();
  std::lock_guard lock(all.mutex);
  if (auto found = all.of_device.find(device); found != all.of_device.end())
    all.erase(found);
}

/// The previous value of `storage`, found by its parameter among `nodes`, or
/// else a failed value.
static Value value_before(const Storage &storage, const Value &pending,
                          const std::vector<NodeRef> &nodes,
                          const Failure &why) {
  for (const NodeRef &node : nodes) {
    auto *data = dynamic_cast<DeviceData *>(node->data().get());
    if (data && data->number() == storage.last_data() &&
        node->types()[0] == pending.type())
      return {node, 0};
  }
  runtime::BufferRef nothing = runtime::Buffer::pending(nullptr, 0);
  nothing->set_failed(why);
  return {graph::Node::make_parameter(
              pending.type(),
              std::make_shared<DeviceData>(storage.device().index,
                                           pending.tensor(), nothing)),
          0};
}

void abandon_collectives(int device, const Failure &why) {
  for (const std::shared_ptr<Storage> &storage : pending_storages(device)) {
    Value pending = storage->value();
    std::vector<NodeRef> nodes = graph::post_order({&pending, 1});
    bool has_collective =
        std::any_of(nodes.begin(), nodes.end(), [](const auto &node) {
          return node->kind() == graph::NodeKind::Op &&
                 ops::facts(node->op()).op_class == ops::OpClass::Collective;
        });
    if (has_collective)
      storage->materialize_into(pending,
                                value_before(*storage, pending, nodes, why));
  }
  drop_collectives(device);
}

std::vector<Value> pending_collectives(int device) {
  Pending &all = pending();
  if (all.devices == 0)
    return {};
  std::lock_guard lock(all.mutex);
  auto found = all.of_device.find(device);
  return found == all.of_device.end() ? std::vector<Value>() : found->second;
}

void forget_collectives_of(const std::vector<Value> &roots, int device) {
  Pending &all = pending();
  if (all.devices == 0)
    return;
  std::lock_guard lock(all.mutex);
  auto found = all.of_device.find(device);
  if (found == all.of_device.end())
    return;
  std::unordered_set<const graph::Node *> run;
  for (const Value &root : roots)
    run.insert(root.node.get());
  auto runs = [&](const Value &result) {
    return run.contains(result.node.get());
  };
  // In a sync all of them are roots.
  if (!std::all_of(found->second.begin(), found->second.end(), runs))
    for (const NodeRef &node : graph::post_order(roots))
      run.insert(node.get());
  std::erase_if(found->second, runs);
  if (found->second.empty())
    all.erase(found);
}

} // namespace xlac::lazy
