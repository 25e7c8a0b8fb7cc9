// The extensions of the table for foreign functions.
#pragma once

#include "c_api_ffi.h"
#include "c_api_ffi_extension.h"

extern "C" {

/// An extension for xlac's Python package. It adds functions that the FFI
/// extension of PJRT lacks.
struct XLAC_Extension {
  PJRT_Extension_Base base;
  /// The FFI table. The Python package registers handlers and types with it.
  const XLA_FFI_Api *ffi;
  /// Whether programs can call the custom call target `name` now. Calls the
  /// resolver for unknown names.
  bool (*has_target)(const char *name);
  /// Sets a function that is called with the name of each unknown target and
  /// may register it. Null removes the resolver.
  void (*set_resolver)(void (*resolve)(const char *name));
  /// Makes all later calls of Python functions fail, and waits until none is
  /// running.
  void (*close_python)();
  /// Registers a function of XLA's untyped interface. Returns false if the name
  /// is empty, the function is null, or the target has another function.
  bool (*register_untyped)(const char *name, void *function);
};

} // extern "C"

namespace xlac::pjrt {

/// The type of XLAC_Extension: "xlac" in ASCII, which XLA does not use.
inline constexpr int kXlacExtensionType = 0x786c6163;

/// Returns the list of these extensions, followed by `next`. It lives as long
/// as the process. Called once.
PJRT_Extension_Base *ffi_extensions(PJRT_Extension_Base *next);

} // namespace xlac::pjrt
