// The bytes of a file that is being loaded: copied, or as memory.
#pragma once

#include "xlac/tensor/access.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace xlac::serialize {

/// A plain file, open for reading. Only its size at the time of opening counts.
class InputFile {
public:
  /// RuntimeError for a file that cannot be read, or is not a plain file.
  explicit InputFile(const std::filesystem::path &path);
  InputFile(const InputFile &) = delete;
  InputFile &operator=(const InputFile &) = delete;
  ~InputFile();

  uint64_t size() const { return size_; }
  /// Copies `size` bytes from `offset` on, which must lie within size().
  /// RuntimeError when they cannot be read: the file may have been cut since.
  void read(uint64_t offset, void *to, uint64_t size) const;
  /// As above; `size` bytes, or fewer where the file ends.
  std::string read_at_most(uint64_t offset, uint64_t size) const;
  int descriptor() const { return file_; }
  const std::filesystem::path &path() const { return path_; }

private:
  std::filesystem::path path_;
  int file_ = -1;
  uint64_t size_ = 0;
};

/// A whole file as memory: pages are read when they are first used, and written
/// ones are the process's own, so that the file never changes. What others
/// write to the file may show, and a page that the file loses is SIGBUS.
class FileMap {
public:
  /// RuntimeError when it cannot be mapped.
  explicit FileMap(const InputFile &file);
  FileMap(const FileMap &) = delete;
  FileMap &operator=(const FileMap &) = delete;
  ~FileMap();

  char *data() const { return data_; }

private:
  char *data_ = nullptr; ///< null where the file is empty
  uint64_t size_ = 0;
};

/// The row-major elements of a file from `offset` on, as a cpu tensor: a copy
/// in memory of its own, or with `map` the mapped pages, which are copied only
/// where their address does not suit the dtype. `byte_order_size` is the size
/// of numbers whose high bytes come first, or 0.
Tensor tensor_of_file(const InputFile &file,
                      const std::shared_ptr<FileMap> &map, uint64_t offset,
                      Dtype dtype, const Shape &sizes,
                      int64_t byte_order_size = 0);

} // namespace xlac::serialize
