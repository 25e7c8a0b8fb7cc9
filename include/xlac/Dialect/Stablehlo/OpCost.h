// What an op costs, for the decisions of fusion and of scheduling.
#ifndef XLAC_DIALECT_STABLEHLO_OPCOST_H
#define XLAC_DIALECT_STABLEHLO_OPCOST_H

#include "mlir/IR/Operation.h"

namespace xlac {

/// Time of one element of the result of `op` in compiled code, as a multiple of
/// an addition's: the cost that the op table gives it for the element type of
/// its first operand. 1 for an op that the table does not have.
int64_t costPerElement(mlir::Operation *op);

} // namespace xlac

#endif
