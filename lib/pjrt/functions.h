// The functions of the table, as overloads of call(): each takes its arguments
// in full size, whatever the host's size is, writes what it gives into them and
// throws Error on failure. table.cpp wraps them.
#pragma once

#include "c_api.h"

namespace xlac::pjrt {

#define XLAC_PJRT(name) void call(PJRT_##name##_Args &args);
#include "c_api_functions.inc"
#undef XLAC_PJRT

} // namespace xlac::pjrt
