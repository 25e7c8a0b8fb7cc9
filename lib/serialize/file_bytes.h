// Access to the bytes of a file that is being loaded, by copies or by mapping.
#pragma once

#include "xlac/tensor/access.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace xlac::serialize {

/// A regular file, open for reading. Its size is that at the time of opening.
class InputFile {
public:
  /// Throws RuntimeError for a file that cannot be read or is not a regular
  /// file.
  explicit InputFile(const std::filesystem::path &path);
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile();

  uint64_t size() const { return size_; }
  /// Copies `size` bytes from `offset`; the range must be within size(). Throws
  /// RuntimeError when they cannot be read, as when the file was truncated.
  void read(uint64_t offset, void *to, uint64_t size) const;
  /// As above; returns `size` bytes, or fewer at the end of the file.
  std::string read_at_most(uint64_t offset, uint64_t size) const;
  int descriptor() const { return file_; }
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
  int file_ = -1;
  uint64_t size_ = 0;
};

/// A private mapping of a whole file: pages are read on first use, and writes
/// do not change the file. Writes of other processes to the file may become
/// visible. Access to pages beyond a truncated end raises SIGBUS.
class FileMap {
public:
  /// Throws RuntimeError when the file cannot be mapped.
  explicit FileMap(const InputFile &file);
  FileMap(const FileMap &) = delete;
  FileMap &operator=(const FileMap &) = delete;
  ~FileMap();

  char *data() const { return data_; }

private:
  char *data_ = nullptr; ///< null for an empty file
  uint64_t size_ = 0;
};

/// Makes a cpu tensor of the row-major elements of a file from `offset`. It is
/// a copy in new memory. With `map` it uses the mapped pages, which are copied
/// only if their address is not aligned for the dtype. `byte_order_size` is the
/// size of big-endian numbers, or 0 for native byte order.
Tensor tensor_of_file(const InputFile &file,
                      const std::shared_ptr<FileMap> &map, uint64_t offset,
                      Dtype dtype, const Shape &sizes,
                      int64_t byte_order_size = 0);

} // namespace xlac::serialize
