// The end of what an exhausted switch leaves to run.
#ifndef XLAC_SUPPORT_UNREACHABLE_H
#define XLAC_SUPPORT_UNREACHABLE_H

#include <cassert>

namespace xlac {

/// Says that control never comes here, whatever the input: `what` names the
/// values that all have been handled. Stops a build with asserts and is
/// undefined in others.
[[noreturn]] inline void unreachable([[maybe_unused]] const char *what) {
  assert(!what && "control came to where it cannot");
  __builtin_unreachable();
}

} // namespace xlac

#endif
