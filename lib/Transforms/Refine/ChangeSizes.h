// A static program as it would be for other sizes of its arguments.
#ifndef XLAC_LIB_TRANSFORMS_CHANGESIZES_H
#define XLAC_LIB_TRANSFORMS_CHANGESIZES_H

#include "RefineShapes.h"

namespace xlac::transforms {

/// Gives arguments of `function` the sizes `sizes`, and changes the sizes of
/// the values that depend on them. The program does not state which of its
/// numbers depend on these sizes, so that the result is a guess: dimensions
/// that an op needs to be equal change together, and so do constants that equal
/// a changed number of elements or its reciprocal. The compiler uses the result
/// only to find out what distinguishes two sizes of a kernel, and never runs
/// it.
///
/// The function must be static, without calls. Fails, with or without an error
/// on an op, if the program cannot have these sizes.
mlir::LogicalResult changeSizes(mlir::func::FuncOp function,
                                llvm::ArrayRef<SizedArgument> sizes);

} // namespace xlac::transforms

#endif
