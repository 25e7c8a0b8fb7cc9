// Eviction. A file in the directory counts the bytes of all entries. Beyond the
// limit, one traversal of all entries removes the least recently used tenth, so
// that few calls of put() need a traversal.
#include "xlac/cache/store.h"

#include "folder.h"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <dirent.h>
#include <fcntl.h>
#include <limits>
#include <sys/file.h>
#include <sys/stat.h>
#include <thread>
#include <time.h>
#include <unistd.h>
#include <utility>

namespace xlac::cache {

namespace {

/// A temporary file this old belongs to a process that died, even on file
/// systems without locks.
constexpr int64_t kStaleSeconds = 600;
/// A younger temporary file may not be locked yet.
constexpr int64_t kUnlockedSeconds = 10;

/// The names in a directory, except "." and "..".
std::vector<std::string> names_in(int folder) {
  std::vector<std::string> names;
  int copy = openat(folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  DIR *stream = copy >= 0 ? fdopendir(copy) : nullptr;
  if (!stream) {
    if (copy >= 0)
      close(copy);
    return names;
  }
  while (const dirent *entry = readdir(stream))
    if (std::strcmp(entry->d_name, ".") && std::strcmp(entry->d_name, ".."))
      names.push_back(entry->d_name);
  closedir(stream);
  return names;
}

int64_t nanoseconds(const timespec &time) {
  return static_cast<int64_t>(time.tv_sec) * 1'000'000'000 + time.tv_nsec;
}

bool is_temporary(const std::string &name) {
  return name.rfind(".tmp-", 0) == 0;
}

/// Whether the writer is dead: a living writer holds a lock on the file.
bool is_abandoned(int folder, const std::string &name,
                  const struct stat &status) {
  int64_t age = time(nullptr) - status.st_mtim.tv_sec;
  if (age > kStaleSeconds)
    return true;
  if (age <= kUnlockedSeconds)
    return false;
  File file(openat(folder, name.c_str(),
                   O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  return file && flock(file.get(), LOCK_EX | LOCK_NB) == 0;
}

/// Calls `visit(folder, name, status)` for each file of that kind.
template <class Visit> void walk(int root, Kind kind, Visit visit) {
  std::string reason;
  File top = open_private_folder(root, to_string(kind), false, reason);
  if (!top)
    return;
  for (const std::string &shard : names_in(top.get())) {
    File folder = open_private_folder(top.get(), shard.c_str(), false, reason);
    if (!folder)
      continue;
    for (const std::string &name : names_in(folder.get())) {
      struct stat status;
      if (fstatat(folder.get(), name.c_str(), &status, AT_SYMLINK_NOFOLLOW) ==
          0)
        visit(folder.get(), name, status);
    }
  }
}

std::string shard_of(const std::string &key) { return key.substr(0, 2); }

/// The counter's lock among processes; threads hold usage_mutex_ too. Waits at
/// most `patience`, since a stopped process may hold it.
class UsageLock {
public:
  UsageLock(int file, std::chrono::milliseconds patience) : file_(file) {
    auto deadline = std::chrono::steady_clock::now() + patience;
    std::chrono::milliseconds pause(1);
    while (file_ >= 0 && !is_held_) {
      is_held_ = flock(file_, LOCK_EX | LOCK_NB) == 0;
      bool is_busy = !is_held_ && (errno == EWOULDBLOCK || errno == EINTR);
      if (is_held_ || !is_busy || std::chrono::steady_clock::now() >= deadline)
        break;
      std::this_thread::sleep_for(pause);
      pause = std::min(2 * pause, std::chrono::milliseconds(20));
    }
  }
  ~UsageLock() {
    if (is_held_)
      flock(file_, LOCK_UN);
  }
  UsageLock(const UsageLock &) = delete;
  UsageLock &operator=(const UsageLock &) = delete;
  bool is_held() const { return is_held_; }

private:
  int file_;
  bool is_held_ = false;
};

constexpr std::chrono::milliseconds kUsagePatience(1000);

} // namespace

std::vector<EntryInfo> Store::list() {
  std::vector<EntryInfo> entries;
  for (Kind kind : kKinds)
    walk(root_, kind,
         [&](int, const std::string &name, const struct stat &status) {
           if (!is_valid_key(name.data(), name.size()))
             return;
           entries.push_back(
               {kind, name, status.st_size, nanoseconds(status.st_mtim)});
         });
  std::sort(entries.begin(), entries.end(),
            [](const EntryInfo &a, const EntryInfo &b) {
              return a.last_used > b.last_used;
            });
  return entries;
}

/// Bytes of temporary files of living writers; removes those of dead writers.
int64_t Store::sweep_temporaries() {
  int64_t total = 0;
  for (Kind kind : kKinds)
    walk(root_, kind,
         [&](int folder, const std::string &name, const struct stat &status) {
           if (!is_temporary(name))
             return;
           if (readonly_ || !is_abandoned(folder, name, status) ||
               unlinkat(folder, name.c_str(), 0) != 0)
             total += status.st_size;
         });
  return total;
}

/// Removes entries until they and `others` fit into `bytes`; the caller holds
/// the counter's lock. Resets the counter to the actual total. Returns the
/// bytes of the remaining entries.
int64_t Store::evict_locked(int64_t bytes, int64_t others) {
  others += sweep_temporaries();
  std::vector<EntryInfo> entries = list();
  int64_t total = 0;
  for (const EntryInfo &entry : entries)
    total += entry.bytes;
  while (total + others > bytes && !entries.empty()) {
    const EntryInfo &oldest = entries.back();
    File folder(open_folder(oldest.kind, oldest.key, false));
    if (folder)
      unlinkat(folder.get(), oldest.key.c_str(), 0);
    total -= oldest.bytes;
    entries.pop_back();
  }
  unaccounted_ = 0;
  write_counter(total + others);
  return total;
}

/// If writing fails, the next put() finds no counter and counts again.
void Store::write_counter(int64_t total) {
  if (usage_ >= 0 && pwrite(usage_, &total, sizeof total, 0) != sizeof total)
      [[maybe_unused]]
    int ignored = ftruncate(usage_, 0);
}

/// Adds to the counter, and evicts entries if it exceeds the limit.
void Store::account(int64_t bytes) {
  std::lock_guard guard(usage_mutex_);
  // Waits only once if a stopped process holds the lock.
  UsageLock lock(usage_, is_usage_stuck_ ? std::chrono::milliseconds(0)
                                         : kUsagePatience);
  is_usage_stuck_ = usage_ >= 0 && !lock.is_held();
  if (is_usage_stuck_) {
    unaccounted_ += bytes;
    return;
  }
  int64_t incoming = std::max<int64_t>(bytes, 0), total = 0;
  bytes += std::exchange(unaccounted_, 0); // an eviction counts those itself
  bool known = usage_ >= 0 &&
               pread(usage_, &total, sizeof total, 0) == sizeof total &&
               total >= 0 && total < std::numeric_limits<int64_t>::max() / 2;
  if (!known)
    evict_locked(limit_.bytes, incoming);
  else if (total + bytes > limit_.bytes)
    evict_locked(limit_.bytes - limit_.bytes / 10, incoming);
  else
    write_counter(std::max<int64_t>(total + bytes, 0));
}

Status Store::prune(int64_t bytes) {
  XLAC_RETURN_IF_ERROR(check_writable());
  std::lock_guard guard(usage_mutex_);
  // Without the lock the counter may be wrong; the next traversal corrects it.
  UsageLock lock(usage_, kUsagePatience);
  int64_t left = evict_locked(std::max<int64_t>(bytes, 0), 0);
  if (left > std::max<int64_t>(bytes, 0))
    return failure(FailureKind::Runtime,
                   directory_.string() + ": entries cannot be removed");
  return {};
}

Status Store::clear() {
  XLAC_RETURN_IF_ERROR(check_writable());
  for (Kind kind : kKinds)
    walk(root_, kind,
         [&](int folder, const std::string &name, const struct stat &) {
           if (is_temporary(name))
             unlinkat(folder, name.c_str(), 0);
         });
  XLAC_RETURN_IF_ERROR(prune(0));
  if (!list().empty())
    return failure(FailureKind::Runtime,
                   directory_.string() + ": entries cannot be removed");
  return {};
}

int Store::open_folder(Kind kind, std::string_view key, bool create) {
  std::string reason;
  File top = open_private_folder(root_, to_string(kind), create, reason);
  File folder;
  if (top)
    folder = open_private_folder(top.get(), shard_of(std::string(key)).c_str(),
                                 create, reason);
  if (!folder && !reason.empty())
    warn_once(to_string(kind), (directory_ / to_string(kind)).string() +
                                   " is not used as a cache: " + reason);
  return folder.take();
}

} // namespace xlac::cache
