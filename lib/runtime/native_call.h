// What a function is marked with that calls compiled code.
#pragma once

/// UBSan reads a type hash before the entry of a called function; compiled code
/// has none, and may begin a page.
#if defined(__clang__)
#define XLAC_CALLS_NATIVE_CODE __attribute__((no_sanitize("function")))
#else
#define XLAC_CALLS_NATIVE_CODE
#endif
