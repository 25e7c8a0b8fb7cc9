// Files of arrays that commands read: .npy with one array, .npz and
// .safetensors with several. The content tells the format, so files may have
// any name.
#pragma once

#include "npy.h"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

namespace xlac::formats {
class ZipReader;
}

namespace xlac::cli {

/// An open file. Elements are read on request.
class ArrayFile {
public:
  /// Opens a file and reads its directory; "-" is standard input. Failures
  /// begin with the path.
  static Result<std::shared_ptr<ArrayFile>> open(const std::string &path);
  ~ArrayFile();
  ArrayFile(const ArrayFile &) = delete;
  ArrayFile &operator=(const ArrayFile &) = delete;

  const std::string &path() const { return path_; }
  /// True for a format with one array, which has no name.
  bool is_single() const { return format_ == Format::Npy; }
  /// True if the arrays have the names arr_0, arr_1 …, which numpy.savez gives
  /// to arrays without a name.
  bool is_numbered() const;
  /// The arrays' names, in the order of the file; one empty name for .npy.
  const std::vector<std::string> &names() const { return names_; }

  /// Type and elements of array `i`, row-major and little-endian.
  Result<TensorType> type(size_t i);
  Result<HostArray> read(size_t i);

private:
  enum class Format : uint8_t { Npy, Npz, Safetensors };
  ArrayFile(std::string path, std::unique_ptr<std::istream> stream);
  Status read_directory();
  Status read_safetensors_directory();
  Result<HostArray> read_safetensors(size_t i);
  std::string name_of(size_t i) const;

  std::string path_;
  std::unique_ptr<std::istream> stream_;
  Format format_ = Format::Npy;
  std::vector<std::string> names_;
  std::unique_ptr<formats::ZipReader> zip_;
  /// Of safetensors files: types, and offsets in the file.
  std::vector<TensorType> types_;
  std::vector<uint64_t> offsets_;
};

} // namespace xlac::cli
