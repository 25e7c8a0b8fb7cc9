// Cost of an op, for fusion and scheduling decisions.
#ifndef XLAC_DIALECT_STABLEHLO_OPCOST_H
#define XLAC_DIALECT_STABLEHLO_OPCOST_H

#include "mlir/IR/Operation.h"

namespace xlac {

/// Returns the time to compute one element of the result of `op` in compiled
/// code, as a multiple of the time of an addition. The op table gives it for
/// the element type of the first operand. It is 1 for an op outside of the
/// table.
int64_t costPerElement(mlir::Operation *op);

} // namespace xlac

#endif
