// What a custom call says about the function of the host that it is for.
// Private to the component.
#ifndef XLAC_LIB_COMPILER_DESCRIBEHOSTFUNCTION_H
#define XLAC_LIB_COMPILER_DESCRIBEHOSTFUNCTION_H

#include "xlac/Dialect/Xlac/XlacDialect.h"
#include "xlac/runtime/collective.h"

namespace xlac::compiler {

/// Empty for what is no custom call.
runtime::HostFunction describeHostFunction(ir::CollectiveAttr attribute,
                                           mlir::Location location);

} // namespace xlac::compiler

#endif // XLAC_LIB_COMPILER_DESCRIBEHOSTFUNCTION_H
