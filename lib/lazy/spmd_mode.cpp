#include "xlac/lazy/spmd_mode.h"

#include "xlac/support/logging.h"
#include "xlac/support/settings.h"

#include <atomic>

namespace xlac::lazy {

static std::atomic<bool> spmd_is_on{false}, spmd_is_automatic{false};

static bool is_asked_by_environment() {
  static const bool asked = [] {
    if (!flag_setting(SettingId::UseSpmd))
      return false;
    log_warning("XLA_USE_SPMD is deprecated, call xr::use_spmd() instead");
    return true;
  }();
  return asked;
}

bool is_spmd() {
  return spmd_is_on.load(std::memory_order_acquire) ||
         is_asked_by_environment();
}

bool is_automatic_spmd() { return is_spmd() && spmd_is_automatic; }

void set_spmd() { spmd_is_on = true; }

bool spmd_was_set() { return spmd_is_on; }

void set_automatic_spmd() { spmd_is_automatic = true; }

} // namespace xlac::lazy
