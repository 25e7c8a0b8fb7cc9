// Converts a lowered module to plain data for drawings. Private to the
// component.
#ifndef XLAC_LIB_COMPILER_DRAWPROGRAM_H
#define XLAC_LIB_COMPILER_DRAWPROGRAM_H

#include "xlac/compiler.h"
#include "xlac/compiler_picture.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/Error.h"

namespace xlac::compiler {

/// Returns the drawing of a module that lowerToKernels has lowered, with the
/// names in `signature`, which the module had before. Fails if the module has
/// no program.
llvm::Expected<ProgramPicture> drawProgram(mlir::ModuleOp module,
                                           Signature signature);

} // namespace xlac::compiler

#endif
