// Copies of structs from hosts that use another version of the interface. The
// host's struct may be shorter or longer than this version's; `struct_size` is
// its size in bytes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>

namespace xlac::pjrt {

/// Returns the number of bytes that the struct has in the host's version and in
/// this one.
template <class Struct> size_t common_size(const Struct &theirs) {
  return std::min(theirs.struct_size, sizeof(Struct));
}

/// Returns a copy in this version's size. Fields that the host's version lacks
/// are zero.
template <class Struct> Struct full_copy(const Struct &theirs) {
  Struct own = {};
  std::memcpy(static_cast<void *>(&own), &theirs, common_size(theirs));
  return own;
}

} // namespace xlac::pjrt
