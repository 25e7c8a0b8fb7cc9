// The extensions of the table for foreign functions.
#pragma once

#include "c_api_ffi.h"
#include "c_api_ffi_extension.h"

extern "C" {

/// An extension of xlac's own, for its Python package: what PJRT's extension
/// for foreign functions lacks.
struct XLAC_Extension {
  PJRT_Extension_Base base;
  /// Registers bundles of handlers, among others.
  const XLA_FFI_Api *ffi;
  /// Whether programs can call a target of that name now.
  bool (*has_target)(const char *name);
  /// `resolve` is asked for targets that nobody has registered; it may register
  /// them. Null: nobody is asked.
  void (*set_resolver)(void (*resolve)(const char *name));
  /// Calls of Python functions fail from now on. Returns when none is running.
  void (*close_python)();
};

} // extern "C"

namespace xlac::pjrt {

/// "xlac" in ASCII: no type of XLA's.
inline constexpr int kXlacExtensionType = 0x786c6163;

/// The first of a chain of extensions. Lives as long as the process.
PJRT_Extension_Base *ffi_extensions();

} // namespace xlac::pjrt
