#include "task_pool.h"

#include "xlac/runtime/signal_masked_thread.h"
#include "xlac/runtime/work_pool.h"

#include <condition_variable>
#include <unistd.h>
#include <utility>

namespace xlac::pjrt {

/// The queue of the threads. A child process gets a new one after a fork.
struct TaskPool::Shared {
  std::mutex mutex;
  std::condition_variable arrived;
  std::deque<std::pair<Task, void *>> tasks;
  int64_t threads = 0, idle = 0;

  void work() {
    std::unique_lock lock(mutex);
    while (true) {
      ++idle;
      arrived.wait(lock, [&] { return !tasks.empty(); });
      --idle;
      auto [task, data] = tasks.front();
      tasks.pop_front();
      lock.unlock();
      task(data);
      lock.lock();
    }
  }
};

TaskPool &TaskPool::process() {
  static TaskPool *one = new TaskPool();
  return *one;
}

TaskPool::TaskPool() : size_(runtime::WorkPool::process().size()) {}

bool TaskPool::start_thread(const std::shared_ptr<Shared> &shared) {
  auto main = [](void *argument) -> void * {
    std::unique_ptr<std::shared_ptr<Shared>> own(
        static_cast<std::shared_ptr<Shared> *>(argument));
    (*own)->work();
    return nullptr;
  };
  auto argument = std::make_unique<std::shared_ptr<Shared>>(shared);
  pthread_t thread;
  if (!runtime::start_signal_masked_thread(thread, "xlac-ffi", main,
                                           argument.get()))
    return false;
  argument.release();
  pthread_detach(thread);
  return true;
}

void TaskPool::schedule(Task task, void *data) {
  std::shared_ptr<Shared> shared;
  {
    std::lock_guard lock(mutex_);
    if (!shared_ || process_id_ != getpid()) {
      // After a fork, the queue's threads do not exist and its mutex may be
      // locked. It is leaked, because it cannot be destroyed safely.
      if (shared_)
        new std::shared_ptr<Shared>(std::move(shared_));
      shared_ = std::make_shared<Shared>();
    }
    process_id_ = getpid();
    shared = shared_;
  }
  {
    std::lock_guard lock(shared->mutex);
    bool needs_thread = shared->idle <= int64_t(shared->tasks.size()) &&
                        shared->threads < size_;
    if (needs_thread && start_thread(shared))
      ++shared->threads;
    if (shared->threads > 0) {
      shared->tasks.emplace_back(task, data);
      shared->arrived.notify_one();
      return;
    }
  }
  task(data);
}

} // namespace xlac::pjrt
