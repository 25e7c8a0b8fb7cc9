/* The interface of XLAC_LIBRARY_SORT: steps, parameters and workspace. Plain C,
 * part of the ABI like abi.h.
 *
 * A call runs tasks [first, last) of one step on rows of `count` elements each.
 * Buffers: the rows, the result, the workspace. The result has `keep` entries
 * per row: the elements in order or, with XLAC_SORT_POSITIONS, their indices in
 * the row (int32). The sort is stable.
 *
 * Whole rows take one step, XLAC_SORT_ROWS, with a workspace for one row. A
 * long row takes several steps with tasks of their own, in sequence, with a
 * workspace per row. To keep all elements, the steps are RANGE, COUNT,
 * DISTRIBUTE (one task per chunk of a row) and BUCKETS (one task per span of
 * the result). To keep few, they are SELECT (one task per chunk) and MERGE (one
 * task per row). */
#ifndef XLAC_ABI_SORT_H
#define XLAC_ABI_SORT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum xlac_sort_step {
  XLAC_SORT_ROWS = 0,
  XLAC_SORT_RANGE = 1,
  XLAC_SORT_COUNT = 2,
  XLAC_SORT_DISTRIBUTE = 3,
  XLAC_SORT_BUCKETS = 4,
  XLAC_SORT_SELECT = 5,
  XLAC_SORT_MERGE = 6
} xlac_sort_step;

/* Interpretation of the bits of 1, 2, 4 or 8 bytes. Floats of 2 to 8 bytes are
 * ordered by IEEE totalOrder; bfloat16 likewise at 2 bytes. */
typedef enum xlac_sort_order {
  XLAC_SORT_UNSIGNED = 0,
  XLAC_SORT_SIGNED = 1,
  XLAC_SORT_FLOAT = 2,
  XLAC_SORT_BFLOAT = 3
} xlac_sort_order;

enum xlac_sort_flag {
  XLAC_SORT_DESCENDING = 1,
  XLAC_SORT_EQUAL_ZEROS = 2, /* -0 and +0 are equal */
  XLAC_SORT_EQUAL_NANS = 4,  /* all NaNs are equal, and the largest */
  XLAC_SORT_POSITIONS = 8
};

/* Indices of the integer parameters. */
enum xlac_sort_parameter {
  XLAC_SORT_AT_STEP,
  XLAC_SORT_AT_FIRST,
  XLAC_SORT_AT_LAST,
  XLAC_SORT_AT_BYTES, /* per element */
  XLAC_SORT_AT_ORDER,
  XLAC_SORT_AT_FLAGS,
  XLAC_SORT_AT_COUNT,
  XLAC_SORT_AT_KEEP,
  XLAC_SORT_AT_CHUNKS, /* per row; also the number of spans */
  XLAC_SORT_PARAMETERS
};

/* log2 of the number of buckets for keys. */
#define XLAC_SORT_BUCKET_BITS 11

/* Bytes of one entry in the workspace: a key and, with `positions`, its index
 * in the row. */
static inline int64_t xlac_sort_entry(int64_t bytes, int64_t positions) {
  return bytes == 8 ? (positions ? 16 : 8) : (positions ? 8 : 4);
}

/* Bytes of workspace for one row, a multiple of 64. `chunks` is 0 for
 * XLAC_SORT_ROWS; `count` is below 2^31. */
static inline int64_t xlac_sort_workspace(int64_t bytes, int64_t positions,
                                          int64_t count, int64_t keep,
                                          int64_t chunks) {
  int64_t size;
  if (keep < count)
    size = xlac_sort_entry(bytes, 1) *
           (chunks > 0 ? chunks * (2 * keep + 64) : 2 * keep + 64);
  else
    size = 2 * count * xlac_sort_entry(bytes, positions) +
           chunks * (64 + ((int64_t)4 << XLAC_SORT_BUCKET_BITS));
  return (size + 127) / 64 * 64;
}

#ifdef __cplusplus
}
#endif
#endif
