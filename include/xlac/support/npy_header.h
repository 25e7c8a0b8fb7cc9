// Headers of NumPy's .npy files, versions 1 to 3: element type, shape and order
// of the elements. It does not read files.
#pragma once

#include "xlac/support/result.h"
#include "xlac/support/tensor_type.h"

#include <string>
#include <string_view>

namespace xlac {

struct NpyHeader {
  TensorType type;
  bool is_big_endian = false;
  /// The first dimension varies fastest, as in Fortran.
  bool is_column_major = false;
  /// Size of the header in bytes; the elements follow it.
  uint64_t size = 0;
};

/// Maximum size of a header; longer ones are rejected.
inline constexpr size_t kMaxNpyHeaderSize = (size_t{1} << 20) + 12;

/// Parses the header at the start of `bytes`; the first kMaxNpyHeaderSize bytes
/// of a file suffice. Failures state the problem of the file, for example "has
/// a malformed shape". Records, strings and objects are rejected.
Result<NpyHeader> parse_npy_header(std::string_view bytes);

/// The header for row-major elements of `type`; its size is a multiple of 64
/// bytes. Types that NumPy lacks are declared as their bits: bf16 as u16, f8 as
/// u8.
std::string make_npy_header(const TensorType &type);

} // namespace xlac
