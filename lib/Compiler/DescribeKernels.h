// Describes a kernel for reports: its ops, and the types of its operands and
// results, in one line each. Private to the component.
#ifndef XLAC_LIB_COMPILER_DESCRIBEKERNELS_H
#define XLAC_LIB_COMPILER_DESCRIBEKERNELS_H

#include "xlac/Dialect/Xlac/XlacDialect.h"

#include <string>

namespace xlac::compiler {

/// Returns the StableHLO ops that the kernel computes, in order, without
/// constants.
std::string sourceOps(ir::KernelOp kernel);

/// Returns text such as "2x3xf32". Several types are in parentheses.
std::string typesText(mlir::TypeRange types);

/// Returns text such as "(2x3xf32, 3xf32) -> 2x3xf32".
std::string signatureText(ir::KernelOp kernel);

} // namespace xlac::compiler

#endif
