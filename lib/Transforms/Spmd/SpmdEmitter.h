// Writes what moves values between devices: collectives over groups of a mesh,
// and each device's place in it.
#ifndef XLAC_LIB_TRANSFORMS_SPMDEMITTER_H
#define XLAC_LIB_TRANSFORMS_SPMDEMITTER_H

#include "SpmdMesh.h"
#include "StablehloBuilder.h"

#include "llvm/ADT/DenseMap.h"

#include <map>

namespace xlac::transforms {

class SpmdEmitter {
public:
  /// Ops go where `builder` stands; what every device knows of its place goes
  /// to the start of `entry`. Channels are counted from `channel`.
  SpmdEmitter(mlir::OpBuilder &builder, const DeviceMesh &mesh,
              mlir::Block &entry, int64_t replicas, int64_t channel)
      : builder(builder), mesh(mesh), entry(entry), replicas(replicas),
        channel(channel) {}

  /// The shard of a value of type `whole` that lies as `to` says, from the one
  /// that lies as `from` says. Slices before it collectives, collectives
  /// (all_to_all, collective_permute) before it gathers.
  mlir::Value reshard(mlir::Value shard, mlir::RankedTensorType whole,
                      AxisSharding from, const AxisSharding &to);
  /// The same tiles on other devices.
  mlir::Value permute(mlir::Value shard, const Sharding &from,
                      const Sharding &to);

  /// Combines the parts of all devices along `axes` by `computation`, or by
  /// their sum where that is null.
  mlir::Value allReduce(mlir::Value part, llvm::ArrayRef<unsigned> axes,
                        mlir::Region *computation);
  /// The same, of which each device keeps its piece along `dim`.
  mlir::Value reduceScatter(mlir::Value part, int64_t dim,
                            llvm::ArrayRef<unsigned> axes,
                            mlir::Region *computation);
  /// The pieces along `dim` of all devices along `axes`.
  mlir::Value allGather(mlir::Value piece, int64_t dim,
                        llvm::ArrayRef<unsigned> axes);

  /// This device's piece number along `axes` times `scale`, a scalar of integer
  /// type `element`.
  mlir::Value offset(llvm::ArrayRef<unsigned> axes, int64_t scale,
                     mlir::Type element);
  /// `shard`, with the scalar `fill` where `dim`, of `size` in the whole and
  /// cut by `axes`, is padded.
  mlir::Value maskPadding(mlir::Value shard, int64_t dim, int64_t size,
                          llvm::ArrayRef<unsigned> axes, mlir::Value fill);

  /// The type of a shard.
  mlir::RankedTensorType shardType(mlir::RankedTensorType whole,
                                   const AxisSharding &sharding) const;
  /// Bytes that a device takes from others for that.
  double reshardBytes(mlir::RankedTensorType whole, AxisSharding from,
                      const AxisSharding &to) const;

private:
  mlir::Value sliceOff(mlir::Value value, int64_t dim,
                       llvm::ArrayRef<unsigned> axes);
  mlir::Value trim(mlir::Value value, int64_t dim, int64_t size);
  mlir::Value padTo(mlir::Value value, int64_t dim, int64_t size);
  mlir::Value allToAll(mlir::Value value, int64_t concat, int64_t split,
                       llvm::ArrayRef<unsigned> axes);
  bool divides(int64_t size, llvm::ArrayRef<unsigned> axes) const {
    return size % mesh.count(axes) == 0;
  }
  mlir::Value gatherUneven(mlir::Value value, mlir::RankedTensorType whole,
                           AxisSharding &from, const AxisSharding &to);
  mlir::Value sliceFree(mlir::Value value, mlir::RankedTensorType whole,
                        AxisSharding &from, const AxisSharding &to);
  mlir::Value collective(mlir::Value value, mlir::RankedTensorType whole,
                         AxisSharding &from, const AxisSharding &to);
  void addReducer(mlir::OperationState &state, mlir::Type element,
                  mlir::Region *computation);
  mlir::NamedAttribute groups(llvm::ArrayRef<unsigned> axes, bool flattened);
  mlir::NamedAttribute nextChannel();

  mlir::OpBuilder &builder;
  const DeviceMesh &mesh;
  mlir::Block &entry;
  int64_t replicas, channel;
  mlir::Value partitionId;
  std::map<std::tuple<llvm::SmallVector<unsigned>, int64_t, void *>,
           mlir::Value>
      offsets;
};

} // namespace xlac::transforms

#endif
