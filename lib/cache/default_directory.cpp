#include "xlac/cache/store.h"
#include "xlac/support/settings.h"

#include <cstdlib>
#include <cstring>
#include <pwd.h>
#include <unistd.h>

namespace xlac::cache {

static const char *variable(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? value : nullptr;
}

bool is_switched_off() { return !flag_setting(SettingId::Cache, true); }

std::filesystem::path default_directory() {
  if (auto directory = text_setting(SettingId::CacheDir))
    return *directory;
  // The XDG specification ignores relative paths.
  if (const char *directory = variable("XDG_CACHE_HOME"))
    if (*directory == '/')
      return std::filesystem::path(directory) / "xlac";
  const char *home = variable("HOME");
  if (!home) {
    const passwd *user = getpwuid(geteuid());
    home = user && user->pw_dir && *user->pw_dir ? user->pw_dir : nullptr;
  }
  if (home)
    return std::filesystem::path(home) / ".cache" / "xlac";
  return "/tmp/xlac-cache-" + std::to_string(geteuid());
}

} // namespace xlac::cache
