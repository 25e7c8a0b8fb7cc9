// Threads for what foreign functions schedule. They start with the first task.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <mutex>

namespace xlac::pjrt {

class TaskPool {
public:
  using Task = void (*)(void *data);

  /// The pool; it is never destroyed.
  static TaskPool &process();

  /// Calls task(data) once, on any thread, in any order; on the caller's where
  /// no thread can be started. Tasks may schedule tasks.
  void schedule(Task task, void *data);
  int64_t size() const { return size_; }

private:
  struct Shared;
  TaskPool();
  bool start_thread(const std::shared_ptr<Shared> &shared);

  const int64_t size_;
  std::mutex mutex_;
  std::shared_ptr<Shared> shared_;
  int process_id_ = 0; ///< of the process that the threads are in
};

} // namespace xlac::pjrt
