// A compiler whose work runs on threads with stacks of their own. Private to
// the room.
#ifndef XLAC_LIB_COMPILER_OWNSTACK_H
#define XLAC_LIB_COMPILER_OWNSTACK_H

#include "xlac/compiler.h"

namespace xlac::compiler {

/// `compiler`, which must outlive it, called on a thread with kThreadStack
/// bytes of stack: parsers, verifiers and passes recurse with the nesting of a
/// program, and callers may have little stack. Exceptions reach the caller.
std::unique_ptr<Compiler> onOwnStack(Compiler &compiler);

} // namespace xlac::compiler

#endif
