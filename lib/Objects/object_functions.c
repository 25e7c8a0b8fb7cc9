// The functions of ahead-of-time objects. The build compiles this file to LLVM
// bitcode, and the compiler adds it to every object that it writes. It calls
// nothing but memcpy, memmove and memset, which C compilers require of every
// environment.
#include "xlac/abi/launches.h"
#include "xlac/abi/objects.h"

void *memmove(void *to, const void *from, size_t bytes);
void *memset(void *to, int byte, size_t bytes);

enum { kAutomatic = -1 };

/// Features of this processor with bit 63 set; 0: not determined yet.
static uint64_t known_features;
/// The variant that xlac_object_use_target chose, or kAutomatic.
static int32_t wanted_variant = kAutomatic;

// Features, with the bits of CpuFeature.
enum {
  kAvx2 = 1 << 0,
  kAvx512 = 1 << 1,
  kVnni = 1 << 2,
  kBf16 = 1 << 3,
  kFp16 = 1 << 4,
  kAmxTile = 1 << 5,
  kAmxInt8 = 1 << 6,
  kAmxBf16 = 1 << 7,
};
static const uint64_t kKnown = (uint64_t)1 << 63;
static const uint64_t kAmx = kAmxTile | kAmxInt8 | kAmxBf16;

typedef struct Registers {
  uint32_t a, b, c, d;
} Registers;

static Registers cpuid(uint32_t leaf, uint32_t subleaf) {
  Registers r;
  __asm__ volatile("cpuid"
                   : "=a"(r.a), "=b"(r.b), "=c"(r.c), "=d"(r.d)
                   : "a"(leaf), "c"(subleaf));
  return r;
}

static int has(uint32_t value, uint32_t bits) { return (value & bits) == bits; }

/// Linux grants AMX tile data only on request, once for the process.
static int amx_is_permitted(void) {
  int64_t result;
  __asm__ volatile("syscall"
                   : "=a"(result)
                   : "a"((int64_t)158), "D"((int64_t)0x1023), "S"((int64_t)18)
                   : "rcx", "r11", "memory");
  return result == 0;
}

/// The same conditions as in lib/support/target_profile.cpp.
static uint64_t find_features(void) {
  uint32_t leaves = cpuid(0, 0).a;
  Registers basic = cpuid(1, 0), none = {0, 0, 0, 0};
  Registers extended = leaves >= 7 ? cpuid(7, 0) : none;
  Registers more = leaves >= 7 && extended.a >= 1 ? cpuid(7, 1) : none;
  Registers high =
      cpuid(0x80000000, 0).a >= 0x80000001 ? cpuid(0x80000001, 0) : none;
  uint32_t states = 0, upper;
  if (has(basic.c, 1u << 27))
    __asm__ volatile("xgetbv" : "=a"(states), "=d"(upper) : "c"(0));
  // FMA, MOVBE, POPCNT, AVX, F16C; BMI1, AVX2, BMI2; LZCNT.
  if (!has(states, 0x6) ||
      !has(basic.c, 1u << 12 | 1u << 22 | 1u << 23 | 1u << 28 | 1u << 29) ||
      !has(extended.b, 1u << 3 | 1u << 5 | 1u << 8) || !has(high.c, 1u << 5))
    return 0;
  uint64_t features = kAvx2;
  // F, DQ, CD, BW, VL.
  if (!has(states, 0xe6) ||
      !has(extended.b, 1u << 16 | 1u << 17 | 1u << 28 | 1u << 30 | 1u << 31))
    return features;
  features |= kAvx512;
  features |= has(extended.c, 1u << 11) ? kVnni : 0;
  features |= has(more.a, 1u << 5) ? kBf16 : 0;
  features |= has(extended.d, 1u << 23) ? kFp16 : 0;
  if (has(states, 0x60000) && has(extended.d, 1u << 24)) {
    features |= kAmxTile;
    features |= has(extended.d, 1u << 25) ? kAmxInt8 : 0;
    features |= has(extended.d, 1u << 22) ? kAmxBf16 : 0;
  }
  return features;
}

static int supports(uint64_t wanted) {
  uint64_t features = __atomic_load_n(&known_features, __ATOMIC_RELAXED);
  if (!(features & kKnown)) {
    features = find_features() | kKnown;
    __atomic_store_n(&known_features, features, __ATOMIC_RELAXED);
  }
  if (wanted & ~features)
    return 0;
  return !(wanted & kAmx) || amx_is_permitted();
}

/// The number of the code that this processor runs, or -1.
static int32_t choose_variant(const xlac_object_program *program) {
  int32_t wanted = __atomic_load_n(&wanted_variant, __ATOMIC_RELAXED);
  if (wanted != kAutomatic)
    return wanted;
  for (int32_t i = 0; i < program->variant_count; ++i)
    if (supports(program->sizes->variants[i].features))
      return i;
  return -1;
}

static int same_text(const char *a, const char *b) {
  while (*a && *a == *b)
    ++a, ++b;
  return *a == *b;
}

int32_t xlac_object_use_target(const xlac_object_program *program,
                               const char *target) {
  int32_t found = kAutomatic;
  if (target) {
    for (found = 0; found < program->variant_count; ++found)
      if (same_text(program->sizes->variants[found].target, target))
        break;
    if (found == program->variant_count ||
        !supports(program->sizes->variants[found].features))
      return XLAC_RT_BAD_CPU;
  }
  __atomic_store_n(&wanted_variant, found, __ATOMIC_RELAXED);
  return XLAC_RT_OK;
}

const char *xlac_object_target(const xlac_object_program *program) {
  int32_t variant = choose_variant(program);
  return variant < 0 ? NULL : program->sizes->variants[variant].target;
}

/// The tables for these sizes, or null. The lists are in ascending order.
static const xlac_object_sizes *find_sizes(const xlac_object_program *program,
                                           const int64_t *sizes) {
  int32_t low = 0, high = program->sizes_count;
  while (low < high) {
    int32_t middle = low + (high - low) / 2;
    const int64_t *other = program->sizes[middle].sizes;
    int32_t i = 0;
    while (i < program->size_count && sizes[i] == other[i])
      ++i;
    if (i == program->size_count)
      return program->sizes + middle;
    if (sizes[i] < other[i])
      high = middle;
    else
      low = middle + 1;
  }
  return NULL;
}

int64_t xlac_object_arena_bytes(const xlac_object_program *program,
                                const int64_t *sizes) {
  const xlac_object_sizes *found = find_sizes(program, sizes);
  return found ? found->arena_bytes : -1;
}

int64_t xlac_object_prepared_bytes(const xlac_object_program *program,
                                   const int64_t *sizes) {
  const xlac_object_sizes *found = find_sizes(program, sizes);
  return found ? found->prepared_bytes : -1;
}

int64_t xlac_object_result_bytes(const xlac_object_program *program,
                                 const int64_t *sizes, int32_t number) {
  const xlac_object_sizes *found = find_sizes(program, sizes);
  if (!found || number < 0 || number >= program->result_count)
    return -1;
  return found->result_bytes[number];
}

int32_t xlac_object_result_shape(const xlac_object_program *program,
                                 const int64_t *sizes, int32_t number,
                                 int64_t *dims) {
  const xlac_object_sizes *found = find_sizes(program, sizes);
  if (!found)
    return XLAC_RT_BAD_SIZES;
  if (number < 0 || number >= program->result_count)
    return XLAC_RT_BAD_ARGUMENT;
  const int64_t *from = found->result_dims;
  for (int32_t i = 0; i < number; ++i)
    from += program->result_ranks[i];
  for (int64_t i = 0; i < program->result_ranks[number]; ++i)
    dims[i] = from[i];
  return XLAC_RT_OK;
}

// The services.

static void *scratch(const xlac_ctx *ctx, int64_t bytes) {
  const xlac_object_state *state = ctx->runtime;
  static const char message[] = "too little scratch memory";
  if (bytes <= state->scratch_bytes)
    return state->scratch;
  xlac_object_fail(ctx, XLAC_RT_FAILED, message, sizeof message - 1);
  return NULL;
}

static void copy(void *to, const void *from, int64_t bytes) {
  if (bytes > 0)
    memmove(to, from, bytes);
}

static void fill(void *to, int32_t byte, int64_t bytes) {
  if (bytes > 0)
    memset(to, byte, bytes);
}

static int32_t fail(const xlac_ctx *ctx, const char *message, int64_t length) {
  return xlac_object_fail(ctx, XLAC_RT_FAILED, message, length);
}

static int32_t library(const xlac_ctx *ctx, int32_t routine,
                       void *const *buffers, const int64_t *parameters) {
  const xlac_object_state *state = ctx->runtime;
  static const char message[] = "the object has no such library routine";
  if (routine < 0 || routine >= XLAC_OBJECT_ROUTINES ||
      !state->program->routines[routine])
    return fail(ctx, message, sizeof message - 1);
  return state->program->routines[routine](ctx, buffers, parameters);
}

static int32_t collective(const xlac_ctx *ctx, int32_t number,
                          void *const *buffers) {
  const xlac_object_state *state = ctx->runtime;
  const xlac_object_bytes *call = state->variant->calls + number;
  return state->program->call(ctx, call->data, call->size, buffers);
}

static int32_t start_collective(const xlac_ctx *ctx, int32_t number,
                                void *const *buffers) {
  return collective(ctx, number, buffers);
}

static int32_t await_collective(const xlac_ctx *ctx, int32_t number) {
  (void)ctx, (void)number;
  return 0;
}

typedef struct Loop {
  const xlac_ctx *ctx;
  xlac_kernel_fn fn;
  void *const *buffers;
  const int64_t *extents;
  int64_t n, grain;
} Loop;

static int32_t run_piece(void *task, void *memory, int64_t begin, int64_t end) {
  const Loop *loop = task;
  xlac_object_state state = *(const xlac_object_state *)loop->ctx->runtime;
  xlac_ctx ctx = *loop->ctx;
  state.scratch = memory;
  ctx.runtime = &state;
  for (int64_t i = begin; i < end; ++i) {
    int64_t first = i * loop->grain;
    int64_t count =
        loop->n - first < loop->grain ? loop->n - first : loop->grain;
    int32_t status =
        loop->fn(&ctx, loop->buffers, loop->extents, first, first + count);
    if (status)
      return status;
  }
  return 0;
}

static int32_t parallel_for(const xlac_ctx *ctx, xlac_kernel_fn fn,
                            void *const *buffers, const int64_t *extents,
                            int64_t n, int64_t grain) {
  if (n <= 0)
    return 0;
  grain = grain < 1 ? 1 : grain;
  Loop loop = {ctx, fn, buffers, extents, n, grain};
  const xlac_object_state *state = ctx->runtime;
  xlac_rt_context *context = state->context;
  int64_t pieces = (n - 1) / grain + 1;
  if (!context || !context->parallel_for)
    return run_piece(&loop, state->scratch, 0, pieces);
  return context->parallel_for(context, run_piece, &loop, pieces,
                               state->scratch, state->scratch_bytes);
}

/// The launches of the program, which a piece of slices runs.
typedef struct SlicedLoop {
  const xlac_ctx *ctx;
  const xlac_sliced_launch *launches;
  int64_t count;
} SlicedLoop;

static int32_t run_slice_piece(void *task, void *memory, int64_t begin,
                               int64_t end) {
  const SlicedLoop *loop = task;
  xlac_object_state state = *(const xlac_object_state *)loop->ctx->runtime;
  xlac_ctx ctx = *loop->ctx;
  state.scratch = memory;
  ctx.runtime = &state;
  for (int64_t slice = begin; slice < end; ++slice)
    for (int64_t i = 0; i < loop->count; ++i) {
      const xlac_sliced_launch *one = &loop->launches[i];
      int32_t status = one->fn(&ctx, one->buffers, one->extents,
                               slice * one->tasks, (slice + 1) * one->tasks);
      if (status)
        return status;
    }
  return 0;
}

static int32_t run_slices(const xlac_ctx *ctx,
                          const xlac_sliced_launch *launches, int64_t count,
                          int64_t slices) {
  SlicedLoop loop = {ctx, launches, count};
  const xlac_object_state *state = ctx->runtime;
  xlac_rt_context *context = state->context;
  if (!context || !context->parallel_for)
    return run_slice_piece(&loop, state->scratch, 0, slices);
  return context->parallel_for(context, run_slice_piece, &loop, slices,
                               state->scratch, state->scratch_bytes);
}

static int32_t run_launches(const xlac_ctx *ctx, const int64_t *table,
                            int64_t count, const void *const *args,
                            void *const *results, void *arena, void **slots) {
  for (; count > 0; --count) {
    xlac_launch one;
    table = xlac_read_launch(ctx, table, args, results, arena, slots, &one);
    int32_t status = one.tasks <= one.grain
                         ? one.fn(ctx, slots, one.extents, 0, one.tasks)
                         : parallel_for(ctx, one.fn, slots, one.extents,
                                        one.tasks, one.grain);
    if (status)
      return status;
  }
  return 0;
}

static const xlac_services services = {XLAC_ABI_VERSION,
                                       sizeof(xlac_services),
                                       parallel_for,
                                       scratch,
                                       copy,
                                       fill,
                                       library,
                                       fail,
                                       collective,
                                       start_collective,
                                       await_collective,
                                       run_slices,
                                       run_launches};

/// Puts `text`, a number and `rest` into the context's message.
static int32_t reject(xlac_rt_context *context, int32_t status,
                      const char *text, int32_t number, const char *rest) {
  if (!context)
    return status;
  char *to = context->message;
  while (*text)
    *to++ = *text++;
  if (rest) {
    char digits[12];
    int32_t count = 0;
    do
      digits[count++] = (char)('0' + number % 10);
    while (number /= 10);
    while (count)
      *to++ = digits[--count];
    while (*rest)
      *to++ = *rest++;
  }
  *to = 0;
  return context->status = status;
}

/// The arguments of a call.
typedef struct Call {
  const xlac_object_program *program;
  const xlac_object_sizes *sizes;
  const xlac_object_variant *variant;
  const void *weights;
  char *arena;
  xlac_rt_context *context;
} Call;

static int is_aligned(const void *address) {
  return (uintptr_t)address % XLAC_ALIGNMENT == 0;
}

/// Checks what both functions of a program take.
static int32_t begin(Call *call, const int64_t *sizes,
                     const void *const *arguments) {
  const xlac_object_program *program = call->program;
  xlac_rt_context *context = call->context;
  if (context) {
    context->status = XLAC_RT_OK;
    context->message[0] = 0;
  }
  call->sizes = find_sizes(program, sizes);
  if (!call->sizes)
    return reject(context, XLAC_RT_BAD_SIZES,
                  "the object has no code for these sizes", 0, NULL);
  int32_t variant = choose_variant(program);
  if (variant < 0)
    return reject(context, XLAC_RT_BAD_CPU,
                  "this processor lacks features of the object's targets", 0,
                  NULL);
  call->variant = call->sizes->variants + variant;
  if (program->argument_count > 0 && !arguments)
    return reject(context, XLAC_RT_BAD_ARGUMENT, "no arguments", 0, NULL);
  for (int32_t i = 0; i < program->argument_count; ++i)
    if (!arguments[i] && call->sizes->argument_bytes[i] > 0)
      return reject(context, XLAC_RT_BAD_ARGUMENT, "argument ", i, " is null");
  if (call->sizes->arena_bytes > 0 &&
      (!call->arena || !is_aligned(call->arena)))
    return reject(context, XLAC_RT_BAD_ARGUMENT,
                  "the arena is null or not 64-byte aligned", 0, NULL);
  const xlac_weights_header *header = call->weights;
  if (program->weights_bytes == 0)
    return XLAC_RT_OK;
  int fits =
      header && is_aligned(header) && header->bytes == program->weights_bytes;
  for (int i = 0; fits && i < 8; ++i)
    fits = header->magic[i] == XLAC_WEIGHTS_MAGIC[i];
  for (int i = 0; fits && i < 16; ++i)
    fits = header->key[i] == program->weights_key[i];
  return fits ? XLAC_RT_OK
              : reject(context, XLAC_RT_BAD_WEIGHTS,
                       "not the weights file of this program", 0, NULL);
}

static int32_t enter(const Call *call, xlac_entry_fn entry,
                     const xlac_object_memory *memory,
                     const void *const *arguments, void *const *results) {
  const xlac_object_variant *variant = call->variant;
  const void *const *constants = variant->constants;
  if (variant->weight_offsets) {
    const void **table = (const void **)(call->arena + memory->table_offset);
    for (int64_t i = 0; i < variant->constant_count; ++i)
      table[i] = (const char *)call->weights + variant->weight_offsets[i];
    constants = table;
  }
  int32_t status = XLAC_RT_OK;
  xlac_object_state state = {call->program,
                             variant,
                             call->context,
                             &status,
                             call->arena + memory->scratch_offset,
                             memory->bytes - memory->scratch_offset};
  xlac_ctx ctx = {&services, variant->kernels, constants, &state};
  int32_t failed = entry(&ctx, arguments, results, call->arena);
  if (failed && status == XLAC_RT_OK)
    status = XLAC_RT_FAILED;
  if (call->context)
    call->context->status = status;
  return status;
}

/// Checks the memory that a function writes.
static int32_t check_results(const Call *call, void *const *results,
                             const int64_t *bytes, int32_t count) {
  if (count > 0 && !results)
    return reject(call->context, XLAC_RT_BAD_ARGUMENT, "no results", 0, NULL);
  for (int32_t i = 0; i < count; ++i) {
    if (!results[i] && bytes[i] > 0)
      return reject(call->context, XLAC_RT_BAD_ARGUMENT, "result ", i,
                    " is null");
    if (!is_aligned(results[i]))
      return reject(call->context, XLAC_RT_BAD_ARGUMENT, "result ", i,
                    " is not 64-byte aligned");
  }
  return XLAC_RT_OK;
}

int32_t xlac_object_run(const xlac_object_program *program,
                        const int64_t *sizes, const void *const *arguments,
                        void *const *results, const char *prepared,
                        const void *weights, void *arena,
                        xlac_rt_context *context) {
  Call call = {program, NULL, NULL, weights, arena, context};
  int32_t status = begin(&call, sizes, arguments);
  if (!status)
    status = check_results(&call, results, call.sizes->result_bytes,
                           program->result_count);
  if (status)
    return status;
  if (program->prepared_count == 0)
    return enter(&call, call.variant->entry, &call.variant->memory, arguments,
                 results);
  if (!prepared || !is_aligned(prepared))
    return reject(context, XLAC_RT_BAD_ARGUMENT,
                  "the prepared values are null or not 64-byte aligned", 0,
                  NULL);
  // The program takes the prologue's values after its own arguments.
  int32_t count = program->argument_count;
  const void *all[count + program->prepared_count];
  for (int32_t i = 0; i < count; ++i)
    all[i] = arguments[i];
  for (int32_t i = 0; i < program->prepared_count; ++i)
    all[count + i] = prepared + call.variant->prepared_offsets[i];
  return enter(&call, call.variant->entry, &call.variant->memory, all, results);
}

int32_t xlac_object_prepare(const xlac_object_program *program,
                            const int64_t *sizes, const void *const *arguments,
                            char *prepared, const void *weights, void *arena,
                            xlac_rt_context *context) {
  Call call = {program, NULL, NULL, weights, arena, context};
  int32_t status = begin(&call, sizes, arguments);
  if (status)
    return status;
  if (!prepared || !is_aligned(prepared))
    return reject(context, XLAC_RT_BAD_ARGUMENT,
                  "the prepared values are null or not 64-byte aligned", 0,
                  NULL);
  const void *read[program->prologue_argument_count + 1];
  void *values[program->prepared_count + 1];
  for (int32_t i = 0; i < program->prologue_argument_count; ++i)
    read[i] = arguments[program->prologue_arguments[i]];
  for (int32_t i = 0; i < program->prepared_count; ++i)
    values[i] = prepared + call.variant->prepared_offsets[i];
  return enter(&call, call.variant->prologue, &call.variant->prologue_memory,
               read, values);
}
