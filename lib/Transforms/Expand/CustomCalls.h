// What the prepare pass does for custom calls.
#ifndef XLAC_LIB_TRANSFORMS_CUSTOMCALLS_H
#define XLAC_LIB_TRANSFORMS_CUSTOMCALLS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace xlac::transforms {

/// Attributes that a prepared custom call keeps: the entries of its
/// configuration, and the layouts of operands, then results.
inline constexpr llvm::StringLiteral kCallConfig = "xlac.config";
inline constexpr llvm::StringLiteral kCallLayouts = "xlac.layouts";

/// Removes custom calls that only annotate, writes as ops those that are ops in
/// the clothes of a call, and prepares the others for the host: their operands
/// and results lie in the layouts asked for. Computations are looked up in
/// `symbols`. Fails, with an error on the op, for what cannot be called.
mlir::LogicalResult prepareCustomCalls(mlir::func::FuncOp function,
                                       mlir::SymbolTable &symbols);

} // namespace xlac::transforms

#endif
