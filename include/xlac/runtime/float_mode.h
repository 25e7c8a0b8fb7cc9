// The floating-point mode of compiled code.
#pragma once

#include <xmmintrin.h>

namespace xlac::runtime {

/// While it lives, this thread has the processor's default mode: it rounds to
/// nearest, keeps subnormal numbers and masks exceptions. Programs may run on a
/// caller's thread or on others, and results must not depend on which one.
class DefaultFloatMode {
public:
  DefaultFloatMode() : mode_(_mm_getcsr()) {
    if (differs())
      _mm_setcsr(kDefault);
  }
  ~DefaultFloatMode() {
    if (differs())
      _mm_setcsr(mode_);
  }
  DefaultFloatMode(const DefaultFloatMode &) = delete;
  DefaultFloatMode &operator=(const DefaultFloatMode &) = delete;

private:
  /// The lowest six bits record exceptions.
  static constexpr unsigned kDefault = 0x1f80, kRecords = 0x3f;
  bool differs() const { return (mode_ & ~kRecords) != kDefault; }

  const unsigned mode_;
};

} // namespace xlac::runtime
