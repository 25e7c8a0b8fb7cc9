// The source location of the user's call that failed.
#pragma once

#include <string>

namespace xlac {

/// "file:line" of the innermost frame of this thread's stack that belongs to
/// the user's program, not to this library, its headers or the standard
/// library. Empty if the program has no debug information, if the compiler
/// library that reads it is missing, or if XLAC_ERROR_PLACES is 0.
std::string call_place();

} // namespace xlac
