// Opens files and directories relative to an open directory, without following
// symbolic links. They must be owned by this user and writable by no other
// user.
#pragma once

#include <cstdint>
#include <string>

struct stat;

namespace xlac::cache {

/// A file descriptor that closes itself.
class File {
public:
  File() = default;
  explicit File(int descriptor) : descriptor_(descriptor) {}
  File(File &&other) noexcept : descriptor_(other.take()) {}
  File &operator=(File &&other) noexcept;
  ~File();

  int get() const { return descriptor_; }
  explicit operator bool() const { return descriptor_ >= 0; }
  int take();

private:
  int descriptor_ = -1;
};

/// Whether it is owned by this user and not writable by group or others; if
/// not, sets `reason`.
bool is_private(const struct stat &status, std::string &reason);

/// Opens the directory `name` in `parent`; creates it with mode 0700 if
/// `create`. Returns an invalid file if it cannot be trusted, with a reason, or
/// if it is missing.
File open_private_folder(int parent, const char *name, bool create,
                         std::string &reason);

/// Whether the key is valid as a file name: 2 to 128 letters, digits, '-' and
/// '_'.
bool is_valid_key(const char *key, size_t size);

} // namespace xlac::cache
