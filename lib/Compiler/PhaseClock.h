// Measures compile time by phase. Private to the component.
#ifndef XLAC_LIB_COMPILER_PHASECLOCK_H
#define XLAC_LIB_COMPILER_PHASECLOCK_H

#include "xlac/compiler.h"
#include "xlac/support/clock.h"

#include <unistd.h>

namespace xlac::compiler {

/// Records the phases of the thread that created it.
class PhaseClock {
public:
  /// With null, records nothing.
  explicit PhaseClock(std::vector<PhaseTime> *phases) : phases(phases) {}

  /// Ends the phase that began at the last mark.
  void mark(std::string phase) {
    Clock::time_point now = Clock::now();
    if (phases)
      phases->push_back(
          {std::move(phase),
           std::chrono::duration<double, std::milli>(now - last).count(),
           std::chrono::duration_cast<std::chrono::nanoseconds>(
               last.time_since_epoch())
               .count(),
           static_cast<int32_t>(gettid())});
    last = now;
  }

private:
  std::vector<PhaseTime> *phases;
  Clock::time_point last = Clock::now();
};

} // namespace xlac::compiler

#endif
