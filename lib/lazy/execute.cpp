// Cut, look up or compile, launch. A launch hands each pending storage a
// promise of its result first, so that nothing but the launch holds what a
// program may overwrite.
#include "xlac/lazy/execute.h"

#include "host_call.h"

#include "xlac/graph/program.h"
#include "xlac/host/custom_call.h"
#include "xlac/host/evaluate.h"
#include "xlac/lazy/errors.h"
#include "xlac/lazy/program_loader.h"
#include "xlac/lazy/tensor_impl.h"
#include "xlac/runtime/device.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstdlib>
#include <map>

namespace xlac::lazy {

using graph::NodeKind;
using graph::Value;

namespace {

struct AtomicCounters {
  std::atomic<int64_t> syncs{0}, programs{0}, compiled{0}, cached{0};
};
AtomicCounters totals;

/// Nodes recorded for each device since its last sync.
constexpr int kMaxDevices = 4096;
std::array<std::atomic<int64_t>, kMaxDevices> recorded;

/// The disk cache that the environment asks for, or null.
cache::Store *disk_cache() {
  static cache::Store *store = []() -> cache::Store * {
    const char *path = std::getenv("XLA_PERSISTENT_CACHE_PATH");
    if (!path || !*path)
      path = std::getenv("XLAC_CACHE_DIR");
    if (!path || !*path || cache::is_switched_off())
      return nullptr;
    auto opened = cache::Store::open(path);
    // Without a usable directory programs are compiled all the same.
    return opened ? opened->release() : nullptr;
  }();
  return store;
}

std::shared_ptr<const Executable> executable_of(const graph::Program &program) {
  LoadOptions options;
  options.store = disk_cache();
  LoadedProgram loaded = unwrap(load_or_compile(program, options));
  bool found =
      loaded.cache == CacheStatus::Memory || loaded.cache == CacheStatus::Hit;
  ++(found ? totals.cached : totals.compiled);
  return loaded.executable;
}

DeviceData &data_of(const graph::NodeRef &parameter, int device) {
  auto *data = dynamic_cast<DeviceData *>(parameter->data().get());
  if (!data || data->device() != device)
    throw InternalError("a parameter is not on xla:" + std::to_string(device),
                        {});
  return *data;
}

/// A storage that waits for the result `number`.
struct Waiting {
  std::shared_ptr<Storage> storage;
  Value pending;
  uint32_t number;
};

/// A graph that was cut: distinct values in order, and who waits for them.
struct Cut {
  std::vector<Value> roots;
  std::vector<Waiting> waiting;

  uint32_t add(const Value &value) {
    auto [found, added] = numbers_.try_emplace(
        {value.node.get(), value.number}, static_cast<uint32_t>(roots.size()));
    if (added)
      roots.push_back(value);
    return found->second;
  }

private:
  std::map<std::pair<const graph::Node *, uint32_t>, uint32_t> numbers_;
};

Cut cut_pending(int device) {
  Cut cut;
  for (std::shared_ptr<Storage> &storage : live_storages(device)) {
    Value value = storage->value();
    if (value.node->kind() == NodeKind::Parameter)
      continue;
    uint32_t number = cut.add(value);
    cut.waiting.push_back({std::move(storage), std::move(value), number});
  }
  return cut;
}

/// Pairs each result with the argument that its storage held before, where
/// their types agree: the memory may be used again.
std::vector<AliasPair> find_aliases(const Cut &cut,
                                    const graph::Program &program, int device) {
  const graph::Block &body = program.entry_function()->body;
  std::map<uint64_t, uint32_t> arguments;
  for (uint32_t i = 0; i < body.arguments.size(); ++i)
    arguments.emplace(data_of(body.arguments[i], device).number(), i);
  std::vector<AliasPair> aliases;
  std::vector<bool> taken(cut.roots.size(), false);
  for (const Waiting &waiting : cut.waiting) {
    auto found = arguments.find(waiting.storage->last_data());
    if (found == arguments.end() || taken[waiting.number])
      continue;
    if (!(body.arguments[found->second]->types()[0] ==
          cut.roots[waiting.number].type()))
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

/// Runs the cut; gives the parameters that hold the results.
std::vector<Value> run(Cut cut, int device) {
  graph::Program program = graph::make_program(cut.roots);
  if (cut.waiting.size() > 0) {
    program.aliases = find_aliases(cut, program, device);
  }
  std::shared_ptr<const Executable> executable = executable_of(program);
  VirtualDevice *stream = unwrap(find_device(device));
  std::vector<BufferRef> arguments;
  for (const graph::NodeRef &node : program.entry_function()->body.arguments)
    arguments.push_back(data_of(node, device).buffer());
  std::vector<Value> results;
  std::vector<std::shared_ptr<DeviceData>> promises;
  for (const Value &root : cut.roots) {
    promises.push_back(std::make_shared<DeviceData>(device, root.tensor()));
    results.push_back(
        {graph::Node::make_parameter(root.type(), promises.back()), 0});
  }
  for (Waiting &waiting : cut.waiting)
    waiting.storage->settle(waiting.pending, results[waiting.number]);
  cut = {};
  program = {};
  ++totals.programs;
  std::vector<BufferRef> buffers =
      stream->launch(std::move(executable), std::move(arguments));
  for (size_t i = 0; i < promises.size(); ++i)
    promises[i]->fulfill(std::move(buffers[i]));
  return results;
}

int64_t most_pending() {
  static const int64_t limit = [] {
    const char *text = std::getenv("XLAC_MAX_PENDING");
    int64_t value = text ? std::strtoll(text, nullptr, 10) : 0;
    return value > 0 ? value : int64_t{100000};
  }();
  return limit;
}

} // namespace

void note_recorded(int device) {
  if (device < kMaxDevices && ++recorded[device] >= most_pending())
    sync(device, false);
}

void sync(int device, bool wait) {
  static const bool always_wait = [] {
    const char *text = std::getenv("XLA_SYNC_WAIT");
    return text &&
           (std::string_view(text) == "1" || std::string_view(text) == "true");
  }();
  ++totals.syncs;
  if (device < kMaxDevices)
    recorded[device] = 0;
  Cut cut = cut_pending(device);
  if (!cut.roots.empty())
    run(std::move(cut), device);
  if (wait || always_wait)
    wait_for(device);
}

void wait_for(int device) { unwrap(unwrap(find_device(device))->sync()); }

host::Literal materialize(int device, const Value &value, Value *computed) {
  Value held = value;
  if (held.node->kind() != NodeKind::Parameter) {
    Cut cut;
    cut.add(held);
    held = run(std::move(cut), device)[0];
  }
  host::Literal literal = dynamic_cast<DeviceData &>(*held.node->data()).read();
  *computed = std::move(held);
  return literal;
}

std::vector<host::Literal> evaluate_on_host(const std::vector<Value> &values) {
  host::set_custom_call_evaluator(call_on_host);
  std::vector<host::Literal> results = unwrap(host::evaluate(values));
  for (host::Literal &result : results)
    if (result.owner().use_count() > 1)
      result = unwrap(host::Literal::copy_of(result.type(), result.data()));
  return results;
}

std::vector<Value> pending_values(int device) {
  return cut_pending(device).roots;
}

Counters counters() {
  return {totals.syncs, totals.programs, totals.compiled, totals.cached};
}

} // namespace xlac::lazy
