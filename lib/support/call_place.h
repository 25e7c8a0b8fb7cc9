// Where the program made the call that fails.
#pragma once

#include <string>

namespace xlac {

/// "file:line" of the innermost frame of this thread's stack that is the
/// program's own: neither of this library nor of what its headers and those of
/// the standard library bring along. Empty where the program has no debug
/// information, the compiler that reads it is not there, or XLAC_ERROR_PLACES
/// is 0.
std::string call_place();

} // namespace xlac
