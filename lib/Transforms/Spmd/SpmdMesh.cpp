#include "SpmdMesh.h"

#include "llvm/ADT/STLExtras.h"

namespace xlac::transforms {

using llvm::ArrayRef;
using llvm::SmallVector;

/// Most orders of prime factors to try. Only meshes with very many different
/// factors have more.
static constexpr size_t kMostOrders = 720;

bool AxisSharding::isReplicated() const {
  return unreduced.empty() &&
         llvm::all_of(dims, [](const AxisList &axes) { return axes.empty(); });
}

bool AxisSharding::uses(unsigned axis) const {
  return llvm::is_contained(unreduced, axis) ||
         llvm::any_of(dims, [&](const AxisList &axes) {
           return llvm::is_contained(axes, axis);
         });
}

AxisSharding AxisSharding::without(AxisRef axes) const {
  AxisSharding sharding = *this;
  auto drop = [&](AxisList &list) {
    llvm::erase_if(
        list, [&](unsigned axis) { return llvm::is_contained(axes, axis); });
  };
  for (AxisList &dim : sharding.dims)
    drop(dim);
  drop(sharding.unreduced);
  return sharding;
}

AxisSharding AxisSharding::reduced() const {
  AxisSharding sharding = *this;
  sharding.unreduced.clear();
  return sharding;
}

static SmallVector<int64_t> primeFactors(int64_t number) {
  SmallVector<int64_t> factors;
  for (int64_t prime = 2; prime * prime <= number; ++prime)
    for (; number % prime == 0; number /= prime)
      factors.push_back(prime);
  if (number > 1)
    factors.push_back(number);
  return factors;
}

DeviceMesh::DeviceMesh(ArrayRef<int64_t> axisSizes, ArrayRef<int64_t> devices)
    : sizes(axisSizes), strides(axisSizes.size(), 1), order(devices),
      placeOf(devices.size()) {
  assert(sizes.size() <= AxisList::kCapacity && "a mesh has few prime axes");
  for (size_t i = sizes.size(); i-- > 1;)
    strides[i - 1] = strides[i] * sizes[i];
  for (auto [place, device] : llvm::enumerate(order)) {
    assert(0 <= device && device < deviceCount() && placeOf[device] == 0 &&
           "the order is a permutation of the devices");
    placeOf[device] = place;
  }
  assert((sizes.empty() ? 1 : sizes[0] * strides[0]) == deviceCount() &&
         "the axes have a place for every device");
}

DeviceMesh DeviceMesh::choose(int64_t devices, ArrayRef<Sharding> annotations) {
  SmallVector<SmallVector<int64_t>> orders;
  SmallVector<int64_t> identity =
      llvm::to_vector(llvm::seq<int64_t>(0, devices));
  orders.push_back(identity);
  for (const Sharding &sharding : annotations) {
    SmallVector<int64_t> listed(sharding.devices.begin(),
                                sharding.devices.end());
    if (sharding.is_tiled() && int64_t(listed.size()) == devices &&
        !llvm::is_contained(orders, listed))
      orders.push_back(std::move(listed));
  }
  std::optional<DeviceMesh> best;
  size_t bestCount = 0;
  for (ArrayRef<int64_t> order : orders) {
    SmallVector<int64_t> factors = primeFactors(devices);
    size_t tried = 0;
    do {
      DeviceMesh mesh(factors, order);
      size_t count = llvm::count_if(annotations, [&](const Sharding &one) {
        return mesh.fromSharding(one, one.tiles.size()).has_value();
      });
      if (!best || count > bestCount) {
        best = mesh;
        bestCount = count;
      }
    } while (bestCount < annotations.size() && ++tried < kMostOrders &&
             std::next_permutation(factors.begin(), factors.end()));
    if (bestCount == annotations.size())
      break;
  }
  return *best;
}

int64_t DeviceMesh::count(AxisRef axes) const {
  int64_t pieces = 1;
  for (unsigned axis : axes) {
    assert(axis < axisCount() && "an axis is one of the mesh");
    pieces *= sizes[axis];
  }
  return pieces;
}

int64_t DeviceMesh::count(const AxisSharding &sharding) const {
  int64_t pieces = 1;
  for (const AxisList &axes : sharding.dims)
    pieces *= count(axes);
  return pieces;
}

int64_t DeviceMesh::piece(AxisRef axes, int64_t device) const {
  int64_t number = 0;
  assert(0 <= device && device < deviceCount() && "a device is in the mesh");
  for (unsigned axis : axes)
    number =
        number * sizes[axis] + placeOf[device] / strides[axis] % sizes[axis];
  return number;
}

std::vector<std::vector<int64_t>> DeviceMesh::groups(AxisRef axes) const {
  AxisList others;
  for (unsigned axis = 0; axis < axisCount(); ++axis)
    if (!llvm::is_contained(axes, axis))
      others.push_back(axis);
  std::vector<std::vector<int64_t>> all(count(others),
                                        std::vector<int64_t>(count(axes)));
  for (int64_t device = 0; device < deviceCount(); ++device)
    all[piece(others, device)][piece(axes, device)] = device;
  return all;
}

Sharding DeviceMesh::toSharding(const AxisSharding &axes) const {
  Sharding sharding;
  if (axes.isReplicated())
    return sharding;
  sharding.kind = Sharding::Kind::Tiled;
  AxisList all;
  for (const AxisList &dim : axes.dims) {
    sharding.tiles.push_back(count(dim));
    all.append(dim);
  }
  sharding.summands = count(axes.unreduced);
  assert(deviceCount() % (count(all) * sharding.summands) == 0 &&
         "an axis cuts one dimension");
  sharding.copies = deviceCount() / (count(all) * sharding.summands);
  for (unsigned axis = 0; axis < axisCount(); ++axis)
    if (!axes.uses(axis))
      all.push_back(axis);
  all.append(axes.unreduced);
  sharding.devices.resize(deviceCount());
  for (int64_t device = 0; device < deviceCount(); ++device)
    sharding.devices[piece(all, device)] = device;
  return sharding;
}

std::optional<AxisSharding> DeviceMesh::fromSharding(const Sharding &sharding,
                                                     int64_t rank) const {
  AxisSharding axes(rank);
  if (!sharding.is_tiled())
    return axes;
  if (int64_t(sharding.tiles.size()) != rank ||
      sharding.device_count() != deviceCount() ||
      llvm::any_of(sharding.devices,
                   [&](int64_t device) { return device >= deviceCount(); }))
    return std::nullopt;
  // For each position in the mesh, the piece of each dimension that it holds
  // and, as for one more dimension, the addend.
  SmallVector<SmallVector<int64_t>> pieces(deviceCount());
  for (auto [position, device] : llvm::enumerate(sharding.devices)) {
    SmallVector<int64_t> &piece = pieces[placeOf[device]];
    piece.resize(rank + 1);
    piece[rank] = position % sharding.summands;
    int64_t rest = position / (sharding.copies * sharding.summands);
    for (int64_t d = rank; d-- > 0; rest /= sharding.tiles[d])
      piece[d] = rest % sharding.tiles[d];
  }
  SmallVector<SmallVector<std::pair<int64_t, unsigned>>> weights(rank + 1);
  for (unsigned axis = 0; axis < axisCount(); ++axis)
    for (int64_t d = 0; d <= rank; ++d)
      if (int64_t step = pieces[strides[axis]][d] - pieces[0][d])
        weights[d].push_back({step, axis});
  SmallVector<AxisList> found(rank + 1);
  for (int64_t d = 0; d <= rank; ++d) {
    llvm::sort(weights[d], std::greater<>());
    for (auto [weight, axis] : weights[d])
      found[d].push_back(axis);
  }
  // The axes follow from single steps. Check them for all positions.
  for (int64_t place = 0; place < deviceCount(); ++place)
    for (int64_t d = 0; d <= rank; ++d)
      if (piece(found[d], order[place]) != pieces[place][d])
        return std::nullopt;
  axes.unreduced = found.pop_back_val();
  // Summands are those of a sum whatever their order.
  llvm::sort(axes.unreduced);
  axes.dims.assign(found.begin(), found.end());
  return axes;
}

AxisSharding DeviceMesh::nearest(const Sharding &sharding, int64_t rank) const {
  AxisSharding axes(rank);
  if (!sharding.is_tiled())
    return axes;
  auto take = [&](int64_t pieces, AxisList &list) {
    for (unsigned axis = 0; axis < axisCount() && pieces > 1; ++axis)
      if (pieces % sizes[axis] == 0 && !axes.uses(axis)) {
        list.push_back(axis);
        pieces /= sizes[axis];
      }
  };
  for (int64_t d = 0; d < rank; ++d)
    take(sharding.tiles[d], axes.dims[d]);
  take(sharding.summands, axes.unreduced);
  return axes;
}

std::vector<std::pair<int64_t, int64_t>>
DeviceMesh::moves(const Sharding &from, const Sharding &to) const {
  assert(from.tiles == to.tiles && from.devices.size() == to.devices.size() &&
         "moves are between shardings of the same tiles");
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (auto [source, target] : llvm::zip_equal(from.devices, to.devices))
    pairs.push_back({source, target});
  return pairs;
}

std::vector<std::pair<int64_t, int64_t>>
DeviceMesh::reversal(AxisRef axes) const {
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t place = 0; place < deviceCount(); ++place) {
    int64_t other = place;
    for (unsigned axis : axes) {
      int64_t index = place / strides[axis] % sizes[axis];
      other += (sizes[axis] - 1 - 2 * index) * strides[axis];
    }
    pairs.push_back({order[place], order[other]});
  }
  return pairs;
}

} // namespace xlac::transforms
