// Reads a file of bytes, compressed or not.
#pragma once

#include "xlac/types.h"

#include <filesystem>
#include <string>

struct gzFile_s;

namespace xlac::data {

class ByteFile {
public:
  /// Of that name, or of that name and .gz; RuntimeError without either.
  explicit ByteFile(const std::filesystem::path &path);
  ByteFile(const ByteFile &) = delete;
  ByteFile &operator=(const ByteFile &) = delete;
  ~ByteFile();

  /// RuntimeError when there are fewer.
  Bytes read(size_t count);
  /// All that are left.
  Bytes read_rest();
  /// RuntimeError that says so.
  [[noreturn]] void damaged(const std::string &what) const;

private:
  std::filesystem::path path_;
  gzFile_s *file_ = nullptr;
};

} // namespace xlac::data
