// A loop that a custom call runs in pieces, on any threads.
#pragma once

#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>

namespace xlac::library {

/// The body of a loop, and its first exception.
class CallLoop {
public:
  explicit CallLoop(const std::function<void(int64_t, int64_t)> &body)
      : body_(body) {}

  /// Runs a piece. Returns 1 after an exception, which it keeps, and else 0.
  int32_t run(int64_t begin, int64_t end) {
    try {
      body_(begin, end);
      return 0;
    } catch (...) {
      std::lock_guard lock(mutex_);
      if (!problem_)
        problem_ = std::current_exception();
      return 1;
    }
  }

  /// Called when all pieces have ended.
  void rethrow() const {
    if (problem_)
      std::rethrow_exception(problem_);
  }

private:
  const std::function<void(int64_t, int64_t)> &body_;
  std::mutex mutex_;
  std::exception_ptr problem_;
};

} // namespace xlac::library
