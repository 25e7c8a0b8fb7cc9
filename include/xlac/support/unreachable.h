// Marks code that cannot be reached, such as the end of an exhausted switch.
#ifndef XLAC_SUPPORT_UNREACHABLE_H
#define XLAC_SUPPORT_UNREACHABLE_H

#include <cassert>

namespace xlac {

/// Marks a place that no input can reach; `what` names the values that were all
/// handled. It aborts a build with asserts and is undefined behavior otherwise.
[[noreturn]] inline void unreachable([[maybe_unused]] const char *what) {
  assert(!what && "control came to where it cannot");
  __builtin_unreachable();
}

} // namespace xlac

#endif
