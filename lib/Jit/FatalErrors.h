// LLVM ends the process on errors that it cannot report ("cannot select") and
// where it gets no memory. Inside catchFatalErrors such an error becomes an
// llvm::Error instead, inside exceptionOf an exception. No memory is always
// std::bad_alloc.
#ifndef XLAC_JIT_FATALERRORS_H
#define XLAC_JIT_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace xlac::jit {

/// Runs `work`, turning LLVM's fatal errors on this thread into an Error.
/// After one, what `work` was using leaks and must only be destroyed. Must not
/// be nested. Passes on what `work` throws and that it gets no memory; then all
/// of that must leak.
llvm::Error catchFatalErrors(llvm::function_ref<llvm::Error()> work);

} // namespace xlac::jit

#endif
