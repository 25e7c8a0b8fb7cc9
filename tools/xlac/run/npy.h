// NumPy's .npy files, versions 1 to 3, little-endian and C order, and the
// element types that NumPy lacks as bit patterns (bf16 and f8 as u16 and u8).
#pragma once

#include "xlac/support/result.h"
#include "xlac/support/tensor_type.h"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <span>
#include <vector>

namespace xlac::cli {

struct HostArray {
  TensorType type;
  std::vector<std::byte> bytes; ///< row-major
};

/// The number at an address of any alignment.
template <class T> T load(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Zeros, many of them on huge pages: programs that wait for memory then wait
/// less for its addresses.
std::vector<std::byte> make_bytes(size_t size);

/// Reads a file; failures name it and say what was expected. Fortran order and
/// big-endian files are refused.
Result<HostArray> read_npy(const std::filesystem::path &path);

/// Writes through a temporary file and a rename, so nothing is half-written.
Status write_npy(const std::filesystem::path &path, const TensorType &type,
                 std::span<const std::byte> bytes);

} // namespace xlac::cli
