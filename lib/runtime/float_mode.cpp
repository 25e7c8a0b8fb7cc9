#include "xlac/runtime/float_mode.h"

#include "xlac/support/settings.h"

#include <atomic>

namespace xlac::runtime {

static std::atomic<unsigned> &chosen_mode() {
  static std::atomic<unsigned> mode = flag_setting(SettingId::FlushDenormal)
                                          ? kFlushingFloatMode
                                          : kDefaultFloatMode;
  return mode;
}

unsigned program_float_mode() {
  return chosen_mode().load(std::memory_order_relaxed);
}

void set_flush_denormal(bool flushes) {
  chosen_mode() = flushes ? kFlushingFloatMode : kDefaultFloatMode;
}

} // namespace xlac::runtime
