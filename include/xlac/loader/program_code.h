// The code that a program runs, which code for its own sizes may replace while
// the program runs.
#pragma once

#include "xlac/runtime/executable.h"

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

namespace xlac {

/// The members may be called from several threads.
class ProgramCode {
public:
  using Executable = std::shared_ptr<const runtime::Executable>;

  /// Code that is never replaced.
  explicit ProgramCode(Executable executable)
      : executable_(std::move(executable)) {}

  /// Code of which some kernels are for any size. After `runs` runs, code for
  /// the program's own sizes would have paid off. `key` is the name of the
  /// executable in the disk cache, `family` is CompilerOptions::family.
  ProgramCode(Executable executable, std::string key, std::string family,
              int64_t runs)
      : key_(std::move(key)), family_(std::move(family)),
        executable_(std::move(executable)), runs_(runs) {}

  const std::string &key() const { return key_; }
  const std::string &family() const { return family_; }

  /// The code for the next run.
  Executable executable() const {
    return executable_.load(std::memory_order_acquire);
  }

  /// Counts a run. Returns true once, when specialize() pays off.
  bool count_run() {
    return runs_.load(std::memory_order_relaxed) > 0 &&
           runs_.fetch_sub(1, std::memory_order_relaxed) == 1;
  }

  /// Sets the code of later runs. It has the same arguments and results.
  void replace(Executable executable) {
    executable_.store(std::move(executable), std::memory_order_release);
  }

private:
  const std::string key_, family_;
  std::atomic<Executable> executable_;
  std::atomic<int64_t> runs_{0}; ///< until the program is hot; then 0 or less
};

} // namespace xlac
