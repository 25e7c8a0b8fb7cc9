// The types and the handlers of foreign functions that hosts register. Both
// belong to the process: hosts register before they have a client.
#pragma once

#include "c_api_ffi.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlac::pjrt {

using FfiDeleter = void (*)(void *object);

/// Gives the type of that name an id, or checks the one that it is said to
/// have: 0 asks for a new one. The id of a type that is known stays. Throws
/// Error where the id is another's.
int64_t register_ffi_type(std::string_view name, int64_t id,
                          FfiDeleter deleter);
/// The name of a registered type; empty for others.
std::string ffi_type_name(int64_t id);
/// Deletes an object of the type; null for types that have no deleter.
FfiDeleter ffi_deleter(int64_t id);

/// Keeps the handlers of a target; false if it has them already. Throws Error
/// if it has others.
bool add_ffi_handlers(std::string_view target,
                      const XLA_FFI_Handler_Bundle &handlers);
/// The handlers of a target that hosts registered.
std::optional<XLA_FFI_Handler_Bundle> find_ffi_handlers(std::string_view name);

} // namespace xlac::pjrt
