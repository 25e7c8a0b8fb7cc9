// The types and handlers of foreign functions that hosts register. The registry
// belongs to the process, because hosts register before they create a client.
// All functions are thread-safe.
#pragma once

#include "c_api_ffi.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace xlac::pjrt {

/// Deletes an object of a registered type.
using FfiDeleter = void (*)(void *object);

/// Registers a type and returns its id. `id` 0 requests a new id. A registered
/// type keeps its id and deleter. Throws Error if the type has another id, or
/// if the id belongs to another type.
int64_t register_ffi_type(std::string_view name, int64_t id,
                          FfiDeleter deleter);
/// Returns the name of a registered type; empty for unknown ids.
std::string ffi_type_name(int64_t id);
/// Returns the deleter of a type; null for unknown ids and types without one.
FfiDeleter ffi_deleter(int64_t id);

/// Registers the handlers of a target. Returns false if the same handlers are
/// registered already. Throws Error if the target has other handlers.
bool add_ffi_handlers(std::string_view target,
                      const XLA_FFI_Handler_Bundle &handlers);
/// Returns the handlers of a target; empty if none are registered.
std::optional<XLA_FFI_Handler_Bundle> find_ffi_handlers(std::string_view name);

} // namespace xlac::pjrt
