// Contexts of programs in C: threads and messages.
#define _GNU_SOURCE
#include "xlac/rt.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum {
  kAlignment = 64,
  kMostThreads = 4096,
  // How often a thread looks for work before it sleeps: about 20 µs.
  kSpins = 500
};

/// A loop that threads execute together.
typedef struct Job {
  xlac_rt_piece piece;
  void *task;
  int64_t count, scratch_bytes;
  atomic_int_fast64_t next;
  atomic_int status;
} Job;

/// A thread and its scratch memory.
typedef struct Worker {
  struct Pool *pool;
  pthread_t thread;
  void *scratch;
  int64_t scratch_bytes;
} Worker;

typedef struct Pool {
  pthread_mutex_t mutex;
  pthread_cond_t begun, ended;
  Job *job;               // null: none
  atomic_uint generation; // of jobs, changed when one begins or the pool ends
  int busy;               // workers that have a job
  int finished;           // the pool ends
  int32_t count;          // workers
  Worker *workers;
} Pool;

static void run_pieces(Job *job, void *scratch) {
  int64_t i;
  while ((i = atomic_fetch_add(&job->next, 1)) < job->count) {
    int32_t status = job->piece(job->task, scratch, i, i + 1);
    int none = 0;
    if (status)
      atomic_compare_exchange_strong(&job->status, &none, status);
    if (atomic_load(&job->status))
      return;
  }
}

/// Whether the worker has `bytes` of scratch memory.
static int has_scratch(Worker *worker, int64_t bytes) {
  if (bytes <= worker->scratch_bytes)
    return 1;
  free(worker->scratch);
  int64_t rounded = (bytes + 4095) / 4096 * 4096;
  worker->scratch = aligned_alloc(kAlignment, (size_t)rounded);
  worker->scratch_bytes = worker->scratch ? rounded : 0;
  return worker->scratch != NULL;
}

static void pause_briefly(void) {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

static void *work(void *argument) {
  Worker *worker = argument;
  Pool *pool = worker->pool;
  unsigned seen = 0;
  pthread_mutex_lock(&pool->mutex);
  while (!pool->finished) {
    if (!pool->job || atomic_load(&pool->generation) == seen) {
      pthread_mutex_unlock(&pool->mutex);
      for (int i = 0; i < kSpins && atomic_load(&pool->generation) == seen; ++i)
        pause_briefly();
      pthread_mutex_lock(&pool->mutex);
      if (atomic_load(&pool->generation) == seen && !pool->finished)
        pthread_cond_wait(&pool->begun, &pool->mutex);
      else if (!pool->job)
        seen = atomic_load(&pool->generation);
      continue;
    }
    seen = atomic_load(&pool->generation);
    Job *job = pool->job;
    ++pool->busy;
    pthread_mutex_unlock(&pool->mutex);
    // Without memory, the other threads do the work.
    if (has_scratch(worker, job->scratch_bytes))
      run_pieces(job, worker->scratch);
    pthread_mutex_lock(&pool->mutex);
    if (--pool->busy == 0)
      pthread_cond_signal(&pool->ended);
  }
  pthread_mutex_unlock(&pool->mutex);
  free(worker->scratch);
  return NULL;
}

static int32_t parallel_for(xlac_rt_context *context, xlac_rt_piece piece,
                            void *task, int64_t count, void *scratch,
                            int64_t scratch_bytes) {
  if (count <= 1)
    return count < 1 ? 0 : piece(task, scratch, 0, 1);
  Pool *pool = context->threads;
  Job job = {.piece = piece,
             .task = task,
             .count = count,
             .scratch_bytes = scratch_bytes};
  pthread_mutex_lock(&pool->mutex);
  pool->job = &job;
  atomic_fetch_add(&pool->generation, 1);
  pthread_mutex_unlock(&pool->mutex);
  pthread_cond_broadcast(&pool->begun);
  run_pieces(&job, scratch);
  pthread_mutex_lock(&pool->mutex);
  pool->job = NULL;
  while (pool->busy > 0)
    pthread_cond_wait(&pool->ended, &pool->mutex);
  pthread_mutex_unlock(&pool->mutex);
  return atomic_load(&job.status);
}

static void end_pool(Pool *pool) {
  pthread_mutex_lock(&pool->mutex);
  pool->finished = 1;
  atomic_fetch_add(&pool->generation, 1);
  pthread_mutex_unlock(&pool->mutex);
  pthread_cond_broadcast(&pool->begun);
  for (int32_t i = 0; i < pool->count; ++i)
    pthread_join(pool->workers[i].thread, NULL);
  pthread_mutex_destroy(&pool->mutex);
  pthread_cond_destroy(&pool->begun);
  pthread_cond_destroy(&pool->ended);
  free(pool->workers);
  free(pool);
}

static int32_t processors(void) {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0)
    return CPU_COUNT(&set);
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online < 1 ? 1 : (int32_t)online;
}

int32_t xlac_rt_init_threads(xlac_rt_context *context, int32_t count) {
  xlac_rt_init_serial(context);
  if (count <= 0)
    count = processors();
  if (count > kMostThreads)
    count = kMostThreads;
  if (count == 1)
    return XLAC_RT_OK;
  Pool *pool = calloc(1, sizeof *pool);
  Worker *workers = calloc((size_t)count - 1, sizeof *workers);
  if (!pool || !workers) {
    free(pool);
    free(workers);
    return XLAC_RT_NO_MEMORY;
  }
  pool->workers = workers;
  pthread_mutex_init(&pool->mutex, NULL);
  pthread_cond_init(&pool->begun, NULL);
  pthread_cond_init(&pool->ended, NULL);
  for (; pool->count < count - 1; ++pool->count) {
    Worker *worker = workers + pool->count;
    worker->pool = pool;
    if (pthread_create(&worker->thread, NULL, work, worker) != 0) {
      end_pool(pool);
      return XLAC_RT_NO_MEMORY;
    }
  }
  context->threads = pool;
  context->parallel_for = parallel_for;
  return XLAC_RT_OK;
}

void xlac_rt_finish(xlac_rt_context *context) {
  if (context->parallel_for == parallel_for)
    end_pool(context->threads);
  xlac_rt_init_serial(context);
}

const char *xlac_rt_message(const xlac_rt_context *context) {
  if (context->message[0])
    return context->message;
  switch (context->status) {
  case XLAC_RT_OK:
    return "no failure";
  case XLAC_RT_NO_MEMORY:
    return "out of memory";
  case XLAC_RT_BAD_ARGUMENT:
    return "a pointer is null or not aligned";
  case XLAC_RT_BAD_SIZES:
    return "the object has no code for these sizes";
  case XLAC_RT_BAD_CPU:
    return "this processor lacks features of the object's targets";
  case XLAC_RT_BAD_WEIGHTS:
    return "not the weights file of this program";
  default:
    return "the program failed without a message";
  }
}

const void *xlac_rt_map_file(const char *path, uint64_t *bytes) {
  *bytes = 0;
  int file = open(path, O_RDONLY | O_CLOEXEC);
  if (file < 0)
    return NULL;
  struct stat status;
  void *address = MAP_FAILED;
  if (fstat(file, &status) == 0) {
    if (status.st_size > 0)
      address =
          mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE, file, 0);
    else
      errno = EINVAL;
  }
  int error = errno;
  close(file);
  errno = error;
  if (address == MAP_FAILED)
    return NULL;
  *bytes = (uint64_t)status.st_size;
  return address;
}

void xlac_rt_unmap_file(const void *address, uint64_t bytes) {
  if (address)
    munmap((void *)(uintptr_t)address, (size_t)bytes);
}
