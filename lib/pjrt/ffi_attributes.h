// Converts the attributes of a call to the structs of XLA's FFI.
#pragma once

#include "c_api_ffi.h"

#include "xlac/custom_call.h"

#include <memory>
#include <string_view>
#include <vector>

namespace xlac::pjrt {

/// Returns the type with that StableHLO name; INVALID for names and types that
/// the interface lacks.
XLA_FFI_DataType ffi_type(std::string_view element_type);

/// Owns the attributes and the structs that represent them.
class FfiAttributes {
public:
  FfiAttributes() = default;
  /// Converts `entries`, which must be sorted by name.
  explicit FfiAttributes(CustomCallDictionary entries);
  FfiAttributes(FfiAttributes &&) = default;
  FfiAttributes &operator=(FfiAttributes &&) = default;

  /// Returns the attributes, sorted by name. They are valid as long as this
  /// object, or the one that it is moved to.
  XLA_FFI_Attrs view() const;

private:
  struct Parts;
  struct Delete {
    void operator()(Parts *parts) const;
  };
  std::unique_ptr<Parts, Delete> parts_;
};

} // namespace xlac::pjrt
