// Conformance files as runnable cases. Private to the component.
#ifndef XLAC_LIB_COMPILER_CHECKCASES_H
#define XLAC_LIB_COMPILER_CHECKCASES_H

#include "xlac/compiler.h"
#include "xlac/compiler_check_case.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace xlac::compiler {

/// Turns function `name` of `module`, which takes no arguments, into the case:
/// calls are inlined, what checks compare become results, and constants become
/// inputs, except those that shapes depend on. `module` is changed.
CheckCase makeCheckCase(mlir::ModuleOp module, llvm::StringRef name);

/// Names of the functions of `module` that are cases: `main`, or else every
/// function without arguments that checks something or is public.
std::vector<std::string> caseNames(mlir::ModuleOp module);

} // namespace xlac::compiler

#endif
