// Files and folders opened so that those of other users are not followed:
// relative to an open folder, never through a symbolic link, owned by us,
// writable by us alone.
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

/// Ours, and not writable by group or world. Says why not otherwise.
bool is_private(const struct stat &status, std::string &reason);

/// The folder `name` in `parent`, made with 0700 if `create`. Invalid, with a
/// reason unless it is only missing, if it cannot be trusted.
File open_private_folder(int parent, const char *name, bool create,
                         std::string &reason);

/// A key that can be a file's name: 2 to 128 letters, digits, '-' and '_'.
bool is_valid_key(const char *key, size_t size);

} // namespace xlac::cache
