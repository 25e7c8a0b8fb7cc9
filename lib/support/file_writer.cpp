#include "xlac/support/file_writer.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <cstdio>
#include <ctime>
#include <fcntl.h>
#include <linux/magic.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace xlac {

namespace {

constexpr size_t kBufferSize = size_t{1} << 16;

Failure cannot_write(const std::filesystem::path &path, int error) {
  return failure(FailureKind::Runtime,
                 path.string() + ": cannot be written: " +
                     std::error_code(error, std::generic_category()).message());
}

/// While it lives, writing to a pipe without a reader only fails with EPIPE.
class NoPipeSignal {
public:
  NoPipeSignal() {
    sigemptyset(&pipe_);
    sigaddset(&pipe_, SIGPIPE);
    sigset_t pending;
    sigpending(&pending);
    was_pending_ = sigismember(&pending, SIGPIPE) == 1;
    pthread_sigmask(SIG_BLOCK, &pipe_, &before_);
  }
  ~NoPipeSignal() {
    timespec now{};
    while (!was_pending_ && sigtimedwait(&pipe_, nullptr, &now) < 0 &&
           errno == EINTR)
      continue;
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  NoPipeSignal(const NoPipeSignal &) = delete;
  NoPipeSignal &operator=(const NoPipeSignal &) = delete;

private:
  sigset_t pipe_, before_;
  bool was_pending_;
};

/// Returns 0 or the error.
int write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR)
      continue;
    if (count <= 0)
      return count < 0 ? errno : EIO;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return 0;
}

/// Returns 0 or the error; also 0 if the file system does not support syncing.
int synchronise(int file) {
  int result = 0;
  do
    result = fsync(file);
  while (result != 0 && errno == EINTR);
  bool is_unknown = result != 0 && (errno == EINVAL || errno == ENOTSUP ||
                                    errno == ENOSYS || errno == EBADF);
  return result == 0 || is_unknown ? 0 : errno;
}

/// Linux closes the file even if a signal interrupts close().
int close_checked(int file) {
  return close(file) == 0 || errno == EINTR ? 0 : errno;
}

/// Links in /proc refer to open files, not to names.
bool is_in_proc(const std::filesystem::path &link) {
  struct statfs facts{};
  std::filesystem::path folder = link.parent_path();
  return statfs(folder.empty() ? "." : folder.c_str(), &facts) == 0 &&
         facts.f_type == PROC_SUPER_MAGIC;
}

/// Follows symbolic links in the last component of the path. The final target
/// need not exist. Returns 0 or the error; sets `is_open_file` for a link of
/// /proc.
int follow_symlinks(std::filesystem::path &path, bool &is_open_file) {
  constexpr int kMaxSymlinks = 40; // the kernel's limit
  for (int links = 0; links < kMaxSymlinks; ++links) {
    struct stat facts{};
    if (lstat(path.c_str(), &facts) != 0)
      return errno == ENOENT ? 0 : errno;
    if (!S_ISLNK(facts.st_mode))
      return 0;
    if (is_in_proc(path)) {
      is_open_file = true;
      return 0;
    }
    std::error_code error;
    std::filesystem::path to = std::filesystem::read_symlink(path, error);
    if (error)
      return error.value();
    path = path.parent_path() / to;
  }
  return ELOOP;
}

} // namespace

FileWriter::FileWriter(const std::filesystem::path &path,
                       const FileWriterOptions &options)
    : FileWriter() { // from here on the destructor runs after exceptions
  path_ = path;
  options_ = options;
  open_path();
}

void FileWriter::open_path() {
  struct stat facts{};
  bool exists = stat(path_.c_str(), &facts) == 0;
  if (!exists && errno != ENOENT)
    return fail(errno);
  if (exists && S_ISDIR(facts.st_mode))
    return fail(EISDIR);
  std::filesystem::path target = path_;
  is_in_place_ = exists && !S_ISREG(facts.st_mode);
  if (!is_in_place_)
    if (int error = follow_symlinks(target, is_in_place_))
      return fail(error);
  if (is_in_place_)
    open_in_place();
  else
    open_temporary(target);
}

void FileWriter::open_in_place() {
  // Truncation matters if a link of /proc refers to a regular file.
  file_ = open(path_.c_str(), O_WRONLY | O_TRUNC | O_CLOEXEC | O_NOCTTY);
  has_replaced_ = file_ >= 0;
  if (file_ < 0)
    fail(errno);
}

void FileWriter::open_temporary(const std::filesystem::path &target) {
  name_ = target.filename();
  if (name_.empty())
    return fail(path_.empty() ? ENOENT : EISDIR);
  std::filesystem::path parent = target.parent_path();
  const char *folder = parent.empty() ? "." : parent.c_str();
  folder_ = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0 && errno == EACCES) // write permission only
    folder_ = open(folder, O_PATH | O_DIRECTORY | O_CLOEXEC);
  if (folder_ < 0)
    return fail(errno);
  struct stat old{}, model{};
  bool exists = fstatat(folder_, name_.c_str(), &old, AT_SYMLINK_NOFOLLOW) == 0;
  if (exists && !S_ISREG(old.st_mode))
    return fail(EBUSY); // created meanwhile by another process
  if (exists && faccessat(folder_, name_.c_str(), W_OK, AT_EACCESS) != 0)
    return fail(errno);
  bool has_model = exists || (!options_.model.empty() &&
                              stat(options_.model.c_str(), &model) == 0 &&
                              S_ISREG(model.st_mode));
  constexpr int kFlags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
  constexpr int kTries = 16;
  for (int tries = 0; file_ < 0 && tries < kTries; ++tries) {
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
      return fail(errno);
    char name[40];
    std::snprintf(name, sizeof name, ".xlac-%016llx.tmp",
                  static_cast<unsigned long long>(number));
    temporary_ = name;
    file_ = openat(folder_, name, kFlags, has_model ? 0600 : 0666);
    if (file_ < 0)
      temporary_.clear(); // not created by this process
    if (file_ < 0 && errno != EEXIST)
      return fail(errno);
  }
  if (file_ < 0)
    return fail(EEXIST);
  if (has_model)
    adopt(exists ? old : model);
}

/// Copies permission bits, group and owner. If the file system or the user does
/// not permit it, the file keeps fewer permissions.
void FileWriter::adopt(const struct stat &model) {
  struct stat mine{};
  if (fstat(file_, &mine) != 0)
    return;
  auto mode = static_cast<mode_t>(model.st_mode & 0777);
  constexpr auto kSameUser = static_cast<uid_t>(-1);
  constexpr auto kSameGroup = static_cast<gid_t>(-1);
  bool has_group = mine.st_gid == model.st_gid ||
                   fchown(file_, kSameUser, model.st_gid) == 0;
  bool has_owner = mine.st_uid == model.st_uid ||
                   fchown(file_, model.st_uid, kSameGroup) == 0;
  // Permissions of one group must not apply to another group.
  if (!has_group)
    mode = (mode & ~S_IRWXG) | ((mode & S_IRWXO) << 3);
  if (!has_owner)
    mode |= S_IRUSR | S_IWUSR;
  [[maybe_unused]] int ignored = fchmod(file_, mode);
}

FileWriter::~FileWriter() {
  if (file_ >= 0)
    close(file_);
  if (!temporary_.empty())
    unlinkat(folder_, temporary_.c_str(), 0);
  if (folder_ >= 0)
    close(folder_);
}

void FileWriter::fail(int error) {
  if (status_)
    status_ = cannot_write(path_, error);
}

void FileWriter::write(std::string_view bytes) {
  if (!status_)
    return;
  int error = 0;
  if (is_in_place_) {
    NoPipeSignal guard;
    error = write_all(file_, bytes);
  } else {
    error = write_all(file_, bytes);
  }
  if (error)
    fail(error);
}

Status FileWriter::finish() {
  if (!status_)
    return status_;
  // A device or pipe may not support syncing.
  if (int error = is_in_place_ ? 0 : synchronise(file_))
    fail(error);
  if (int error = close_checked(std::exchange(file_, -1)))
    fail(error);
  if (!status_ || is_in_place_)
    return status_;
  if (renameat(folder_, temporary_.c_str(), folder_, name_.c_str()) != 0) {
    fail(errno);
    return status_;
  }
  temporary_.clear();
  has_replaced_ = true;
  if (int error = options_.sync_folder ? synchronise(folder_) : 0)
    status_ =
        failure(FailureKind::Runtime,
                path_.string() + ": is written, but its folder cannot be " +
                    "synchronised: " +
                    std::error_code(error, std::generic_category()).message());
  return status_;
}

FileStream::FileStream(FileWriter &writer)
    : std::ostream(nullptr), writer_(writer), buffer_(kBufferSize) {
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  rdbuf(static_cast<std::streambuf *>(this));
  if (!writer_.status())
    setstate(std::ios::badbit);
}

int FileStream::sync() {
  writer_.write({pbase(), static_cast<size_t>(pptr() - pbase())});
  setp(buffer_.data(), buffer_.data() + buffer_.size());
  return writer_.status() ? 0 : -1;
}

FileStream::Traits::int_type FileStream::overflow(Traits::int_type character) {
  if (sync() != 0)
    return Traits::eof();
  if (Traits::eq_int_type(character, Traits::eof()))
    return Traits::not_eof(character);
  return sputc(Traits::to_char_type(character));
}

std::streamsize FileStream::xsputn(const char *bytes, std::streamsize count) {
  if (count <= epptr() - pptr()) {
    std::copy_n(bytes, count, pptr());
    pbump(static_cast<int>(count));
    return count;
  }
  if (sync() != 0)
    return 0;
  writer_.write({bytes, static_cast<size_t>(count)});
  return writer_.status() ? count : 0;
}

Status write_whole_file(const std::filesystem::path &path,
                        std::string_view bytes,
                        const FileWriterOptions &options) {
  FileWriter writer(path, options);
  writer.write(bytes);
  return writer.finish();
}

Status append_to_file(const std::filesystem::path &path,
                      std::string_view bytes) {
  int file = open(path.c_str(),
                  O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOCTTY, 0666);
  if (file < 0)
    return cannot_write(path, errno);
  int error = 0;
  {
    NoPipeSignal guard;
    error = write_all(file, bytes);
  }
  int closed = close_checked(file);
  if (error || closed)
    return cannot_write(path, error ? error : closed);
  return {};
}

} // namespace xlac
