// Sharding annotations of tensors, and access to shards.
#include "xlac/autograd.h"
#include "xlac/lazy/device_data.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/execute.h"
#include "xlac/lazy/host_values.h"
#include "xlac/lazy/layout.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/sharded_values.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/lazy/storage.h"
#include "xlac/lazy/tensor_layout.h"
#include "xlac/runtime/device.h"
#include "xlac/spmd/sharding_of.h"
#include "xlac/support/named_metrics.h"
#include "xlac/tensor/access.h"

#include <utility>

namespace xlac::spmd {

using namespace frontend;
using lazy::Layout;

namespace {

/// Returns the implementation of a tensor that SPMD can shard. Throws for
/// others.
TensorImpl &sizes_per_dim(const Tensor &t) {
  if (!lazy::is_spmd())
    raise<UserError>("SPMD is off, call xr::use_spmd() first");
  TensorImpl &impl = impl_of(t);
  if (impl.device().type != kXLA)
    raise<DeviceError>("Input tensor is not an XLA tensor: torch." +
                       lazy::legacy_name(impl.dtype) + "Tensor");
  if (!lazy::is_partitioned(impl.device().index))
    raise<DeviceError>("wanted a tensor of xla:0, which stands for all devices "
                       "under SPMD, got one of " +
                       impl.device().str());
  return impl;
}

/// Returns the sharding of a computed tensor without an annotation; null if it
/// is pending.
Layout found_layout(TensorImpl &impl) {
  if (impl.device().type != kXLA)
    return nullptr;
  std::shared_ptr<lazy::DeviceData> data = lazy::data_behind(impl.value());
  return data ? data->layout() : nullptr;
}

Layout annotation_or_layout(const Tensor &t) {
  TensorImpl &impl = impl_of(t);
  if (Layout layout = lazy::requested_layout(impl))
    return layout;
  Layout found = found_layout(impl);
  return found && found->is_tiled() ? found : nullptr;
}

void check_replaces(const Layout &before, const Sharding &wanted) {
  if (!before || before->is_replicated())
    return;
  raise<UserError>(
      "Existing annotation must be cleared first: the tensor has " +
      before->str() + ", got " + wanted.str());
}

Tensor on_cpu(const host::Literal &elements, Dtype dtype) {
  host::Literal copy =
      unwrap(host::Literal::copy_of(elements.type(), elements.data()));
  return TensorAccess::wrap(std::make_shared<TensorImpl>(
      lazy::Storage::make(Device(kCPU), lazy::host_value(std::move(copy))),
      dtype, elements.type().dims));
}

std::string device_name(int device) { return "CPU:" + std::to_string(device); }

/// Returns the shard of device `device`, made of `elements`.
XLAShard shard_of(const host::Literal &elements, const TensorImpl &impl,
                  const Sharding &sharding, int device) {
  XLAShard shard;
  shard.data = on_cpu(elements, impl.dtype);
  shard.shard_device = device_name(device);
  if (sharding.is_replicated())
    shard.replica_id = device;
  if (!sharding.is_tiled())
    return shard;
  ShardBounds bounds = shard_bounds(impl.sizes, sharding, device);
  for (size_t i = 0; i < bounds.begin.size(); ++i)
    shard.indices.emplace_back(bounds.begin[i],
                               bounds.begin[i] + bounds.size[i]);
  shard.replica_id = bounds.copy;
  return shard;
}

/// Returns the elements of `shard`, which must fit device `device` of a tensor
/// like `impl`.
host::Literal checked_elements(const XLAShard &shard, const TensorImpl &impl,
                               const Sharding &sharding, int device) {
  const TensorImpl &data = impl_of(shard.data);
  std::vector<int64_t> wanted = shard_dims(impl.sizes, sharding);
  if (data.sizes != wanted)
    raise<ShapeError>("the shard of " + device_name(device) + " has sizes " +
                      to_text(data.sizes) +
                      ", wanted those of a shard with padding, " +
                      to_text(wanted));
  if (data.dtype != impl.dtype)
    raise<DtypeError>("the shard of " + device_name(device) + " is " +
                      std::string(name(data.dtype)) + ", wanted " +
                      std::string(name(impl.dtype)));
  return elements_of(shard.data);
}

/// Returns the shards in the order of this process's devices. Throws unless
/// each device has one.
std::vector<const XLAShard *> by_device(const std::vector<XLAShard> &shards) {
  int first = lazy::first_partition(), count = lazy::runtime_device_count();
  if (shards.size() != static_cast<size_t>(count))
    raise<UserError>("got " + std::to_string(shards.size()) +
                     " shards, wanted one for each of " +
                     std::to_string(count) + " devices");
  std::vector<const XLAShard *> ordered(shards.size());
  for (const XLAShard &shard : shards) {
    int device = 0;
    while (device < count && device_name(first + device) != shard.shard_device)
      ++device;
    if (device == count)
      raise<UserError>("a shard is of device '" + shard.shard_device +
                       "', wanted one of " + device_name(first) + " to " +
                       device_name(first + count - 1));
    if (std::exchange(ordered[device], &shard))
      raise<UserError>("got two shards of " + shard.shard_device +
                       ", wanted one for each device");
  }
  return ordered;
}

} // namespace

//===- Annotations --------------------------------------------------------===//

XLAShardedTensor mark_sharding(const Tensor &t, const Mesh &mesh,
                               PartitionSpec spec, bool) {
  XLAC_CALL("mark_sharding");
  static constinit metrics::NamedCounter marks("XlaMarkSharding");
  TensorImpl &impl = sizes_per_dim(t);
  Sharding wanted = sharding_of(mesh, spec, impl.sizes.size());
  Layout before = lazy::requested_layout(impl);
  if (!before || !(*before == wanted)) {
    check_replaces(before, wanted);
    lazy::request_layout(impl,
                         std::make_shared<const Sharding>(std::move(wanted)));
  }
  marks.add();
  return {t, mesh.mesh_shape()};
}

static Tensor annotated_clone(const Tensor &t, const Layout &layout) {
  Tensor copy = clone(t);
  lazy::request_layout(impl_of(copy), layout);
  return copy;
}

Tensor mark_sharding_with_gradients(const Tensor &t, const Mesh &mesh,
                                    PartitionSpec spec) {
  XLAC_CALL("mark_sharding_with_gradients");
  auto layout = std::make_shared<const Sharding>(
      sharding_of(mesh, spec, sizes_per_dim(t).sizes.size()));
  return autograd::detail::apply_function(
      "mark_sharding_with_gradients", {t},
      [&](autograd::FunctionCtx &) -> std::vector<Tensor> {
        return {annotated_clone(t, layout)};
      },
      [layout](autograd::FunctionCtx &, std::vector<Tensor> grads) {
        return std::vector<Tensor>{annotated_clone(grads[0], layout)};
      })[0];
}

Tensor clear_sharding(const Tensor &t) {
  XLAC_CALL("clear_sharding");
  TensorImpl &impl = sizes_per_dim(t);
  Tensor whole = t.detach().cpu();
  if (impl.steps.empty())
    impl.storage->lay_out(nullptr);
  impl.view_layout = nullptr;
  graph::Value value = impl.value();
  if (lazy::data_behind(value))
    impl.materialize_into(value, lazy::device_value(0, elements_of(t)));
  return whole;
}

std::string get_sharding_spec(const Tensor &t) {
  XLAC_CALL("get_sharding_spec");
  Layout layout = annotation_or_layout(t);
  return layout ? layout->str() : "";
}

//===- Shards -------------------------------------------------------------===//

Tensor XLAShard::unpadded_data() const {
  XLAC_CALL("unpadded_data");
  Tensor part = data;
  for (size_t i = 0; i < indices.size(); ++i)
    part = part.narrow(static_cast<int64_t>(i), 0,
                       *indices[i].stop - *indices[i].start);
  return part;
}

std::string XLAShardedTensor::sharding_spec() const {
  return get_sharding_spec(global_);
}

ShardingType XLAShardedTensor::sharding_type() const {
  XLAC_CALL("sharding_type");
  Layout layout = annotation_or_layout(global_);
  return layout ? type_of(*layout) : ShardingType::Unknown;
}

std::vector<XLAShard> XLAShardedTensor::local_shards() const {
  XLAC_CALL("local_shards");
  TensorImpl &impl = sizes_per_dim(global_);
  graph::Value value = computed_values(0, {global_})[0];
  Layout layout = annotation_or_layout(global_);
  const Sharding &sharding = lazy::sharding_in(layout);
  std::vector<XLAShard> shards;
  std::vector<host::Literal> elements =
      lazy::read_shards(*lazy::data_behind(value), sharding);
  int first = lazy::first_partition();
  for (size_t i = 0; i < elements.size(); ++i)
    shards.push_back(
        shard_of(elements[i], impl, sharding, first + static_cast<int>(i)));
  return shards;
}

void XLAShardedTensor::load_local_shards_(const std::vector<XLAShard> &shards) {
  XLAC_CALL("load_local_shards_");
  TensorImpl &impl = sizes_per_dim(global_);
  Layout layout = annotation_or_layout(global_);
  if (!layout || !layout->is_tiled())
    raise<UserError>(
        "cannot load shards into a tensor that is not sharded: it is " +
        lazy::sharding_in(layout).str());
  std::vector<host::Literal> elements;
  int device = lazy::first_partition();
  for (const XLAShard *shard : by_device(shards))
    elements.push_back(checked_elements(*shard, impl, *layout, device++));
  TensorType type{lazy::element_type(impl.dtype), impl.sizes, {}, {}};
  overwrite(global_, lazy::value_of_shards(type, layout, elements));
}

//===- Uploads ------------------------------------------------------------===//

bool ShardingSpec::can_apply(const Tensor &t) const {
  XLAC_CALL("can_apply");
  return impl_of(t).sizes.size() == partition_spec.size();
}

void ShardingSpec::apply(const Tensor &t) const {
  mark_sharding(t, mesh, partition_spec);
}

static void check_minibatch(const Tensor &t) {
  int devices = lazy::runtime_device_count();
  const Shape &sizes = impl_of(t).sizes;
  if (sizes.empty() || sizes[0] % devices != 0)
    raise<UserError>("When minibatch is configured, the per-host batch size "
                     "must be divisible by local runtime device count: the "
                     "data has sizes " +
                     to_text(sizes) + ", there are " + std::to_string(devices) +
                     " devices");
}

Tensor send_sharded(const Tensor &t, const ShardingSpec &spec) {
  XLAC_CALL("send_sharded");
  Device device(kXLA, 0);
  TensorImpl &impl = impl_of(t);
  if (spec.minibatch && spec.can_apply(t))
    check_minibatch(t);
  if (!spec.can_apply(t) || impl.device().type != kCPU || !lazy::is_spmd()) {
    Tensor sent = t.detach().to(device);
    if (spec.can_apply(t))
      spec.apply(sent);
    return sent;
  }
  auto layout = std::make_shared<const Sharding>(
      sharding_of(spec.mesh, spec.partition_spec, impl.sizes.size()));
  host::Literal elements = elements_of(t);
  TensorType type = elements.type();
  graph::Value value;
  if (spec.minibatch && !lazy::has_all_partitions()) {
    int64_t rows = type.dims[0], local = lazy::runtime_device_count();
    type.dims[0] *= lazy::partition_count() / local;
    value = lazy::value_of_rows(type, rows * (lazy::first_partition() / local),
                                elements, layout);
  } else {
    value = lazy::distributed_value(std::move(elements), layout);
  }
  auto sent = std::make_shared<TensorImpl>(
      lazy::Storage::make(device, std::move(value)), impl.dtype, type.dims);
  sent->storage->lay_out(layout);
  return TensorAccess::wrap(std::move(sent));
}

} // namespace xlac::spmd
