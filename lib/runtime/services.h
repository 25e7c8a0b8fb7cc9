// The function table that native code calls, and what one run keeps behind
// xlac_ctx::runtime.
#pragma once

#include "xlac/abi/abi.h"

#include <mutex>
#include <string>

namespace xlac {

/// The state of one run of a program.
class RunState {
public:
  explicit RunState(int threads) : threads_(threads) {}

  int threads() const { return threads_; }
  /// Keeps the first message of the run.
  void fail(std::string message);
  /// The message, or a text that says there is none.
  std::string message();

private:
  const int threads_;
  std::mutex mutex_;
  std::string message_;
};

/// The table, the same for every run.
const xlac_services &runtime_services();

} // namespace xlac
