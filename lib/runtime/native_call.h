// The attribute of functions that call compiled code.
#pragma once

/// UBSan reads a type hash before the entry of a called function. Compiled code
/// has none, and may start at a page boundary.
#if defined(__clang__)
#define XLAC_CALLS_NATIVE_CODE __attribute__((no_sanitize("function")))
#else
#define XLAC_CALLS_NATIVE_CODE
#endif
