// A compiler whose work runs on threads with stacks of their own. Private to
// the component.
#ifndef XLAC_LIB_COMPILER_OWNSTACK_H
#define XLAC_LIB_COMPILER_OWNSTACK_H

#include "xlac/compiler.h"

namespace xlac::compiler {

/// `compiler`, which must outlive it, called on a WorkerThread: parsers,
/// verifiers and passes recurse with the nesting of a program, and callers may
/// have little stack. Exceptions become failures: std::bad_alloc OutOfMemory, a
/// thread that cannot start Runtime, others Internal.
std::unique_ptr<Compiler> onLargeStack(Compiler &compiler);

} // namespace xlac::compiler

#endif
