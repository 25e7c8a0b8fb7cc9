// The function table that native code calls, and the state of a run behind
// xlac_ctx::runtime.
#pragma once

#include "xlac/abi/abi.h"

#include "xlac/support/result.h"

#include <functional>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <vector>

namespace xlac::runtime {

class RunContext;
class StartedCollectives;
struct ExecutableImage;
class HostCall;
using HostCalls = std::vector<std::shared_ptr<const HostCall>>;

/// The state of one run of a program.
class RunState {
public:
  RunState(RunContext &context, const ExecutableImage &image,
           const HostCalls &host_calls, int threads);
  ~RunState();

  RunContext &context() const { return context_; }
  const ExecutableImage &image() const { return image_; }
  /// For each collective of the image that is a custom call, the call; null for
  /// others.
  const HostCalls &host_calls() const { return host_calls_; }
  int threads() const { return threads_; }
  /// The collectives that the run has started; `function` executes them.
  StartedCollectives &
  started(std::function<int32_t(int32_t, void *const *)> function);
  /// The same, or null if none has been started.
  StartedCollectives *started() const { return started_.get(); }
  /// Stores the first failure of the run.
  void fail(Failure failure);
  void fail(std::string message) {
    fail(failure(FailureKind::Runtime, std::move(message)));
  }
  /// The same with the result of `make`, or an out-of-memory failure. Native
  /// code calls services, and exceptions must not pass through it.
  template <class Make> void fail_with(const Make &make) {
    try {
      fail(make());
    } catch (const std::bad_alloc &) {
      fail(failure(FailureKind::OutOfMemory,
                   "out of memory")); // needs no allocation
    }
  }
  /// The message, or a text that says there is none.
  std::string message();
  FailureKind failure_kind();

private:
  RunContext &context_;
  const ExecutableImage &image_;
  const HostCalls &host_calls_;
  const int threads_;
  const int outer_threads_; ///< of a run that this one interrupts
  std::mutex mutex_;
  Failure failure_;
  std::unique_ptr<StartedCollectives> started_;
};

/// The services of collectives.
int32_t call_collective(const xlac_ctx *ctx, int32_t number,
                        void *const *buffers);
int32_t start_collective(const xlac_ctx *ctx, int32_t number,
                         void *const *buffers);
int32_t await_collective(const xlac_ctx *ctx, int32_t number);

/// The service of tables of launches (xlac/abi/launches.h).
int32_t run_launches(const xlac_ctx *ctx, const int64_t *table, int64_t count,
                     const void *const *args, void *const *results, void *arena,
                     void **slots);
/// The same, with joined launches one after the other, so that each has a time.
int32_t run_launches_in_order(const xlac_ctx *ctx, const int64_t *table,
                              int64_t count, const void *const *args,
                              void *const *results, void *arena, void **slots);

/// The table, the same for every run.
const xlac_services &runtime_services();

} // namespace xlac::runtime
