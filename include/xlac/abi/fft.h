/* The passes of XLAC_LIBRARY_FFT: each pass transforms along one axis, and its
 * tasks may run in parallel. The routine and its callers use this list of
 * passes. Plain C, part of the ABI. */
#ifndef XLAC_ABI_FFT_H
#define XLAC_ABI_FFT_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of transforms, with StableHLO's numbers. */
enum { XLAC_FFT = 0, XLAC_IFFT = 1, XLAC_RFFT = 2, XLAC_IRFFT = 3 };

#define XLAC_FFT_MOST_RANK 3
#define XLAC_FFT_MOST_PASSES 5

/* Indices of the integer parameters. Buffers: operand, result, workspace. If
 * PLANAR is set, real and imaginary parts are in separate buffers: operand and
 * result are then the real parts, and the imaginary parts of operand and result
 * follow the workspace.
 *
 * Each of `batch` operands has the dims LENGTH…: complex for FFT and IFFT; for
 * RFFT real with a complex result whose last dim is length/2 + 1; for IRFFT the
 * reverse. The inverse kinds divide by the product of the lengths. A call runs
 * tasks [first, last) of one pass; passes run in sequence. */
enum xlac_fft_parameter {
  XLAC_FFT_AT_PASS,
  XLAC_FFT_AT_FIRST,
  XLAC_FFT_AT_LAST,
  XLAC_FFT_AT_KIND,
  XLAC_FFT_AT_ELEMENT, /* ElementType of the operand */
  XLAC_FFT_AT_BATCH,
  XLAC_FFT_AT_RANK,
  XLAC_FFT_AT_PLANAR, /* bit 0: the operand is planar, bit 1: the result is
                         planar */
  XLAC_FFT_AT_LENGTH,
  XLAC_FFT_PARAMETERS = XLAC_FFT_AT_LENGTH + XLAC_FFT_MOST_RANK
};

/* Memory layout: element k of transform `lane` of group `outer` is at index k *
 * step + lane * lane_step + outer * outer_step. */
typedef struct xlac_fft_layout {
  int64_t step, lane_step, outer_step;
  int32_t buffer; /* 0: operand, 1: result, 2: workspace */
  int32_t real;
  /* Number of stored complex elements of a whole transform: length/2 + 1 for a
   * real signal, whose other elements are their mirror image; 0: all. */
  int64_t half;
} xlac_fft_layout;

/* A real signal of 2n elements is read as n complex numbers z whose parts are
 * neighbours. The spectrum X of the signal and the transform Z of z follow from
 * each other (Sorensen, Jones, Heideman, Burrus: Real-valued fast Fourier
 * transform algorithms, 1987), with w = e^(-pi i / n) and conj for the complex
 * conjugate:
 *   2 X[k] = Z[k] + conj(Z[n - k]) - i w^k (Z[k] - conj(Z[n - k]))
 *   Z[k] = X[k] + conj(X[n - k]) + i w^-k (X[k] - conj(X[n - k])) */
enum xlac_fft_pairs {
  XLAC_FFT_NO_PAIRS,
  XLAC_FFT_JOIN,      /* computes Z from X before an inverse transform, whose
                         results are twice as large */
  XLAC_FFT_SEPARATE,  /* computes X from Z after a transform */
  XLAC_FFT_ONLY_JOIN, /* the same without the transform; a task computes up to
                         XLAC_FFT_TASK_PAIRS pairs of k and n - k of one lane */
  XLAC_FFT_ONLY_SEPARATE
};

#define XLAC_FFT_TASK_PAIRS 2048

/* `outer` groups of `lanes` transforms of `length`. A task transforms as many
 * lanes as fill 64 bytes with one part of a complex number. */
typedef struct xlac_fft_pass {
  int64_t length, outer, lanes, tasks;
  int64_t divide;  /* divisor of the results */
  int64_t twiddle; /* multiplies result k of lane l by the root of unity of that
                      order to the power k l; 0: none */
  int64_t whole;   /* length of the signal that `half` refers to */
  int32_t pairs;   /* of xlac_fft_pairs; `length` is n */
  xlac_fft_layout from, to;
} xlac_fft_pass;

static inline int64_t xlac_fft_lanes(int64_t real_bytes) {
  return 64 / real_bytes;
}

/* The largest divisor of n that is at most its square root. */
static inline int64_t xlac_fft_divisor(int64_t n) {
  int64_t best = 1;
  for (int64_t i = 2; i * i <= n; ++i)
    if (n % i == 0)
      best = i;
  return best;
}

static inline xlac_fft_layout xlac_fft_layout_of(int64_t length, int64_t inner,
                                                 int32_t buffer) {
  xlac_fft_layout place = {
      inner, inner == 1 ? length : 1, length * inner, buffer, 0, 0};
  return place;
}

/* One pass along an axis with `inner` elements after it. */
static inline xlac_fft_pass xlac_fft_axis(int64_t length, int64_t outer,
                                          int64_t inner, int32_t from,
                                          int32_t to) {
  xlac_fft_pass pass = {length,
                        inner == 1 ? 1 : outer,
                        inner == 1 ? outer : inner,
                        0,
                        1,
                        0,
                        length,
                        XLAC_FFT_NO_PAIRS,
                        xlac_fft_layout_of(length, inner, from),
                        xlac_fft_layout_of(length, inner, to)};
  return pass;
}

/* Splits the row transforms in `passes[0]` into two passes through the
 * workspace: along the columns of a matrix with `first` rows, then along its
 * rows. */
static inline void xlac_fft_split(xlac_fft_pass *passes, int64_t first) {
  xlac_fft_pass whole = passes[0];
  int64_t n = whole.length, second = n / first;
  passes[0] = xlac_fft_axis(first, whole.lanes, second, whole.from.buffer, 2);
  passes[0].twiddle = n;
  passes[0].from.real = whole.from.real;
  passes[0].from.half = whole.from.half;
  passes[0].from.outer_step = whole.from.lane_step;
  passes[1] = xlac_fft_axis(second, whole.lanes, first, 2, whole.to.buffer);
  passes[1].from.step = 1;
  passes[1].from.lane_step = second;
  passes[1].to.real = whole.to.real;
  passes[1].to.half = whole.to.half;
  passes[1].to.outer_step = whole.to.lane_step;
  passes[0].whole = passes[1].whole = n;
}

static inline int xlac_fft_only_pairs(const xlac_fft_pass *pass) {
  return pass->pairs == XLAC_FFT_ONLY_JOIN ||
         pass->pairs == XLAC_FFT_ONLY_SEPARATE;
}

/* Tasks of a pass for each of its `lanes`, if it only joins or separates. */
static inline int64_t xlac_fft_pair_tasks(const xlac_fft_pass *pass) {
  int64_t pairs = pass->length / 2 + 1;
  return (pairs + XLAC_FFT_TASK_PAIRS - 1) / XLAC_FFT_TASK_PAIRS;
}

static inline int64_t xlac_fft_tasks(const xlac_fft_pass *pass,
                                     int64_t real_bytes) {
  int64_t lanes = xlac_fft_lanes(real_bytes);
  if (xlac_fft_only_pairs(pass))
    return pass->lanes * xlac_fft_pair_tasks(pass);
  return pass->outer * ((pass->lanes + lanes - 1) / lanes);
}

/* The pass along the last axis, of real signals in RFFT and IRFFT. */
static inline xlac_fft_pass xlac_fft_rows(int64_t kind, int64_t last,
                                          int64_t rows, int32_t from) {
  int64_t half = last / 2 + 1;
  int paired = last % 2 == 0 && (kind == XLAC_RFFT || kind == XLAC_IRFFT);
  xlac_fft_pass pass =
      xlac_fft_axis(paired ? last / 2 : last, rows, 1, from, 1);
  if (kind == XLAC_RFFT) {
    pass.pairs = paired ? XLAC_FFT_SEPARATE : XLAC_FFT_NO_PAIRS;
    pass.from.real = !paired;
    pass.to.half = paired ? 0 : half;
    pass.to.lane_step = half;
  } else if (kind == XLAC_IRFFT) {
    pass.pairs = paired ? XLAC_FFT_JOIN : XLAC_FFT_NO_PAIRS;
    pass.from.half = paired ? 0 : half;
    pass.from.lane_step = half;
    pass.to.real = !paired;
  }
  return pass;
}

/* Splits the row transforms in `passes[0]`, and returns the number of passes
 * that they become. Pairs are joined and separated in the result. */
static inline int xlac_fft_split_rows(xlac_fft_pass *passes, int64_t first) {
  xlac_fft_pass rows = passes[0], *transform = passes;
  if (rows.pairs == XLAC_FFT_JOIN) {
    passes[0].pairs = XLAC_FFT_ONLY_JOIN;
    transform = passes + 1;
    *transform = rows;
    transform->from = rows.to;
  }
  transform->pairs = XLAC_FFT_NO_PAIRS;
  xlac_fft_split(transform, first);
  if (rows.pairs != XLAC_FFT_SEPARATE)
    return (int)(transform - passes) + 2;
  passes[2] = rows;
  passes[2].pairs = XLAC_FFT_ONLY_SEPARATE;
  passes[2].from = rows.to;
  return 3;
}

/* Computes the passes of a transform, at most XLAC_FFT_MOST_PASSES, and returns
 * their number. `real_bytes` is the size of one part of a complex number. */
static inline int xlac_fft_passes(int64_t kind, int64_t real_bytes,
                                  int64_t batch, int64_t rank,
                                  const int64_t *lengths,
                                  xlac_fft_pass *passes) {
  int64_t last = lengths[rank - 1], rows = batch, total = 1, inner, outer;
  int32_t from = 0;
  int count = 0, real = kind == XLAC_RFFT || kind == XLAC_IRFFT;
  int64_t half = real ? last / 2 + 1 : last, length, first;
  for (int64_t i = 0; i < rank; ++i)
    total *= lengths[i];
  rows = batch * (total / last);
  for (int turn = 0; turn < 2; ++turn) {
    if (turn == (kind == XLAC_IRFFT)) {
      /* The last axis comes first, unless its results are real. */
      passes[count] = xlac_fft_rows(kind, last, rows, from);
      length = passes[count].length;
      first = xlac_fft_divisor(length);
      /* Otherwise lanes would stay empty, or a block would exceed the cache. */
      if ((rows < xlac_fft_lanes(real_bytes) || length > 8192) && first >= 8 &&
          from == 0)
        count += xlac_fft_split_rows(passes + count, first);
      else
        ++count;
      from = 1;
      continue;
    }
    inner = half;
    outer = rows;
    for (int64_t axis = rank - 1; axis-- > 0; inner *= lengths[axis]) {
      int32_t to = kind == XLAC_IRFFT ? 2 : 1;
      outer /= lengths[axis];
      if (lengths[axis] == 1)
        continue;
      passes[count++] = xlac_fft_axis(lengths[axis], outer, inner, from, to);
      from = to;
    }
  }
  for (int i = 0; i < count; ++i)
    passes[i].tasks = xlac_fft_tasks(&passes[i], real_bytes);
  if (kind == XLAC_IFFT || kind == XLAC_IRFFT)
    passes[count - 1].divide = total;
  return count;
}

/* Bytes of workspace that the passes need. */
static inline int64_t xlac_fft_workspace(const xlac_fft_pass *passes, int count,
                                         int64_t real_bytes) {
  int64_t most = 0;
  for (int i = 0; i < count; ++i)
    if (passes[i].to.buffer == 2) {
      int64_t size = passes[i].outer * passes[i].lanes * passes[i].length;
      most = size > most ? size : most;
    }
  return most * 2 * real_bytes;
}

#ifdef __cplusplus
}
#endif
#endif
