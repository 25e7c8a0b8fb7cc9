// Writes files. A regular file gets its whole new content or keeps its old
// content. Devices, pipes and sockets are written in place. Only std::bad_alloc
// is thrown.
#pragma once

#include "xlac/support/result.h"

#include <filesystem>
#include <ostream>
#include <streambuf>
#include <string>
#include <string_view>
#include <vector>

struct stat;

namespace xlac {

struct FileWriterOptions {
  /// Waits until the directory entry is on the disk too.
  bool sync_folder = true;
  /// If this file exists, a new file takes its mode and owner.
  std::filesystem::path model = {};
};

/// Writes one file.
///
/// Regular files: the bytes are written to a temporary file in the same
/// directory, with a random name, opened with O_EXCL and O_NOFOLLOW. finish()
/// syncs it, renames it over the file and syncs the directory. Symbolic links
/// are followed and stay. The file's permission bits are kept, and its owner
/// and group if the process may set them. Other hard links keep the old
/// content. A file that the process may not write is rejected.
///
/// Everything else except directories, also through /dev/stdout or /proc, is
/// opened and written in place. Opening waits for the reader of a pipe. If the
/// reader closes the pipe, writing is an error, not a signal.
///
/// The first error is stored, and write() does nothing afterwards. Without a
/// successful finish() the old file is unchanged and the temporary file is
/// removed. Only a failure to sync the directory occurs after the rename: the
/// file then has its new content, and finish() reports the failure.
class FileWriter {
public:
  explicit FileWriter(const std::filesystem::path &path,
                      const FileWriterOptions &options = {});
  ~FileWriter();
  FileWriter(const FileWriter &) = delete;
  FileWriter &operator=(const FileWriter &) = delete;

  void write(std::string_view bytes);
  /// Call once, after the last byte.
  Status finish();
  /// Whether the file has its new content; in place, the part written so far.
  bool has_replaced() const { return has_replaced_; }
  /// The first failure so far: FailureKind::Runtime, "PATH: cannot be written:
  /// …".
  const Status &status() const { return status_; }

private:
  FileWriter() = default;
  void open_path();
  void open_in_place();
  void open_temporary(const std::filesystem::path &target);
  void adopt(const struct stat &model);
  void fail(int error);

  std::filesystem::path path_;
  FileWriterOptions options_;
  Status status_;
  int folder_ = -1, file_ = -1;
  bool is_in_place_ = false, has_replaced_ = false;
  std::string name_;
  std::string temporary_; ///< empty if there is none to remove
};

/// A buffered stream to a FileWriter, which must outlive it. Its state is bad
/// once the writer has failed. Flush it before FileWriter::finish().
class FileStream : private std::streambuf, public std::ostream {
public:
  explicit FileStream(FileWriter &writer);

private:
  using Traits = std::streambuf::traits_type; // both base classes define one
  Traits::int_type overflow(Traits::int_type character) override;
  std::streamsize xsputn(const char *bytes, std::streamsize count) override;
  int sync() override;

  FileWriter &writer_;
  std::vector<char> buffer_;
};

/// Writes `bytes` with a FileWriter.
Status write_whole_file(const std::filesystem::path &path,
                        std::string_view bytes,
                        const FileWriterOptions &options = {});

/// Appends `bytes` to a file, which is created if missing, or to a pipe or
/// device. A failure may leave part of the bytes.
Status append_to_file(const std::filesystem::path &path,
                      std::string_view bytes);

} // namespace xlac
