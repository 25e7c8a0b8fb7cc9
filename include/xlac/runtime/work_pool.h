// The process's one pool of worker threads. No thread exists before the first
// loop that needs one; a loop's caller takes part in it, and what a loop runs
// must not block. Safe to fork: the child starts threads of its own.
#pragma once

#include <cstdint>

namespace xlac::runtime {

class WorkPool {
public:
  /// Does tasks [begin, end); nonzero is a failure.
  using Piece = int32_t (*)(void *state, int64_t begin, int64_t end);

  static WorkPool &process();

  /// Threads that a loop may use, its caller included.
  int size() const { return size_; }

  /// Runs `piece` over [0, n) in pieces of `grain` tasks (the last may be
  /// shorter) on at most `max_threads` threads, 0 being size(). Pieces depend
  /// on n and grain alone; each thread begins with a part of its own, the same
  /// in every such loop, and then helps the others. After a failure no further
  /// piece starts, and the first one recorded is returned. Within a piece it
  /// runs on its caller alone.
  int32_t run(Piece piece, void *state, int64_t n, int64_t grain,
              int max_threads = 0);

private:
  struct Job;
  struct State;
  WorkPool();
  void start_threads();
  void work();
  Job *join();
  void leave(Job &job);
  static void *thread_main(void *pool);

  int size_;
  State *state_;
};

} // namespace xlac::runtime
