// Converts bodies on scalars to ops on whole tensors.
#ifndef XLAC_LIB_TRANSFORMS_WIDENBODY_H
#define XLAC_LIB_TRANSFORMS_WIDENBODY_H

#include "StablehloBuilder.h"

namespace xlac::transforms {

/// Returns whether `op`, in a body on scalars, can be applied element by
/// element to tensors of one shape.
bool canWiden(mlir::Operation *op);

/// Emits the ops of `body`, all of which must be widenable, on `arguments` of
/// `shape` instead of scalar arguments. Returns the results. Constants from
/// outside are cloned, other outside values are broadcast.
llvm::SmallVector<mlir::Value> widenBody(StablehloBuilder &b, mlir::Block &body,
                                         mlir::ValueRange arguments,
                                         llvm::ArrayRef<int64_t> shape);

} // namespace xlac::transforms

#endif
