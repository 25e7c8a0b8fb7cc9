#include "WorkerThread.h"

#include <list>
#include <system_error>

namespace xlac::compiler {

constexpr size_t kStackBytes = 8u << 20;

void *WorkerThread::run(void *self) {
  auto &thread = *static_cast<WorkerThread *>(self);
  thread.problem = exceptionOf(thread.work);
  return nullptr;
}

WorkerThread::WorkerThread(std::function<void()> todo) : work(std::move(todo)) {
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

WorkerThread::~WorkerThread() { (void)join(); }

std::exception_ptr WorkerThread::join() {
  if (std::exchange(isRunning, false))
    pthread_join(thread, nullptr);
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
