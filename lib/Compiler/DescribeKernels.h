// What reports say of a kernel: its ops and its operands' and results' types in
// a line each. Private to the component.
#ifndef XLAC_LIB_COMPILER_DESCRIBEKERNELS_H
#define XLAC_LIB_COMPILER_DESCRIBEKERNELS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include <string>

namespace xlac::compiler {

/// The StableHLO ops that the kernel computes, in order, without constants.
std::string sourceOps(ir::KernelOp kernel);

/// "2x3xf32"; several in parentheses.
std::string typesText(mlir::TypeRange types);

/// "(2x3xf32, 3xf32) -> 2x3xf32".
std::string signatureText(ir::KernelOp kernel);

} // namespace xlac::compiler

#endif
