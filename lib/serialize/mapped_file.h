// The bytes of a file as memory.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>

namespace xlac::serialize {

/// A whole file, mapped: pages are read when they are first looked at, and
/// written ones are the process's own, so that the file never changes.
class MappedFile {
public:
  /// RuntimeError for what cannot be read, or is no plain file.
  explicit MappedFile(const std::filesystem::path &path);
  MappedFile(const MappedFile &) = delete;
  MappedFile &operator=(const MappedFile &) = delete;
  ~MappedFile();

  char *data() const { return data_; }
  uint64_t size() const { return size_; }
  std::string_view bytes() const { return {data_, size_}; }

private:
  char *data_ = nullptr; ///< null where the file is empty
  uint64_t size_ = 0;
};

} // namespace xlac::serialize
