// The switch, and how elements get from one layout to another.
#include "xlac/lazy/partitions.h"

#include "storage_modes.h"

#include "xlac/host/strided.h"
#include "xlac/job/job.h"
#include "xlac/lazy/build.h"
#include "xlac/lazy/metric_names.h"
#include "xlac/lazy/session.h"
#include "xlac/lazy/setting_values.h"
#include "xlac/runtime/device.h"
#include "xlac/support/fork.h"
#include "xlac/support/logging.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/raise.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <atomic>
#include <cassert>
#include <cstdio>
#include <cstring>

namespace xlac::lazy {

using graph::Node;
using graph::NodeKind;
using graph::Value;

//===- The switch ---------------------------------------------------------===//

static std::atomic<bool> spmd_is_on{false}, spmd_is_automatic{false};

static bool is_asked_by_environment() {
  ForkSection section; // a child cannot wait for a thread that makes it
  static const bool asked = [] {
    if (!flag_setting(SettingId::UseSpmd))
      return false;
    log_warning("XLA_USE_SPMD is deprecated, call xr::use_spmd() instead");
    return true;
  }();
  return asked;
}

/// The processes that SPMD spans; null for this one alone. Set before SPMD is
/// on.
static std::shared_ptr<job::Job> &spmd_job() {
  static auto *job = new std::shared_ptr<job::Job>; // outlives the devices
  return *job;
}

/// The processes of XLAC_NUM_HOSTS hosts, one each.
static std::shared_ptr<job::Job> join_hosts(int hosts) {
  job::Topology topology;
  topology.hosts = hosts;
  topology.host = static_cast<int>(
      checked_setting(read_integer(SettingId::HostIndex)).value_or(0));
  topology.devices_per_process = runtime_device_count();
  topology.master_address =
      text_setting(SettingId::MasterAddress).value_or(topology.master_address);
  topology.master_port =
      static_cast<int>(checked_setting(read_integer(SettingId::MasterPort))
                           .value_or(topology.master_port));
  topology.name = "spmd-" + std::to_string(topology.master_port);
  auto joined = unwrap(job::join_job(topology, collective_deadline()));
  Replication process;
  process.job = joined;
  set_process_replication(std::move(process));
  return joined;
}

static bool is_one_of_several(const std::shared_ptr<job::Job> &job) {
  return job && job->topology().processes() > 1 &&
         job->topology().devices_per_process == 1;
}

void use_spmd(bool automatic) {
  static ForkMutex mutex;
  std::lock_guard lock(mutex);
  if (automatic)
    spmd_is_automatic = true;
  if (spmd_is_on)
    return;
  int64_t hosts =
      checked_setting(read_integer(SettingId::NumHosts)).value_or(1);
  if (is_one_of_several(replication().job))
    spmd_job() = replication().job;
  else if (is_replica())
    raise<UserError>("SPMD cannot begin in a replica");
  else if (hosts > 1)
    spmd_job() = join_hosts(static_cast<int>(hosts));
  spmd_is_on = true;
  if (device_data_made() > 0)
    log_warning("use_spmd: tensors of xla devices were made before; they "
                "become replicated. Call xr::use_spmd() first.");
}

bool is_spmd() {
  return spmd_is_on.load(std::memory_order_acquire) ||
         is_asked_by_environment();
}

bool is_automatic_spmd() { return is_spmd() && spmd_is_automatic; }

int devices_of_job() {
  const std::shared_ptr<job::Job> &job =
      spmd_job() ? spmd_job() : replication().job;
  return job ? job->topology().replicas() : runtime_device_count();
}

int first_partition() {
  return spmd_job() ? spmd_job()->topology().first_replica() : 0;
}

bool has_all_partitions() { return !spmd_job(); }

std::shared_ptr<Communicator> grid_of_processes() {
  return spmd_job() ? spmd_job()->partitions() : nullptr;
}

int partition_count() { return is_spmd() ? devices_of_job() : 1; }

//===- Wishes -------------------------------------------------------------===//

const Sharding &sharding_in(const Layout &layout) {
  static const Sharding replicated;
  return layout ? *layout : replicated;
}

/// What is around the text in a node's attributes.
static constexpr std::string_view kOpening = "{mhlo.sharding = \"",
                                  kClosing = "\"}";

std::optional<Sharding> asked_sharding(const Node &node) {
  if (node.kind() != NodeKind::Op || node.op() != ops::OpKind::CustomCall)
    return std::nullopt;
  std::string_view text = node.extra_attributes();
  if (!text.starts_with(kOpening) || !text.ends_with(kClosing))
    return std::nullopt;
  text.remove_prefix(kOpening.size());
  text.remove_suffix(kClosing.size());
  return unwrap(parse_sharding(text));
}

std::shared_ptr<DeviceData> data_behind(const Value &value) {
  return std::dynamic_pointer_cast<DeviceData>(value.node->data());
}

Value laid_out(Value value, const Layout &layout) {
  const Sharding &wanted = sharding_in(layout);
  if (value.node->kind() == NodeKind::Parameter) {
    std::shared_ptr<DeviceData> data = data_behind(value);
    if (!data || sharding_in(data->layout()) == wanted)
      return value;
  } else if (asked_sharding(*value.node) == wanted) {
    return value;
  }
  return build::sharding(std::move(value), wanted.str());
}

//===- Elements -----------------------------------------------------------===//

static TensorType with_dims(TensorType type, std::vector<int64_t> dims) {
  type.dims = std::move(dims);
  return type;
}

static int64_t offset_of(const std::vector<int64_t> &position,
                         const std::vector<int64_t> &strides) {
  assert(position.size() == strides.size() && "a stride for each dimension");
  int64_t offset = 0;
  for (size_t i = 0; i < position.size(); ++i)
    offset += position[i] * strides[i];
  return offset;
}

static bool is_empty(const std::vector<int64_t> &sizes) {
  return std::find(sizes.begin(), sizes.end(), 0) != sizes.end();
}

/// The part of `whole` within `bounds`, padded to `dims`.
static host::Literal padded_part(const host::Literal &whole,
                                 const ShardBounds &bounds,
                                 const std::vector<int64_t> &dims) {
  TensorType type = with_dims(whole.type(), dims);
  if (bounds.size == dims) { // perhaps without a copy
    std::vector<int64_t> strides = host::dense_strides(whole.type().dims);
    return unwrap(host::read_strided(whole, type, strides,
                                     offset_of(bounds.begin, strides)));
  }
  host::Literal padded = unwrap(host::Literal::allocate(type));
  std::memset(padded.mutable_data(), 0, padded.byte_count());
  std::vector<int64_t> start(dims.size(), 0);
  host::copy_box(padded.mutable_data(), {dims, start}, whole.data(),
                 {whole.type().dims, bounds.begin}, bounds.size,
                 byte_size(type.element));
  return padded;
}

static BufferRef upload_to(int device, const host::Literal &literal) {
  return unwrap(unwrap(find_device(device))
                    ->upload(std::span(literal.data(), literal.byte_count())));
}

/// shard_literal of a value of sizes `dims`, of which `rows` are those from
/// `first_row` on.
static std::vector<BufferRef> slice_rows(const std::vector<int64_t> &dims,
                                         int64_t first_row,
                                         const host::Literal &rows,
                                         const Sharding &sharding) {
  std::vector<int64_t> shard_sizes = shard_dims(dims, sharding);
  int first = first_partition(), count = runtime_device_count();
  std::vector<BufferRef> shards(count);
  // Devices stand in the order of tiles, then copies: those of one tile that
  // are of this process share a buffer.
  for (size_t i = 0; i < sharding.devices.size(); i += sharding.copies) {
    BufferRef shard;
    for (int64_t copy = 0; copy < sharding.copies; ++copy) {
      int64_t device = sharding.devices[i + copy], place = device - first;
      if (place < 0 || place >= count)
        continue;
      if (!shard) {
        ShardBounds bounds = shard_bounds(dims, sharding, device);
        if (!is_empty(bounds.size))
          bounds.begin[0] -= first_row;
        if (!is_empty(bounds.size) &&
            (bounds.begin[0] < 0 ||
             bounds.begin[0] + bounds.size[0] > rows.type().dims[0]))
          raise<UserError>("device " + std::to_string(device) +
                           " needs rows that another process has");
        shard = upload_to(static_cast<int>(place),
                          padded_part(rows, bounds, shard_sizes));
      }
      shards[place] = shard;
    }
  }
  return shards;
}

std::vector<BufferRef> shard_literal(const host::Literal &whole,
                                     const Sharding &sharding) {
  if (!sharding.is_tiled())
    return std::vector<BufferRef>(runtime_device_count(), upload_to(0, whole));
  return slice_rows(whole.type().dims, 0, whole, sharding);
}

static host::Literal lent(const TensorType &type, const BufferRef &buffer) {
  auto *bytes = const_cast<std::byte *>(unwrap(buffer->read()));
  return host::Literal::borrow(
      type, std::shared_ptr<std::byte>(bytes, [buffer](std::byte *) {}));
}

host::Literal put_together(const TensorType &type, const Sharding &sharding,
                           const std::vector<BufferRef> &shards) {
  if (!sharding.is_tiled())
    return lent(type, shards.at(0));
  host::Literal whole = unwrap(host::Literal::allocate(type));
  TensorType shard_type = with_dims(type, shard_dims(type.dims, sharding));
  std::vector<int64_t> start(type.dims.size(), 0);
  for (size_t i = 0; i < sharding.devices.size();
       i += static_cast<size_t>(sharding.copies)) {
    int64_t device = sharding.devices[i];
    ShardBounds bounds = shard_bounds(type.dims, sharding, device);
    // A device without elements may have failed as well.
    host::Literal shard = lent(shard_type, shards.at(device));
    host::copy_box(whole.mutable_data(), {type.dims, bounds.begin},
                   shard.data(), {shard_type.dims, start}, bounds.size,
                   byte_size(type.element));
  }
  return whole;
}

std::vector<BufferRef> rearranged(const TensorType &type, const Sharding &from,
                                  const Sharding &to,
                                  std::vector<BufferRef> shards) {
  if (from == to)
    return shards;
  return shard_literal(put_together(type, from, shards), to);
}

//===- Values -------------------------------------------------------------===//

Value distributed_value(host::Literal literal, Layout layout) {
  static constinit metrics::NamedMetric times(kTransferToDeviceTime,
                                              metrics::Unit::Nanoseconds);
  static constinit metrics::NamedMetric sizes("OutboundData",
                                              metrics::Unit::Bytes);
  static constinit metrics::NamedCounter uses("VirtualDeviceUsage");
  metrics::Timer timer(times);
  sizes.add(static_cast<double>(literal.byte_count()));
  uses.add();
  TensorType type = literal.type();
  host::Literal stored = converted(literal, stored_type(type).element);
  return {Node::make_parameter(
              Type(type),
              std::make_shared<DeviceData>(
                  type, layout, shard_literal(stored, sharding_in(layout)))),
          0};
}

std::vector<host::Literal> read_shards(DeviceData &data,
                                       const Sharding &sharding) {
  TensorType stored = stored_type(data.type());
  std::vector<BufferRef> buffers =
      rearranged(stored, sharding_in(data.layout()), sharding, data.shards());
  std::vector<host::Literal> shards;
  for (const BufferRef &buffer : buffers)
    shards.push_back(converted(
        lent(with_dims(stored, shard_dims(stored.dims, sharding)), buffer),
        data.type().element));
  return shards;
}

Value value_of_rows(const TensorType &whole, int64_t first_row,
                    const host::Literal &literal, Layout layout) {
  if (!sharding_in(layout).is_tiled())
    raise<UserError>("every device needs rows that another process has");
  host::Literal stored = converted(literal, stored_type(whole).element);
  std::vector<BufferRef> shards =
      slice_rows(whole.dims, first_row, stored, sharding_in(layout));
  return {Node::make_parameter(
              Type(whole), std::make_shared<DeviceData>(
                               whole, std::move(layout), std::move(shards))),
          0};
}

host::Literal whole_of(const Value &value, bool stored) {
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

Value value_of_shards(const TensorType &type, Layout layout,
                      const std::vector<host::Literal> &shards) {
  std::vector<BufferRef> buffers;
  for (size_t i = 0; i < shards.size(); ++i)
    buffers.push_back(upload_to(
        static_cast<int>(i), converted(shards[i], stored_type(type).element)));
  return {Node::make_parameter(
              Type(type), std::make_shared<DeviceData>(type, std::move(layout),
                                                       std::move(buffers))),
          0};
}

} // namespace xlac::lazy
