// The part of the prepare pass that handles custom calls.
#ifndef XLAC_LIB_TRANSFORMS_CUSTOMCALLS_H
#define XLAC_LIB_TRANSFORMS_CUSTOMCALLS_H

#include "xlac/Dialect/Stablehlo/StablehloDialect.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/SymbolTable.h"

namespace xlac::transforms {

/// Attributes of a prepared custom call: the entries of its configuration, and
/// the layouts of operands, then results.
inline constexpr llvm::StringLiteral kCallConfig = "xlac.config";
inline constexpr llvm::StringLiteral kCallLayouts = "xlac.layouts";

/// Returns true if `call` annotates values: each result is the operand of the
/// same number.
bool returnsOperands(stablehlo::CustomCallOp call);

/// Returns the only computation that `call` names; null if it names none or
/// several.
mlir::func::FuncOp computationOf(stablehlo::CustomCallOp call);

/// Copies the body of a function to an empty region of a StableHLO op.
void cloneComputation(mlir::func::FuncOp function, mlir::Region &region);

/// Replaces a call that stands for a StableHLO or CHLO op, such as "mhlo.erf"
/// or "TopK", by this op. Older portable artifacts have no other encoding of
/// some ops. Returns the op, or null if the call stands for none. Fails, with
/// an error on the call, if the op rejects its operands, or if the call does
/// not state how many elements a top_k gives.
mlir::FailureOr<mlir::Operation *> writeAsOp(stablehlo::CustomCallOp call);

/// Removes custom calls that only annotate, and replaces calls that stand for
/// StableHLO or CHLO ops by these ops. Prepares the others for the host:
/// operands and results have the requested layouts. Computations are looked up
/// in `symbols`. Fails, with an error on the op, for unsupported calls.
mlir::LogicalResult prepareCustomCalls(mlir::func::FuncOp function,
                                       mlir::SymbolTable &symbols);

} // namespace xlac::transforms

#endif
