// Cut, look up or compile, launch. A launch hands each pending storage a
// promise of its result first, so that nothing but the launch holds what a
// program may overwrite.
#include "xlac/lazy/execute.h"

#include "cut.h"
#include "host_call.h"
#include "partitioned_run.h"
#include "recently_used.h"
#include "storage_modes.h"
#include "xlac/lazy/graph_text.h"

#include "xlac/host/custom_call.h"
#include "xlac/host/evaluate.h"
#include "xlac/job/job.h"
#include "xlac/lazy/build.h"
#include "xlac/lazy/disk_cache.h"
#include "xlac/lazy/errors.h"
#include "xlac/lazy/known_programs.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/program_loader.h"
#include "xlac/lazy/trace_scope.h"
#include "xlac/runtime/device.h"
#include "xlac/support/environment.h"
#include "xlac/support/fork.h"
#include "xlac/support/named_metrics.h"

#include <algorithm>
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
  ForkMutex mutex{ForkRank::Outer};
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
    static constinit metrics::NamedMetric waits("DeviceLockWait",
                                                Unit::Nanoseconds);
    metrics::Timer timer(waits);
    lock_.lock();
  }

private:
  std::unique_lock<ForkMutex> lock_;
};

// Made before there are threads: a child could not wait for one that was making
// them.
[[maybe_unused]] const DeviceQueue &queues_made_early = queue_of(0);

enum class RunKind { Step, Eager };

using SharedExecutable = std::shared_ptr<const Executable>;

RecentlyUsed<Hash128, SharedExecutable> &compiled_graphs() {
  // Outlives static destructors.
  static auto *graphs = new RecentlyUsed<Hash128, SharedExecutable>(2048);
  return *graphs;
}

[[maybe_unused]] const auto &graphs_made_early = compiled_graphs();

Hash128 key_of(const graph::WalkedGraph &walked,
               const std::vector<AliasPair> &aliases,
               const Partitioning &partitioning) {
  FastHasher hasher;
  hasher.update(walked.key);
  for (const AliasPair &alias : aliases)
    hasher.update(static_cast<uint64_t>(alias.result) << 32 | alias.argument);
  if (partitioning.count > 1)
    partitioning.hash(hasher);
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

graph::Program program_of_graph(const std::vector<Value> &values) {
  return stored_program(graph::make_program(values, "SyncTensorsGraph"));
}

SharedExecutable compile(const graph::Program &program, RunKind kind,
                         const ScopeOptions *scope) {
  ProgramLoadOptions options;
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

/// Held while a graph of that key is compiled: replicas that are threads come
/// with the same graph at the same time, and one of them compiles it.
ForkMutex &compile_mutex(const Hash128 &key) {
  struct Mutex {
    ForkMutex mutex{ForkRank::Outer};
  };
  static auto *mutexes = new std::array<Mutex, 64>;
  return (*mutexes)[key.low % mutexes->size()].mutex;
}

[[maybe_unused]] const ForkMutex &mutexes_made_early = compile_mutex({});

/// The executable of the cut, from this process's table or made.
SharedExecutable executable_of(const Cut &cut, const graph::WalkedGraph &walked,
                               std::vector<AliasPair> aliases, int device,
                               RunKind kind, const ScopeOptions *scope) {
  Partitioning partitioning;
  if (is_partitioned(device))
    partitioning = partitioning_of(cut, walked, aliases);
  Hash128 key = key_of(walked, aliases, partitioning);
  if (scope && scope->max_different_graphs && scope->traced &&
      !scope->traced->admit(key, *scope->max_different_graphs))
    raise<UserError>("Maximum number of different graphs allowed per function "
                     "exceeded: " +
                     std::to_string(*scope->max_different_graphs));
  std::unique_lock compiling(compile_mutex(key), std::defer_lock);
  SharedExecutable executable = compiled_graphs().find(key);
  if (!executable) {
    compiling.lock();
    executable = compiled_graphs().find(key);
  }
  if (executable && !saves_graphs()) {
    static constinit metrics::NamedCounter cached("CachedCompile");
    cached.add();
    return executable;
  }
  graph::Program program = program_of_graph(cut.roots);
  program.aliases = std::move(aliases);
  program.partitions = partitioning.count;
  program.argument_shardings = std::move(partitioning.arguments);
  program.result_shardings = std::move(partitioning.results);
  if (saves_graphs())
    save_graph(program);
  executable = compile(program, kind, scope);
  compiled_graphs().keep(key, executable);
  return executable;
}

//===- Launching ----------------------------------------------------------===//

std::vector<BufferRef> arguments_of(const graph::WalkedGraph &walked,
                                    int device) {
  static constinit metrics::NamedMetric times("UnwrapXlaData",
                                              Unit::Nanoseconds);
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

Promises promise_results(const Cut &cut, const Executable &executable,
                         int device) {
  static constinit metrics::NamedMetric times("WrapXlaData", Unit::Nanoseconds);
  metrics::Timer timer(times);
  Promises promises;
  bool everywhere = is_partitioned(device);
  for (const Value &root : cut.roots) {
    promises.data.push_back(
        everywhere ? std::make_shared<DeviceData>(
                         root.tensor(),
                         result_layout(executable, promises.data.size()),
                         std::vector<BufferRef>())
                   : std::make_shared<DeviceData>(device, root.tensor()));
    promises.values.push_back(
        {graph::Node::make_parameter(root.type(), promises.data.back()), 0});
  }
  return promises;
}

metrics::Metric &run_times(RunKind kind, bool everywhere) {
  static constinit metrics::NamedMetric steps("ExecuteTime", Unit::Nanoseconds);
  static constinit metrics::NamedMetric ops("EagerOpExecuteTime",
                                            Unit::Nanoseconds);
  static constinit metrics::NamedMetric replicated("ExecuteReplicatedTime",
                                                   Unit::Nanoseconds);
  return kind == RunKind::Eager ? ops : everywhere ? replicated : steps;
}

void count_cut(const graph::WalkedGraph &walked, bool everywhere) {
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

/// Until keep(), who waits for the promises hears that there is no memory when
/// this ends. Made before anybody waits, since it needs memory itself.
class PromiseGuard {
public:
  PromiseGuard(const Promises &promises, int shards)
      : promises_(promises), lost_(Buffer::pending(nullptr, 0)) {
    lost_->set_failed(failure(Fault::OutOfMemory, "out of memory"));
    if (shards > 0)
      lost_shards_.assign(promises.data.size(),
                          std::vector<BufferRef>(shards, lost_));
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

  /// Keeps the next promise.
  template <class Buffers> void keep(Buffers buffers) {
    promises_.data[kept_++]->fulfill(std::move(buffers));
  }

private:
  const Promises &promises_;
  BufferRef lost_;
  std::vector<std::vector<BufferRef>> lost_shards_;
  size_t kept_ = 0;
};

/// Hands what waits for the cut promises of its results. Nothing but the launch
/// may hold arguments that it overwrites: afterwards the cut is gone.
void settle_on(const Promises &promises, Cut &cut) {
  for (Waiting &waiting : cut.waiting)
    waiting.storage->settle(waiting.pending, promises.values[waiting.number]);
  cut = {};
}

/// run() under SPMD.
std::vector<Value> run_everywhere(Cut cut, const graph::WalkedGraph &walked,
                                  SharedExecutable executable, RunKind kind) {
  unwrap(check_room_everywhere(*executable));
  count_cut(walked, true);
  std::vector<std::vector<BufferRef>> arguments =
      arguments_everywhere(walked, *executable);
  Promises promises = promise_results(cut, *executable, 0);
  PromiseGuard guard(promises, runtime_device_count());
  settle_on(promises, cut);
  std::vector<std::vector<BufferRef>> results = launch_everywhere(
      std::move(executable), std::move(arguments), &run_times(kind, true));
  for (std::vector<BufferRef> &shards : results)
    guard.keep(std::move(shards));
  return std::move(promises.values);
}

/// True for a program that waits for those of other replicas, or asks which one
/// it is.
bool meets_replicas(const Executable &executable) {
  return std::any_of(
      executable.image().collectives.begin(),
      executable.image().collectives.end(), [](const Collective &what) {
        return (what.kind <= CollectiveKind::Recv && !what.host) ||
               what.kind == CollectiveKind::PartitionId ||
               what.kind == CollectiveKind::ReplicaId;
      });
}

/// Where a program of `device` meets those of the other replicas. Programs
/// without collectives need no place: replicas may run them alone.
Place place_of(const Executable &executable, int device) {
  const Replication &here = replication();
  if (!here.job || !meets_replicas(executable))
    return {};
  return {here.job->grid(), ordinal_of(device)};
}

/// What the program at `place` will meet other replicas for, in order.
void log_collectives(const Executable &executable, const Place &place) {
  for (const Collective &what : executable.image().collectives)
    std::fprintf(stderr, "xlac: collectives: replica %d of %d: %s\n",
                 place.process, place.grid->shape().count(),
                 describe(what).c_str());
}

/// A failure found here leaves everything pending as it was; replicas that
/// would wait for the program hear of it.
void check_room(VirtualDevice &stream, const Executable &executable,
                const Place &place) {
  Status room = stream.check_room(executable);
  if (!room && place.grid)
    fail_replication(room);
  unwrap(room);
}

/// UserError for a program that would read an input of a traced function.
void refuse_trace_inputs(const graph::WalkedGraph &walked) {
  if (!has_trace_inputs())
    return;
  for (const graph::Node *argument : walked.arguments)
    if (is_trace_input(*argument))
      raise<UserError>(std::string(kNoTraceValues));
}

/// Runs the cut; gives the parameters that hold the results. The caller holds
/// the device's lock.
std::vector<Value> run(Cut cut, int device, RunKind kind,
                       const ScopeOptions *scope) {
  graph::WalkedGraph walked = graph::walk_graph(cut.roots);
  refuse_trace_inputs(walked);
  std::vector<AliasPair> aliases = find_aliases(cut, walked, device);
  SharedExecutable executable =
      executable_of(cut, walked, aliases, device, kind, scope);
  if (is_partitioned(device))
    return run_everywhere(std::move(cut), walked, std::move(executable), kind);
  VirtualDevice *stream = unwrap(find_device(device));
  Place place = place_of(*executable, device);
  check_room(*stream, *executable, place);
  if (place.grid && is_logged("collectives"))
    log_collectives(*executable, place);
  count_cut(walked, false);
  std::vector<BufferRef> arguments = arguments_of(walked, device);
  Promises promises = promise_results(cut, *executable, device);
  PromiseGuard guard(promises, 0);
  forget_collectives_of(cut.roots, device);
  settle_on(promises, cut);
  std::vector<BufferRef> buffers = stream->launch(
      std::move(executable), std::move(arguments), std::move(place),
      &run_times(kind, false), std::move(aliases));
  for (BufferRef &buffer : buffers)
    guard.keep(std::move(buffer));
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
  if (TraceScope::current()) {
    emitted = 0;
    return;
  }
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
  static constinit metrics::NamedCounter syncs("MarkStep");
  refuse_inside_full_graph();
  syncs.add();
  cut_and_run(device, scope);
  if (wait || always_wait)
    wait_for(device);
}

void run_pending(int device) { cut_and_run(device, nullptr); }

void wait_for(int device) {
  if (is_partitioned(device))
    wait_everywhere();
  else
    unwrap(unwrap(find_device(device))->sync());
}

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
  host::Literal literal = whole_of(held);
  *computed = std::move(held);
  return literal;
}

host::Literal materialize_stored(int device, const Value &value,
                                 Value *computed) {
  Value held = compute(device, {value})[0];
  host::Literal literal = whole_of(held, /*stored=*/true);
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
  if (executable->image().partitions > 1) {
    DeviceLock lock(device);
    return run_cut_executable(std::move(executable), arguments, results,
                              &run_times(RunKind::Step, true));
  }
  std::vector<BufferRef> buffers;
  for (const Value &argument : arguments)
    buffers.push_back(plain_buffer(data_of(*argument.node, device)));
  VirtualDevice *stream = unwrap(find_device(device));
  Place place = place_of(*executable, device);
  buffers = stream->launch(std::move(executable), std::move(buffers),
                           std::move(place), &run_times(RunKind::Step, false));
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
  return cut_pending(device, /*with_traced=*/true).roots;
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
