// The size limit of a store: XLAC_CACHE_LIMIT, else a file in the directory,
// else the default.
#include "folder.h"

#include "xlac/cache/store.h"
#include "xlac/support/settings.h"

#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace xlac::cache {

namespace {
constexpr char kLimitFile[] = "limit";
} // namespace

std::string_view to_string(LimitOrigin origin) {
  switch (origin) {
  case LimitOrigin::Default:
    return "default";
  case LimitOrigin::Directory:
    return "xlac cache limit";
  case LimitOrigin::Environment:
    return "XLAC_CACHE_LIMIT";
  case LimitOrigin::Caller:
    return "caller";
  }
  return {};
}

/// The number of bytes in the directory's file, unless others could have
/// written it.
static std::optional<int64_t> limit_in(int root) {
  File file(
      openat(root, kLimitFile, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK));
  struct stat status;
  std::string reason;
  if (!file || fstat(file.get(), &status) != 0 || !S_ISREG(status.st_mode) ||
      !is_private(status, reason))
    return std::nullopt;
  char text[32];
  ssize_t size = ::read(file.get(), text, sizeof text);
  int64_t limit = 0;
  if (size <= 0)
    return std::nullopt;
  auto [end, error] = std::from_chars(text, text + size, limit);
  bool is_valid = error == std::errc() && limit >= 0 &&
                  end == text + size - 1 && *end == '\n';
  return is_valid ? std::optional(limit) : std::nullopt;
}

Limit find_limit(int root) {
  if (auto limit = integer_setting(SettingId::CacheLimit))
    return {*limit, LimitOrigin::Environment};
  if (auto limit = limit_in(root))
    return {*limit, LimitOrigin::Directory};
  return {kDefaultLimit, LimitOrigin::Default};
}

Status Store::set_limit(int64_t bytes) {
  XLAC_RETURN_IF_ERROR(check_writable());
  std::string text = std::to_string(bytes) + "\n";
  if (!write_entry(root_, kLimitFile, std::as_bytes(std::span(text)),
                   /*sync=*/true))
    return failure(FailureKind::Runtime, directory_.string() +
                                             ": the limit cannot be written: " +
                                             std::strerror(errno));
  return prune(bytes);
}

} // namespace xlac::cache
