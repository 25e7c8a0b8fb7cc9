// An ordered work queue with a thread of its own, which starts with the first
// queued work. Only one piece of work runs at a time, on any thread.
#pragma once

#include "xlac/support/clock.h"

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>

namespace xlac::runtime {

/// The threads that may run a piece of work.
enum class RunsOn : uint8_t {
  Caller, ///< the calling thread if the stream is idle; the work is short
  Waiter, ///< the stream's thread, or one that waits for the work
  Stream, ///< the stream's thread; the work may block
};

/// A piece of work.
class StreamWork {
public:
  virtual ~StreamWork() = default;
  virtual void run() = 0;
};

class Stream {
public:
  Stream();
  ~Stream();
  /// Runs the queued work, then ends the thread. Nothing may be submitted
  /// after it.
  void stop();

  /// Runs `work` after all previous work.
  void submit(std::unique_ptr<StreamWork> work, RunsOn runs_on);

  /// Runs queued work until `is_done` returns true, or another thread runs the
  /// next work, or it may not run here. Called by threads that are about to
  /// wait for the work: taking it over is faster than waking the stream's
  /// thread and being woken by it.
  void run_queued(const std::function<bool()> &is_done);

  /// Runs `work` without waiting for the queue. For calls from work that runs
  /// on a stream. It runs on the calling thread, or on a new thread if it waits
  /// for work that the calling thread has yet to start.
  void run_unqueued(std::unique_ptr<StreamWork> work, bool waits_for_others);
  /// Lets another thread serve the queue of this thread's stream. Called before
  /// work waits for something that may be queued behind it. Has no effect on
  /// threads that serve no stream.
  static void release_queue();

  /// Blocks until everything submitted before has run. On a thread of the
  /// stream's own it returns at once.
  void drain();
  bool is_idle() const;

  /// Locks the idle stream for a fork; false if it is not idle before `end`.
  /// Work that forks holds its own stream: in the child the stream is empty.
  bool before_fork(Clock::time_point end);
  void after_fork(bool in_child);

private:
  /// Recreated in a forked child, since condition variables remember waiters.
  struct Conditions {
    std::condition_variable work, idle;
  };

  static void *thread_main(void *stream);
  bool start_thread();
  void serve();
  /// Runs `work` without the lock; the stream is busy meanwhile.
  void run(std::unique_ptr<StreamWork> work,
           std::unique_lock<std::mutex> &lock);
  void notify_after_run();
  bool is_own_thread() const;
  bool is_idle_locked() const {
    return queue_.empty() && !busy_ && unqueued_ == 0;
  }
  void end_unqueued();

  mutable std::mutex mutex_;
  Conditions *conditions_;
  struct Queued {
    std::unique_ptr<StreamWork> work;
    RunsOn runs_on;
  };
  std::deque<Queued> queue_;
  bool busy_ = false, started_ = false, stopping_ = false;
  int unqueued_ = 0; ///< pieces of work that run outside the queue
  unsigned long thread_ = 0;
};

} // namespace xlac::runtime
