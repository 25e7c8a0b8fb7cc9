// Custom calls that an embedder of the compiler partitions.
#ifndef XLAC_LIB_TRANSFORMS_SPMDCALLS_H
#define XLAC_LIB_TRANSFORMS_SPMDCALLS_H

#include "SpmdMesh.h"
#include "SpmdRules.h"

#include "xlac/Transforms/CallPartitioning.h"

namespace xlac::transforms {

/// Asks the embedder how calls are partitioned.
class SpmdCalls {
public:
  SpmdCalls(const CallPartitioning &calls, const DeviceMesh &mesh)
      : calls(calls), mesh(mesh) {}

  /// Returns whether the embedder partitions `op`.
  bool isPartitioned(mlir::Operation *op) const;
  /// Returns whether it does, and `op` has no sharding rule.
  bool infers(mlir::Operation *op) const;

  /// Returns the call with the shardings of its operands and results. Fails,
  /// with an error on `op`, for values other than static tensors.
  mlir::FailureOr<CallSite>
  siteOf(mlir::Operation *op,
         llvm::function_ref<Sharding(mlir::Value)> shardingOf) const;

  /// Asks the embedder. Each fails, with an error on `op`, if the embedder
  /// fails or returns shardings that do not fit the values.
  mlir::FailureOr<std::vector<Sharding>>
  inferResults(mlir::Operation *op, const CallSite &site) const;
  mlir::FailureOr<std::vector<Sharding>>
  adaptResults(mlir::Operation *op, const CallSite &site) const;
  mlir::FailureOr<PartitionedCall> partition(mlir::Operation *op,
                                             const CallSite &site) const;

  /// Inserts what replaces `op` on each device at `builder`. `operands` are the
  /// shards of its operands, `types` those of its results. Its collectives get
  /// the channels that `newChannel` returns. Fails, with an error on `op`, if
  /// the embedder's module is invalid or has other types.
  mlir::FailureOr<llvm::SmallVector<mlir::Value>>
  emit(mlir::Operation *op, const PartitionedCall &call,
       mlir::ValueRange operands, llvm::ArrayRef<mlir::Type> types,
       mlir::OpBuilder &builder,
       llvm::function_ref<int64_t()> newChannel) const;

  /// Replaces the calls of `function` that the embedder partitions and that are
  /// left: those in code that the program wrote for one device. Fails, with an
  /// error on the call, as the functions above do, and for modules that call
  /// each other without end.
  mlir::LogicalResult
  replaceManual(mlir::func::FuncOp function,
                llvm::function_ref<int64_t()> newChannel) const;

private:
  mlir::FailureOr<std::vector<Sharding>>
  checked(mlir::Operation *op, Result<std::vector<Sharding>> shardings,
          llvm::StringRef what) const;
  mlir::LogicalResult fits(mlir::Operation *op,
                           llvm::ArrayRef<Sharding> shardings,
                           mlir::ValueRange values, llvm::StringRef what) const;
  mlir::OwningOpRef<mlir::ModuleOp> prepared(mlir::Operation *op,
                                             llvm::StringRef bytes) const;

  const CallPartitioning &calls;
  const DeviceMesh &mesh;
};

} // namespace xlac::transforms

#endif
