#include "xlac/lazy/pending_collectives.h"

#include "cut.h"

#include "xlac/lazy/trace_scope.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <unordered_set>

namespace xlac::lazy {

using graph::NodeRef;
using graph::Value;

namespace {

struct Pending {
  std::atomic<int> devices{0}; ///< that have any
  std::mutex mutex;
  std::map<int, std::vector<Value>> of_device; ///< in the order of recording

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

void note_collective(int device, Value result) {
  if (TraceScope::current())
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
