// NumPy's .npy files, versions 1 to 3, little-endian and C order. Element types
// that NumPy lacks are stored as bit patterns (bf16 and f8 as u16 and u8).
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

/// Reads a number at an unaligned address.
template <class T> T load(const std::byte *at) {
  T value;
  std::memcpy(&value, at, sizeof value);
  return value;
}

/// Returns zeros. Large arrays are on huge pages, which reduces TLB misses of
/// memory-bound programs.
std::vector<std::byte> make_bytes(size_t size);

/// Reads a file. Failures name it and say what was expected. Fortran order and
/// big-endian files are rejected.
Result<HostArray> read_npy(const std::filesystem::path &path);

/// The type of the elements of a file, from its header alone. Fails as
/// read_npy.
Result<TensorType> read_npy_type(const std::filesystem::path &path);

/// Writes a file atomically, through a temporary file and a rename.
Status write_npy(const std::filesystem::path &path, const TensorType &type,
                 std::span<const std::byte> bytes);

} // namespace xlac::cli
