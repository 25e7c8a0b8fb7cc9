#include "file_calls.h"

#include <cerrno>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace xlac::file_calls {

namespace {

struct Plan {
  FailureKind failure_kind = FailureKind::None;
  int number = 0, calls = 0, failed = 0;
  bool is_armed = false, has_renamed = false;
  const char *call = "";
};
thread_local Plan plan;

bool kills() {
  return plan.failure_kind == FailureKind::KillAt ||
         plan.failure_kind == FailureKind::KillAfter;
}

/// Counts a call of that name. Returns whether it must fail.
bool is_to_fail(const char *name) {
  if (!plan.is_armed)
    return false;
  int call = ++plan.calls;
  if (plan.failure_kind == FailureKind::KillAt && call == plan.number)
    kill(getpid(), SIGKILL);
  bool fails = plan.failure_kind == FailureKind::One
                   ? call == plan.number
                   : (plan.failure_kind == FailureKind::All ||
                      plan.failure_kind == FailureKind::Short) &&
                         call >= plan.number;
  if (fails && plan.failed++ == 0)
    plan.call = name;
  return fails;
}

/// Performs a system call, unless it must fail with `error`.
template <class... Arguments>
long perform(const char *name, int error, long number, Arguments... arguments) {
  if (is_to_fail(name)) {
    errno = error;
    return -1;
  }
  long result = syscall(number, arguments...);
  int left = errno;
  if (plan.is_armed && plan.failure_kind == FailureKind::KillAfter &&
      plan.calls == plan.number)
    kill(getpid(), SIGKILL);
  errno = left;
  return result;
}

int open_file(int folder, const char *path, int flags, mode_t mode) {
  // Opening for reading is not counted.
  if (!(flags & (O_WRONLY | O_RDWR | O_CREAT)))
    return static_cast<int>(syscall(SYS_openat, folder, path, flags, mode));
  return static_cast<int>(
      perform("open", ENOSPC, SYS_openat, folder, path, flags, mode));
}

mode_t mode_of(int flags, va_list list) {
  return flags & O_CREAT ? static_cast<mode_t>(va_arg(list, unsigned)) : 0;
}

} // namespace

void arm(FailureKind failure_kind, int number) {
  plan = {};
  plan.failure_kind = failure_kind;
  plan.number = number;
  plan.is_armed = true;
}

int disarm() {
  plan.is_armed = false;
  return plan.failed;
}

bool has_renamed() { return plan.has_renamed; }
std::string failed_call() { return plan.call; }

} // namespace xlac::file_calls

using namespace xlac::file_calls;

extern "C" {

int open(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(folder, path, flags, mode);
}

int openat64(int folder, const char *path, int flags, ...) {
  va_list list;
  va_start(list, flags);
  mode_t mode = mode_of(flags, list);
  va_end(list);
  return open_file(folder, path, flags, mode);
}

ssize_t write(int file, const void *bytes, size_t size) {
  if (plan.is_armed && plan.failure_kind == FailureKind::Short &&
      plan.calls + 1 == plan.number && size > 1) {
    ++plan.calls;
    return syscall(SYS_write, file, bytes, size / 2);
  }
  return perform("write", ENOSPC, SYS_write, file, bytes, size);
}

ssize_t pwrite(int file, const void *bytes, size_t size, off_t offset) {
  return perform("pwrite", ENOSPC, SYS_pwrite64, file, bytes, size, offset);
}

ssize_t pwrite64(int file, const void *bytes, size_t size, off_t offset) {
  return perform("pwrite", ENOSPC, SYS_pwrite64, file, bytes, size, offset);
}

int fsync(int file) {
  return static_cast<int>(perform("fsync", EIO, SYS_fsync, file));
}

int close(int file) {
  bool fails = is_to_fail("close");
  auto result = static_cast<int>(syscall(SYS_close, file));
  if (plan.is_armed && plan.failure_kind == FailureKind::KillAfter &&
      plan.calls == plan.number)
    kill(getpid(), SIGKILL);
  if (!fails)
    return result;
  errno = EIO;
  return -1;
}

int ftruncate(int file, off_t size) noexcept {
  return static_cast<int>(perform("ftruncate", EIO, SYS_ftruncate, file, size));
}

int fchmod(int file, mode_t mode) noexcept {
  return static_cast<int>(perform("fchmod", EIO, SYS_fchmod, file, mode));
}

int mkdir(const char *path, mode_t mode) noexcept {
  return static_cast<int>(
      perform("mkdir", ENOSPC, SYS_mkdirat, AT_FDCWD, path, mode));
}

int mkdirat(int folder, const char *path, mode_t mode) noexcept {
  return static_cast<int>(
      perform("mkdir", ENOSPC, SYS_mkdirat, folder, path, mode));
}

int renameat(int from, const char *old, int to, const char *path) noexcept {
  long result = perform("rename", EIO, SYS_renameat2, from, old, to, path, 0u);
  plan.has_renamed |= plan.is_armed && result == 0;
  return static_cast<int>(result);
}

int rename(const char *old, const char *path) noexcept {
  return renameat(AT_FDCWD, old, AT_FDCWD, path);
}

int unlinkat(int folder, const char *path, int flags) noexcept {
  if (!kills())
    return static_cast<int>(syscall(SYS_unlinkat, folder, path, flags));
  return static_cast<int>(
      perform("unlink", EIO, SYS_unlinkat, folder, path, flags));
}

int unlink(const char *path) noexcept { return unlinkat(AT_FDCWD, path, 0); }

} // extern "C"
