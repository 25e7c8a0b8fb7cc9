// Evaluates a reducer on its initial values.
#ifndef XLAC_LIB_DIALECT_XLAC_REDUCERINIT_H
#define XLAC_LIB_DIALECT_XLAC_REDUCERINIT_H

#include "mlir/IR/Region.h"
#include "mlir/IR/ValueRange.h"

namespace xlac::ir {

/// Returns true if it is known that `body` maps two copies of the constants
/// `inits` to these constants. Then combining the initial values any number of
/// times leaves them as they are.
bool keepsInit(mlir::Region &body, mlir::ValueRange inits);

} // namespace xlac::ir

#endif
