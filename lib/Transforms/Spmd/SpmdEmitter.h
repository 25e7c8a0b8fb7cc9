// Emits ops that move values between devices: collectives over groups of a
// mesh, and each device's position in it.
#ifndef XLAC_LIB_TRANSFORMS_SPMDEMITTER_H
#define XLAC_LIB_TRANSFORMS_SPMDEMITTER_H

#include "SpmdExchange.h"
#include "SpmdMesh.h"
#include "StablehloBuilder.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace xlac::transforms {

/// Parts of a result that are scattered instead of summed everywhere: for the
/// dimension `dim` the axes, taken from `partial`.
AxisList takeScattered(const DeviceMesh &mesh, mlir::RankedTensorType whole,
                       const AxisSharding &now, const AxisSharding &wanted,
                       int64_t dim, AxisList &partial);

/// Returns the bytes of a shard of a tensor, at least one for each element.
double shardBytes(const DeviceMesh &mesh, mlir::RankedTensorType type,
                  const AxisSharding &sharding);

class SpmdEmitter {
public:
  /// Ops are inserted at `builder`. Each device's position in the mesh is
  /// computed at the start of `entry`. Channels are numbered from `channel`.
  SpmdEmitter(mlir::OpBuilder &builder, const DeviceMesh &mesh,
              mlir::Block &entry, int64_t replicas, int64_t channel)
      : builder(builder), mesh(mesh), entry(entry), replicas(replicas),
        channel(channel) {}

  /// Converts a shard of a value of type `whole` from the sharding `from` to
  /// the sharding `to`. Sums over the axes that are unreduced only in `from`.
  /// Slices before it communicates, and uses all_to_all and collective_permute
  /// before all_gather. Applies keepOnFirst to the axes that are unreduced only
  /// in `to`.
  mlir::Value reshard(mlir::Value shard, mlir::RankedTensorType whole,
                      AxisSharding from, const AxisSharding &to);
  /// Returns `shard` on the first device along `axes` and `others`, by default
  /// the identity of a sum, on the others. Their sum is then the value.
  mlir::Value keepOnFirst(mlir::Value shard, AxisRef axes,
                          double others = -0.0);
  /// Reverses the order of the shards of all devices along `axes`.
  mlir::Value reversePieces(mlir::Value shard, AxisRef axes);
  /// Moves the same tiles to other devices.
  mlir::Value permute(mlir::Value shard, const Sharding &from,
                      const Sharding &to);

  /// Returns the number of a channel that no other collective has.
  int64_t newChannel() { return channel++; }

  /// The value as `device` has it.
  mlir::Value broadcastFrom(mlir::Value value, int64_t device);
  /// Combines the parts of all devices along `axes` by `computation`, or by
  /// their sum where that is null.
  mlir::Value allReduce(mlir::Value part, AxisRef axes,
                        mlir::Region *computation);
  /// The same, but each device keeps only its shard along `dim`.
  mlir::Value reduceScatter(mlir::Value part, int64_t dim, AxisRef axes,
                            mlir::Region *computation);
  /// Concatenates the shards along `dim` of all devices along `axes`.
  mlir::Value allGather(mlir::Value piece, int64_t dim, AxisRef axes);

  /// Returns this device's shard number along `axes` times `scale`, as a scalar
  /// of the integer type `element`.
  mlir::Value offset(AxisRef axes, int64_t scale, mlir::Type element);
  /// Returns the entry of `values` for this device's shard number along `axes`,
  /// as an i64 scalar.
  mlir::Value perPiece(AxisRef axes, llvm::ArrayRef<int64_t> values);
  /// Returns the rows along `dim` that `plan` gives this device. `axes` shard
  /// the dimension of the result, and of `shard` unless the plan's source has
  /// one piece. Sends by collective_permute only rows that a device needs.
  mlir::Value exchange(mlir::Value shard, int64_t dim, AxisRef axes,
                       const ExchangePlan &plan);
  /// Replaces the rows of `rows`, a result of `exchange`, that the plan does
  /// not fill by the scalar `fill`.
  mlir::Value fillOutside(mlir::Value rows, int64_t dim, AxisRef axes,
                          const ExchangePlan &plan, mlir::Value fill);
  /// Adds rows of the scalar `fill`, or of zeros if that is null: `low` before
  /// the first, `high` after the last one, and between rows to have them
  /// `dilation` apart.
  mlir::Value padRows(mlir::Value value, int64_t dim, int64_t low, int64_t high,
                      int64_t dilation, mlir::Value fill);
  /// Returns `size` rows of `value` along `dim` from the row `start`, a number
  /// for each shard along `axes`.
  mlir::Value slicePerPiece(mlir::Value value, int64_t dim, AxisRef axes,
                            llvm::ArrayRef<int64_t> starts, int64_t size);
  /// Returns whether a row of `type` along `dim` is one of [first, limit),
  /// numbers for each shard along `axes`. Null if all are.
  mlir::Value insideRows(mlir::RankedTensorType type, int64_t dim, AxisRef axes,
                         llvm::ArrayRef<int64_t> firsts,
                         llvm::ArrayRef<int64_t> limits);

  /// Replaces the padding of `shard` along `dim` by the scalar `fill`. `dim`
  /// has the global size `size` and is sharded by `axes`.
  mlir::Value maskPadding(mlir::Value shard, int64_t dim, int64_t size,
                          AxisRef axes, mlir::Value fill);

  /// Returns the type of a shard.
  mlir::RankedTensorType shardType(mlir::RankedTensorType whole,
                                   const AxisSharding &sharding) const;
  /// Returns the bytes that a device receives in reshard().
  double reshardBytes(mlir::RankedTensorType whole, AxisSharding from,
                      const AxisSharding &to) const;

private:
  mlir::Value reshardReduced(mlir::Value shard, mlir::RankedTensorType whole,
                             AxisSharding from, const AxisSharding &to);
  mlir::Value sumUnreduced(mlir::Value shard, mlir::RankedTensorType whole,
                           AxisSharding &from, const AxisSharding &to);
  mlir::Value sliceOff(mlir::Value value, int64_t dim, AxisRef axes);
  mlir::Value trim(mlir::Value value, int64_t dim, int64_t size);
  mlir::Value padTo(mlir::Value value, int64_t dim, int64_t size);
  mlir::Value allToAll(mlir::Value value, int64_t concat, int64_t split,
                       AxisRef axes);
  bool divides(int64_t size, AxisRef axes) const {
    return size % mesh.count(axes) == 0;
  }
  mlir::Value moveUneven(mlir::Value value, mlir::RankedTensorType whole,
                         AxisSharding &from, const AxisSharding &to);
  mlir::Value gatherUneven(mlir::Value value, mlir::RankedTensorType whole,
                           AxisSharding &from, const AxisSharding &to);
  mlir::Value sliceFree(mlir::Value value, mlir::RankedTensorType whole,
                        AxisSharding &from, const AxisSharding &to);
  mlir::Value collective(mlir::Value value, mlir::RankedTensorType whole,
                         AxisSharding &from, const AxisSharding &to);
  mlir::Value keepWanted(mlir::Value value, mlir::RankedTensorType whole,
                         AxisSharding &from, const AxisSharding &to);
  /// Returns the bytes that a device receives until all axes are gathered that
  /// are not the first ones of a dimension in both shardings.
  double gatheredBytes(mlir::RankedTensorType whole, AxisSharding from,
                       const AxisSharding &to) const;
  void addReducer(mlir::OperationState &state, mlir::Type element,
                  mlir::Region *computation);
  mlir::NamedAttribute groups(AxisRef axes, bool flattened);
  mlir::NamedAttribute nextChannel();
  mlir::Value lookup(llvm::ArrayRef<int64_t> perDevice, mlir::Type element);
  mlir::Value sliceOperands(stablehlo::ConcatenateOp joined, AxisRef axes,
                            llvm::ArrayRef<int64_t> starts, int64_t size);
  mlir::Value receive(mlir::Value shard, int64_t dim, AxisRef axes,
                      const ExchangePlan &plan, const ExchangeRound &round);
  mlir::Value joinRounds(llvm::ArrayRef<mlir::Value> received, int64_t dim,
                         const ExchangePlan &plan);
  mlir::Value placeRounds(llvm::ArrayRef<mlir::Value> received, int64_t dim,
                          AxisRef axes, const ExchangePlan &plan);
  mlir::Value selectRounds(llvm::ArrayRef<mlir::Value> received, int64_t dim,
                           AxisRef axes, const ExchangePlan &plan);
  mlir::Value
  collectivePermute(mlir::Value shard,
                    llvm::ArrayRef<std::pair<int64_t, int64_t>> moves);

  mlir::OpBuilder &builder;
  const DeviceMesh &mesh;
  mlir::Block &entry;
  int64_t replicas, channel;
  mlir::Value partitionId;
  /// Numbers of this device, by those of all devices and their element type.
  std::map<std::pair<llvm::SmallVector<int64_t>, void *>, mlir::Value> numbers;
};

} // namespace xlac::transforms

#endif
