/* The interface between native code and its host, in plain C. Codegen emits
 * calls to it, the runtime implements it, and ahead-of-time objects contain it.
 * Any change of layout or meaning increments XLAC_ABI_VERSION. */
#ifndef XLAC_ABI_ABI_H
#define XLAC_ABI_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XLAC_ABI_VERSION 9

/* Alignment of every buffer of the runtime, the arena and the scratch memory.
 * Read-only arguments may have any address. */
#define XLAC_ALIGNMENT 64

typedef struct xlac_ctx xlac_ctx;

/* One kernel phase. `buffers` lists operands, results and the workspace, if the
 * schedule uses one. `extents` lists sizes that the kernel takes at run time
 * (may be null). The call runs tasks [begin, end). Returns 0, or the status of
 * a failed service call. */
typedef int32_t (*xlac_kernel_fn)(const xlac_ctx *ctx, void *const *buffers,
                                  const int64_t *extents, int64_t begin,
                                  int64_t end);

/* The entry point of a program: arguments, results and one arena. */
typedef int32_t (*xlac_entry_fn)(const xlac_ctx *ctx, const void *const *args,
                                 void *const *results, void *arena);

/* Routines of the `library` component, which programs call by number. Each
 * takes buffers (operands, then results) and integer parameters. */
typedef enum xlac_library_routine {
  XLAC_LIBRARY_FFT = 0,
  XLAC_LIBRARY_SORT = 1,
  XLAC_LIBRARY_TRIANGULAR_SOLVE = 2,
  XLAC_LIBRARY_CHOLESKY = 3,
} xlac_library_routine;

/* A kernel phase that runs in slices: slice i is tasks [i * tasks, (i + 1) *
 * tasks). */
typedef struct xlac_sliced_launch {
  xlac_kernel_fn fn;
  void *const *buffers;
  const int64_t *extents;
  int64_t tasks;
} xlac_sliced_launch;

/* The versioned function table with all functions that native code can call.
 * Callbacks that can fail return a status, which the caller checks and returns.
 * The message is stored in the context. Exceptions do not pass through native
 * code. */
typedef struct xlac_services {
  uint32_t version; /* XLAC_ABI_VERSION */
  uint32_t size;    /* sizeof(xlac_services) */

  /* Runs fn over tasks [0, n) in pieces of `grain` tasks, on any number of
   * threads. Pieces depend only on n and grain. Returns the first failure. */
  int32_t (*parallel_for)(const xlac_ctx *ctx, xlac_kernel_fn fn,
                          void *const *buffers, const int64_t *extents,
                          int64_t n, int64_t grain);

  /* Scratch memory of this thread, 64-byte aligned, valid until the kernel call
   * returns. A second call in the same kernel call replaces the first. Returns
   * null if there is no memory; the context then has the message. */
  void *(*scratch)(const xlac_ctx *ctx, int64_t bytes);

  void (*copy)(void *to, const void *from, int64_t bytes);
  void (*fill)(void *to, int32_t byte, int64_t bytes);

  int32_t (*library)(const xlac_ctx *ctx, int32_t routine, void *const *buffers,
                     const int64_t *parameters);

  /* Records a message (UTF-8, not terminated) and returns a nonzero status. */
  int32_t (*fail)(const xlac_ctx *ctx, const char *message, int64_t length);

  /* Executes collective, transfer or feed `number` of the image. `buffers`
   * lists its operands, then its results. It may block: only the program's own
   * thread calls it. */
  int32_t (*collective)(const xlac_ctx *ctx, int32_t number,
                        void *const *buffers);

  /* The same in two steps. The program continues between them, but must not
   * access the buffers. Collectives execute in start order. If a program fails,
   * the runtime awaits its remaining collectives. */
  int32_t (*start_collective)(const xlac_ctx *ctx, int32_t number,
                              void *const *buffers);
  int32_t (*await_collective)(const xlac_ctx *ctx, int32_t number);

  /* Runs slices [0, slices) on any number of threads. One thread runs slice i
   * of all launches, in their order. Returns the first failure. */
  int32_t (*run_slices)(const xlac_ctx *ctx, const xlac_sliced_launch *launches,
                        int64_t count, int64_t slices);

  /* Runs `count` launches of a table (launches.h), one after the other or, if
   * they are joined, at the same time. `args`, `results` and `arena` are what
   * the program's function was called with. `slots` is an array of pointers,
   * to which the addresses of buffers are written: as long as the longest list
   * of one launch, or of launches that are joined. Returns the first failure.
   */
  int32_t (*run_launches)(const xlac_ctx *ctx, const int64_t *table,
                          int64_t count, const void *const *args,
                          void *const *results, void *arena, void **slots);
} xlac_services;

struct xlac_ctx {
  const xlac_services *services;
  /* Entry points of the kernels' phases, in the order of the image. */
  const xlac_kernel_fn *kernels;
  /* Constants of the image, in its order; each 64-byte aligned. */
  const void *const *constants;
  /* Internal data of the runtime. */
  void *runtime;
};

#ifdef __cplusplus
}
#endif
#endif
