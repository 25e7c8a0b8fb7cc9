// Zip files with stored records, as PyTorch writes them, or deflated ones, as
// NumPy may write them.
#pragma once

#include <cstdint>
#include <initializer_list>
#include <iosfwd>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::formats {

/// Writes records in order, without seeking.
class ZipWriter {
public:
  explicit ZipWriter(std::ostream &os) : os_(os) {}
  /// Adds a record with the content of `parts`, aligned to 64 bytes. A deflated
  /// record is held in memory while it is written.
  void add(const std::string &name,
           std::initializer_list<std::string_view> parts,
           bool deflated = false);
  /// Writes the directory, which completes the file.
  void finish();

private:
  struct Entry {
    std::string name;
    uint64_t size, packed_size, offset;
    uint32_t checksum;
    bool is_deflated;
  };
  void write(std::string_view bytes);
  static void put_shared(std::string &header, const Entry &entry);
  std::ostream &os_;
  uint64_t position_ = 0;
  std::vector<Entry> entries_;
};

/// Reads records of an untrusted file: all fields are checked against the
/// file's size. Throws UserError for an invalid file.
class ZipReader {
public:
  explicit ZipReader(std::istream &is);
  /// Returns the size of the file in bytes.
  uint64_t file_size() const { return file_size_; }
  /// Returns the names of all records in the order of the directory.
  const std::vector<std::string> &names() const { return names_; }
  bool contains(const std::string &name) const {
    return entries_.contains(name);
  }
  /// Returns the content of a record after verifying its checksum.
  std::string read(const std::string &name);

private:
  struct Entry {
    uint64_t size = 0, packed_size = 0, offset = 0;
    uint32_t checksum = 0;
    bool is_deflated = false;
  };
  std::string read_at(uint64_t offset, uint64_t size);
  void read_directory(uint64_t offset, uint64_t size, uint64_t count);

  std::istream &is_;
  uint64_t file_size_ = 0;
  std::map<std::string, Entry> entries_;
  std::vector<std::string> names_;
};

} // namespace xlac::formats
