#include "xlac/lazy/disk_cache.h"

#include "xlac/support/fork.h"
#include "xlac/support/logging.h"
#include "xlac/support/raise.h"
#include "xlac/support/settings.h"

#include <cstdio>
#include <memory>
#include <mutex>

namespace xlac::lazy {

namespace {

struct State {
  ForkMutex mutex;
  bool settled = false;
  bool wanted = false;
  std::unique_ptr<cache::Store> store;
};

State &state() {
  static auto *instance = new State; // outlives static destructors
  return *instance;
}

/// If the directory is unusable, programs are compiled without a cache, with a
/// warning.
void open_locked(State &state, const std::filesystem::path &path,
                 bool readonly) {
  state.settled = true;
  if (cache::is_switched_off())
    return;
  state.wanted = true;
  auto opened =
      readonly ? cache::Store::open_readonly(path) : cache::Store::open(path);
  if (opened) {
    state.store = std::move(*opened);
    return;
  }
  // A read-only directory may be missing; it is treated as empty.
  std::error_code error;
  if (!readonly || std::filesystem::exists(path, error))
    log_warning("running without a cache: " + opened.error().message);
}

/// The first call fixes the cache that the environment selects.
State &settled() {
  State &instance = state();
  std::lock_guard lock(instance.mutex);
  if (instance.settled)
    return instance;
  instance.settled = true;
  auto path = text_setting(SettingId::PersistentCachePath);
  if (!path)
    path = text_setting(SettingId::CacheDir);
  if (path)
    open_locked(instance, *path,
                flag_setting(SettingId::PersistentCacheReadOnly));
  return instance;
}

} // namespace

void initialize_disk_cache(const std::filesystem::path &path, bool readonly) {
  State &instance = state();
  std::lock_guard lock(instance.mutex);
  if (instance.settled)
    raise<UserError>("Computation cache has already been initialized");
  open_locked(instance, path, readonly);
}

cache::Store *disk_cache() { return settled().store.get(); }

bool has_disk_cache() { return settled().wanted; }

void reset_disk_cache() {
  State &instance = state();
  std::lock_guard lock(instance.mutex);
  instance.settled = instance.wanted = false;
  instance.store.reset();
}

} // namespace xlac::lazy
