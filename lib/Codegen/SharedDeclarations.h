// Declarations and definitions of functions that kernels of several modules
// call. Private to the component.
#ifndef XLAC_LIB_CODEGEN_SHAREDDECLARATIONS_H
#define XLAC_LIB_CODEGEN_SHAREDDECLARATIONS_H

#include "llvm/IR/Module.h"

namespace xlac::codegen {

/// Gives the function the linkage and visibility of functions that other
/// modules of the blob call.
void hideShared(llvm::Function &function);

/// Returns the function called `name`, which a module of its own may define.
/// Declares it if necessary.
llvm::Function *declareShared(llvm::Module &module, llvm::StringRef name,
                              llvm::FunctionType *type);

/// Returns the function called `name`, without a body and with internal
/// linkage. The module may have declared it.
llvm::Function *beginDefinition(llvm::Module &module, llvm::StringRef name,
                                llvm::FunctionType *type);

/// Returns the letter of an accumulator type in names of functions: f or d for
/// floats, i or l for integers of 32 or 64 bits.
char accumulatorLetter(llvm::Type *accumulator);

} // namespace xlac::codegen

#endif
