// Sharding annotations in the normal form that the prepare pass creates for the
// partition pass: attributes of arguments and results, and custom calls.
#ifndef XLAC_LIB_TRANSFORMS_SPMDANNOTATIONS_H
#define XLAC_LIB_TRANSFORMS_SPMDANNOTATIONS_H

#include "SpmdAnnotation.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace xlac::transforms {

/// Attributes of arguments, results and custom calls: the text of a sharding,
/// the dimensions that may be sharded further, and the priority of each.
inline constexpr llvm::StringLiteral kShardingName = "xlac.sharding";
inline constexpr llvm::StringLiteral kOpenName = "xlac.open";
inline constexpr llvm::StringLiteral kPriorityName = "xlac.priority";
/// Of the second and third call below: the sharding of a row with an element
/// for each part, where there are fewer parts than devices. The devices that
/// have one part share what the compiler cuts it into.
inline constexpr llvm::StringLiteral kManualName = "xlac.manual";

/// Targets of the custom calls. The first returns its operand with the sharding
/// of its attribute. The second returns each device's shard of the operand. The
/// third returns the global value of the devices' shards.
inline constexpr llvm::StringLiteral kShardingCall = "xlac.sharding";
inline constexpr llvm::StringLiteral kFullToShardCall = "xlac.full_to_shard";
inline constexpr llvm::StringLiteral kShardToFullCall = "xlac.shard_to_full";

/// More partitions than any supported program has.
inline constexpr int64_t kMostPartitions = 1 << 20;

/// Returns the number of partitions of the module; 1 if it states none.
int64_t partitionCount(mlir::ModuleOp module);

/// Return true for a call of any of these targets, or of the named one.
bool isAnnotation(mlir::Operation *op);
bool isFullToShard(mlir::Operation *op);
bool isShardToFull(mlir::Operation *op);

/// Returns the sharding that kManualName contains, or nothing if each device
/// has a part.
std::optional<Sharding> manualAxesOf(mlir::Operation *op);

/// Converts mhlo.sharding, @Sharding, @SPMDFullToShardShape,
/// @SPMDShardToFullShape and sdy's ops and attributes in `function` to the
/// normal form. Fails, with an error, if one cannot be read.
mlir::LogicalResult normalizeAnnotations(mlir::func::FuncOp function,
                                         const mlir::SymbolTable &symbols);

/// Returns the annotation among `attributes`, or nothing.
std::optional<SpmdAnnotation> annotationOf(mlir::DictionaryAttr attributes);

} // namespace xlac::transforms

#endif
