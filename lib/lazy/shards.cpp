#include "shards.h"

#include "xlac/host/boxes.h"
#include "xlac/host/strided.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/partitions.h"
#include "xlac/runtime/device.h"
#include "xlac/support/named_metrics.h"
#include "xlac/support/raise.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace xlac::lazy {

static TensorType with_dims(TensorType type, std::vector<int64_t> dims) {
  type.dims = std::move(dims);
  return type;
}

TensorType shard_type(const TensorType &whole, const Sharding &sharding) {
  return with_dims(whole, shard_dims(whole.dims, sharding));
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

/// The shard of `whole` within `bounds`, padded to `dims`.
static host::Literal padded_part(const host::Literal &whole,
                                 const ShardBounds &bounds,
                                 const std::vector<int64_t> &dims) {
  TensorType type = with_dims(whole.type(), dims);
  if (bounds.size == dims) { // may avoid a copy
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

runtime::BufferRef upload_to(int device, const host::Literal &literal) {
  return unwrap(unwrap(runtime::find_device(device))
                    ->upload(std::span(literal.data(), literal.byte_count())));
}

std::vector<runtime::BufferRef> shard_rows(const std::vector<int64_t> &dims,
                                           int64_t first_row,
                                           const host::Literal &rows,
                                           const Sharding &sharding) {
  std::vector<int64_t> shard_sizes = shard_dims(dims, sharding);
  int first = first_partition(), count = runtime_device_count();
  std::vector<runtime::BufferRef> shards(count);
  // Devices are ordered by tile, then by copy. Devices of this process with the
  // same tile share a buffer.
  for (size_t i = 0; i < sharding.devices.size(); i += sharding.copies) {
    runtime::BufferRef shard;
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

std::vector<runtime::BufferRef> shard_literal(const host::Literal &whole,
                                              const Sharding &sharding) {
  if (!sharding.is_tiled())
    return std::vector<runtime::BufferRef>(runtime_device_count(),
                                           upload_to(0, whole));
  return shard_rows(whole.type().dims, 0, whole, sharding);
}

host::Literal lent(const TensorType &type, const runtime::BufferRef &buffer) {
  auto *bytes = const_cast<std::byte *>(unwrap(buffer->read()));
  return host::Literal::borrow(
      type, std::shared_ptr<std::byte>(bytes, [buffer](std::byte *) {}));
}

host::Literal put_together(const TensorType &type, const Sharding &sharding,
                           const std::vector<runtime::BufferRef> &shards) {
  if (!sharding.is_tiled())
    return lent(type, shards.at(0));
  host::Literal whole = unwrap(host::Literal::allocate(type));
  TensorType part_type = shard_type(type, sharding);
  std::vector<int64_t> start(type.dims.size(), 0);
  for (size_t i = 0; i < sharding.devices.size();
       i += static_cast<size_t>(sharding.copies)) {
    int64_t device = sharding.devices[i];
    ShardBounds bounds = shard_bounds(type.dims, sharding, device);
    // A device without elements may have failed too.
    host::Literal shard = lent(part_type, shards.at(device));
    host::copy_box(whole.mutable_data(), {type.dims, bounds.begin},
                   shard.data(), {part_type.dims, start}, bounds.size,
                   byte_size(type.element));
  }
  return whole;
}

/// The elements that `device` holds.
static host::Box box_on(const std::vector<int64_t> &dims,
                        const Sharding &sharding, int64_t device) {
  if (!sharding.is_tiled())
    return {std::vector<int64_t>(dims.size(), 0), dims};
  ShardBounds bounds = shard_bounds(dims, sharding, device);
  return {std::move(bounds.begin), std::move(bounds.size)};
}

/// The devices whose shards are together the whole value: `target` itself for
/// the shard that it has.
static std::vector<int64_t> holders(const Sharding &sharding, int64_t target) {
  if (!sharding.is_tiled())
    return {target};
  std::vector<int64_t> found;
  for (size_t i = 0; i < sharding.devices.size(); i += sharding.copies) {
    auto first = sharding.devices.begin() + i, end = first + sharding.copies;
    auto own = std::find(first, end, target);
    found.push_back(own == end ? *first : *own);
  }
  return found;
}

/// The shard of `to` on `target`, in memory of that device. Each piece is
/// copied from the device that holds it.
static runtime::BufferRef
moved_to(int64_t target, const TensorType &type, const Sharding &from,
         const Sharding &to, const std::vector<runtime::BufferRef> &shards) {
  static constinit metrics::NamedMetric moved("ReshardedData",
                                              metrics::Unit::Bytes);
  TensorType from_type = shard_type(type, from), to_type = shard_type(type, to);
  host::Box box = box_on(type.dims, to, target);
  int64_t first = first_partition(), size = byte_size(type.element);
  runtime::BufferRef made =
      unwrap(unwrap(runtime::find_device(static_cast<int>(target - first)))
                 ->allocate(to_type.byte_count().value_or(0)));
  if (box.size != to_type.dims && made->bytes() > 0)
    std::memset(made->data(), 0, made->bytes());
  int64_t elements = 0;
  for (int64_t source : holders(from, target)) {
    host::Box piece = box_on(type.dims, from, source);
    // A device without common elements may have failed too.
    host::Literal shard = lent(from_type, shards.at(source - first));
    host::copy_common(made->data(), to_type.dims, box, shard.data(),
                      from_type.dims, piece, size);
    if (source != target)
      elements += host::common_elements(box, piece);
  }
  moved.add(static_cast<double>(elements * size));
  return made;
}

std::vector<runtime::BufferRef>
rearranged(const TensorType &type, const Sharding &from, const Sharding &to,
           std::vector<runtime::BufferRef> shards) {
  if (from == to || (!from.is_tiled() && !to.is_tiled()))
    return shards;
  if (from.is_tiled() && !has_all_partitions())
    throw InternalError("other processes have pieces of a value to move", {});
  int64_t first = first_partition();
  auto count = static_cast<int64_t>(shards.size());
  std::vector<runtime::BufferRef> made(shards.size());
  if (!to.is_tiled()) // one buffer for all: read-only, as after an upload
    return std::vector<runtime::BufferRef>(
        shards.size(), moved_to(first, type, from, to, shards));
  for (size_t i = 0; i < to.devices.size(); i += to.copies) {
    runtime::BufferRef shard;
    for (int64_t copy = 0; copy < to.copies; ++copy) {
      int64_t device = to.devices[i + copy];
      if (device < first || device >= first + count)
        continue;
      if (!shard)
        shard = moved_to(device, type, from, to, shards);
      made[device - first] = shard;
    }
  }
  return made;
}

} // namespace xlac::lazy
