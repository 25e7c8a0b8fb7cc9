// MpSerialExecutor: a robust lock in memory that forked processes share. The
// lock is released when its holder dies.
#include "xlac/distributed/multiprocessing.h"
#include "xlac/support/raise.h"

#include <cerrno>
#include <pthread.h>
#include <sys/mman.h>

namespace xlac::distributed {

static pthread_mutex_t *mutex_of(void *lock) {
  return static_cast<pthread_mutex_t *>(lock);
}

MpSerialExecutor::MpSerialExecutor() {
  void *memory = mmap(nullptr, sizeof(pthread_mutex_t), PROT_READ | PROT_WRITE,
                      MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (memory == MAP_FAILED)
    raise<RuntimeError>("MpSerialExecutor: no shared memory");
  pthread_mutexattr_t attributes;
  pthread_mutexattr_init(&attributes);
  pthread_mutexattr_setpshared(&attributes, PTHREAD_PROCESS_SHARED);
  pthread_mutexattr_setrobust(&attributes, PTHREAD_MUTEX_ROBUST);
  pthread_mutex_init(mutex_of(memory), &attributes);
  pthread_mutexattr_destroy(&attributes);
  // The mutex is not destroyed, since other processes may still use it.
  lock_ = std::shared_ptr<void>(
      memory, [](void *held) { munmap(held, sizeof(pthread_mutex_t)); });
}

MpSerialExecutor::Turn::Turn(const MpSerialExecutor &executor)
    : lock_(executor.lock_.get()) {
  if (pthread_mutex_lock(mutex_of(lock_)) == EOWNERDEAD)
    pthread_mutex_consistent(mutex_of(lock_));
}

MpSerialExecutor::Turn::~Turn() { pthread_mutex_unlock(mutex_of(lock_)); }

} // namespace xlac::distributed
