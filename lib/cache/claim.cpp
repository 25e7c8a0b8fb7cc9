// Lets one process compile while the others wait for it, for a limited time. A
// claim is a lock on the claim file, not its existence: the operating system
// releases it when the holder dies.
#include "xlac/cache/store.h"

#include "folder.h"

#include <algorithm>
#include <cerrno>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <unistd.h>
#include <utility>

namespace xlac::cache {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Claim::Claim(Claim &&other) noexcept { *this = std::move(other); }

Claim &Claim::operator=(Claim &&other) noexcept {
  std::swap(folder_, other.folder_);
  std::swap(file_, other.file_);
  std::swap(waited_, other.waited_);
  std::swap(name_, other.name_);
  return *this;
}

Claim::~Claim() { release(); }

void Claim::release() {
  if (file_ >= 0) {
    // Unlinked while locked: the next process that locks the old file sees that
    // it has no name and opens a new one.
    unlinkat(folder_, name_.c_str(), 0);
    flock(file_, LOCK_UN);
    close(file_);
    file_ = -1;
  }
  if (folder_ >= 0)
    close(folder_);
  folder_ = -1;
}

namespace {

enum class Attempt { Held, Busy, Impossible };

/// Tries to lock the claim file `name`.
Attempt try_lock(int folder, const std::string &name, File &file) {
  constexpr int kFlags = O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK;
  file = File(openat(folder, name.c_str(), kFlags, 0600));
  if (!file)
    return Attempt::Impossible;
  if (flock(file.get(), LOCK_EX | LOCK_NB) != 0)
    return errno == EWOULDBLOCK || errno == EINTR ? Attempt::Busy
                                                  : Attempt::Impossible;
  struct stat status;
  if (fstat(file.get(), &status) != 0)
    return Attempt::Impossible;
  return status.st_nlink > 0 ? Attempt::Held : Attempt::Busy;
}

} // namespace

Claim Store::claim(std::string_view key, milliseconds patience) {
  Claim claim;
  if (readonly_ || !is_valid_key(key.data(), key.size()))
    return claim;
  std::string reason;
  File folder = open_private_folder(root_, "claims", true, reason);
  if (!folder)
    return claim;
  claim.name_ = key;
  steady_clock::time_point deadline = steady_clock::now() + patience;
  milliseconds pause(1);
  while (true) {
    File file;
    Attempt attempt = try_lock(folder.get(), claim.name_, file);
    if (attempt == Attempt::Held) {
      claim.folder_ = folder.take();
      claim.file_ = file.take();
      return claim;
    }
    steady_clock::time_point now = steady_clock::now();
    if (attempt == Attempt::Impossible || now >= deadline)
      return claim;
    claim.waited_ = true;
    std::this_thread::sleep_for(
        std::min<steady_clock::duration>(pause, deadline - now));
    pause = std::min(2 * pause, milliseconds(20));
  }
}

} // namespace xlac::cache
