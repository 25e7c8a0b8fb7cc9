// The part of the prepare pass that handles collectives.
#ifndef XLAC_LIB_TRANSFORMS_PREPARECOLLECTIVES_H
#define XLAC_LIB_TRANSFORMS_PREPARECOLLECTIVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace xlac::transforms {

/// Inlines the bodies of async_start, and converts operands of reducing
/// collectives to the type of their computation. Fails, with an error on the
/// op, for futures that are passed to other ops than async_done.
mlir::LogicalResult prepareCollectives(mlir::func::FuncOp function);

} // namespace xlac::transforms

#endif
