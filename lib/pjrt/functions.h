// The functions of the table as overloads of call(). Each gets its arguments in
// this version's size, writes its results into them, and throws Error on
// failure. table.cpp wraps them.
#pragma once

#include "c_api.h"

namespace xlac::pjrt {

/// Implements PJRT_<name>.
#define XLAC_PJRT(name) void call(PJRT_##name##_Args &args);
#include "c_api_functions.inc"
#undef XLAC_PJRT

} // namespace xlac::pjrt
