// Calls from emitted code through the function table of xlac_ctx.
#ifndef XLAC_LIB_CODEGEN_SERVICES_H
#define XLAC_LIB_CODEGEN_SERVICES_H

#include "Element/ElementEmitter.h"

namespace xlac::codegen {

/// The entry of xlac_services at byte `offset` (an offsetof), as a pointer.
llvm::Value *loadService(KernelFunction &function, llvm::IRBuilder<> &ir,
                         uint64_t offset);

/// Scratch memory of this thread; the function returns a failure where there is
/// none. A second request ends the life of the first.
llvm::Value *requestScratch(KernelFunction &function, llvm::IRBuilder<> &ir,
                            int64_t bytes);

/// Calls library routine `routine` with these addresses and 64-bit parameters;
/// the function returns its status where that is a failure.
void callLibrary(KernelFunction &function, llvm::IRBuilder<> &ir,
                 int32_t routine, llvm::ArrayRef<llvm::Value *> addresses,
                 llvm::ArrayRef<llvm::Value *> parameters);

/// Returns `status` from the function if it is not zero.
void returnIfFailed(KernelFunction &function, llvm::IRBuilder<> &ir,
                    llvm::Value *status);

} // namespace xlac::codegen

#endif
