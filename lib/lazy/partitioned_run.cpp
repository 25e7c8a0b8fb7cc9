// Execution of SPMD programs: the compiler partitions them, and they are
// launched on the streams of all devices in the same order, so that collectives
// match.
#include "partitioned_run.h"

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
  for (const auto *list : {&arguments, &results}) {
    hasher.update(static_cast<uint64_t>(list->size()));
    for (const std::optional<Sharding> &sharding : *list)
      hash_sharding(hasher, sharding);
  }
}

/// Shards the largest dimension that the number of devices divides, over all
/// devices. Null for small tensors and if no dimension can be divided.
static Layout automatic_layout(const TensorType &type, int count) {
  constexpr int64_t kLeastBytes = 64 * 1024;
  if (type.byte_count().value_or(0) < kLeastBytes)
    return nullptr;
  size_t best = type.dims.size();
  for (size_t i = 0; i < type.dims.size(); ++i)
    if (type.dims[i] % count == 0 &&
        (best == type.dims.size() || type.dims[i] > type.dims[best]))
      best = i;
  if (best == type.dims.size())
    return nullptr;
  Sharding sharding;
  sharding.kind = Sharding::Kind::Tiled;
  sharding.tiles.assign(type.dims.size(), 1);
  sharding.tiles[best] = count;
  for (int64_t i = 0; i < count; ++i)
    sharding.devices.push_back(i);
  return std::make_shared<const Sharding>(std::move(sharding));
}

static bool is_any_tiled(const std::vector<std::optional<Sharding>> &list) {
  return std::any_of(list.begin(), list.end(), [](const auto &sharding) {
    return sharding && sharding->is_tiled();
  });
}

void add_partitioning(graph::Program &program) {
  if (partition_count() == 1)
    return;
  program.partitions = partition_count();
  const graph::Block &body = program.entry_function()->body;
  for (const graph::NodeRef &argument : body.arguments) {
    std::shared_ptr<DeviceData> data = data_behind({argument, 0});
    Layout layout = data ? data->layout() : nullptr;
    if (data && !layout && is_automatic_spmd())
      layout = automatic_layout(data->type(), partition_count());
    program.argument_shardings.emplace_back(sharding_in(layout));
  }
  for (const graph::Value &result : body.results)
    program.result_shardings.push_back(asked_sharding(*result.node));
}

Partitioning partitioning_of(const SyncGraph &sync_graph,
                             const graph::HashedGraph &walked,
                             std::vector<AliasPair> &aliases) {
  Partitioning made;
  made.count = partition_count();
  if (made.count == 1)
    return made;
  for (const graph::Node *node : walked.arguments) {
    DeviceData &data = data_of(*node, 0);
    if (is_automatic_spmd() && !data.layout())
      if (Layout layout = automatic_layout(data.type(), made.count))
        data.distribute(std::move(layout));
    made.arguments.emplace_back(sharding_in(data.layout()));
  }
  for (const graph::Value &root : sync_graph.roots)
    made.results.push_back(asked_sharding(*root.node));
  bool is_sharded = is_any_tiled(made.arguments) || is_any_tiled(made.results);
  std::erase_if(aliases, [&](const AliasPair &alias) {
    std::optional<Sharding> &result = made.results[alias.result];
    const std::optional<Sharding> &argument = made.arguments[alias.argument];
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

Status check_capacities(const runtime::Executable &executable) {
  for (int i = 0; i < runtime_device_count(); ++i) {
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
    arguments.push_back(rearranged(
        stored_type(data.type()), sharding_in(data.layout()),
        sharding_at(executable.image().argument_shardings, i), data.shards()));
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
        ->launch(executable, std::move(arguments), place, run_time);
  } catch (const std::bad_alloc &) {
    if (place.grid)
      place.grid->fail(failure(FailureKind::OutOfMemory, "out of memory"));
    throw;
  }
}

std::vector<std::vector<runtime::BufferRef>>
launch_everywhere(std::shared_ptr<const runtime::Executable> executable,
                  std::vector<std::vector<runtime::BufferRef>> arguments,
                  metrics::Metric *run_time) {
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
