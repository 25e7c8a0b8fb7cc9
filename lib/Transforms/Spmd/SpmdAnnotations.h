// Annotations of where values lie, in the one form in which the prepare pass
// leaves them for the partition pass: attributes of arguments and results, and
// custom calls.
#ifndef XLAC_LIB_TRANSFORMS_SPMDANNOTATIONS_H
#define XLAC_LIB_TRANSFORMS_SPMDANNOTATIONS_H

#include "SpmdAnnotation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace xlac::transforms {

/// Of arguments, results and custom calls: the text of a sharding, and which
/// dimensions may be cut further.
inline constexpr llvm::StringLiteral kShardingName = "xlac.sharding";
inline constexpr llvm::StringLiteral kOpenName = "xlac.open";

/// Targets of the custom calls: the operand, to lie as the attribute says; the
/// part that each device has of the operand; the whole whose parts devices
/// have.
inline constexpr llvm::StringLiteral kShardingCall = "xlac.sharding";
inline constexpr llvm::StringLiteral kFullToShardCall = "xlac.full_to_shard";
inline constexpr llvm::StringLiteral kShardToFullCall = "xlac.shard_to_full";

/// More partitions than any program is for.
inline constexpr int64_t kMostPartitions = 1 << 20;

/// How many partitions the module is for; 1 where it does not say.
int64_t partitionCount(mlir::ModuleOp module);

/// True for a call that stands for one of the three above.
bool isAnnotation(mlir::Operation *op);
bool isFullToShard(mlir::Operation *op);
bool isShardToFull(mlir::Operation *op);

/// Brings mhlo.sharding, @Sharding, @SPMDFullToShardShape,
/// @SPMDShardToFullShape and sdy's ops and attributes of `function` into that
/// form. Fails, with an error, for what cannot be read.
mlir::LogicalResult normalizeAnnotations(mlir::func::FuncOp function,
                                         const mlir::SymbolTable &symbols);

/// The annotation among `attributes`, or nothing.
std::optional<SpmdAnnotation> annotationOf(mlir::DictionaryAttr attributes);

} // namespace xlac::transforms

#endif
