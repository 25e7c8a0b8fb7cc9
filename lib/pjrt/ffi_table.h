// The table of functions that foreign functions call.
#pragma once

#include "c_api_ffi.h"

#include <string_view>

namespace xlac::pjrt {

/// The table; it lives as long as the process.
const XLA_FFI_Api &ffi_table();

/// Lets programs call the handlers as `target`. Asks each for its version
/// first. Platforms that are no CPU are ignored. Throws Error for handlers of
/// another version of the interface, for a bundle without `execute`, and if the
/// name has other handlers already.
void register_ffi_handlers(std::string_view target, std::string_view platform,
                           const XLA_FFI_Handler_Bundle &handlers);

} // namespace xlac::pjrt
