// Cut, look up or compile, launch. A launch hands each pending storage a
// promise of its result first, so that nothing but the launch holds what a
// program may overwrite.
#include "xlac/lazy/execute.h"

#include "cut.h"
#include "host_call.h"
#include "recently_used.h"
#include "storage_modes.h"
#include "xlac/lazy/graph_text.h"

#include "xlac/host/custom_call.h"
#include "xlac/host/evaluate.h"
#include "xlac/lazy/build.h"
#include "xlac/lazy/disk_cache.h"
#include "xlac/lazy/errors.h"
#include "xlac/lazy/known_programs.h"
#include "xlac/lazy/program_loader.h"
#include "xlac/runtime/device.h"
#include "xlac/support/environment.h"
#include "xlac/support/metrics.h"

#include <array>
#include <atomic>
#include <cstdio>

namespace xlac::lazy {

using graph::NodeKind;
using graph::Value;
using metrics::Unit;

namespace {

/// Graphs of a device are cut and launched one after another.
struct DeviceQueue {
  std::mutex mutex;
  std::atomic<int64_t> recorded{0}; ///< nodes since the last sync
};

DeviceQueue &queue_of(int device) {
  static auto *queues = new std::array<DeviceQueue, kMaxDevices>;
  return queues->at(device);
}

/// The right to cut and launch on one device.
class DeviceLock {
public:
  explicit DeviceLock(int device)
      : lock_(queue_of(device).mutex, std::defer_lock) {
    if (lock_.try_lock())
      return;
    static auto &waits = metrics::metric("DeviceLockWait", Unit::Nanoseconds);
    metrics::Timer timer(waits);
    lock_.lock();
  }

private:
  std::unique_lock<std::mutex> lock_;
};

enum class RunKind { Step, Eager };

using SharedExecutable = std::shared_ptr<const Executable>;

RecentlyUsed<Hash128, SharedExecutable> &compiled_graphs() {
  // Outlives static destructors.
  static auto *graphs = new RecentlyUsed<Hash128, SharedExecutable>(2048);
  return *graphs;
}

Hash128 key_of(const graph::WalkedGraph &walked,
               const std::vector<AliasPair> &aliases) {
  FastHasher hasher;
  hasher.update(walked.key);
  for (const AliasPair &alias : aliases)
    hasher.update(static_cast<uint64_t>(alias.result) << 32 | alias.argument);
  return hasher.finish();
}

//===- Compiling ----------------------------------------------------------===//

void count_load(const LoadedProgram &loaded, RunKind kind) {
  bool compiled =
      loaded.cache == CacheStatus::Miss || loaded.cache == CacheStatus::Off;
  if (has_disk_cache() && loaded.cache != CacheStatus::Memory)
    metrics::counter(compiled ? "PersistentCacheMiss" : "PersistentCacheHit")
        .add();
  if (!compiled) {
    metrics::counter("CachedCompile").add();
    if (loaded.cache == CacheStatus::Hit)
      metrics::metric("PersistentCacheLoad", Unit::Nanoseconds)
          .add(1e6 * loaded.load_ms);
    return;
  }
  metrics::counter("UncachedCompile").add();
  metrics::counter("CreateCompileHandles").add();
  metrics::metric(kind == RunKind::Eager ? "EagerOpCompileTime" : "CompileTime",
                  Unit::Nanoseconds)
      .add(1e6 * loaded.compile_ms);
  metrics::metric("KernelCount")
      .add(static_cast<double>(loaded.executable->image().kernels.size()));
}

SharedExecutable compile(const graph::Program &program, RunKind kind,
                         const ScopeOptions *scope) {
  LoadOptions options;
  options.store = disk_cache();
  std::string name = scope ? scope->name : std::string();
  if (is_logged("recompiles") && kind == RunKind::Step &&
      !known_programs().empty())
    std::fprintf(stderr, "xlac: recompiles: %s%s%s\n", name.c_str(),
                 name.empty() ? "" : ": ", explain_difference(program).c_str());
  LoadedProgram loaded = unwrap(load_or_compile(program, options));
  count_load(loaded, kind);
  if (is_logged("cache"))
    std::fprintf(stderr, "xlac: cache: %s %s\n",
                 std::string(to_string(loaded.cache)).c_str(),
                 loaded.hash.c_str());
  const ExecutableImage &image = loaded.executable->image();
  ProgramFacts facts;
  facts.hash = loaded.hash;
  facts.name = std::move(name);
  facts.kernels = static_cast<int64_t>(image.kernels.size());
  facts.temp_bytes = image.arena_bytes;
  facts.compile_seconds = loaded.compile_ms / 1e3;
  facts.from_cache = loaded.cache == CacheStatus::Hit;
  note_program(program, std::move(facts));
  return loaded.executable;
}

/// The executable of the cut, from this process's table or made.
SharedExecutable executable_of(const Cut &cut, const graph::WalkedGraph &walked,
                               int device, RunKind kind,
                               const ScopeOptions *scope) {
  std::vector<AliasPair> aliases = find_aliases(cut, walked, device);
  Hash128 key = key_of(walked, aliases);
  if (scope && scope->max_different_graphs && scope->traced &&
      !scope->traced->admit(key, *scope->max_different_graphs))
    raise<UserError>("Maximum number of different graphs allowed per function "
                     "exceeded: " +
                     std::to_string(*scope->max_different_graphs));
  SharedExecutable executable = compiled_graphs().find(key);
  if (executable && !saves_graphs()) {
    static metrics::Counter &cached = metrics::counter("CachedCompile");
    cached.add();
    return executable;
  }
  graph::Program program = program_of(cut.roots);
  program.aliases = std::move(aliases);
  if (saves_graphs())
    save_graph(program);
  executable = compile(program, kind, scope);
  compiled_graphs().keep(key, executable);
  return executable;
}

//===- Launching ----------------------------------------------------------===//

std::vector<BufferRef> arguments_of(const graph::WalkedGraph &walked,
                                    int device) {
  static auto &times = metrics::metric("UnwrapXlaData", Unit::Nanoseconds);
  metrics::Timer timer(times);
  std::vector<BufferRef> arguments;
  arguments.reserve(walked.arguments.size());
  for (const graph::Node *node : walked.arguments)
    arguments.push_back(data_of(*node, device).buffer());
  return arguments;
}

struct Promises {
  std::vector<Value> values;
  std::vector<std::shared_ptr<DeviceData>> data;
};

Promises promise_results(const Cut &cut, int device) {
  static auto &times = metrics::metric("WrapXlaData", Unit::Nanoseconds);
  metrics::Timer timer(times);
  Promises promises;
  for (const Value &root : cut.roots) {
    promises.data.push_back(
        std::make_shared<DeviceData>(device, root.tensor()));
    promises.values.push_back(
        {graph::Node::make_parameter(root.type(), promises.data.back()), 0});
  }
  return promises;
}

metrics::Metric &run_times(RunKind kind) {
  static auto &steps = metrics::metric("ExecuteTime", Unit::Nanoseconds);
  static auto &ops = metrics::metric("EagerOpExecuteTime", Unit::Nanoseconds);
  return kind == RunKind::Eager ? ops : steps;
}

void count_cut(const graph::WalkedGraph &walked) {
  static auto &sizes = metrics::metric("TensorsGraphSize");
  static auto &cuts = metrics::counter("SyncTensorsToData");
  static auto &runs = metrics::counter("ExecuteComputation");
  sizes.add(static_cast<double>(walked.nodes));
  cuts.add();
  runs.add();
}

/// Runs the cut; gives the parameters that hold the results. The caller holds
/// the device's lock.
std::vector<Value> run(Cut cut, int device, RunKind kind,
                       const ScopeOptions *scope) {
  graph::WalkedGraph walked = graph::walk_graph(cut.roots);
  SharedExecutable executable = executable_of(cut, walked, device, kind, scope);
  VirtualDevice *stream = unwrap(find_device(device));
  // A failure that is found here leaves everything pending as it was.
  unwrap(stream->check_room(*executable));
  count_cut(walked);
  std::vector<BufferRef> arguments = arguments_of(walked, device);
  Promises promises = promise_results(cut, device);
  for (Waiting &waiting : cut.waiting)
    waiting.storage->settle(waiting.pending, promises.values[waiting.number]);
  // Nothing but the launch may hold arguments that it overwrites.
  cut = {};
  std::vector<BufferRef> buffers = stream->launch(
      std::move(executable), std::move(arguments), {}, &run_times(kind));
  for (size_t i = 0; i < promises.data.size(); ++i)
    promises.data[i]->fulfill(std::move(buffers[i]));
  return std::move(promises.values);
}

void cut_and_run(int device, const ScopeOptions *scope) {
  DeviceLock lock(device);
  queue_of(device).recorded = 0;
  Cut cut = cut_pending(device);
  if (!cut.roots.empty())
    run(std::move(cut), device, RunKind::Step, scope);
}

int64_t most_pending() {
  static const int64_t limit = [] {
    int64_t value = environment_number("XLAC_MAX_PENDING").value_or(0);
    return value > 0 ? value : int64_t{100000};
  }();
  return limit;
}

} // namespace

void note_recorded(std::span<const std::shared_ptr<Storage>> storages) {
  CallScope::note_operation();
  if (storages.empty())
    return;
  int device = storages[0]->device().index;
  if (runs_at_once()) {
    build::emitted_nodes() = 0;
    DeviceLock lock(device);
    Cut cut;
    for (const std::shared_ptr<Storage> &storage : storages)
      cut.add(storage);
    if (!cut.roots.empty())
      run(std::move(cut), device, RunKind::Eager, nullptr);
    return;
  }
  int64_t &emitted = build::emitted_nodes();
  if ((queue_of(device).recorded += std::exchange(emitted, 0)) >=
      most_pending())
    cut_and_run(device, nullptr);
}

void note_fallback(std::string_view name) {
  if (name.empty() && CallScope::name())
    name = CallScope::name();
  metrics::counter("aten::" + std::string(name)).add();
}

void sync(int device, bool wait, const ScopeOptions *scope) {
  static const bool always_wait = environment_flag("XLA_SYNC_WAIT");
  static auto &syncs = metrics::counter("MarkStep");
  refuse_inside_full_graph();
  syncs.add();
  cut_and_run(device, scope);
  if (wait || always_wait)
    wait_for(device);
}

void run_pending(int device) { cut_and_run(device, nullptr); }

void wait_for(int device) { unwrap(unwrap(find_device(device))->sync()); }

std::vector<Value> compute(int device, const std::vector<Value> &values) {
  std::vector<Value> results = values;
  Cut cut;
  std::vector<std::pair<size_t, uint32_t>> asked;
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].node->kind() != NodeKind::Parameter)
      asked.emplace_back(i, cut.add(values[i]));
  if (asked.empty())
    return results;
  refuse_inside_full_graph();
  DeviceLock lock(device);
  std::vector<Value> computed =
      run(std::move(cut), device, RunKind::Step, nullptr);
  for (auto [index, number] : asked)
    results[index] = computed[number];
  return results;
}

host::Literal materialize(int device, const Value &value, Value *computed) {
  Value held = compute(device, {value})[0];
  host::Literal literal = dynamic_cast<DeviceData &>(*held.node->data()).read();
  *computed = std::move(held);
  return literal;
}

/// The elements in their own type, whatever the device stores.
static BufferRef plain_buffer(DeviceData &data) {
  if (stored_type(data.type()) == data.type())
    return data.buffer();
  host::Literal elements = data.read();
  return Buffer::borrow(elements.data(), elements.byte_count(),
                        [owner = elements.owner()] {});
}

static Value plain_value(int device, const TensorType &type, BufferRef buffer) {
  if (stored_type(type) == type)
    return {graph::Node::make_parameter(
                Type(type),
                std::make_shared<DeviceData>(device, type, std::move(buffer))),
            0};
  auto *bytes = const_cast<std::byte *>(unwrap(buffer->read()));
  return device_value(device, host::Literal::borrow(
                                  type, std::shared_ptr<std::byte>(
                                            bytes, [buffer](std::byte *) {})));
}

std::vector<Value> run_executable(int device, SharedExecutable executable,
                                  const std::vector<Value> &arguments,
                                  const std::vector<TensorType> &results) {
  refuse_inside_full_graph();
  std::vector<BufferRef> buffers;
  for (const Value &argument : arguments)
    buffers.push_back(plain_buffer(data_of(*argument.node, device)));
  VirtualDevice *stream = unwrap(find_device(device));
  buffers = stream->launch(std::move(executable), std::move(buffers), {},
                           &run_times(RunKind::Step));
  std::vector<Value> values;
  for (size_t i = 0; i < buffers.size(); ++i)
    values.push_back(plain_value(device, results[i], std::move(buffers[i])));
  return values;
}

std::vector<host::Literal> evaluate_on_host(const std::vector<Value> &values) {
  host::set_custom_call_evaluator(call_on_host);
  // What is evaluated is not pending on any device.
  build::emitted_nodes() = 0;
  std::vector<host::Literal> results = unwrap(host::evaluate(values));
  for (host::Literal &result : results)
    if (result.owner().use_count() > 1)
      result = unwrap(host::Literal::copy_of(result.type(), result.data()));
  return results;
}

std::vector<Value> pending_values(int device) {
  return cut_pending(device).roots;
}

graph::Program program_of(const std::vector<Value> &values) {
  return stored_program(graph::make_program(values, "SyncTensorsGraph"));
}

int64_t compiled_graph_count() {
  return static_cast<int64_t>(compiled_graphs().size());
}

} // namespace xlac::lazy
