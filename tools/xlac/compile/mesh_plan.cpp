#include "mesh_plan.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <ranges>

namespace xlac::cli {
namespace {

constexpr int64_t kMostDevices = 1 << 20;

/// Returns the coordinates of `device`.
std::vector<int64_t> place_of(const DeviceMeshPlan &mesh, int64_t device) {
  std::vector<int64_t> place(mesh.axes.size());
  for (size_t i = place.size(); i-- > 0;) {
    place[i] = device % mesh.axes[i].size;
    device /= mesh.axes[i].size;
  }
  return place;
}

double bytes_of(const std::vector<TensorType> &types) {
  double bytes = 0;
  for (const TensorType &type : types)
    bytes += static_cast<double>(type.byte_count().value_or(0));
  return bytes;
}

/// Returns the number of message rounds that reach all `size` members.
double rounds(const DeviceMeshPlan &mesh, double size) {
  return mesh.topology == MeshTopology::Torus ? size - 1
                                              : std::ceil(std::log2(size));
}

/// The time of an all-gather of the members' shards, or of a reduce-scatter.
/// `bytes` is the size of the full value.
double spread_time(const DeviceMeshPlan &mesh, const MeshAxis &axis,
                   double bytes) {
  double size = static_cast<double>(axis.size);
  return rounds(mesh, size) * axis.microseconds +
         (size - 1) / size * bytes / (axis.gbytes * 1e3);
}

/// The time of an all-to-all in which every member has `bytes` for all others
/// together.
double collective_time(const DeviceMeshPlan &mesh, const MeshAxis &axis,
                       double bytes) {
  double size = static_cast<double>(axis.size);
  // On a bidirectional ring a message travels a quarter of the ring on average.
  double share = mesh.topology == MeshTopology::Torus
                     ? std::max(size / 8, (size - 1) / size)
                     : (size - 1) / size;
  return rounds(mesh, size) * axis.microseconds +
         share * bytes / (axis.gbytes * 1e3);
}

} // namespace

int64_t DeviceMeshPlan::count() const {
  int64_t all = 1;
  for (const MeshAxis &axis : axes)
    all *= axis.size;
  return all;
}

std::vector<size_t> axes_of(const runtime::Collective &what,
                            const DeviceMeshPlan &mesh) {
  std::vector<size_t> varying;
  for (size_t i = 0; i < mesh.axes.size(); ++i) {
    bool varies = false;
    for (const std::vector<int64_t> &group : what.groups)
      for (int64_t id : group)
        varies = varies || (id >= 0 && place_of(mesh, id)[i] !=
                                           place_of(mesh, group[0])[i]);
    if (varies)
      varying.push_back(i);
  }
  int64_t members = 1;
  for (size_t i : varying)
    members *= mesh.axes[i].size;
  bool pairs = what.kind == runtime::CollectiveKind::Permute;
  if (!pairs && !what.groups.empty() &&
      members != static_cast<int64_t>(what.groups[0].size()))
    return {};
  return varying;
}

CollectiveCost cost_of(const runtime::Collective &what,
                       const DeviceMeshPlan &mesh) {
  std::vector<size_t> over = axes_of(what, mesh);
  if (over.empty())
    for (size_t i = 0; i < mesh.axes.size(); ++i)
      over.push_back(i);
  double operands = bytes_of(what.operands), results = bytes_of(what.results);
  double members = what.groups.empty()
                       ? static_cast<double>(mesh.count())
                       : static_cast<double>(what.groups[0].size());
  double others = (members - 1) / members;
  CollectiveCost cost;
  // One axis after another; each divides the remaining data by its size.
  auto along = [&](double whole, auto time) {
    for (size_t i : over) {
      cost.microseconds += time(mesh, mesh.axes[i], whole);
      whole /= static_cast<double>(mesh.axes[i].size);
    }
  };
  switch (what.kind) {
  case runtime::CollectiveKind::AllReduce:
  case runtime::CollectiveKind::Reduce:
    cost.bytes = 2 * others * operands;
    along(operands, spread_time);
    along(operands, spread_time);
    break;
  case runtime::CollectiveKind::AllGather:
    cost.bytes = others * results;
    along(results, spread_time);
    break;
  case runtime::CollectiveKind::ReduceScatter:
    cost.bytes = others * operands;
    along(operands, spread_time);
    break;
  case runtime::CollectiveKind::AllToAll:
    cost.bytes = others * operands;
    for (size_t i : over)
      cost.microseconds += collective_time(mesh, mesh.axes[i], operands);
    break;
  case runtime::CollectiveKind::Broadcast:
  case runtime::CollectiveKind::Permute: {
    const MeshAxis *slowest = &mesh.axes[over[0]];
    for (size_t i : over)
      if (mesh.axes[i].gbytes < slowest->gbytes)
        slowest = &mesh.axes[i];
    cost.bytes = operands;
    cost.microseconds =
        slowest->microseconds + operands / (slowest->gbytes * 1e3);
    break;
  }
  default:
    break;
  }
  return cost;
}

Result<DeviceMeshPlan> parse_mesh(const std::string &sizes,
                                  const std::vector<std::string> &names) {
  DeviceMeshPlan mesh;
  int64_t total = 1;
  for (auto part : std::views::split(sizes, 'x')) {
    std::string_view text(part.begin(), part.end());
    MeshAxis axis;
    auto [end, error] =
        std::from_chars(text.data(), text.data() + text.size(), axis.size);
    if (error != std::errc() || end != text.data() + text.size() ||
        axis.size < 1 || axis.size > kMostDevices ||
        (total *= axis.size) > kMostDevices)
      return failure(FailureKind::User,
                     fmt::format("mesh '{}': is not of the form 16x16, or of "
                                 "more than {} devices",
                                 sizes, kMostDevices));
    static constexpr std::string_view kNames = "xyzwuvst";
    size_t number = mesh.axes.size();
    axis.name = number < names.size()    ? names[number]
                : number < kNames.size() ? std::string(1, kNames[number])
                                         : fmt::format("a{}", number);
    mesh.axes.push_back(std::move(axis));
  }
  if (mesh.axes.empty())
    return failure(FailureKind::User, "mesh '': is not of the form 16x16");
  if (!names.empty() && names.size() != mesh.axes.size())
    return failure(FailureKind::User,
                   fmt::format("mesh '{}': has {} axes, but there are {} names",
                               sizes, mesh.axes.size(), names.size()));
  return mesh;
}

Result<Sharding> parse_spec(const std::string &spec, size_t rank,
                            const DeviceMeshPlan &mesh) {
  Sharding sharding;
  sharding.kind = Sharding::Kind::Tiled;
  std::vector<size_t> order;
  for (auto part : std::views::split(spec, ',')) {
    std::string dim(part.begin(), part.end());
    int64_t tiles = 1;
    for (auto word : std::views::split(dim, '+')) {
      std::string name(word.begin(), word.end());
      if (name == "-")
        continue;
      auto axis = std::ranges::find(mesh.axes, name, &MeshAxis::name);
      if (axis == mesh.axes.end())
        return failure(FailureKind::User,
                       fmt::format("sharding '{}': the mesh has no axis '{}'",
                                   spec, name));
      size_t number = axis - mesh.axes.begin();
      if (std::ranges::find(order, number) != order.end())
        return failure(
            FailureKind::User,
            fmt::format("sharding '{}': takes '{}' twice", spec, name));
      order.push_back(number);
      tiles *= axis->size;
    }
    sharding.tiles.push_back(tiles);
  }
  if (sharding.tiles.size() != rank)
    return failure(FailureKind::User,
                   fmt::format("sharding '{}': is for {} dimensions, but the "
                               "argument has {}",
                               spec, sharding.tiles.size(), rank));
  int64_t tiles = 1;
  for (int64_t count : sharding.tiles)
    tiles *= count;
  if (tiles == 1)
    return Sharding();
  sharding.copies = mesh.count() / tiles;
  for (size_t i = 0; i < mesh.axes.size(); ++i)
    if (std::ranges::find(order, i) == order.end())
      order.push_back(i);
  sharding.devices.resize(mesh.count());
  for (int64_t device = 0; device < mesh.count(); ++device) {
    std::vector<int64_t> place = place_of(mesh, device);
    int64_t position = 0;
    for (size_t axis : order)
      position = position * mesh.axes[axis].size + place[axis];
    sharding.devices[position] = device;
  }
  return sharding;
}

} // namespace xlac::cli
