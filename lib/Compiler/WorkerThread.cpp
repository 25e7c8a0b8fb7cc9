#include "WorkerThread.h"

#include "llvm/Support/MathExtras.h"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <new>
#include <pthread.h>
#include <sys/mman.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace xlac::compiler {

constexpr size_t kStackBytes = 8u << 20;
/// As many threads as a compilation of a small program uses at the same time.
constexpr size_t kMostIdle = 4;

/// Prepares the heap of the calling thread for LLVM's many small objects. The C
/// library extends a thread's heap by one page at a time, and each page is
/// mapped at its first use. For a small program, that takes a tenth of the time
/// to compile it. Has no effect if another allocator replaces that of the C
/// library, or if there is no memory.
class PreparedHeap {
public:
  PreparedHeap() {
    // The C library maps blocks above a threshold separately. To free a larger
    // one raises the threshold, and the size from which it returns free memory
    // at the end of a heap.
    allocate(kBytes + kHugePage).reset();
    Block probe = allocate(1);
    if (!probe)
      return;
    // Pages at the begin of the heap are in use already, so that the next huge
    // page is the first one that can be mapped as a whole.
    uintptr_t begin = addressOf(probe);
    skipped =
        allocate(llvm::alignTo(begin + 2 * kPage, kHugePage) - kPage - begin);
    Block heap = allocate(kBytes);
    if (!heap)
      return;
    begin = llvm::alignTo(addressOf(heap), kPage);
    (void)madvise(reinterpret_cast<void *>(begin), kBytes - kPage,
                  MADV_HUGEPAGE);
  }

private:
  struct Free {
    void operator()(void *block) const { ::operator delete(block); }
  };
  using Block = std::unique_ptr<void, Free>;

  static constexpr size_t kPage = 4096, kHugePage = 2u << 20;
  static constexpr size_t kBytes = 4 * kHugePage;

  /// Not a new-expression, which compilers may omit. Null without memory.
  static Block allocate(size_t size) {
    return Block(::operator new(size, std::nothrow));
  }
  static uintptr_t addressOf(const Block &block) {
    return reinterpret_cast<uintptr_t>(block.get());
  }

  Block skipped; ///< the rest of a huge page; never touched
};

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
  PreparedHeap heap;
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
