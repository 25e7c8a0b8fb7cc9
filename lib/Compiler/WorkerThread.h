// Threads that run LLVM. LLVM's own threads end the process if their work
// throws or if they cannot be created. Private to the component.
#ifndef XLAC_LIB_COMPILER_WORKERTHREAD_H
#define XLAC_LIB_COMPILER_WORKERTHREAD_H

#include "xlac/Jit/Jit.h"

#include "llvm/ADT/STLFunctionalExtras.h"

#include <exception>
#include <functional>

namespace xlac::compiler {

using jit::exceptionOf;

class PooledThread;

/// Work on a thread with 8 MiB of stack, because LLVM recurses deeply. A few
/// threads stay for later work: to create one, with its heap, takes as long as
/// some phases of a small program.
class WorkerThread {
public:
  /// Starts `work`. Throws std::system_error if the system cannot create a
  /// thread.
  explicit WorkerThread(std::function<void()> work);
  /// Waits for the end of the work unless join() has.
  ~WorkerThread();
  WorkerThread(const WorkerThread &) = delete;
  WorkerThread &operator=(const WorkerThread &) = delete;

  /// Waits for the end of the work, and returns its exception or null.
  std::exception_ptr join();

private:
  PooledThread *thread; ///< null after join()
  std::exception_ptr problem;
};

/// Runs `work` on the caller and on additional threads, `threads` in total, or
/// on fewer if there is no memory for them. Rethrows an exception of one of
/// them after all have ended.
void runOnThreads(size_t threads, llvm::function_ref<void()> work);

} // namespace xlac::compiler

#endif
