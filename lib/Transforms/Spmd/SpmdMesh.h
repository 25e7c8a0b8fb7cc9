// Devices as an array of axes of prime sizes, and shardings as the axes that
// cut each dimension: what propagation and partitioning reason in. The axes are
// those in which most of a program's annotations can be written.
#ifndef XLAC_LIB_TRANSFORMS_SPMDMESH_H
#define XLAC_LIB_TRANSFORMS_SPMDMESH_H

#include "xlac/support/sharding.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/LogicalResult.h"

#include <optional>

namespace xlac::transforms {

// What this component returns is MLIR's, not support/result.h's.
using llvm::failure;

/// Numbers of axes, from the slowest to the fastest.
using AxisList = llvm::SmallVector<unsigned, 4>;

/// The axes that cut each dimension of a tensor. An axis cuts one at most;
/// those that cut none hold copies.
struct AxisSharding {
  llvm::SmallVector<AxisList, 4> dims;

  AxisSharding() = default;
  explicit AxisSharding(int64_t rank) : dims(rank) {}
  bool operator==(const AxisSharding &) const = default;
  /// True if nothing is cut.
  bool isReplicated() const;
  /// True if `axis` cuts any dimension.
  bool uses(unsigned axis) const;
};

class DeviceMesh {
public:
  /// The mesh of `devices` devices in which most of `annotations` can be
  /// written; of equally good ones the first, tried in a fixed order.
  static DeviceMesh choose(int64_t devices,
                           llvm::ArrayRef<Sharding> annotations);

  int64_t deviceCount() const { return int64_t(order.size()); }
  unsigned axisCount() const { return sizes.size(); }
  /// Into how many pieces `axes` cut.
  int64_t count(llvm::ArrayRef<unsigned> axes) const;
  /// Product over all dimensions.
  int64_t count(const AxisSharding &sharding) const;
  /// Which of the pieces that `axes` cut belongs to `device`.
  int64_t piece(llvm::ArrayRef<unsigned> axes, int64_t device) const;
  /// Groups of devices that differ in their place on `axes` alone, each in the
  /// order of the pieces.
  std::vector<std::vector<int64_t>> groups(llvm::ArrayRef<unsigned> axes) const;

  /// The sharding with devices by number, for tensors of that rank.
  Sharding toSharding(const AxisSharding &axes) const;
  /// The axes that cut as `sharding` says, or nothing where none do.
  std::optional<AxisSharding> fromSharding(const Sharding &sharding,
                                           int64_t rank) const;
  /// Axes that cut into as many pieces, on other devices.
  AxisSharding nearest(const Sharding &sharding, int64_t rank) const;
  /// Which device (second) needs what which device (first) holds, to get from
  /// one sharding to another of the same tiles.
  std::vector<std::pair<int64_t, int64_t>> moves(const Sharding &from,
                                                 const Sharding &to) const;

private:
  DeviceMesh(llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> order);

  llvm::SmallVector<int64_t> sizes, strides;
  llvm::SmallVector<int64_t> order;   ///< devices in C order of the axes
  llvm::SmallVector<int64_t> placeOf; ///< the inverse
};

/// Size of a shard of a dimension of `size` cut into `pieces`, padded up.
inline int64_t shardSize(int64_t size, int64_t pieces) {
  return (size + pieces - 1) / pieces;
}

} // namespace xlac::transforms

#endif
