/* Runs programs that `xlac compile --emit obj` has compiled for C. Plain C11,
 * also for C++. The serial context is in this header alone; functions without a
 * body are in libxlac_rt.a, which needs the C library and POSIX threads. */
#ifndef XLAC_RT_H
#define XLAC_RT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#ifndef XLAC_RT_STATUS
#define XLAC_RT_STATUS
/** Results of the functions of compiled programs. Headers of programs contain
 * the same list. */
enum xlac_rt_status {
  XLAC_RT_OK = 0,
  XLAC_RT_FAILED = 1,       /**< the program failed; see xlac_rt_message */
  XLAC_RT_NO_MEMORY = 2,    /**< a routine of libxlac_rt.a found no memory */
  XLAC_RT_BAD_ARGUMENT = 3, /**< a pointer is null or not aligned */
  XLAC_RT_BAD_SIZES = 4,    /**< the object has no code for these sizes */
  XLAC_RT_BAD_CPU = 5,      /**< the processor lacks features of the target */
  XLAC_RT_BAD_WEIGHTS = 6   /**< not the weights file of this program */
};
#endif

/** Runs pieces [begin, end) of `task`. `scratch` is memory of the calling
 * thread. Returns a status. */
typedef int32_t (*xlac_rt_piece)(void *task, void *scratch, int64_t begin,
                                 int64_t end);

/** What calls of compiled programs share: threads and messages. A call without
 * a context (a null pointer) is serial. Only one call at a time may use a
 * context. */
typedef struct xlac_rt_context {
  uint32_t size;  /**< sizeof(xlac_rt_context), set by the functions below */
  int32_t status; /**< of the last call */
  /** Distributes the pieces [0, count) of `task` over threads and returns when
   * all are done: 0, or the status of a piece that failed. Several threads may
   * call `piece` at the same time, with other pieces. The calling thread passes
   * it `scratch`. Other threads pass memory of their own, with at least
   * `scratch_bytes` bytes and 64-byte aligned, or null if that is 0. Null: the
   * calling thread runs all pieces. */
  int32_t (*parallel_for)(struct xlac_rt_context *context, xlac_rt_piece piece,
                          void *task, int64_t count, void *scratch,
                          int64_t scratch_bytes);
  void *threads;     /**< for parallel_for */
  char message[240]; /**< of the last call that failed, else empty */
} xlac_rt_context;

/** Initializes a context that runs programs on the calling thread. It holds no
 * resources. */
static inline void xlac_rt_init_serial(xlac_rt_context *context) {
  context->size = (uint32_t)sizeof(xlac_rt_context);
  context->status = XLAC_RT_OK;
  context->parallel_for = NULL;
  context->threads = NULL;
  context->message[0] = 0;
}

/** Why the last call failed, or a text for its status. */
const char *xlac_rt_message(const xlac_rt_context *context);

/** Initializes a context that runs programs on the calling thread and on
 * `count - 1` threads, which it starts. 0: one thread per processor of this
 * process. XLAC_RT_NO_MEMORY if the threads cannot be started; the context is
 * then serial. */
int32_t xlac_rt_init_threads(xlac_rt_context *context, int32_t count);

/** Ends the threads of a context. The context may be initialized again. Does
 * nothing for a serial one. */
void xlac_rt_finish(xlac_rt_context *context);

/** Maps a file into memory, read-only, and sets `bytes` to its size. Null if it
 * cannot be opened or is empty; errno has the reason. */
const void *xlac_rt_map_file(const char *path, uint64_t *bytes);
/** Removes such a mapping. */
void xlac_rt_unmap_file(const void *address, uint64_t bytes);

#ifdef __cplusplus
}
#endif
#endif
