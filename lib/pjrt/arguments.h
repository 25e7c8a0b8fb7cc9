// Structs that come from a host of another version of the interface: theirs may
// be shorter or longer than ours, as `struct_size` says.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace xlac::pjrt {

/// Bytes that both sides know.
template <class Struct> size_t common_size(const Struct &theirs) {
  return std::min(theirs.struct_size, sizeof(Struct));
}

/// A copy in which the fields that the host does not know are zero.
template <class Struct> Struct full_copy(const Struct &theirs) {
  Struct own = {};
  std::memcpy(static_cast<void *>(&own), &theirs, common_size(theirs));
  return own;
}

} // namespace xlac::pjrt
