// Shape refinement: static shapes for a program with dimensions of unknown
// size, from the sizes of its arguments. See "Dynamism" in the StableHLO
// specification.
#ifndef XLAC_LIB_TRANSFORMS_REFINESHAPES_H
#define XLAC_LIB_TRANSFORMS_REFINESHAPES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <string>
#include <utility>

namespace xlac::transforms {

/// The number of an argument, and its size in each dimension.
using SizedArgument = std::pair<unsigned, llvm::SmallVector<int64_t>>;

/// Reads the option `sizes` of a pass on `function`: texts such as "0:2x3".
/// Emits an error if one is malformed.
mlir::FailureOr<llvm::SmallVector<SizedArgument>>
readSizes(mlir::func::FuncOp function, llvm::ArrayRef<std::string> texts);

/// True if an argument, a result or a value of `function` has a dimension of
/// unknown size, or an op takes its sizes as operands of a custom call.
bool hasDynamicShapes(mlir::func::FuncOp function);

/// Gives every value of `function` a static shape. The function must not call
/// others. `sizes` gives the sizes of arguments whose types are not static.
/// Sizes of other arguments must equal their types. Arithmetic on sizes is
/// folded, and calls of `shape_assertion` are checked and removed.
/// Fails, with an error on the op, if sizes do not fit the types of the
/// arguments or of an op's results, an assertion does not hold, or a size
/// depends on values that are known only when the program runs.
mlir::LogicalResult refineShapes(mlir::func::FuncOp function,
                                 llvm::ArrayRef<SizedArgument> sizes);

} // namespace xlac::transforms

#endif
