// Bodies that compute scalars of scalars, written over whole tensors.
#ifndef XLAC_LIB_TRANSFORMS_WIDENBODY_H
#define XLAC_LIB_TRANSFORMS_WIDENBODY_H

#include "StablehloBuilder.h"

namespace xlac::transforms {

/// True if `op`, of a body on scalars, means the same element by element on
/// tensors of one shape.
bool canWiden(mlir::Operation *op);

/// The ops of `body`, all of which can be widened, over `arguments` of `shape`
/// instead of its scalar arguments; gives what it returns. Constants of the
/// surroundings are cloned, other values from there broadcast.
llvm::SmallVector<mlir::Value> widenBody(StablehloBuilder &b, mlir::Block &body,
                                         mlir::ValueRange arguments,
                                         llvm::ArrayRef<int64_t> shape);

} // namespace xlac::transforms

#endif
