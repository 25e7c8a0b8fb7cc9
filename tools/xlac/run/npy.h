// NumPy's .npy files, versions 1 to 3. Element types that NumPy lacks are
// stored as bit patterns (bf16 and f8 as u16 and u8).
#pragma once

#include "xlac/support/npy_header.h"
#include "xlac/support/result.h"
#include "xlac/support/tensor_type.h"

#include <cstddef>
#include <cstring>
#include <filesystem>
#include <iosfwd>
#include <memory>
#include <span>
#include <string>
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

/// Opens a file for reading; "-" is standard input. Pipes and devices are read
/// to their end, up to the limit of read_file. Failures name the path.
Result<std::unique_ptr<std::istream>> open_stream(const std::string &path);

/// Reads the header of an array at the stream's position. Failures begin with
/// `name`.
Result<NpyHeader> read_npy_header(std::istream &stream,
                                  const std::string &name);

/// Reads an array at the stream's position, which may be in Fortran order or
/// big-endian; the result is row-major and little-endian. Failures begin with
/// `name` and say what was expected.
Result<HostArray> read_npy(std::istream &stream, const std::string &name);

/// Makes the elements that followed `header` row-major and little-endian.
HostArray in_native_order(const NpyHeader &header,
                          std::vector<std::byte> bytes);

/// Reads a file. Fails as open_stream and read_npy.
Result<HostArray> read_npy(const std::filesystem::path &path);

/// Writes a file atomically, through a temporary file and a rename.
Status write_npy(const std::filesystem::path &path, const TensorType &type,
                 std::span<const std::byte> bytes);

} // namespace xlac::cli
