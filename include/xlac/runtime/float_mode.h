// The floating-point mode of compiled code.
#pragma once

#include <xmmintrin.h>

namespace xlac::runtime {

/// Rounds to nearest, keeps subnormal numbers and masks exceptions.
inline constexpr unsigned kDefaultFloatMode = 0x1f80;
/// Treats subnormal operands and results as zero.
inline constexpr unsigned kFlushingFloatMode = kDefaultFloatMode | 0x8040;

/// Returns this thread's mode.
inline unsigned current_float_mode() {
  constexpr unsigned kRecords = 0x3f; // of exceptions
  return _mm_getcsr() & ~kRecords;
}

/// While it lives, this thread has another mode. Programs may run on a caller's
/// thread or on others, and results must not depend on which one.
class FloatMode {
public:
  explicit FloatMode(unsigned mode)
      : before_(_mm_getcsr()), is_other_(mode != current_float_mode()) {
    if (is_other_)
      _mm_setcsr(mode);
  }
  ~FloatMode() {
    if (is_other_)
      _mm_setcsr(before_);
  }
  FloatMode(const FloatMode &) = delete;
  FloatMode &operator=(const FloatMode &) = delete;

private:
  const unsigned before_;
  const bool is_other_;
};

/// The mode of programs: the default mode unless `set_flush_denormal` or
/// XLAC_FLUSH_DENORMAL chooses the other one.
unsigned program_float_mode();
void set_flush_denormal(bool flushes);

} // namespace xlac::runtime
