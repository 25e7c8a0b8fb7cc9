// A compiler that runs on threads with a large stack. Private to the component.
#ifndef XLAC_LIB_COMPILER_OWNSTACK_H
#define XLAC_LIB_COMPILER_OWNSTACK_H

#include "xlac/compiler.h"

namespace xlac::compiler {

/// Wraps `compiler`, which must outlive the result, so that it runs on a
/// WorkerThread. Parsers, verifiers and passes recurse with the nesting of a
/// program, and callers may have a small stack. Exceptions become failures:
/// std::bad_alloc becomes OutOfMemory, a thread that cannot start Runtime,
/// others Internal.
std::unique_ptr<Compiler> onLargeStack(Compiler &compiler);

} // namespace xlac::compiler

#endif
