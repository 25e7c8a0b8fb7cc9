// Custom calls: passes the buffers of a program to a host function.
#pragma once

#include "xlac/runtime/call_check.h"
#include "xlac/runtime/collective.h"

#include <atomic>
#include <memory>
#include <vector>

namespace xlac::runtime {

/// A custom call of a loaded program. Several runs may make it at once.
class HostCall {
public:
  /// Finds the function; User failure if it is not registered. If the call is
  /// not as the function declares: a failure for CallCheck::Load, else a call
  /// that fails. The result refers to `what`.
  static Result<std::shared_ptr<const HostCall>> find(const Collective &what,
                                                      CallCheck check);
  ~HostCall();

  /// Calls the function on buffers, with loops over at most `threads` threads
  /// (0 for all). An exception becomes the failure. The caller sets the fields
  /// of `origin` that the image does not contain.
  Status run(std::span<void *const> operands, std::span<void *const> results,
             int threads, CustomCallOrigin origin) const;

private:
  /// Descriptions of operands and results; a run fills in the addresses.
  struct Tensors {
    std::vector<CustomCallTensor> operands, results;
  };
  explicit HostCall(const Collective &what) : what_(what) {}
  std::unique_ptr<Tensors> describe_tensors() const;

  const Collective &what_;
  std::shared_ptr<const CustomCallFunction> function_;
  /// Those of a run that has ended, for the next run; null while in use.
  mutable std::atomic<Tensors *> spare_{nullptr};
};

/// Whether this thread is inside of HostCall::run.
bool is_in_host_call();

} // namespace xlac::runtime
