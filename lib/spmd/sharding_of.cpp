#include "xlac/spmd/sharding_of.h"

#include "xlac/host/strided.h"
#include "xlac/tensor/access.h"

#include <algorithm>

namespace xlac::spmd {

using namespace frontend;

int64_t AxisRef::position(const Mesh &mesh) const {
  if (const std::string *name = std::get_if<std::string>(&v_)) {
    auto found = mesh.get_axis_name_idx(*name);
    if (!found)
      raise<ValueError>("Axis name " + *name +
                        " is not defined in the given mesh");
    return *found;
  }
  int64_t position = std::get<int64_t>(v_);
  auto axes = static_cast<int64_t>(mesh.mesh_shape().size());
  if (position < 0 || position >= axes)
    raise<ValueError>("Mesh axis " + std::to_string(position) +
                      " is out of range, the mesh has " + std::to_string(axes) +
                      " dimensions");
  return position;
}

namespace {

/// Returns the mesh's devices with the axes in the order of `axes`.
std::vector<int64_t> transposed_ids(const Mesh &mesh,
                                    const std::vector<int64_t> &axes) {
  const Shape &sizes = mesh.mesh_shape();
  Shape strides = host::dense_strides(sizes), place(axes.size(), 0);
  std::vector<int64_t> ids;
  for (int64_t n = mesh.size(); n > 0; --n) {
    int64_t at = 0;
    for (size_t i = 0; i < axes.size(); ++i)
      at += place[i] * strides[axes[i]];
    ids.push_back(mesh.device_ids()[at]);
    for (size_t i = axes.size(); i-- > 0;) {
      if (++place[i] < sizes[axes[i]])
        break;
      place[i] = 0;
    }
  }
  return ids;
}

} // namespace

Sharding sharding_of(const Mesh &mesh, const PartitionSpec &spec, size_t rank) {
  if (spec.size() != rank)
    raise<ValueError>("Partition spec length (" + std::to_string(spec.size()) +
                      ") should be equal to the input rank (" +
                      std::to_string(rank) + ")");
  Sharding sharding;
  std::vector<int64_t> order;
  for (const SpecEntry &entry : spec.entries()) {
    int64_t tiles = 1;
    for (const AxisRef &axis : entry.axes()) {
      int64_t position = axis.position(mesh);
      if (std::find(order.begin(), order.end(), position) != order.end())
        raise<ValueError>("Mesh axis " + mesh.shape()[position].first +
                          " is used more than once in the partition spec");
      order.push_back(position);
      tiles *= mesh.mesh_shape()[position];
    }
    sharding.tiles.push_back(tiles);
  }
  if (std::all_of(sharding.tiles.begin(), sharding.tiles.end(),
                  [](int64_t tiles) { return tiles == 1; }))
    return {};
  // The axes that shard no dimension enumerate the devices that hold the same
  // shard.
  for (int64_t i = 0; i < static_cast<int64_t>(mesh.mesh_shape().size()); ++i)
    if (std::find(order.begin(), order.end(), i) == order.end()) {
      order.push_back(i);
      sharding.copies *= mesh.mesh_shape()[i];
    }
  sharding.kind = Sharding::Kind::Tiled;
  sharding.devices = transposed_ids(mesh, order);
  return sharding;
}

ShardingType type_of(const Sharding &sharding) {
  switch (sharding.kind) {
  case Sharding::Kind::Replicated:
    return ShardingType::Replicated;
  case Sharding::Kind::Maximal:
    return ShardingType::Maximal;
  case Sharding::Kind::Tiled:
    return sharding.copies > 1 ? ShardingType::Partial : ShardingType::Tiled;
  case Sharding::Kind::Manual:
    return ShardingType::Manual;
  case Sharding::Kind::Tuple:
    return ShardingType::Tuple;
  case Sharding::Kind::Unknown:
    break;
  }
  return ShardingType::Unknown;
}

} // namespace xlac::spmd
