// Foreign functions of XLA's untyped interface, from before its FFI: they get
// the addresses of buffers alone.
#pragma once

namespace xlac::pjrt {

/// Registers a function for a custom call target. Returns false if the name is
/// empty, the function is null, or the target has another function. The
/// `api_version` of a call determines the function's type:
/// - 1: void(void *out, const void **in)
/// - 2: void(void *out, const void **in, XlaCustomCallStatus *status)
/// - 3: void(void *out, const void **in, const char *config, size_t size,
///   XlaCustomCallStatus *status)
///
/// `out` is the buffer of the only result, or an array of several buffers.
bool register_untyped_call(const char *name, void *function);

} // namespace xlac::pjrt
