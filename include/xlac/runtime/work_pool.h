// The worker threads of the process. They start with the first loop that needs
// them. A loop's caller takes part in it, and tasks must not block. Safe to
// fork: the child starts new threads.
#pragma once

#include <atomic>
#include <cstdint>

namespace xlac::runtime {

class WorkPool {
public:
  /// Runs tasks [begin, end); a nonzero result is a failure.
  using Piece = int32_t (*)(void *state, int64_t begin, int64_t end);

  /// The most parts that a loop is divided into: one for each thread. Further
  /// threads only help others.
  static constexpr int kMostParts = 128;

  static WorkPool &process();

  /// Threads that a loop may use, including its caller.
  int size() const { return size_; }

  /// The largest number of threads that later loops use, at most size().
  void set_limit(int threads);
  int limit() const { return limit_.load(std::memory_order_relaxed); }

  /// Runs `piece` over [0, n) in pieces of `grain` tasks (the last may be
  /// shorter) on at most `max_threads` threads; 0 means limit(). Pieces depend
  /// only on n and grain. Each thread starts with its own range, the same in
  /// every such loop, and then helps the others. After a failure no further
  /// piece starts, and the first recorded failure is returned. A nested call
  /// runs on the calling thread only.
  int32_t run(Piece piece, void *state, int64_t n, int64_t grain,
              int max_threads = 0);

private:
  struct State;
  WorkPool();
  void start_threads();
  void work();
  static void *thread_main(void *pool);

  int size_;
  std::atomic<int> limit_;
  State *state_;
};

} // namespace xlac::runtime
