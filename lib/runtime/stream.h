// An ordered queue of work with a thread of its own that starts with the first
// work it gets. One piece of work runs at a time, wherever it runs.
#pragma once

#include "xlac/support/clock.h"

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

namespace xlac::runtime {

/// A piece of work. May block, unless it was submitted as short.
class StreamWork {
public:
  virtual ~StreamWork() = default;
  virtual void run() = 0;
};

class Stream {
public:
  Stream();
  /// Runs what is queued, then ends the thread.
  ~Stream();

  /// Runs `work` after all that came before. `is_short` work that finds the
  /// stream idle runs here and now.
  void submit(std::unique_ptr<StreamWork> work, bool is_short);

  /// Blocks until everything submitted before has run. On the stream's own
  /// thread it returns at once.
  void drain();
  bool is_idle() const;

  /// Holds the idle stream through a fork; false if it is not idle before
  /// `end`. Work that forks holds its own stream: the child's starts empty.
  bool before_fork(Clock::time_point end);
  void after_fork(bool in_child);

private:
  /// Made anew in a forked child: conditions remember who waited.
  struct Conditions {
    std::condition_variable work, idle;
  };

  static void *thread_main(void *stream);
  bool start_thread();
  void serve();
  bool is_own_thread() const;

  mutable std::mutex mutex_;
  Conditions *conditions_;
  std::deque<std::unique_ptr<StreamWork>> queue_;
  bool busy_ = false, started_ = false, stopping_ = false;
  unsigned long thread_ = 0;
};

} // namespace xlac::runtime
