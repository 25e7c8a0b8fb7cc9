// Calls a routine of the library component from C. Private to the component.
#pragma once

#include "xlac/abi/objects.h"
#include "xlac/support/result.h"

#include <cstring>
#include <exception>
#include <new>

namespace xlac::rt {

/// Runs a routine, which may throw. Returns 0, or 1 after the
/// failure was recorded in the call's state.
template <class Routine>
int32_t run(const xlac_ctx *ctx, const Routine &routine) {
  constexpr char no_memory[] = "out of memory";
  try {
    Status status = routine();
    if (status)
      return 0;
    const Failure &why = status.error();
    return xlac_object_fail(
        ctx,
        why.failure_kind == FailureKind::OutOfMemory ? XLAC_RT_NO_MEMORY
                                                     : XLAC_RT_FAILED,
        why.message.data(), static_cast<int64_t>(why.message.size()));
  } catch (const std::bad_alloc &) {
    return xlac_object_fail(ctx, XLAC_RT_NO_MEMORY, no_memory,
                            sizeof no_memory - 1);
  } catch (const std::exception &problem) {
    return xlac_object_fail(ctx, XLAC_RT_FAILED, problem.what(),
                            static_cast<int64_t>(std::strlen(problem.what())));
  }
}

} // namespace xlac::rt
