// Devices as a mesh of axes with prime sizes, and shardings as the axes of each
// dimension. Propagation and partitioning use this form. The axes are chosen so
// that they express most of a program's annotations.
#ifndef XLAC_LIB_TRANSFORMS_SPMDMESH_H
#define XLAC_LIB_TRANSFORMS_SPMDMESH_H

#include "xlac/support/sharding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"

#include <optional>

namespace xlac::transforms {

// This component returns MLIR's result types, not those of support/result.h.
using llvm::failure;

/// Numbers of axes, from the slowest to the fastest.
using AxisList = llvm::SmallVector<unsigned, 4>;

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
  AxisSharding without(llvm::ArrayRef<unsigned> axes) const;
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
  int64_t count(llvm::ArrayRef<unsigned> axes) const;
  /// Returns the product over all dimensions.
  int64_t count(const AxisSharding &sharding) const;
  /// Returns the number of the piece that belongs to `device` if `axes` shard a
  /// dimension.
  int64_t piece(llvm::ArrayRef<unsigned> axes, int64_t device) const;
  /// Returns groups of devices whose positions differ only along `axes`, each
  /// in the order of the pieces.
  std::vector<std::vector<int64_t>> groups(llvm::ArrayRef<unsigned> axes) const;

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
  std::vector<std::pair<int64_t, int64_t>>
  reversal(llvm::ArrayRef<unsigned> axes) const;

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
