// Joins ops that add and remove rows, whose intermediate values rarely have
// the shards of the first and the last one.
#ifndef XLAC_LIB_TRANSFORMS_SPMDPADS_H
#define XLAC_LIB_TRANSFORMS_SPMDPADS_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace xlac::transforms {

/// Replaces a slice of a pad, and a pad of a slice, by one pad where the second
/// op is the only use of the first one, or all uses of a pad are slices. Both
/// must be in one block. Negative amounts remove rows. Strided slices stay as
/// they are.
void joinPads(mlir::func::FuncOp function);

} // namespace xlac::transforms

#endif
