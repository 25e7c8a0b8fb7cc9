// The headers of NumPy's .npy files, versions 1 to 3: element type, shape and
// order of the elements that follow. Reads no files.
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
  /// Bytes of the file in front of the elements.
  uint64_t size = 0;
};

/// A header is at most this long; longer ones are refused.
inline constexpr size_t kMaxNpyHeaderSize = (size_t{1} << 20) + 12;

/// Reads the header of a file that starts with `bytes`, of which the first
/// kMaxNpyHeaderSize are enough. Failures say what is wrong with the file, as
/// in "has a malformed shape"; records, strings and objects are refused.
Result<NpyHeader> parse_npy_header(std::string_view bytes);

/// The header in front of row-major elements of `type`, a multiple of 64 bytes.
/// Types that NumPy lacks are written as their bits: bf16 as u16, f8 as u8.
std::string make_npy_header(const TensorType &type);

} // namespace xlac
