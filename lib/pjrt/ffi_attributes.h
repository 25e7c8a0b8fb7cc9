// The attributes of a call as foreign functions read them.
#pragma once

#include "c_api_ffi.h"

#include "xlac/custom_call.h"

#include <memory>
#include <string_view>
#include <vector>

namespace xlac::pjrt {

/// The type by its StableHLO spelling; INVALID for types that the interface
/// does not have.
XLA_FFI_DataType ffi_type(std::string_view element_type);

/// Holds what the structs of the interface point to.
class FfiAttributes {
public:
  FfiAttributes() = default;
  explicit FfiAttributes(CustomCallDictionary entries);
  FfiAttributes(FfiAttributes &&) = default;
  FfiAttributes &operator=(FfiAttributes &&) = default;

  /// Valid while this lives, also after a move. Sorted by name.
  XLA_FFI_Attrs view() const;

private:
  struct Parts;
  struct Delete {
    void operator()(Parts *parts) const;
  };
  std::unique_ptr<Parts, Delete> parts_;
};

} // namespace xlac::pjrt
