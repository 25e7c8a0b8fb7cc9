// Zip files of stored, that is uncompressed, records: what PyTorch's files are.
#pragma once

#include "xlac/types.h"

#include <iosfwd>
#include <map>
#include <string>

namespace xlac::serialize {

/// Writes records one after the other; the stream is never moved back.
class ZipWriter {
public:
  explicit ZipWriter(std::ostream &os) : os_(os) {}
  /// The content starts at a multiple of 64.
  void add(const std::string &name, const void *data, uint64_t size);
  /// Writes the directory; the file is complete then.
  void finish();

private:
  struct Entry {
    std::string name;
    uint64_t size, offset;
    uint32_t checksum;
  };
  void write(const std::string &bytes);
  std::ostream &os_;
  uint64_t position_ = 0;
  std::vector<Entry> entries_;
};

/// Reads records of a file that anybody may have made: whatever it says is
/// checked against its size. UserError where something does not fit.
class ZipReader {
public:
  explicit ZipReader(std::istream &is);
  /// Bytes of the whole file.
  uint64_t file_size() const { return file_size_; }
  /// Names of all records.
  std::vector<std::string> names() const;
  bool contains(const std::string &name) const {
    return entries_.contains(name);
  }
  /// The content of a record; its checksum is verified.
  std::string read(const std::string &name);

private:
  struct Entry {
    uint64_t size = 0, offset = 0;
    uint32_t checksum = 0;
  };
  std::string read_at(uint64_t offset, uint64_t size);
  void read_directory(uint64_t offset, uint64_t size, uint64_t count);

  std::istream &is_;
  uint64_t file_size_ = 0;
  std::map<std::string, Entry> entries_;
};

} // namespace xlac::serialize
