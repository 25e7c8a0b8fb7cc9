// Slices of few rows along dimensions that may be sharded.
#ifndef XLAC_LIB_TRANSFORMS_SPMDSLICES_H
#define XLAC_LIB_TRANSFORMS_SPMDSLICES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace xlac::transforms {

/// Replaces each slice of fewer rows than there are devices by a dynamic_slice
/// with constant starts. Each device then selects the rows that are in its
/// shard, and the devices add them: as many bytes as the rows have. A slice
/// would give each device a shard of them, mostly padding, to be gathered.
void selectFewRows(mlir::func::FuncOp function, int64_t devices);

} // namespace xlac::transforms

#endif
