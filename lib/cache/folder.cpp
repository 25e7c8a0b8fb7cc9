#include "folder.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace xlac::cache {

File &File::operator=(File &&other) noexcept {
  std::swap(descriptor_, other.descriptor_);
  return *this;
}

File::~File() {
  if (descriptor_ >= 0)
    close(descriptor_);
}

int File::take() { return std::exchange(descriptor_, -1); }

bool is_private(const struct stat &status, std::string &reason) {
  if (status.st_uid != geteuid())
    reason = "it belongs to another user";
  else if (status.st_mode & (S_IWGRP | S_IWOTH))
    reason = "others may write it";
  else
    return true;
  return false;
}

File open_private_folder(int parent, const char *name, bool create,
                         std::string &reason) {
  constexpr int kFlags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
  File folder(openat(parent, name, kFlags));
  if (!folder && errno == ENOENT) {
    if (!create)
      return {};
    if (mkdirat(parent, name, 0700) != 0 && errno != EEXIST) {
      reason = std::strerror(errno);
      return {};
    }
    folder = File(openat(parent, name, kFlags));
  }
  if (!folder) {
    reason = errno == ELOOP ? "it is a symbolic link" : std::strerror(errno);
    return {};
  }
  struct stat status;
  if (fstat(folder.get(), &status) != 0) {
    reason = std::strerror(errno);
    return {};
  }
  if (!is_private(status, reason))
    return {};
  return folder;
}

bool is_valid_key(const char *key, size_t size) {
  if (size < 2 || size > 128)
    return false;
  for (size_t i = 0; i < size; ++i) {
    char c = key[i];
    bool fine = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') ||
                (c >= 'A' && c <= 'Z') || c == '-' || c == '_';
    if (!fine)
      return false;
  }
  return true;
}

} // namespace xlac::cache
