// Devices as a mesh of axes with prime sizes, and shardings as the axes of each
// dimension. Propagation and partitioning use this form. The axes are chosen so
// that they express most of a program's annotations.
#ifndef XLAC_LIB_TRANSFORMS_SPMDMESH_H
#define XLAC_LIB_TRANSFORMS_SPMDMESH_H

#include "xlac/support/sharding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <optional>

namespace xlac::transforms {

// This component returns MLIR's result types, not those of support/result.h.
using llvm::failure;

/// The number of an axis.
using Axis = uint8_t;
using AxisRef = llvm::ArrayRef<Axis>;

/// Numbers of axes, from the slowest to the fastest, each once. The search
/// copies and compares very many of these lists, so they are stored in place.
class AxisList {
public:
  /// More axes than a mesh of kMostPartitions devices has.
  static constexpr size_t kCapacity = 23;

  AxisList() = default;
  AxisList(AxisRef axes) { append(axes); }
  AxisList(const Axis *first, const Axis *last) { append({first, last}); }
  bool operator==(const AxisList &other) const {
    return AxisRef(*this) == AxisRef(other);
  }
  operator AxisRef() const { return {axes, count}; }

  Axis *begin() { return axes; }
  Axis *end() { return axes + count; }
  const Axis *begin() const { return axes; }
  const Axis *end() const { return axes + count; }
  size_t size() const { return count; }
  bool empty() const { return count == 0; }
  Axis operator[](size_t i) const {
    assert(i < count && "the list has such an entry");
    return axes[i];
  }

  void push_back(unsigned axis) {
    assert(count < kCapacity && axis <= UINT8_MAX && "an axis is listed once");
    axes[count++] = Axis(axis);
  }
  void append(AxisRef more) {
    for (Axis axis : more)
      push_back(axis);
  }
  void clear() { count = 0; }
  void truncate(size_t size) {
    assert(size <= count && "truncating makes shorter");
    count = uint8_t(size);
  }
  void erase(const Axis *first, const Axis *last) {
    Axis *to = axes + (first - axes);
    count =
        uint8_t(std::copy(last, static_cast<const Axis *>(end()), to) - axes);
  }

private:
  uint8_t count = 0;
  Axis axes[kCapacity];
};

/// The axes of each factor of an op (SpmdRules.h).
using FactorAxes = llvm::SmallVector<AxisList, 6>;

/// The axes that shard each dimension of a tensor. An axis shards at most one
/// dimension. Devices along unreduced axes hold addends, along other axes
/// copies.
struct AxisSharding {
  llvm::SmallVector<AxisList, 4> dims;
  AxisList unreduced; ///< in ascending order

  AxisSharding() = default;
  explicit AxisSharding(int64_t rank) : dims(rank) {}
  bool operator==(const AxisSharding &) const = default;
  /// Returns true if every device has the complete value.
  bool isReplicated() const;
  /// Returns true if `axis` shards any dimension or is unreduced.
  bool uses(unsigned axis) const;
  /// The same, without what `axes` cut.
  AxisSharding without(AxisRef axes) const;
  /// The same dimensions, without summands.
  AxisSharding reduced() const;
};

class DeviceMesh {
public:
  /// Returns the mesh of `devices` devices that expresses most of
  /// `annotations`. Ties go to the first one in a fixed order.
  static DeviceMesh choose(int64_t devices,
                           llvm::ArrayRef<Sharding> annotations);

  int64_t deviceCount() const { return int64_t(order.size()); }
  unsigned axisCount() const { return sizes.size(); }
  /// Returns the number of pieces of a dimension that `axes` shard.
  int64_t count(AxisRef axes) const;
  /// Returns the product over all dimensions.
  int64_t count(const AxisSharding &sharding) const;
  /// Returns the number of the piece that belongs to `device` if `axes` shard a
  /// dimension.
  int64_t piece(AxisRef axes, int64_t device) const;
  /// Returns groups of devices whose positions differ only along `axes`, each
  /// in the order of the pieces.
  std::vector<std::vector<int64_t>> groups(AxisRef axes) const;

  /// Returns the sharding, with device numbers, of tensors of that rank.
  Sharding toSharding(const AxisSharding &axes) const;
  /// Returns the axes that express `sharding`, or nothing if none do.
  std::optional<AxisSharding> fromSharding(const Sharding &sharding,
                                           int64_t rank) const;
  /// Returns axes with as many pieces on other devices.
  AxisSharding nearest(const Sharding &sharding, int64_t rank) const;
  /// Returns the moves between two shardings with the same tiles: pairs of the
  /// source device and the device that needs its shard.
  std::vector<std::pair<int64_t, int64_t>> moves(const Sharding &from,
                                                 const Sharding &to) const;
  /// The same to have the pieces along `axes` in the opposite order.
  std::vector<std::pair<int64_t, int64_t>> reversal(AxisRef axes) const;

private:
  DeviceMesh(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order);

  llvm::SmallVector<int64_t> sizes, strides;
  llvm::SmallVector<int64_t> order;   ///< devices in C order of the axes
  llvm::SmallVector<int64_t> placeOf; ///< the inverse
};

/// Returns the size of a shard of a dimension of `size` in `pieces`, including
/// padding.
inline int64_t shardSize(int64_t size, int64_t pieces) {
  return (size + pieces - 1) / pieces;
}

} // namespace xlac::transforms

#endif
