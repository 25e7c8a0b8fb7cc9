// The thread pool of foreign functions. Threads start when they are needed.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace xlac::pjrt {

/// Thread-safe. After a fork, the child process starts its own threads.
class TaskPool {
public:
  /// Must not throw.
  using Task = void (*)(void *data);

  /// Returns the pool of this process, which is never destroyed.
  static TaskPool &process();

  /// Calls task(data) once on a thread of the pool, or on the calling thread if
  /// no thread can be started. Tasks may run in any order and may schedule
  /// other tasks.
  void schedule(Task task, void *data);
  /// The maximum number of threads.
  int64_t size() const { return size_; }

private:
  struct Shared;
  TaskPool();
  bool start_thread(const std::shared_ptr<Shared> &shared);

  const int64_t size_;
  std::mutex mutex_;
  std::shared_ptr<Shared> shared_;
  int process_id_ = 0; ///< the process that created `shared_`
};

} // namespace xlac::pjrt
