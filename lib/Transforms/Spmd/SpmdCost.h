// The cost of an op on shards, and the axes for which it is cheapest.
#ifndef XLAC_LIB_TRANSFORMS_SPMDCOST_H
#define XLAC_LIB_TRANSFORMS_SPMDCOST_H

#include "SpmdEmitter.h"
#include "SpmdHalos.h"

#include "xlac/support/op_sharding.h"

#include "llvm/ADT/DenseMap.h"

#include <functional>
#include <map>

namespace xlac::transforms {

/// What one device does for an op.
struct SpmdPrice {
  double received = 0;   ///< bytes from other devices
  double accessed = 0;   ///< bytes of its own shards
  double fused = 0;      ///< the same, of ops that are mostly fused
  double operations = 0; ///< of products and convolutions
  double rounds = 0;     ///< of messages, one after the other

  /// Returns the cost in bytes from other devices.
  double total() const;
  /// Returns the time on devices and links with these rates.
  double milliseconds(const DeviceRates &rates) const;
};

/// Returns axes for which dimensions that an op needs complete are sharded
/// along another dimension instead; with `moveHalos` also those along which
/// devices exchange rows. `dims` are the factors of an operand with the
/// sharding `own`. Empty if there is no such dimension.
FactorAxes displacedAxes(const SpmdRule &rule, const DimFactors &dims,
                         const AxisSharding &own, const DeviceMesh &mesh,
                         bool moveHalos);

/// Estimates ops of one function, given the sharding of each of its values.
class SpmdCost {
public:
  using ShardingOf = std::function<const AxisSharding &(mlir::Value)>;

  /// `mesh` and `emitter` must live as long as the object.
  SpmdCost(const DeviceMesh &mesh, const SpmdEmitter &emitter,
           ShardingOf shardingOf)
      : mesh(mesh), emitter(emitter), shardingOf_(std::move(shardingOf)) {}

  /// Returns the axes along which results are partial.
  AxisList partialAxes(mlir::Operation *op, const SpmdRule &rule,
                       llvm::ArrayRef<AxisList> axes) const;
  /// Returns the axes along which operands that `op` is linear in stay
  /// unreduced, as the result is.
  AxisList summandAxes(mlir::Operation *op,
                       llvm::ArrayRef<AxisList> axes) const;
  llvm::SmallVector<unsigned> linearOperandsOf(mlir::Operation *op) const;
  /// Moves to `kept`, from `partial`, the axes along which the result is to be
  /// unreduced.
  void keepSummands(mlir::Operation *op, const AxisSharding &wanted,
                    AxisList &partial, AxisList &kept) const;

  /// Returns the axes that shard dimension `dim` of operand `number` with a
  /// halo; empty for other dimensions.
  AxisList haloAxes(mlir::Operation *op, unsigned number, int64_t dim,
                    const SpmdRule &rule, llvm::ArrayRef<AxisList> axes) const;
  /// Returns whether devices exchange rows for `op`.
  bool hasHalo(mlir::Operation *op, const SpmdRule &rule,
               llvm::ArrayRef<AxisList> axes) const;
  /// Returns the rows of `value` that devices have along `dim`, where `axes`
  /// shard it: all of them if the dimension is complete.
  SourceRows sourceRows(mlir::Value value, int64_t dim, AxisRef axes) const;
  /// Returns the operands of a concatenation along `dim` that are sharded
  /// there.
  SourceOperands shardedOperands(mlir::Operation *op, int64_t dim,
                                 const SpmdRule &rule,
                                 llvm::ArrayRef<AxisList> axes) const;
  /// Returns the sharding in which operand `number` is read, before devices
  /// exchange rows of it.
  AxisSharding neededSharding(mlir::Operation *op, unsigned number,
                              const SpmdRule &rule,
                              llvm::ArrayRef<AxisList> axes) const;

  /// Returns the price of `op` if `axes` shard its factors.
  SpmdPrice priceOf(mlir::Operation *op, const SpmdRule &rule,
                    llvm::ArrayRef<AxisList> axes) const;
  /// Tries the sharding of each tensor as the first one, with and without the
  /// extensions that other tensors add, and sharding another dimension where
  /// the op needs one complete. Returns the cheapest, and its price in `price`
  /// if that is not null; ties go to the first.
  FactorAxes chooseAxes(mlir::Operation *op, const SpmdRule &rule,
                        SpmdPrice *price = nullptr) const;
  /// Returns the price of `value` with the sharding `needed`.
  SpmdPrice priceOfReshard(mlir::Value value, const AxisSharding &needed) const;
  /// Returns the price of giving a value with `own` another sharding.
  SpmdPrice priceOfMove(mlir::RankedTensorType type, const AxisSharding &own,
                        const AxisSharding &needed) const;
  /// Returns isFreeToMake(value).
  bool isFree(mlir::Value value) const;
  /// Sets the ring to which each axis of the mesh belongs. By default all axes
  /// form one ring.
  void setRings(llvm::ArrayRef<unsigned> rings) {
    ringOf.assign(rings.begin(), rings.end());
  }

private:
  /// Returns the rounds in which devices along `axes` exchange pieces, one ring
  /// after the other.
  double roundsOf(AxisRef axes) const;
  double roundsOfReshard(const AxisSharding &from,
                         const AxisSharding &to) const;
  void keepComplete(mlir::Operation *op, unsigned number, const SpmdRule &rule,
                    llvm::ArrayRef<AxisList> axes, AxisSharding &needed) const;
  double haloBytes(mlir::Operation *op, unsigned number, const SpmdRule &rule,
                   llvm::ArrayRef<AxisList> axes,
                   const AxisSharding &needed) const;
  int64_t haloRows(mlir::Operation *op, unsigned number, int64_t dim,
                   const SourceRows &source) const;
  int64_t rowsOfConcatenation(mlir::Operation *op, unsigned number, int64_t dim,
                              const SpmdRule &rule,
                              llvm::ArrayRef<AxisList> axes) const;

  const DeviceMesh &mesh;
  const SpmdEmitter &emitter;
  ShardingOf shardingOf_;
  llvm::SmallVector<unsigned> ringOf;
  mutable llvm::DenseMap<mlir::Value, bool> freeValues;
  /// Rows that a device receives for a dimension of an operand of an op, by
  /// the number of pieces.
  mutable std::map<std::tuple<mlir::Operation *, unsigned, int64_t, int64_t>,
                   int64_t>
      receivedRows;
  /// The same for concatenations, by the operands that are sharded.
  mutable std::map<
      std::tuple<mlir::Operation *, int64_t, std::vector<unsigned>>, int64_t>
      joinedRows;
};

} // namespace xlac::transforms

#endif
