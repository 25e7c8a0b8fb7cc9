// Threads that run LLVM. LLVM's own end the process if their work throws or if
// there is no such thread. Private to the component.
#ifndef XLAC_LIB_COMPILER_WORKERTHREAD_H
#define XLAC_LIB_COMPILER_WORKERTHREAD_H

#include "xlac/Jit/Jit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <exception>
#include <functional>
#include <pthread.h>

namespace xlac::compiler {

using jit::exceptionOf;

/// A thread with 8 MiB of stack, since LLVM recurses deeply.
class WorkerThread {
public:
  /// Begins `work`. Throws std::system_error if the system has no thread left.
  explicit WorkerThread(std::function<void()> work);
  /// Waits for the end of the work, unless join() did.
  ~WorkerThread();
  WorkerThread(const WorkerThread &) = delete;
  WorkerThread &operator=(const WorkerThread &) = delete;

  /// Waits for the end of the work, and returns what it threw, or null.
  std::exception_ptr join();

private:
  static void *run(void *self);

  std::function<void()> work;
  std::exception_ptr problem;
  pthread_t thread;
  bool isRunning = true;
};

/// Runs `work` on the caller and on as many more threads as make `threads`, or
/// on fewer if there is no memory for them. Throws what one of them threw,
/// after all have ended.
void runOnThreads(size_t threads, llvm::function_ref<void()> work);

} // namespace xlac::compiler

#endif
