// Execution: collect the pending graph, look it up or compile it, and launch
// it. Before the launch, each pending storage gets a promise of its result.
// Only the launch then owns data that the program may overwrite.
#include "xlac/lazy/execute.h"

#include "automatic_plans.h"
#include "current_trace.h"
#include "other_sizes.h"
#include "partitioned_run.h"
#include "stored_program.h"
#include "sync_graph.h"

#include "xlac/job/job.h"
#include "xlac/lazy/build.h"
#include "xlac/lazy/device_data.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/disk_cache.h"
#include "xlac/lazy/emit.h"
#include "xlac/lazy/graph_text.h"
#include "xlac/lazy/known_programs.h"
#include "xlac/lazy/layout.h"
#include "xlac/lazy/metric_names.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/pending_collectives.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/storage_modes.h"
#include "xlac/lazy/trace_inputs.h"
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"
#include "xlac/support/call_scope.h"
#include "xlac/support/fork.h"
#include "xlac/support/logging.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/raise.h"
#include "xlac/support/recently_used.h"
#include "xlac/support/settings.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cassert>
#include <cstdio>

namespace xlac::lazy {

using graph::NodeKind;
using graph::Value;
using metrics::Unit;

namespace {

/// Serializes the collection and launch of graphs of one device.
struct DeviceQueue {
  ForkMutex mutex{ForkRank::Outer};
  std::atomic<int64_t> recorded{0}; ///< number of nodes since the last sync
};

DeviceQueue &queue_of(int device) {
  static auto *queues = new std::array<DeviceQueue, kMaxDevices>;
  return queues->at(device);
}

/// A lock for collecting and launching graphs of one device.
class DeviceLock {
public:
  explicit DeviceLock(int device)
      : lock_(queue_of(device).mutex, std::defer_lock) {
    if (lock_.try_lock())
      return;
    static constinit metrics::NamedMetric waits("DeviceLockWait",
                                                Unit::Nanoseconds);
    metrics::Timer timer(waits);
    lock_.lock();
  }

private:
  std::unique_lock<ForkMutex> lock_;
};

enum class RunKind { Step, Eager };

using SharedExecutable = std::shared_ptr<const runtime::Executable>;

using SharedCode = std::shared_ptr<ProgramCode>;

RecentlyUsed<Hash128, SharedCode> &compiled_graphs() {
  // Outlives static destructors.
  static auto *graphs = new RecentlyUsed<Hash128, SharedCode>(2048);
  return *graphs;
}

//===- Compiling ----------------------------------------------------------===//

void count_load(const LoadedProgram &loaded, RunKind kind) {
  bool compiled = loaded.was_compiled();
  if (has_disk_cache() && loaded.cache != CacheStatus::Memory)
    metrics::counter(compiled ? "PersistentCacheMiss" : "PersistentCacheHit")
        .add();
  if (!compiled) {
    metrics::counter(kCachedCompileCounter).add();
    if (loaded.cache == CacheStatus::Hit)
      metrics::metric("PersistentCacheLoad", Unit::Nanoseconds)
          .add(1e6 * loaded.load_ms);
    return;
  }
  count_compilation(loaded);
  metrics::counter("CreateCompileHandles").add();
  metrics::metric(kind == RunKind::Eager ? "EagerOpCompileTime" : kCompileTime,
                  Unit::Nanoseconds)
      .add(1e6 * loaded.compile_ms);
  metrics::metric("KernelCount")
      .add(static_cast<double>(loaded.executable->image().kernels.size()));
}

graph::Program program_of_graph(const std::vector<Value> &values) {
  return stored_program(graph::make_program(values, "SyncTensorsGraph"));
}

/// Explains the compilation of a program to the user.
void log_recompilation(const graph::Program &program, const std::string &name,
                       const LoadedProgram &loaded) {
  std::string text = "recompiles: ";
  if (!name.empty())
    text += name + ": ";
  text += explain_difference(program);
  if (loaded.was_compiled())
    text +=
        fmt::format("; compiled {} of {} kernels, {} have code for any size",
                    loaded.new_kernels(), loaded.report.kernels,
                    loaded.report.kernels_for_other_sizes);
  log_info(text);
}

ProgramLoadOptions load_options(RunKind kind) {
  ProgramLoadOptions options;
  options.store = disk_cache();
  options.in_background = true;
  // The operands of an eager call are rarely used again.
  options.compile.find_invariant_arguments = kind == RunKind::Step;
  return options;
}

SharedCode compile(const graph::Program &program,
                   std::vector<ArgumentSizes> other_sizes, RunKind kind,
                   const ScopeOptions *scope) {
  ProgramLoadOptions options = load_options(kind);
  options.compile.other_sizes = std::move(other_sizes);
  std::string name = scope ? scope->name : std::string();
  LoadedProgram loaded = unwrap(load_or_compile(program, options));
  count_load(loaded, kind);
  if (is_logged("recompiles") && kind == RunKind::Step &&
      !known_programs().empty())
    log_recompilation(program, name, loaded);
  if (is_logged("cache"))
    log_info("cache: " + std::string(to_string(loaded.cache)) + " " +
             loaded.hash);
  const runtime::ExecutableImage &image = loaded.executable->image();
  ProgramFacts facts;
  facts.hash = loaded.hash;
  facts.name = std::move(name);
  facts.kernels = static_cast<int64_t>(image.kernels.size());
  facts.temp_bytes = runtime::temporary_bytes(image);
  facts.compile_seconds = loaded.compile_ms / 1e3;
  facts.from_cache = loaded.cache == CacheStatus::Hit;
  remember_program(program, std::move(facts));
  return std::move(loaded.code);
}

/// Held while a graph with that key is compiled. Replicas that are threads
/// request the same graph at the same time; only one of them compiles it.
ForkMutex &compile_mutex(const Hash128 &key) {
  struct Mutex {
    ForkMutex mutex{ForkRank::Outer};
  };
  static auto *mutexes = new std::array<Mutex, 64>;
  return (*mutexes)[key.low % mutexes->size()].mutex;
}

/// The executable of the graph, from this process's table or by compiling.
SharedExecutable executable_of(const SyncGraph &sync_graph,
                               const graph::HashedGraph &walked,
                               std::vector<AliasPair> aliases, int device,
                               RunKind kind, const ScopeOptions *scope) {
  Partitioning partitioning;
  if (is_partitioned(device))
    partitioning = partitioning_of(sync_graph, walked, aliases);
  Hash128 key = key_of(walked, aliases, partitioning);
  if (scope && scope->max_different_graphs && scope->traced &&
      !scope->traced->admit(key, *scope->max_different_graphs))
    raise<UserError>("Maximum number of different graphs allowed per function "
                     "exceeded: " +
                     std::to_string(*scope->max_different_graphs));
  std::unique_lock compiling(compile_mutex(key), std::defer_lock);
  SharedCode code = compiled_graphs().find(key);
  if (!code) {
    compiling.lock();
    code = compiled_graphs().find(key);
  }
  auto make_program = [&] {
    graph::Program program = program_of_graph(sync_graph.roots);
    program.aliases = std::move(aliases);
    if (partitioning.count > 1)
      partitioning.add_to(program);
    return program;
  };
  if (code && !saves_graphs()) {
    static constinit metrics::NamedCounter cached(kCachedCompileCounter);
    cached.add();
    if (code->count_run())
      specialize(make_program(), load_options(kind), code);
    return code->executable();
  }
  graph::Program program = make_program();
  if (saves_graphs())
    save_graph(program);
  code = compile(program, other_sizes_of(walked.arguments), kind, scope);
  compiled_graphs().keep(key, code);
  if (partitioning.automatic)
    keep_plan(partitioning.graph, partitioning.arguments, *code->executable());
  return code->executable();
}

//===- Launching ----------------------------------------------------------===//

std::vector<runtime::BufferRef> arguments_of(const graph::HashedGraph &walked,
                                             int device) {
  static constinit metrics::NamedMetric times("UnwrapXlaData",
                                              Unit::Nanoseconds);
  metrics::Timer timer(times);
  std::vector<runtime::BufferRef> arguments;
  arguments.reserve(walked.arguments.size());
  for (const graph::Node *node : walked.arguments)
    arguments.push_back(data_of(*node, device).buffer());
  return arguments;
}

struct Promises {
  std::vector<Value> values;
  std::vector<std::shared_ptr<DeviceData>> data;
};

Promises promise_results(const SyncGraph &sync_graph,
                         const runtime::Executable &executable, int device) {
  static constinit metrics::NamedMetric times("WrapXlaData", Unit::Nanoseconds);
  metrics::Timer timer(times);
  Promises promises;
  bool everywhere = is_partitioned(device);
  for (const Value &root : sync_graph.roots) {
    promises.data.push_back(
        everywhere ? std::make_shared<DeviceData>(
                         root.tensor(),
                         result_layout(executable, promises.data.size()),
                         std::vector<runtime::BufferRef>())
                   : std::make_shared<DeviceData>(device, root.tensor()));
    promises.values.push_back(
        {graph::Node::make_parameter(root.type(), promises.data.back()), 0});
  }
  return promises;
}

metrics::Metric &run_times(RunKind kind, bool everywhere) {
  static constinit metrics::NamedMetric steps(kExecuteTime, Unit::Nanoseconds);
  static constinit metrics::NamedMetric ops("EagerOpExecuteTime",
                                            Unit::Nanoseconds);
  static constinit metrics::NamedMetric replicated(kExecuteReplicatedTime,
                                                   Unit::Nanoseconds);
  return kind == RunKind::Eager ? ops : everywhere ? replicated : steps;
}

void count_graph(const graph::HashedGraph &walked, bool everywhere) {
  static constinit metrics::NamedMetric sizes("TensorsGraphSize");
  static constinit metrics::NamedCounter cuts("SyncTensorsToData");
  static constinit metrics::NamedCounter runs("ExecuteComputation");
  static constinit metrics::NamedCounter replicated("ExecuteReplicated");
  static constinit metrics::NamedCounter uses("VirtualDeviceUsage");
  sizes.add(static_cast<double>(walked.nodes));
  cuts.add();
  if (everywhere)
    uses.add();
  (everywhere ? replicated : runs).add();
}

/// When it is destroyed, promises that keep() has not fulfilled fail with
/// out-of-memory. It is made before any thread waits, since it needs memory
/// itself.
class PromiseGuard {
public:
  PromiseGuard(const Promises &promises, int shards)
      : promises_(promises), lost_(runtime::Buffer::pending(nullptr, 0)) {
    lost_->set_failed(failure(FailureKind::OutOfMemory, "out of memory"));
    if (shards > 0)
      lost_shards_.assign(promises.data.size(),
                          std::vector<runtime::BufferRef>(shards, lost_));
  }
  PromiseGuard(const PromiseGuard &) = delete;
  PromiseGuard &operator=(const PromiseGuard &) = delete;
  ~PromiseGuard() {
    for (size_t i = kept_; i < promises_.data.size(); ++i)
      if (lost_shards_.empty())
        promises_.data[i]->fulfill(lost_);
      else
        promises_.data[i]->fulfill(std::move(lost_shards_[i]));
  }

  /// Fulfills the next promise.
  template <class Buffers> void keep(Buffers buffers) {
    assert(kept_ < promises_.data.size() && "a pending result is set once");
    promises_.data[kept_++]->fulfill(std::move(buffers));
  }

private:
  const Promises &promises_;
  runtime::BufferRef lost_;
  std::vector<std::vector<runtime::BufferRef>> lost_shards_;
  size_t kept_ = 0;
};

/// Replaces the pending values by promises of their results and clears the
/// graph. Afterwards only the launch owns arguments that it overwrites.
void materialize_on(const Promises &promises, SyncGraph &sync_graph) {
  assert(promises.values.size() == sync_graph.roots.size() &&
         "every root has a promise");
  for (PendingResult &waiting : sync_graph.waiting)
    waiting.storage->materialize_into(waiting.pending,
                                      promises.values[waiting.number]);
  sync_graph = {};
}

/// run() under SPMD.
std::vector<Value> run_everywhere(SyncGraph sync_graph,
                                  const graph::HashedGraph &walked,
                                  SharedExecutable executable, RunKind kind) {
  unwrap(check_capacities(*executable));
  count_graph(walked, true);
  std::vector<std::vector<runtime::BufferRef>> arguments =
      arguments_everywhere(walked, *executable);
  Promises promises = promise_results(sync_graph, *executable, 0);
  PromiseGuard guard(promises, runtime_device_count());
  materialize_on(promises, sync_graph);
  std::vector<std::vector<runtime::BufferRef>> results = launch_everywhere(
      std::move(executable), std::move(arguments), &run_times(kind, true));
  for (std::vector<runtime::BufferRef> &shards : results)
    guard.keep(std::move(shards));
  return std::move(promises.values);
}

/// Whether a program waits for other replicas or reads its replica or partition
/// id.
bool needs_replicas(const runtime::Executable &executable) {
  return std::any_of(
      executable.image().collectives.begin(),
      executable.image().collectives.end(),
      [](const runtime::Collective &what) {
        return (what.kind <= runtime::CollectiveKind::Recv && !what.host) ||
               what.kind == runtime::CollectiveKind::PartitionId ||
               what.kind == runtime::CollectiveKind::ReplicaId;
      });
}

/// The rank of a program of `device` among the replicas. Programs without
/// collectives have none: replicas may run them independently.
runtime::GridRank place_of(const runtime::Executable &executable, int device) {
  const Replication &here = replication();
  if (!here.job || !needs_replicas(executable))
    return {};
  return {here.job->grid(), ordinal_of(device)};
}

/// Logs the collectives of the program, in order.
void log_collectives(const runtime::Executable &executable,
                     const runtime::GridRank &place) {
  for (const runtime::Collective &what : executable.image().collectives)
    log_info("collectives: replica " + std::to_string(place.process) + " of " +
             std::to_string(place.grid->shape().count()) + ": " +
             describe(what));
}

/// A failure here leaves pending values unchanged. It is reported to replicas
/// that would wait for the program.
void check_capacity(runtime::VirtualDevice &stream,
                    const runtime::Executable &executable,
                    const runtime::GridRank &place) {
  Status fits = stream.check_capacity(executable);
  if (!fits && place.grid)
    fail_replication(fits);
  unwrap(fits);
}

/// UserError for a program that would read an input of a traced function.
void reject_trace_inputs(const graph::HashedGraph &walked) {
  if (!has_trace_inputs())
    return;
  for (const graph::Node *argument : walked.arguments)
    if (is_trace_input(*argument))
      raise<UserError>(std::string(kNoTraceValues));
}

/// Executes the graph and returns the parameters that hold the results. The
/// caller holds the device's lock.
std::vector<Value> run(SyncGraph sync_graph, int device, RunKind kind,
                       const ScopeOptions *scope) {
  graph::HashedGraph walked = graph::hash_graph(sync_graph.roots);
  reject_trace_inputs(walked);
  std::vector<AliasPair> aliases = find_aliases(sync_graph, walked, device);
  SharedExecutable executable =
      executable_of(sync_graph, walked, aliases, device, kind, scope);
  if (is_partitioned(device))
    return run_everywhere(std::move(sync_graph), walked, std::move(executable),
                          kind);
  runtime::VirtualDevice *stream = unwrap(runtime::find_device(device));
  runtime::GridRank place = place_of(*executable, device);
  check_capacity(*stream, *executable, place);
  if (place.grid && is_logged("collectives"))
    log_collectives(*executable, place);
  count_graph(walked, false);
  std::vector<runtime::BufferRef> arguments = arguments_of(walked, device);
  Promises promises = promise_results(sync_graph, *executable, device);
  PromiseGuard guard(promises, 0);
  forget_collectives_of(sync_graph.roots, device);
  materialize_on(promises, sync_graph);
  std::vector<runtime::BufferRef> buffers =
      stream->launch(std::move(executable), std::move(arguments),
                     {.place = std::move(place),
                      .run_time = &run_times(kind, false),
                      .replaces = std::move(aliases)});
  assert(buffers.size() == promises.data.size() &&
         "every pending result is set");
  for (runtime::BufferRef &buffer : buffers)
    guard.keep(std::move(buffer));
  return std::move(promises.values);
}

void collect_and_run(int device, const ScopeOptions *scope) {
  DeviceLock lock(device);
  queue_of(device).recorded = 0;
  SyncGraph sync_graph = collect_pending(device);
  if (!sync_graph.roots.empty())
    run(std::move(sync_graph), device, RunKind::Step, scope);
}

int64_t most_pending() {
  static const int64_t limit =
      integer_setting(SettingId::MaxPending).value_or(100000);
  return limit;
}

} // namespace

void count_recorded(std::span<const std::shared_ptr<Storage>> storages) {
  CallScope::set_current_operation();
  if (storages.empty())
    return;
  int device = storages[0]->device().index;
  if (runs_at_once()) {
    build::emitted_nodes() = 0;
    DeviceLock lock(device);
    SyncGraph sync_graph;
    for (const std::shared_ptr<Storage> &storage : storages)
      sync_graph.add(storage);
    if (!sync_graph.roots.empty())
      run(std::move(sync_graph), device, RunKind::Eager, nullptr);
    return;
  }
  int64_t &emitted = build::emitted_nodes();
  if (current_trace()) {
    emitted = 0;
    return;
  }
  if ((queue_of(device).recorded += std::exchange(emitted, 0)) >=
      most_pending())
    collect_and_run(device, nullptr);
}

void record_fallback(std::string_view name) {
  if (name.empty() && CallScope::name())
    name = CallScope::name();
  metrics::counter("aten::" + std::string(name)).add();
}

void sync(int device, bool wait, const ScopeOptions *scope) {
  static const bool always_wait = flag_setting(SettingId::SyncWait);
  static constinit metrics::NamedCounter syncs(kMarkStepCounter);
  reject_inside_full_graph();
  syncs.add();
  collect_and_run(device, scope);
  if (wait || always_wait)
    wait_for(device);
}

void run_pending(int device) { collect_and_run(device, nullptr); }

void wait_for(int device) {
  if (is_partitioned(device))
    wait_everywhere();
  else
    unwrap(unwrap(runtime::find_device(device))->sync());
}

std::vector<Value> compute(int device, const std::vector<Value> &values) {
  std::vector<Value> results = values;
  SyncGraph sync_graph;
  std::vector<std::pair<size_t, uint32_t>> asked;
  for (size_t i = 0; i < values.size(); ++i)
    if (values[i].node->kind() != NodeKind::Parameter)
      asked.emplace_back(i, sync_graph.add(values[i]));
  if (asked.empty())
    return results;
  reject_inside_full_graph();
  DeviceLock lock(device);
  std::vector<Value> computed =
      run(std::move(sync_graph), device, RunKind::Step, nullptr);
  for (auto [index, number] : asked)
    results[index] = computed[number];
  return results;
}

host::Literal full_literal(const Value &value, bool stored) {
  auto read = [&](DeviceData &data) {
    return stored ? data.read_stored() : data.read();
  };
  std::shared_ptr<DeviceData> data = data_behind(value);
  if (has_all_partitions() || !sharding_in(data->layout()).is_tiled())
    return read(*data);
  static constinit metrics::NamedCounter gathered("ReplicateShardedData");
  gathered.add();
  Value everywhere = compute(0, {build::sharding(value, Sharding().str())})[0];
  return read(*data_behind(everywhere));
}

host::Literal materialize(int device, const Value &value, Value *computed) {
  Value held = compute(device, {value})[0];
  host::Literal literal = full_literal(held);
  *computed = std::move(held);
  return literal;
}

host::Literal materialize_stored(int device, const Value &value,
                                 Value *computed) {
  Value held = compute(device, {value})[0];
  host::Literal literal = full_literal(held, /*stored=*/true);
  *computed = std::move(held);
  return literal;
}

/// A buffer with the elements in their own type, even if the device stores
/// another.
static runtime::BufferRef plain_buffer(DeviceData &data) {
  if (stored_type(data.type()) == data.type())
    return data.buffer();
  host::Literal elements = data.read();
  return runtime::Buffer::borrow(elements.data(), elements.byte_count(),
                                 [owner = elements.owner()] {});
}

static Value plain_value(int device, const TensorType &type,
                         runtime::BufferRef buffer) {
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
  reject_inside_full_graph();
  if (executable->image().partitions > 1) {
    // Fetches elements of other processes before it locks the device.
    std::vector<host::Literal> whole;
    for (const Value &argument : arguments)
      whole.push_back(full_literal(argument));
    DeviceLock lock(device);
    return run_partitioned(std::move(executable), whole, results,
                           &run_times(RunKind::Step, true));
  }
  std::vector<runtime::BufferRef> buffers;
  for (const Value &argument : arguments)
    buffers.push_back(plain_buffer(data_of(*argument.node, device)));
  runtime::VirtualDevice *stream = unwrap(runtime::find_device(device));
  runtime::GridRank place = place_of(*executable, device);
  buffers = stream->launch(std::move(executable), std::move(buffers),
                           {.place = std::move(place),
                            .run_time = &run_times(RunKind::Step, false)});
  std::vector<Value> values;
  for (size_t i = 0; i < buffers.size(); ++i)
    values.push_back(plain_value(device, results[i], std::move(buffers[i])));
  return values;
}

std::vector<Value> pending_values(int device) {
  return collect_pending(device, /*with_traced=*/true).roots;
}

graph::Program program_of(const std::vector<Value> &values) {
  graph::Program program = program_of_graph(values);
  add_partitioning(program);
  return program;
}

int64_t compiled_graph_count() {
  return static_cast<int64_t>(compiled_graphs().size());
}

} // namespace xlac::lazy
