// The kinds of entries in the disk cache.
#pragma once

#include <cstdint>

namespace xlac::cache {

/// Contents of an entry: an executable image, a kernel's blob, or what else
/// stands for bytes: the executable key or the names of a source text, and the
/// id of the compiler that filled the store.
enum class Kind : uint32_t {
  Executable = 0,
  Kernel = 1,
  Alias = 2,
  Templates = 3, ///< which kernels serve several sizes
};
inline constexpr Kind kKinds[] = {Kind::Executable, Kind::Kernel, Kind::Alias,
                                  Kind::Templates};

/// "executable", "kernel", "alias", "templates"; also the name of the
/// directory.
const char *to_string(Kind kind);

} // namespace xlac::cache
