// Converts conformance files to runnable cases. Private to the component.
#ifndef XLAC_LIB_COMPILER_CHECKCASES_H
#define XLAC_LIB_COMPILER_CHECKCASES_H

#include "xlac/compiler.h"
#include "xlac/compiler_check_case.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OwningOpRef.h"

namespace xlac::compiler {

/// Converts function `name` of `module`, which takes no arguments, to a case.
/// Calls are inlined, compared values become results, and constants become
/// inputs unless shapes depend on them. Changes `module`.
CheckCase makeCheckCase(mlir::ModuleOp module, llvm::StringRef name);

/// Returns the names of the functions of `module` that are cases: `main`, or
/// else every function without arguments that has checks or is public.
std::vector<std::string> caseNames(mlir::ModuleOp module);

} // namespace xlac::compiler

#endif
