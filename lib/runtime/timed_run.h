// One run of a program under a recorder: a context for the driver whose kernels
// and services note the time and pass on to the real ones. Kernels themselves
// get the real context, so what they call is part of them. Private to the
// component.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/runtime/launch_recorder.h"
#include "xlac/support/result.h"

#include <cstddef>

namespace xlac::runtime {

class TimedRun {
public:
  /// Both must outlive the run; `kernels` entries are in the context's table.
  TimedRun(LaunchRecorder &recorder, const xlac_ctx &real, size_t kernels)
      : recorder_(recorder), real_(real), kernel_count_(kernels) {}

  /// Calls `entry` with the context that records.
  Status run(xlac_entry_fn entry, const void *const *arguments,
             void *const *results, void *arena, int32_t &status);

  LaunchRecorder &recorder() const { return recorder_; }
  const xlac_ctx &real() const { return real_; }
  size_t kernel_count() const { return kernel_count_; }

private:
  LaunchRecorder &recorder_;
  const xlac_ctx &real_;
  size_t kernel_count_;
};

} // namespace xlac::runtime
