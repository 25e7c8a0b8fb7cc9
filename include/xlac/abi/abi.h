/* The border between native code and whoever runs it: plain C, using nothing.
 * Codegen writes calls against it, the runtime fills it, ahead-of-time objects
 * carry it. Any change to a layout or meaning raises XLAC_ABI_VERSION.
 */
#ifndef XLAC_ABI_ABI_H
#define XLAC_ABI_ABI_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define XLAC_ABI_VERSION 6

/* Every buffer that the runtime makes, the arena and the scratch are aligned
 * so. Read-only arguments may lie at any address. */
#define XLAC_ALIGNMENT 64

typedef struct xlac_ctx xlac_ctx;

/* One kernel phase. `buffers` lists operands, results, then the workspace (if
 * the schedule asks for one); `extents` the sizes that the kernel takes as
 * values (may be null); the call does tasks [begin, end). Returns 0, or the
 * status of a failed service call. */
typedef int32_t (*xlac_kernel_fn)(const xlac_ctx *ctx, void *const *buffers,
                                  const int64_t *extents, int64_t begin,
                                  int64_t end);

/* The whole program: arguments, results and one arena. */
typedef int32_t (*xlac_entry_fn)(const xlac_ctx *ctx, const void *const *args,
                                 void *const *results, void *arena);

/* Routines of the `library` component that a program calls by number; each
 * takes buffers (operands, then results) and integer parameters. */
typedef enum xlac_library_routine {
  XLAC_LIBRARY_FFT = 0,
  XLAC_LIBRARY_SORT = 1,
  XLAC_LIBRARY_TRIANGULAR_SOLVE = 2,
  XLAC_LIBRARY_CHOLESKY = 3,
} xlac_library_routine;

/* The versioned function table: all that native code can call. Every callback
 * that can fail returns a status, which the caller tests and returns; its
 * message lies in the context. Nothing unwinds through native code. */
typedef struct xlac_services {
  uint32_t version; /* XLAC_ABI_VERSION */
  uint32_t size;    /* sizeof(xlac_services) */

  /* Runs fn over tasks [0, n) in pieces of `grain` tasks, on however many
   * threads; pieces depend on n and grain alone. Returns the first failure. */
  int32_t (*parallel_for)(const xlac_ctx *ctx, xlac_kernel_fn fn,
                          void *const *buffers, const int64_t *extents,
                          int64_t n, int64_t grain);

  /* Scratch of this thread, 64-byte aligned, valid until the kernel call
   * returns; a second call in the same kernel call replaces the first. Null
   * when there is no memory (the context then has the message). */
  void *(*scratch)(const xlac_ctx *ctx, int64_t bytes);

  void (*copy)(void *to, const void *from, int64_t bytes);
  void (*fill)(void *to, int32_t byte, int64_t bytes);

  int32_t (*library)(const xlac_ctx *ctx, int32_t routine, void *const *buffers,
                     const int64_t *parameters);

  /* Records a message (UTF-8, not terminated) and returns a nonzero status. */
  int32_t (*fail)(const xlac_ctx *ctx, const char *message, int64_t length);

  /* Does collective, transfer or feed `number` of the image; `buffers` lists
   * its operands, then its results. May block: only the program's own thread
   * calls it. */
  int32_t (*collective)(const xlac_ctx *ctx, int32_t number,
                        void *const *buffers);

  /* The same in two steps, between which the program goes on; what the buffers
   * hold belongs to the collective until then. Collectives happen in the order
   * in which they start. What a program that fails has not awaited, the runtime
   * does. */
  int32_t (*start_collective)(const xlac_ctx *ctx, int32_t number,
                              void *const *buffers);
  int32_t (*await_collective)(const xlac_ctx *ctx, int32_t number);
} xlac_services;

struct xlac_ctx {
  const xlac_services *services;
  /* Entry points of the kernels' phases, in the order the image lists them. */
  const xlac_kernel_fn *kernels;
  /* Constants of the image, in its order; each 64-byte aligned. */
  const void *const *constants;
  /* The runtime's own. */
  void *runtime;
};

#ifdef __cplusplus
}
#endif
#endif
