// LLVM ends the process on errors that it cannot report ("cannot select") and
// on failed allocations. Inside catchFatalErrors, such an error becomes an
// llvm::Error; inside exceptionOf, an exception. A failed allocation always
// becomes std::bad_alloc.
#ifndef XLAC_JIT_FATALERRORS_H
#define XLAC_JIT_FATALERRORS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/Error.h"

namespace xlac::jit {

/// Runs `work` and converts LLVM's fatal errors on this thread to an Error.
/// Afterwards, objects that `work` used leak and may only be destroyed. Calls
/// must not be nested. Exceptions of `work` and failed allocations are passed
/// on; then all these objects must leak.
llvm::Error catchFatalErrors(llvm::function_ref<llvm::Error()> work);

} // namespace xlac::jit

#endif
