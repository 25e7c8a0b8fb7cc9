/* Tables of launches: what a driver does, as data. A table is a constant of the
 * image. It consists of records, one for each phase of a launch: the words
 * below, then one word for each buffer. */
#ifndef XLAC_ABI_LAUNCHES_H
#define XLAC_ABI_LAUNCHES_H

#include "xlac/abi/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The words with which a record begins. */
enum {
  XLAC_LAUNCH_ENTRY,   /* index in xlac_ctx::kernels */
  XLAC_LAUNCH_EXTENTS, /* index in xlac_ctx::constants, or -1 for none */
  XLAC_LAUNCH_TASKS,
  XLAC_LAUNCH_GRAIN,
  XLAC_LAUNCH_BUFFERS, /* their number; 0: those of the record before */
  XLAC_LAUNCH_JOINED,  /* the records after this one that may run with it */
  XLAC_LAUNCH_WORDS
};

/* Limits of launches that run together. */
enum {
  XLAC_MOST_JOINED = 16,
  XLAC_MOST_JOINED_BUFFERS = 128,
  XLAC_MOST_JOINED_PIECES = 1 << 24
};

/* The word of a buffer is one of these plus four times its index, or for
 * XLAC_BUFFER_ARENA four times its offset in bytes. */
enum {
  XLAC_BUFFER_ARGUMENT,
  XLAC_BUFFER_RESULT,
  XLAC_BUFFER_CONSTANT,
  XLAC_BUFFER_ARENA,
  XLAC_BUFFER_KINDS
};

/* A phase to run on the buffers in the slots. */
typedef struct xlac_launch {
  xlac_kernel_fn fn;
  const int64_t *extents;
  int64_t tasks;
  int64_t grain;
} xlac_launch;

/* Reads a record into `launch` and writes the addresses of its buffers to
 * `slots`. Returns the next record. */
static inline const int64_t *
xlac_read_launch(const xlac_ctx *ctx, const int64_t *record,
                 const void *const *args, void *const *results, void *arena,
                 void **slots, xlac_launch *launch) {
  const int64_t *buffers = record + XLAC_LAUNCH_WORDS;
  int64_t i, count = record[XLAC_LAUNCH_BUFFERS];
  launch->fn = ctx->kernels[record[XLAC_LAUNCH_ENTRY]];
  launch->extents =
      record[XLAC_LAUNCH_EXTENTS] < 0
          ? 0
          : (const int64_t *)ctx->constants[record[XLAC_LAUNCH_EXTENTS]];
  launch->tasks = record[XLAC_LAUNCH_TASKS];
  launch->grain = record[XLAC_LAUNCH_GRAIN];
  for (i = 0; i < count; ++i) {
    int64_t number = buffers[i] / XLAC_BUFFER_KINDS;
    switch (buffers[i] % XLAC_BUFFER_KINDS) {
    case XLAC_BUFFER_ARGUMENT:
      slots[i] = (void *)args[number];
      break;
    case XLAC_BUFFER_RESULT:
      slots[i] = results[number];
      break;
    case XLAC_BUFFER_CONSTANT:
      slots[i] = (void *)ctx->constants[number];
      break;
    default:
      slots[i] = (char *)arena + number;
      break;
    }
  }
  return buffers + count;
}

#ifdef __cplusplus
}
#endif
#endif
