/* The tables of ahead-of-time objects, in plain C. The compiler writes them,
 * the functions in lib/Objects/object_functions.c, which each object contains,
 * read them, and libxlac_rt.a implements the routines that they refer to. */
#ifndef XLAC_ABI_OBJECTS_H
#define XLAC_ABI_OBJECTS_H

#include "xlac/abi/abi.h"
#include "xlac/rt.h"

#ifdef __cplusplus
extern "C" {
#endif

#define XLAC_OBJECT_ROUTINES 4 /* values of xlac_library_routine */

/* A library routine: operands, results and parameters as in xlac_services. */
typedef int32_t (*xlac_object_routine)(const xlac_ctx *ctx,
                                       void *const *buffers,
                                       const int64_t *parameters);
/* Executes a custom call that `description` describes, in `bytes` bytes of the
 * format of images. `buffers` lists operands, then results. */
typedef int32_t (*xlac_object_call)(const xlac_ctx *ctx,
                                    const void *description, int64_t bytes,
                                    void *const *buffers);

typedef struct xlac_object_bytes {
  const void *data;
  int64_t size;
} xlac_object_bytes;

/* The memory of a call is one block, the arena: the program's own arena, the
 * table of constants if they are in a weights file, and scratch memory. */
typedef struct xlac_object_memory {
  int64_t bytes;          /* of the block */
  int64_t table_offset;   /* of the table of constants */
  int64_t scratch_offset; /* of the scratch memory, which is the rest */
} xlac_object_memory;

/* The code of a program for one target. */
typedef struct xlac_object_variant {
  uint64_t features;  /* CpuFeature bits that it needs */
  const char *target; /* name of the target profile */
  xlac_entry_fn entry, prologue;
  const xlac_kernel_fn *kernels;
  const void *const *constants;  /* addresses; unused with a weights file */
  const int64_t *weight_offsets; /* of constants in the weights file, or null */
  int64_t constant_count;
  xlac_object_memory memory, prologue_memory;
  const int64_t *prepared_offsets; /* of the prologue's values */
  const xlac_object_bytes *calls;  /* custom calls by number */
} xlac_object_variant;

/* The code for one list of sizes. */
typedef struct xlac_object_sizes {
  const int64_t *sizes; /* values of the program's symbols */
  const int64_t *argument_bytes, *result_bytes;
  const int64_t *result_dims;          /* of all results, one after the other */
  int64_t arena_bytes;                 /* most of all targets */
  int64_t prepared_bytes;              /* most of all targets */
  const xlac_object_variant *variants; /* by target, the strongest first */
} xlac_object_sizes;

/* An entry function of a program. */
typedef struct xlac_object_program {
  int32_t argument_count, result_count, prepared_count;
  int32_t prologue_argument_count;
  int32_t size_count;    /* symbols */
  int32_t sizes_count;   /* lists of sizes, in ascending order */
  int32_t variant_count; /* targets */
  const uint32_t *prologue_arguments;
  const int64_t *result_ranks;
  const xlac_object_sizes *sizes;
  xlac_object_routine routines[XLAC_OBJECT_ROUTINES]; /* null if not used */
  xlac_object_call call;                              /* null if not used */
  uint8_t weights_key[16];                            /* of the weights file */
  int64_t weights_bytes; /* size of the weights file; 0 if there is none */
} xlac_object_program;

/* A weights file begins with this header. Its constants have 64-byte aligned
 * offsets. */
#define XLAC_WEIGHTS_MAGIC "XLACWTS1"
typedef struct xlac_weights_header {
  char magic[8];
  int64_t bytes;   /* of the file */
  uint8_t key[16]; /* a hash of the constants */
  uint8_t zeros[32];
} xlac_weights_header;

/* xlac_ctx::runtime of a call. Each thread has its own. */
typedef struct xlac_object_state {
  const xlac_object_program *program;
  const xlac_object_variant *variant;
  xlac_rt_context *context; /* or null */
  int32_t *status;          /* first failure of the call, on all threads */
  char *scratch;
  int64_t scratch_bytes;
} xlac_object_state;

/* Records the first failure of a call, with a message for its context, and
 * returns 1. Any thread of the call may call it. */
static inline int32_t xlac_object_fail(const xlac_ctx *ctx, int32_t status,
                                       const char *message, int64_t length) {
  const xlac_object_state *state = (const xlac_object_state *)ctx->runtime;
  xlac_rt_context *context = state->context;
  int32_t none = XLAC_RT_OK;
  if (!__atomic_compare_exchange_n(state->status, &none, status, 0,
                                   __ATOMIC_RELAXED, __ATOMIC_RELAXED) ||
      !context)
    return 1;
  int64_t most = (int64_t)sizeof context->message - 1, at = 0;
  for (; at < length && at < most; ++at)
    context->message[at] = message[at];
  context->message[at] = 0;
  return 1;
}

/* Routines of libxlac_rt.a. */
int32_t xlac_rt_fft(const xlac_ctx *ctx, void *const *buffers,
                    const int64_t *parameters);
int32_t xlac_rt_sort(const xlac_ctx *ctx, void *const *buffers,
                     const int64_t *parameters);
int32_t xlac_rt_triangular_solve(const xlac_ctx *ctx, void *const *buffers,
                                 const int64_t *parameters);
int32_t xlac_rt_cholesky(const xlac_ctx *ctx, void *const *buffers,
                         const int64_t *parameters);
int32_t xlac_rt_custom_call(const xlac_ctx *ctx, const void *description,
                            int64_t bytes, void *const *buffers);

#ifdef __cplusplus
}
#endif
#endif
