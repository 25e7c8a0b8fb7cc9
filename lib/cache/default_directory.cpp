#include "xlac/cache/store.h"

#include <cstdlib>
#include <cstring>
#include <pwd.h>
#include <unistd.h>

namespace xlac::cache {

static const char *setting(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? value : nullptr;
}

bool is_switched_off() {
  const char *value = setting("XLAC_CACHE");
  return value && std::strcmp(value, "off") == 0;
}

std::filesystem::path default_directory() {
  if (const char *directory = setting("XLAC_CACHE_DIR"))
    return directory;
  // The XDG rules have relative paths ignored.
  if (const char *directory = setting("XDG_CACHE_HOME"))
    if (*directory == '/')
      return std::filesystem::path(directory) / "xlac";
  const char *home = setting("HOME");
  if (!home) {
    const passwd *user = getpwuid(geteuid());
    home = user && user->pw_dir && *user->pw_dir ? user->pw_dir : nullptr;
  }
  if (home)
    return std::filesystem::path(home) / ".cache" / "xlac";
  return "/tmp/xlac-cache-" + std::to_string(geteuid());
}

} // namespace xlac::cache
