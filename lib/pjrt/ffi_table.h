// The table of functions that foreign functions call (XLA_FFI_Api).
#pragma once

#include "c_api_ffi.h"

#include <string_view>

namespace xlac::pjrt {

/// Returns the table, which lives as long as the process.
const XLA_FFI_Api &ffi_table();

/// Registers the handlers as custom call target `target`. Handlers of other
/// platforms than "cpu", "host" and "xlac" (in any case) are ignored. Calls
/// each handler once to query its version. Throws Error if the name is empty,
/// if the bundle has no execute handler, if a handler requires an unsupported
/// version of the interface, or if the name has other handlers. Thread-safe.
void register_ffi_handlers(std::string_view target, std::string_view platform,
                           const XLA_FFI_Handler_Bundle &handlers);

} // namespace xlac::pjrt
