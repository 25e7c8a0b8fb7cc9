#include "xlac/cache/store.h"

#include "entry.h"
#include "folder.h"

#include "xlac/support/logging.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fcntl.h>
#include <new>
#include <random>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

namespace xlac::cache {

namespace {

bool write_all(int file, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t written = write(file, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR)
      continue;
    if (written <= 0)
      return false;
    bytes = bytes.subspan(written);
  }
  return true;
}

bool read_all(int file, std::span<std::byte> bytes) {
  while (!bytes.empty()) {
    ssize_t got = ::read(file, bytes.data(), bytes.size());
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    bytes = bytes.subspan(got);
  }
  return true;
}

/// A file name that is unique among processes and threads.
std::string temporary_name() {
  static std::atomic<uint64_t> counter{std::random_device{}()};
  return ".tmp-" + std::to_string(getpid()) + "-" + std::to_string(++counter);
}

/// Records the time of a use from the clock: timestamps of the kernel are too
/// coarse to order uses in quick succession.
void stamp(int file) {
  timespec times[2];
  clock_gettime(CLOCK_REALTIME, &times[0]);
  times[1] = times[0];
  futimens(file, times);
}

/// Creates the directory and its missing parents, each with mode 0700.
bool make_folders(const std::filesystem::path &path) {
  std::filesystem::path made;
  for (const std::filesystem::path &part : path) {
    made /= part;
    if (mkdir(made.c_str(), 0700) != 0 && errno != EEXIST && errno != EISDIR &&
        access(made.c_str(), F_OK) != 0)
      return false;
  }
  return true;
}

} // namespace

/// Opens the root directory and normalizes `directory`; `make` creates it.
static Result<File> open_root(std::filesystem::path &directory, bool make) {
  auto reject = [&](const std::string &reason) {
    return failure(FailureKind::Runtime, "cache directory " +
                                             directory.string() +
                                             " cannot be used: " + reason);
  };
  if (directory.empty())
    return reject("its name is empty");
  if (!directory.has_filename())
    directory = directory.parent_path();
  if (make && !make_folders(directory))
    return reject(std::strerror(errno));
  std::string reason;
  File root = open_private_folder(AT_FDCWD, directory.c_str(), false, reason);
  if (!root)
    return reject(reason.empty() ? "it does not exist" : reason);
  return root;
}

Result<std::unique_ptr<Store>> Store::open(std::filesystem::path directory,
                                           std::optional<int64_t> limit) {
  Result<File> root = open_root(directory, true);
  if (!root)
    return root.error();
  File usage(openat(root->get(), "usage",
                    O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK,
                    0600));
  struct stat status;
  std::string reason;
  if (usage && (fstat(usage.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
                !is_private(status, reason)))
    usage = File();
  Limit found = limit ? Limit{std::max<int64_t>(*limit, 0), LimitOrigin::Caller}
                      : find_limit(root->get());
  return std::unique_ptr<Store>(new Store(std::move(directory), found,
                                          root->take(), usage.take(), false));
}

Result<std::unique_ptr<Store>>
Store::open_readonly(std::filesystem::path directory) {
  Result<File> root = open_root(directory, false);
  if (!root)
    return root.error();
  Limit limit = find_limit(root->get());
  return std::unique_ptr<Store>(
      new Store(std::move(directory), limit, root->take(), -1, true));
}

Store::Store(std::filesystem::path directory, Limit limit, int root, int usage,
             bool readonly)
    : directory_(std::move(directory)), limit_(limit), root_(root),
      usage_(usage), readonly_(readonly) {}

Status Store::check_writable() const {
  if (!readonly_)
    return {};
  return failure(FailureKind::User,
                 "the cache " + directory_.string() + " is read only");
}

Store::~Store() {
  close(root_);
  if (usage_ >= 0)
    close(usage_);
}

void Store::warn_once(const std::string &what, const std::string &message) {
  {
    std::lock_guard lock(mutex_);
    if (!warned_.insert(what).second)
      return;
  }
  log_warning(message);
}

/// Reads an entry's file of `size` bytes, which may be sparse and of any size.
/// The header is validated before memory for the rest is allocated.
bool Store::read_entry(int file, int64_t size, Kind kind, std::string_view key,
                       std::vector<std::byte> &contents,
                       std::string &reason) try {
  if (size > std::max(limit_.bytes, kDefaultLimit)) {
    reason = "it is larger than the cache may be";
    return false;
  }
  EntryHeader header{};
  bool has_header = size >= static_cast<int64_t>(sizeof header);
  if (!has_header ||
      !read_all(file, std::as_writable_bytes(std::span(&header, 1)))) {
    reason = has_header ? "it cannot be read" : "it is too short";
    return false;
  }
  if (!check_header(kind, key, header, static_cast<uint64_t>(size), reason))
    return false;
  contents.resize(static_cast<size_t>(size));
  std::memcpy(contents.data(), &header, sizeof header);
  if (read_all(file, std::span(contents).subspan(sizeof header)))
    return true;
  reason = "it cannot be read";
  return false;
} catch (const std::bad_alloc &) {
  reason = "there is no memory to read it";
  return false;
}

Store::Outcome Store::read(Kind kind, std::string_view key,
                           std::vector<std::byte> &bytes, std::string &reason) {
  if (!is_valid_key(key.data(), key.size()))
    return Outcome::Miss;
  File folder(open_folder(kind, key, false));
  if (!folder)
    return Outcome::Miss;
  std::string name(key);
  // Non-blocking, so that a pipe with that name does not block.
  File file(openat(folder.get(), name.c_str(),
                   O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  if (!file) {
    if (errno == ENOENT)
      return Outcome::Miss;
    reason = errno == ELOOP ? "it is a symbolic link" : std::strerror(errno);
    return Outcome::Damaged;
  }
  struct stat status;
  if (fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode)) {
    reason = "it is not a file";
    return Outcome::Damaged;
  }
  if (!is_private(status, reason))
    return Outcome::Damaged;
  std::vector<std::byte> contents;
  if (!read_entry(file.get(), status.st_size, kind, key, contents, reason))
    return Outcome::Damaged;
  std::optional<std::vector<std::byte>> decoded =
      decode_entry(kind, key, contents, reason);
  if (!decoded)
    return Outcome::Damaged;
  bytes = std::move(*decoded);
  if (!readonly_)
    stamp(file.get());
  return Outcome::Hit;
}

std::optional<std::vector<std::byte>> Store::get(Kind kind,
                                                 std::string_view key) {
  std::vector<std::byte> bytes;
  std::string reason;
  Outcome outcome = read(kind, key, bytes, reason);
  if (outcome == Outcome::Damaged) {
    std::string name = std::string(to_string(kind)) + "/" + std::string(key);
    warn_once(name, "cache entry " + name + " is ignored: " + reason);
  }
  std::lock_guard lock(mutex_);
  ++(outcome == Outcome::Hit ? hits_ : misses_);
  if (outcome != Outcome::Hit)
    return std::nullopt;
  return bytes;
}

bool Store::write_entry(int folder, const std::string &name,
                        std::span<const std::byte> contents, bool sync) {
  std::string temporary = temporary_name();
  File file(openat(folder, temporary.c_str(),
                   O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600));
  if (!file)
    return false;
  // The lock shows that the writer is alive. No other process has the file yet.
  flock(file.get(), LOCK_EX | LOCK_NB);
  // Synced before the rename: after a power failure the old entry or none
  // exists.
  bool written =
      write_all(file.get(), contents) && (!sync || fsync(file.get()) == 0);
  if (written)
    stamp(file.get());
  written =
      written && renameat(folder, temporary.c_str(), folder, name.c_str()) == 0;
  if (!written) {
    int error = errno;
    unlinkat(folder, temporary.c_str(), 0);
    errno = error;
  }
  return written;
}

bool Store::put(Kind kind, std::string_view key,
                std::span<const std::byte> bytes, uint64_t features,
                bool sync) {
  if (readonly_ || !is_valid_key(key.data(), key.size()))
    return false;
  std::optional<std::vector<std::byte>> contents =
      encode_entry(kind, key, features, bytes);
  int64_t size = contents ? static_cast<int64_t>(contents->size()) : 0;
  if (!contents || size > limit_.bytes)
    return false;
  File folder(open_folder(kind, key, true));
  if (!folder)
    return false;
  // Counted before it is written, so that files of killed writers are counted
  // too.
  account(size);
  std::string name(key);
  struct stat old;
  bool replaces =
      fstatat(folder.get(), name.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  bool written = write_entry(folder.get(), name, *contents, sync);
  if (!written)
    warn_once("write", "the cache " + directory_.string() +
                           " cannot be written: " + std::strerror(errno));
  if (!written || replaces)
    account(written ? -static_cast<int64_t>(old.st_size) : -size);
  return written;
}

StoreStats Store::stats() {
  StoreStats stats;
  for (const EntryInfo &entry : list()) {
    ++stats.entries;
    stats.bytes += entry.bytes;
  }
  stats.limit = limit_;
  stats.temporary_bytes = sweep_temporaries();
  std::lock_guard lock(mutex_);
  stats.hits = hits_;
  stats.misses = misses_;
  return stats;
}

VerifyResult Store::verify() {
  VerifyResult result;
  for (const EntryInfo &entry : list()) {
    std::vector<std::byte> bytes;
    std::string reason;
    Outcome outcome = read(entry.kind, entry.key, bytes, reason);
    if (outcome == Outcome::Hit)
      ++result.sound;
    if (outcome != Outcome::Damaged)
      continue;
    result.damaged.push_back(std::string(to_string(entry.kind)) + "/" +
                             entry.key);
    File folder(open_folder(entry.kind, entry.key, false));
    if (folder && !readonly_)
      unlinkat(folder.get(), entry.key.c_str(), 0);
  }
  return result;
}

} // namespace xlac::cache
