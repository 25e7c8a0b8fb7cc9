#include "WorkerThread.h"

#include <atomic>
#include <list>
#include <mutex>
#include <pthread.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace xlac::compiler {

constexpr size_t kStackBytes = 8u << 20;
/// As many threads as a compilation of a small program uses at the same time.
constexpr size_t kMostIdle = 4;

/// A thread that does one piece of work after another. Between two, it waits.
class PooledThread {
public:
  /// Throws std::system_error if the system cannot create a thread.
  PooledThread();

  void begin(std::function<void()> todo) {
    work = std::move(todo);
    set(State::Busy);
  }
  /// Waits for the end of the work, and returns its exception or null.
  std::exception_ptr wait() {
    state.wait(State::Busy, std::memory_order_acquire);
    return std::exchange(problem, nullptr);
  }
  /// Ends the thread, which must not be busy.
  void end() {
    begin(nullptr);
    pthread_join(thread, nullptr);
  }

private:
  enum class State : int { Idle, Busy };

  static void *run(void *self);
  void set(State now) {
    state.store(now, std::memory_order_release);
    state.notify_one();
  }

  std::atomic<State> state = State::Idle;
  std::function<void()> work;
  std::exception_ptr problem;
  pthread_t thread;
};

void *PooledThread::run(void *self) {
  auto &thread = *static_cast<PooledThread *>(self);
  while (true) {
    thread.state.wait(State::Idle, std::memory_order_acquire);
    if (!thread.work)
      return nullptr;
    thread.problem = exceptionOf(thread.work);
    thread.work = nullptr;
    thread.set(State::Idle);
  }
}

PooledThread::PooledThread() {
  pthread_attr_t attributes;
  int error = pthread_attr_init(&attributes);
  if (error == 0) {
    pthread_attr_setstacksize(&attributes, kStackBytes);
    error = pthread_create(&thread, &attributes, run, this);
    pthread_attr_destroy(&attributes);
  }
  if (error != 0)
    throw std::system_error(error, std::generic_category(),
                            "the compiler cannot start a thread");
}

namespace {

/// Threads without work. No thread is in the compiler during a fork, so its
/// mutex is free then. The child has none of the threads: it forgets them at
/// the first use. A handler of forks could not be registered during a fork.
class ThreadPool {
public:
  static ThreadPool &process() {
    static auto *pool = new ThreadPool; // outlives static destructors
    return *pool;
  }

  PooledThread *take() {
    {
      std::lock_guard lock(mutex);
      if (pid_t own = getpid(); std::exchange(process_id, own) != own)
        count = 0;
      if (count > 0)
        return idle[--count];
    }
    return new PooledThread;
  }
  void give(PooledThread *thread) {
    {
      std::lock_guard lock(mutex);
      if (count < kMostIdle) {
        idle[count++] = thread;
        return;
      }
    }
    retire(thread);
  }
  static void retire(PooledThread *thread) {
    thread->end();
    delete thread;
  }

private:
  std::mutex mutex;
  pid_t process_id = getpid(); ///< of the process that has the threads
  PooledThread *idle[kMostIdle] = {};
  size_t count = 0;
};

} // namespace

WorkerThread::WorkerThread(std::function<void()> work)
    : thread(ThreadPool::process().take()) {
  thread->begin(std::move(work));
}

WorkerThread::~WorkerThread() { (void)join(); }

std::exception_ptr WorkerThread::join() {
  if (PooledThread *done = std::exchange(thread, nullptr)) {
    problem = done->wait();
    // After a failure, LLVM's data of this thread may be inconsistent.
    if (problem)
      ThreadPool::retire(done);
    else
      ThreadPool::process().give(done);
  }
  return problem;
}

void runOnThreads(size_t threads, llvm::function_ref<void()> work) {
  std::list<WorkerThread> others;
  // If threads cannot be started, the existing threads do their work.
  (void)exceptionOf([&] {
    while (others.size() + 1 < threads)
      others.emplace_back([work] { work(); });
  });
  std::exception_ptr problem = exceptionOf(work);
  for (WorkerThread &other : others)
    if (std::exception_ptr thrown = other.join(); thrown && !problem)
      problem = thrown;
  if (problem)
    std::rethrow_exception(problem);
}

} // namespace xlac::compiler
