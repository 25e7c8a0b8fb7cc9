// Calls from emitted code through the function table of xlac_ctx.
#ifndef XLAC_LIB_CODEGEN_SERVICES_H
#define XLAC_LIB_CODEGEN_SERVICES_H

#include "Element/ElementEmitter.h"

namespace xlac::codegen {

/// Loads the entry of xlac_services at byte `offset` (an offsetof) as a
/// pointer.
llvm::Value *loadService(KernelFunction &function, llvm::IRBuilder<> &ir,
                         uint64_t offset);

/// Requests scratch memory of this thread. The emitted function returns an
/// error if there is none. A second request invalidates the first.
llvm::Value *requestScratch(KernelFunction &function, llvm::IRBuilder<> &ir,
                            int64_t bytes);

/// Calls the library routine `routine` with these addresses and 64-bit
/// parameters. The emitted function returns the routine's status if it is not
/// zero.
void callLibrary(KernelFunction &function, llvm::IRBuilder<> &ir,
                 int32_t routine, llvm::ArrayRef<llvm::Value *> addresses,
                 llvm::ArrayRef<llvm::Value *> parameters);

/// Returns `status` from the emitted function if it is not zero.
void returnIfFailed(KernelFunction &function, llvm::IRBuilder<> &ir,
                    llvm::Value *status);

} // namespace xlac::codegen

#endif
