// The one way to write files. A plain file appears with its whole content or
// keeps the content that it has; devices, pipes and sockets take the bytes in
// place. Nothing here throws but std::bad_alloc.
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
  /// Wait until the folder has the file's name on the disk too.
  bool sync_folder = true;
  /// A new file takes the mode and owner of this file, if there is one.
  std::filesystem::path model = {};
};

/// Writes one file.
///
/// A plain file: the bytes go to a temporary in the same folder, with a random
/// name, opened with O_EXCL and O_NOFOLLOW; finish() synchronises it, renames
/// it over the file and synchronises the folder. Symbolic links are followed,
/// so that the link stays. The file's permission bits are kept, owner and group
/// where the process may set them; other hard links keep the old content. A
/// file that the process may not write is refused.
///
/// Anything else but a folder, also by way of /dev/stdout or /proc: opened and
/// written in place. A pipe without a reader is waited for; one whose reader
/// left is an error, not a signal.
///
/// Errors are kept: after the first one write() does nothing. Without a
/// successful finish() the old file is as it was and the temporary is removed.
/// Only a failure to synchronise the folder comes after the rename: the file
/// then has its whole new content, and finish() reports the failure.
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
  /// The file has its new content, or in place what was written of it.
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
  std::string temporary_; ///< empty when there is none to remove
};

/// A buffered stream into a FileWriter, which must outlive it. Its state is bad
/// once the writer has failed. Flush it before FileWriter::finish().
class FileStream : private std::streambuf, public std::ostream {
public:
  explicit FileStream(FileWriter &writer);

private:
  using Traits = std::streambuf::traits_type; // both bases have one
  Traits::int_type overflow(Traits::int_type character) override;
  std::streamsize xsputn(const char *bytes, std::streamsize count) override;
  int sync() override;

  FileWriter &writer_;
  std::vector<char> buffer_;
};

/// Writes `bytes` as FileWriter does.
Status write_whole_file(const std::filesystem::path &path,
                        std::string_view bytes,
                        const FileWriterOptions &options = {});

/// Adds `bytes` at the end of a file, which is made if there is none; pipes and
/// devices take them too. A failure may leave a part.
Status append_to_file(const std::filesystem::path &path,
                      std::string_view bytes);

} // namespace xlac
