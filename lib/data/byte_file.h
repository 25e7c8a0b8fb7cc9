// Reads a file of bytes, plain or gzip-compressed.
#pragma once

#include "xlac/types.h"

#include <filesystem>
#include <string>

struct gzFile_s;

namespace xlac::data {

class ByteFile {
public:
  /// Opens the file of that name, or else that name with .gz. Throws
  /// RuntimeError if neither exists.
  explicit ByteFile(const std::filesystem::path &path);
  ByteFile(const ByteFile &) = delete;
  ByteFile &operator=(const ByteFile &) = delete;
  ~ByteFile();

  /// Throws RuntimeError when fewer bytes are left.
  Bytes read(size_t count);
  /// Reads all remaining bytes.
  Bytes read_rest();
  /// Throws RuntimeError that says how the file is damaged.
  [[noreturn]] void damaged(const std::string &what) const;

private:
  std::filesystem::path path_;
  gzFile_s *file_ = nullptr;
};

} // namespace xlac::data
