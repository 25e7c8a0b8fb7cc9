// Execution of SPMD programs: the compiler partitions them, and they are
// launched on the streams of all devices in the same order, so that collectives
// match. A program that all devices would compute alike runs once.
#include "partitioned_run.h"

#include "automatic_plans.h"
#include "shards.h"

#include "xlac/lazy/device_data.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/layout.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/lazy/storage_modes.h"
#include "xlac/runtime/device.h"
#include "xlac/support/fork.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/program_names.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <new>

namespace xlac::lazy {

//===- Shardings of a graph -----------------------------------------------===//

static void hash_sharding(FastHasher &hasher,
                          const std::optional<Sharding> &sharding) {
  if (!sharding) {
    hasher.update(uint64_t{0});
    return;
  }
  hasher.update(uint64_t{1} + static_cast<uint64_t>(sharding->kind));
  for (const std::vector<int64_t> *list :
       {&sharding->tiles, &sharding->devices}) {
    hasher.update(static_cast<uint64_t>(list->size()));
    for (int64_t entry : *list)
      hasher.update(entry);
  }
  hasher.update(sharding->copies);
  hasher.update(sharding->summands);
}

void Partitioning::hash(FastHasher &hasher) const {
  hasher.update(static_cast<uint64_t>(count));
  hasher.update(automatic);
  for (const auto *list : {&arguments, &results}) {
    hasher.update(static_cast<uint64_t>(list->size()));
    for (const std::optional<Sharding> &sharding : *list)
      hash_sharding(hasher, sharding);
  }
}

static bool is_any_tiled(const std::vector<std::optional<Sharding>> &list) {
  return std::any_of(list.begin(), list.end(), [](const auto &sharding) {
    return sharding && sharding->is_tiled();
  });
}

/// The sharding of an argument for the compiler. Automatic SPMD leaves the
/// choice to it unless the data has a layout.
static std::optional<Sharding> sharding_of_argument(const DeviceData *data) {
  Layout layout = data ? data->layout() : nullptr;
  if (!layout && data && is_automatic_spmd())
    return std::nullopt;
  return sharding_in(layout);
}

void Partitioning::add_to(graph::Program &program) const {
  program.partitions = count;
  program.argument_shardings = arguments;
  program.result_shardings = results;
  if (automatic)
    program.attributes.emplace_back(names::kAutomaticPartitioning, "true");
}

void add_partitioning(graph::Program &program) {
  Partitioning made;
  made.count = partition_count();
  if (made.count == 1)
    return;
  made.automatic = is_automatic_spmd();
  const graph::Block &body = program.entry_function()->body;
  for (const graph::NodeRef &argument : body.arguments)
    made.arguments.push_back(
        sharding_of_argument(data_behind({argument, 0}).get()));
  for (const graph::Value &result : body.results)
    made.results.push_back(asked_sharding(*result.node));
  made.add_to(program);
}

Hash128 key_of(const graph::HashedGraph &walked,
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

Partitioning partitioning_of(const SyncGraph &sync_graph,
                             const graph::HashedGraph &walked,
                             std::vector<AliasPair> &aliases) {
  Partitioning made;
  made.count = partition_count();
  if (made.count == 1)
    return made;
  made.automatic = is_automatic_spmd();
  for (const graph::Value &root : sync_graph.roots)
    made.results.push_back(asked_sharding(*root.node));
  RequestedShardings held;
  for (const graph::Node *node : walked.arguments)
    held.push_back(sharding_of_argument(&data_of(*node, 0)));
  if (made.automatic) {
    made.graph = key_of(walked, aliases, made);
    held = planned_shardings(made.graph, std::move(held));
  }
  made.arguments = std::move(held);
  bool is_sharded = is_any_tiled(made.arguments) || is_any_tiled(made.results);
  std::erase_if(aliases, [&](const AliasPair &alias) {
    std::optional<Sharding> &result = made.results[alias.result];
    const std::optional<Sharding> &argument = made.arguments[alias.argument];
    if (!argument) // the compiler chooses one sharding for both
      return false;
    if (!result && is_sharded &&
        !data_of(*walked.arguments[alias.argument], 0).layout())
      return true;
    if (!result)
      result = argument;
    return !(result == argument);
  });
  return made;
}

//===- The grid -----------------------------------------------------------===//

namespace {

/// The communicator of the devices of this process.
class PartitionGrid {
public:
  static PartitionGrid &process() {
    static auto *grid = new PartitionGrid; // outlives static destructors
    return *grid;
  }

  /// Makes a new grid if the last one has failed; programs that wait in the old
  /// one keep it.
  std::shared_ptr<runtime::Communicator> get() {
    if (std::shared_ptr<runtime::Communicator> grid = grid_of_processes())
      return grid;
    std::lock_guard lock(mutex_);
    if (grid_ && grid_->status())
      return grid_;
    runtime::GridOptions options;
    options.shape = {1, partition_count()};
    options.deadline = collective_deadline();
    grid_ = unwrap(make_local_grid(options));
    return grid_;
  }

private:
  ForkMutex mutex_;
  std::shared_ptr<runtime::Communicator> grid_;
};

} // namespace

//===- Launching ----------------------------------------------------------===//

/// Whether all devices would compute the same: nothing is sharded, and the
/// program neither exchanges data nor reads its place.
static bool is_same_everywhere(const runtime::Executable &executable) {
  const runtime::ExecutableImage &image = executable.image();
  auto is_tiled = [](const Sharding &sharding) { return sharding.is_tiled(); };
  return std::ranges::none_of(image.argument_shardings, is_tiled) &&
         std::ranges::none_of(image.result_shardings, is_tiled) &&
         std::ranges::all_of(
             image.collectives, [](const runtime::Collective &what) {
               return what.kind == runtime::CollectiveKind::CustomCall;
             });
}

Status check_capacities(const runtime::Executable &executable) {
  int count = is_same_everywhere(executable) ? 1 : runtime_device_count();
  for (int i = 0; i < count; ++i) {
    auto device = runtime::find_device(i);
    if (!device)
      return device.error();
    if (Status status = (*device)->check_capacity(executable); !status)
      return status;
  }
  return {};
}

/// The sharding of argument or result `number` in an image.
static const Sharding &sharding_at(const std::vector<Sharding> &list,
                                   size_t number) {
  return number < list.size() ? list[number] : sharding_in(nullptr);
}

Layout result_layout(const runtime::Executable &executable, size_t number) {
  const Sharding &sharding =
      sharding_at(executable.image().result_shardings, number);
  static const auto *replicated = new Layout(std::make_shared<Sharding>());
  return sharding.is_tiled() ? std::make_shared<const Sharding>(sharding)
                             : *replicated;
}

std::vector<std::vector<runtime::BufferRef>>
arguments_everywhere(const graph::HashedGraph &walked,
                     const runtime::Executable &executable) {
  static constinit metrics::NamedMetric times("UnwrapXlaData",
                                              metrics::Unit::Nanoseconds);
  metrics::Timer timer(times);
  std::vector<std::vector<runtime::BufferRef>> arguments;
  for (size_t i = 0; i < walked.arguments.size(); ++i) {
    DeviceData &data = data_of(*walked.arguments[i], 0);
    const Sharding &wanted =
        sharding_at(executable.image().argument_shardings, i);
    // What the compiler has placed stays there for later programs.
    if (is_automatic_spmd() && !data.layout() && wanted.is_tiled())
      data.distribute(std::make_shared<const Sharding>(wanted));
    arguments.push_back(rearranged(stored_type(data.type()),
                                   sharding_in(data.layout()), wanted,
                                   data.shards()));
  }
  return arguments;
}

/// If a launch throws, devices that already run must not wait for it.
static std::vector<runtime::BufferRef>
launch_or_fail(int device,
               const std::shared_ptr<const runtime::Executable> &executable,
               std::vector<runtime::BufferRef> arguments,
               const runtime::GridRank &place, metrics::Metric *run_time) {
  try {
    return unwrap(runtime::find_device(device))
        ->launch(executable, std::move(arguments),
                 {.place = place, .run_time = run_time});
  } catch (const std::bad_alloc &) {
    if (place.grid)
      place.grid->fail(failure(FailureKind::OutOfMemory, "out of memory"));
    throw;
  }
}

/// Launches a program that is the same everywhere on the first device, with the
/// threads of all. All devices share its results.
static std::vector<std::vector<runtime::BufferRef>>
launch_once(std::shared_ptr<const runtime::Executable> executable,
            std::vector<std::vector<runtime::BufferRef>> arguments,
            metrics::Metric *run_time) {
  std::vector<runtime::BufferRef> own;
  for (std::vector<runtime::BufferRef> &shards : arguments)
    own.push_back(std::move(shards[0]));
  // The program overwrites only memory without other owners.
  arguments.clear();
  std::vector<std::vector<runtime::BufferRef>> results;
  for (runtime::BufferRef &result :
       unwrap(runtime::find_device(0))
           ->launch(std::move(executable), std::move(own),
                    {.run_time = run_time, .threads = threads_of_process()}))
    results.emplace_back(runtime_device_count(), result);
  return results;
}

std::vector<std::vector<runtime::BufferRef>>
launch_everywhere(std::shared_ptr<const runtime::Executable> executable,
                  std::vector<std::vector<runtime::BufferRef>> arguments,
                  metrics::Metric *run_time) {
  if (is_same_everywhere(*executable))
    return launch_once(std::move(executable), std::move(arguments), run_time);
  int count = runtime_device_count(), first = first_partition();
  runtime::GridRank place;
  if (partition_count() > 1)
    place.grid = PartitionGrid::process().get();
  std::vector<std::vector<runtime::BufferRef>> results(
      executable->result_bytes().size(),
      std::vector<runtime::BufferRef>(count));
  for (int device = 0; device < count; ++device) {
    std::vector<runtime::BufferRef> own;
    for (std::vector<runtime::BufferRef> &shards : arguments)
      own.push_back(std::move(shards[device]));
    place.process = first + device;
    std::vector<runtime::BufferRef> made = launch_or_fail(
        device, executable, std::move(own), place, device ? nullptr : run_time);
    for (size_t i = 0; i < made.size(); ++i)
      results[i][device] = std::move(made[i]);
  }
  return results;
}

/// A value in its own type, even if devices store another.
static graph::Value plain_result(const TensorType &type, Layout layout,
                                 std::vector<runtime::BufferRef> shards) {
  if (!(stored_type(type) == type))
    return device_value(0, put_together(type, sharding_in(layout), shards));
  return {graph::Node::make_parameter(
              Type(type), std::make_shared<DeviceData>(type, std::move(layout),
                                                       std::move(shards))),
          0};
}

std::vector<graph::Value>
run_partitioned(std::shared_ptr<const runtime::Executable> executable,
                const std::vector<host::Literal> &arguments,
                const std::vector<TensorType> &results,
                metrics::Metric *run_time) {
  const runtime::ExecutableImage &image = executable->image();
  if (image.partitions != partition_count())
    raise<UserError>("the program is partitioned for " +
                     std::to_string(image.partitions) + " devices, SPMD has " +
                     std::to_string(partition_count()));
  for (const auto *list : {&image.argument_shardings, &image.result_shardings})
    for (const Sharding &sharding : *list)
      if (sharding.is_unreduced())
        raise<UnsupportedError>("the program has the sharding " +
                                sharding.str() +
                                " at its border; tensors hold no summands");
  std::vector<std::vector<runtime::BufferRef>> shards;
  for (size_t i = 0; i < arguments.size(); ++i)
    shards.push_back(
        shard_literal(arguments[i], sharding_at(image.argument_shardings, i)));
  std::vector<std::vector<runtime::BufferRef>> made =
      launch_everywhere(executable, std::move(shards), run_time);
  std::vector<graph::Value> values;
  for (size_t i = 0; i < made.size(); ++i)
    values.push_back(plain_result(results[i], result_layout(*executable, i),
                                  std::move(made[i])));
  return values;
}

void wait_everywhere() {
  Status first;
  for (int i = 0; i < runtime_device_count(); ++i) {
    Status status = unwrap(runtime::find_device(i))->sync();
    if (first)
      first = status;
  }
  unwrap(first);
}

} // namespace xlac::lazy
