// A recorded run of a program: a context whose kernels and services measure
// time and forward to the real ones. Kernels get the real context, so services
// that they call count as part of the kernel. Private to the component.
#pragma once

#include "xlac/abi/abi.h"
#include "xlac/runtime/launch_recorder.h"
#include "xlac/support/result.h"

#include <cstddef>

namespace xlac::runtime {

class TimedRun {
public:
  /// Both must outlive the run. The context's table has `kernels` entries.
  TimedRun(LaunchRecorder &recorder, const xlac_ctx &real, size_t kernels)
      : recorder_(recorder), real_(real), kernel_count_(kernels) {}

  /// Calls `entry` with the recording context.
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
