// What the prepare pass does for collectives.
#ifndef XLAC_LIB_TRANSFORMS_PREPARECOLLECTIVES_H
#define XLAC_LIB_TRANSFORMS_PREPARECOLLECTIVES_H

#include "mlir/Dialect/Func/IR/FuncOps.h"

namespace xlac::transforms {

/// Inlines what async_start runs, and converts operands of reducing collectives
/// to the type of their computation. Fails, with an error on the op, for
/// futures that travel.
mlir::LogicalResult prepareCollectives(mlir::func::FuncOp function);

} // namespace xlac::transforms

#endif
