/* The C interface from a strict C11 program: loading, inspecting and running
 * programs and images, all errors, and several threads. */
#include <xlac/c_api.h>

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures;

#define EXPECT(condition)                                                      \
  do {                                                                         \
    if (!(condition)) {                                                        \
      ++failures;                                                              \
      printf("%s:%d: %s; last error: %s\n", __FILE__, __LINE__, #condition,    \
             xlac_error_message());                                            \
    }                                                                          \
  } while (0)
#define EXPECT_ERROR(call, wanted, words)                                      \
  do {                                                                         \
    xlac_status got = (call);                                                  \
    if (got != (wanted) || !strstr(xlac_error_message(), words)) {             \
      ++failures;                                                              \
      printf("%s:%d: %s gives %s: %s\n", __FILE__, __LINE__, #call,            \
             xlac_status_name(got), xlac_error_message());                     \
    }                                                                          \
  } while (0)

static const char kAdd[] =
    "func.func @main(%w: tensor<2x3xf32> loc(\"w\"), %x: tensor<3xf32> "
    "loc(\"x\")) -> (tensor<2x3xf32> {jax.result_info = \"sum\"}, "
    "tensor<3xf32>) {\n"
    "  %0 = stablehlo.broadcast_in_dim %x, dims = [1] : (tensor<3xf32>) -> "
    "tensor<2x3xf32>\n"
    "  %1 = stablehlo.add %w, %0 : tensor<2x3xf32>\n"
    "  %2 = stablehlo.negate %x : tensor<3xf32>\n"
    "  return %1, %2 : tensor<2x3xf32>, tensor<3xf32>\n"
    "}\n";
/* The result may have the memory of the first argument; it needs temporaries.
 */
static const char kUpdate[] =
    "func.func @main(%a: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}, "
    "%b: tensor<256x256xf32>) -> tensor<256x256xf32> {\n"
    "  %0 = stablehlo.dot_general %b, %b, contracting_dims = [1] x [0] : "
    "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
    "  %1 = stablehlo.dot_general %0, %b, contracting_dims = [1] x [0] : "
    "(tensor<256x256xf32>, tensor<256x256xf32>) -> tensor<256x256xf32>\n"
    "  %2 = stablehlo.add %a, %1 : tensor<256x256xf32>\n"
    "  return %2 : tensor<256x256xf32>\n"
    "}\n";
static const char kDynamic[] =
    "func.func @main(%x: tensor<?x4xf32>) -> tensor<?x4xf32> {\n"
    "  %0 = stablehlo.add %x, %x : tensor<?x4xf32>\n"
    "  return %0 : tensor<?x4xf32>\n"
    "}\n";
/* Parts that depend only on the first argument move to the prologue. */
static const char kInvariant[] =
    "func.func @main(%w: tensor<4xf32>, %x: tensor<4xf32>) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.exponential %w : tensor<4xf32>\n"
    "  %1 = stablehlo.sine %0 : tensor<4xf32>\n"
    "  %2 = stablehlo.exponential %1 : tensor<4xf32>\n"
    "  %3 = stablehlo.add %2, %x : tensor<4xf32>\n"
    "  return %3 : tensor<4xf32>\n"
    "}\n";
static const char kEntries[] =
    "func.func @first(%a: tensor<f32>) -> tensor<f32> { return %a : "
    "tensor<f32> }\n"
    "func.func private @hidden(%a: tensor<f32>) -> tensor<f32> { return %a : "
    "tensor<f32> }\n"
    "func.func @second(%a: tensor<f32>) -> tensor<f32> { return %a : "
    "tensor<f32> }\n";
static const char kSharded[] =
    "module attributes {mhlo.num_partitions = 2 : i32} {\n"
    "func.func @main(%a: tensor<4xf32> {mhlo.sharding = "
    "\"{devices=[2]<=[2]}\"}) -> tensor<4xf32> {\n"
    "  %0 = stablehlo.negate %a : tensor<4xf32>\n"
    "  return %0 : tensor<4xf32>\n"
    "}}\n";
static const char kEmpty[] =
    "func.func @main(%a: tensor<0x3xi64>, %t: !stablehlo.token) -> "
    "(tensor<0x3xi64>, !stablehlo.token) {\n"
    "  %0 = stablehlo.add %a, %a : tensor<0x3xi64>\n"
    "  return %0, %t : tensor<0x3xi64>, !stablehlo.token\n"
    "}\n";

static xlac_program *load(const char *text, const xlac_load_options *options) {
  xlac_program *program = NULL;
  EXPECT(xlac_program_load(text, strlen(text), options, &program) == XLAC_OK);
  if (!program)
    exit(1);
  return program;
}

static xlac_load_options load_options(void) {
  xlac_load_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  return options;
}

static xlac_run_options run_options(xlac_context *context) {
  xlac_run_options options;
  memset(&options, 0, sizeof options);
  options.struct_size = sizeof options;
  options.context = context;
  return options;
}

static void test_versions(void) {
  EXPECT(xlac_c_api_version() == XLAC_C_API_VERSION);
  EXPECT(strlen(xlac_version()) >= 5);
  EXPECT(strcmp(xlac_status_name(XLAC_OK), "XLAC_OK") == 0);
  EXPECT(strcmp(xlac_status_name(99), "unknown status") == 0);
}

static void test_types(void) {
  static const char *const names[] = {
      "token",       "i1",         "i2",     "i4",         "i8",
      "i16",         "i32",        "i64",    "ui2",        "ui4",
      "ui8",         "ui16",       "ui32",   "ui64",       "f4E2M1FN",
      "f6E2M3FN",    "f6E3M2FN",   "f8E3M4", "f8E4M3",     "f8E4M3B11FNUZ",
      "f8E4M3FN",    "f8E4M3FNUZ", "f8E5M2", "f8E5M2FNUZ", "f8E8M0FNU",
      "bf16",        "f16",        "f32",    "f64",        "complex<f32>",
      "complex<f64>"};
  int i;
  for (i = 0; i <= XLAC_DTYPE_COMPLEX128; ++i)
    EXPECT(strcmp(xlac_dtype_name(i), names[i]) == 0);
  EXPECT(xlac_dtype_bytes(XLAC_DTYPE_NONE) == 0);
  EXPECT(xlac_dtype_bytes(XLAC_DTYPE_I4) == 1);
  EXPECT(xlac_dtype_bytes(XLAC_DTYPE_BF16) == 2);
  EXPECT(xlac_dtype_bytes(XLAC_DTYPE_COMPLEX128) == 16);
  EXPECT(xlac_dtype_bytes(31) == 0);
  EXPECT(strcmp(xlac_dtype_name(-1), "unknown type") == 0);
}

static void test_inspection(void) {
  xlac_load_options options = load_options();
  xlac_program *program;
  xlac_program_info info;
  xlac_value_info value;
  uint32_t number = 9;
  options.flags = XLAC_LOAD_NAMES | XLAC_LOAD_WITHOUT_CACHE;
  options.target = "avx2";
  program = load(kAdd, &options);
  info.struct_size = sizeof info;
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK);
  EXPECT(info.argument_count == 2 && info.result_count == 2);
  EXPECT(strcmp(info.entry, "main") == 0 && strcmp(info.target, "avx2") == 0);
  EXPECT(info.kernel_count > 0 && info.code_bytes > 0);
  EXPECT(info.replicas == 1 && info.partitions == 1 && !info.from_cache);
  value.struct_size = sizeof value;
  EXPECT(xlac_program_get_argument(program, 0, &value) == XLAC_OK);
  EXPECT(strcmp(value.name, "w") == 0 && value.dtype == XLAC_DTYPE_F32);
  EXPECT(value.rank == 2 && value.dims[0] == 2 && value.dims[1] == 3);
  EXPECT(value.bytes == 24 && value.alias == -1 && !value.is_invariant);
  EXPECT(xlac_program_get_result(program, 0, &value) == XLAC_OK);
  EXPECT(strcmp(value.name, "sum") == 0);
  EXPECT(xlac_program_find_argument(program, "x", &number) == XLAC_OK);
  EXPECT(number == 1);
  EXPECT(xlac_program_find_result(program, "sum", &number) == XLAC_OK);
  EXPECT(number == 0);
  EXPECT_ERROR(xlac_program_find_argument(program, "y", &number),
               XLAC_INVALID_ARGUMENT, "no argument has the name 'y'");
  EXPECT_ERROR(xlac_program_find_result(program, "", &number),
               XLAC_INVALID_ARGUMENT, "no result has the name ''");
  EXPECT_ERROR(xlac_program_get_argument(program, 2, &value),
               XLAC_INVALID_ARGUMENT, "there is no argument 2");
  /* A struct of an older version gets its members and no more. */
  memset(&info, 0x55, sizeof info);
  info.struct_size = offsetof(xlac_program_info, argument_count);
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK);
  EXPECT(strcmp(info.target, "avx2") == 0);
  EXPECT(info.argument_count == 0x55555555);
  xlac_program_destroy(program);
}

static void test_entries(void) {
  xlac_load_options options = load_options();
  xlac_program *program;
  xlac_program_info info;
  const char *name = NULL;
  options.entry = "second", options.flags = XLAC_LOAD_NAMES;
  program = load(kEntries, &options);
  info.struct_size = sizeof info;
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK);
  EXPECT(info.entry_count == 2 && strcmp(info.entry, "second") == 0);
  EXPECT(xlac_program_get_entry(program, 0, &name) == XLAC_OK);
  EXPECT(strcmp(name, "first") == 0);
  EXPECT_ERROR(xlac_program_get_entry(program, 2, &name), XLAC_INVALID_ARGUMENT,
               "there is no entry 2; the program has 2");
  EXPECT(xlac_program_get_entry(program, 0, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_get_entry(NULL, 0, &name) == XLAC_INVALID_ARGUMENT);
  xlac_program_destroy(program);
}

static void test_borrowed_memory(void) {
  float w[6] = {1, 2, 3, 4, 5, 6}, x[3] = {10, 20, 30}, sum[8], minus[3];
  xlac_const_view arguments[2];
  xlac_view results[2];
  xlac_program *program = load(kAdd, NULL);
  arguments[0].data = w, arguments[0].bytes = sizeof w;
  arguments[1].data = x, arguments[1].bytes = sizeof x;
  /* Unaligned memory as well. */
  results[0].data = (char *)sum + 4, results[0].bytes = 24;
  results[1].data = minus, results[1].bytes = sizeof minus;
  EXPECT(xlac_program_run(program, arguments, 2, results, 2, NULL) == XLAC_OK);
  EXPECT(sum[1] == 11 && sum[6] == 36 && minus[2] == -30);

  EXPECT_ERROR(xlac_program_run(program, arguments, 1, results, 2, NULL),
               XLAC_INVALID_ARGUMENT, "has 2 arguments, got 1");
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, results, 3, NULL),
               XLAC_INVALID_ARGUMENT, "has 2 results, got 3");
  EXPECT_ERROR(xlac_program_run(program, NULL, 2, results, 2, NULL),
               XLAC_INVALID_ARGUMENT, "arguments is null");
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, NULL, 2, NULL),
               XLAC_INVALID_ARGUMENT, "results is null");
  EXPECT_ERROR(xlac_program_run(NULL, arguments, 2, results, 2, NULL),
               XLAC_INVALID_ARGUMENT, "is not a program");
  arguments[1].bytes = 8;
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, results, 2, NULL),
               XLAC_INVALID_ARGUMENT,
               "argument 1 of tensor<3xf32> has 12 bytes, got 8");
  arguments[1].bytes = 12, arguments[1].data = NULL;
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, results, 2, NULL),
               XLAC_INVALID_ARGUMENT, "the data of argument 1");
  arguments[1].data = x;
  results[1].data = (char *)sum + 8;
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, results, 2, NULL),
               XLAC_INVALID_ARGUMENT, "results 0 and 1 overlaps");
  results[1].data = x;
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, results, 2, NULL),
               XLAC_INVALID_ARGUMENT, "overlaps that of argument 1");
  xlac_program_destroy(program);
}

static void test_owned_memory(void) {
  float w[6] = {1, 2, 3, 4, 5, 6}, x[3] = {10, 20, 30};
  xlac_const_view arguments[2];
  xlac_buffer *results[2] = {NULL, NULL}, *zeros = NULL;
  xlac_program *program = load(kAdd, NULL);
  arguments[0].data = w, arguments[0].bytes = sizeof w;
  arguments[1].data = x, arguments[1].bytes = sizeof x;
  EXPECT(xlac_program_run_new(program, arguments, 2, results, 2, NULL) ==
         XLAC_OK);
  EXPECT(xlac_buffer_bytes(results[0]) == 24);
  EXPECT(((float *)xlac_buffer_data(results[0]))[5] == 36);
  EXPECT((uintptr_t)xlac_buffer_data(results[1]) % 64 == 0);
  xlac_buffer_destroy(results[0]);
  xlac_buffer_destroy(results[1]);
  EXPECT_ERROR(xlac_program_run_new(program, arguments, 2, results, 1, NULL),
               XLAC_INVALID_ARGUMENT, "room for 1");
  EXPECT(!results[0]);
  EXPECT(xlac_buffer_create(1000, &zeros) == XLAC_OK);
  EXPECT(((char *)xlac_buffer_data(zeros))[999] == 0);
  xlac_buffer_destroy(zeros);
  EXPECT(xlac_buffer_create(0, &zeros) == XLAC_OK);
  EXPECT(xlac_buffer_data(zeros) && xlac_buffer_bytes(zeros) == 0);
  xlac_buffer_destroy(zeros);
  EXPECT(xlac_trim_memory() == XLAC_OK);
  EXPECT_ERROR(xlac_buffer_create((size_t)-1, &zeros), XLAC_OUT_OF_MEMORY, "");
  EXPECT(!zeros);
  xlac_program_destroy(program);
}

/* Results in the memory of arguments, temporaries in the caller's memory. */
static void test_aliases_and_arenas(void) {
  enum { kCount = 256 * 256 };
  size_t bytes = kCount * sizeof(float);
  xlac_buffer *a, *b, *arena, *fresh = NULL;
  xlac_context *context = NULL;
  xlac_const_view arguments[2];
  xlac_view result, lent;
  xlac_program *program = load(kUpdate, NULL);
  xlac_program_info info;
  xlac_value_info value;
  xlac_run_options options;
  float *numbers;
  size_t i, touched = 0;
  info.struct_size = sizeof info, value.struct_size = sizeof value;
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK);
  EXPECT(info.arena_bytes >= bytes);
  EXPECT(xlac_program_get_result(program, 0, &value) == XLAC_OK);
  EXPECT(value.alias == 0);
  EXPECT(xlac_program_get_argument(program, 0, &value) == XLAC_OK);
  EXPECT(value.alias == 0);
  EXPECT(xlac_buffer_create(bytes, &a) == XLAC_OK);
  EXPECT(xlac_buffer_create(bytes, &b) == XLAC_OK);
  EXPECT(xlac_buffer_create(info.arena_bytes, &arena) == XLAC_OK);
  EXPECT(xlac_context_create(&context) == XLAC_OK);
  numbers = xlac_buffer_data(b);
  for (i = 0; i < kCount; ++i)
    numbers[i] = (float)(i % 7) * 0.25f;
  arguments[0].data = xlac_buffer_data(a), arguments[0].bytes = bytes;
  arguments[1].data = xlac_buffer_data(b), arguments[1].bytes = bytes;
  options = run_options(context);
  EXPECT(xlac_program_run_new(program, arguments, 2, &fresh, 1, &options) ==
         XLAC_OK);
  lent.data = xlac_buffer_data(arena), lent.bytes = info.arena_bytes;
  EXPECT(xlac_context_set_arena(context, lent) == XLAC_OK);
  result.data = xlac_buffer_data(a), result.bytes = bytes;
  EXPECT(xlac_program_run(program, arguments, 2, &result, 1, &options) ==
         XLAC_OK);
  EXPECT(memcmp(xlac_buffer_data(fresh), result.data, bytes) == 0);
  for (i = 0; i < info.arena_bytes; ++i)
    touched += ((unsigned char *)lent.data)[i] != 0;
  EXPECT(touched > bytes / 2);
  /* The memory of the other argument is not permitted. */
  result.data = xlac_buffer_data(b);
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, &result, 1, &options),
               XLAC_INVALID_ARGUMENT, "overlaps that of argument 1");
  lent.data = (char *)lent.data + 4;
  EXPECT_ERROR(xlac_context_set_arena(context, lent), XLAC_INVALID_ARGUMENT,
               "not aligned");
  lent.data = NULL;
  EXPECT_ERROR(xlac_context_set_arena(context, lent), XLAC_INVALID_ARGUMENT,
               "is null");
  lent.bytes = 0;
  EXPECT(xlac_context_set_arena(context, lent) == XLAC_OK);
  xlac_context_destroy(context);
  xlac_buffer_destroy(a);
  xlac_buffer_destroy(b);
  xlac_buffer_destroy(arena);
  xlac_buffer_destroy(fresh);
  xlac_program_destroy(program);
}

static void test_invariant_arguments(void) {
  static const uint32_t kWeights[] = {0};
  float w[4] = {0, 0, 0, 0}, x[4] = {0, 1, 2, 3}, first[4], second[4];
  xlac_load_options load_with = load_options();
  xlac_context *context = NULL;
  xlac_const_view arguments[2];
  xlac_view result;
  xlac_run_options options;
  xlac_program *program;
  xlac_program_info info;
  xlac_value_info value;
  load_with.invariant_arguments = kWeights, load_with.invariant_count = 1;
  program = load(kInvariant, &load_with);
  info.struct_size = sizeof info, value.struct_size = sizeof value;
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK);
  EXPECT(info.prologue_bytes == 16);
  EXPECT(xlac_program_get_argument(program, 0, &value) == XLAC_OK);
  EXPECT(value.is_invariant == 1);
  arguments[0].data = w, arguments[0].bytes = sizeof w;
  arguments[1].data = x, arguments[1].bytes = sizeof x;
  result.data = first, result.bytes = sizeof first;
  EXPECT(xlac_context_create(&context) == XLAC_OK);
  options = run_options(context);
  options.invariant_version = 1;
  EXPECT(xlac_program_run(program, arguments, 2, &result, 1, &options) ==
         XLAC_OK);
  EXPECT(first[3] - first[0] > 2.99f && first[0] > 2.3f && first[0] < 2.33f);
  /* The values are kept while the version stays the same. */
  w[0] = w[1] = w[2] = w[3] = 1;
  result.data = second;
  EXPECT(xlac_program_run(program, arguments, 2, &result, 1, &options) ==
         XLAC_OK);
  EXPECT(memcmp(first, second, sizeof first) == 0);
  options.invariant_version = 2;
  EXPECT(xlac_program_run(program, arguments, 2, &result, 1, &options) ==
         XLAC_OK);
  EXPECT(first[0] != second[0]);
  w[0] = 0;
  options.invariant_version = 0;
  EXPECT(xlac_program_run(program, arguments, 2, &result, 1, &options) ==
         XLAC_OK);
  EXPECT(first[0] == second[0]);
  options.context = NULL, options.invariant_version = 3;
  EXPECT_ERROR(xlac_program_run(program, arguments, 2, &result, 1, &options),
               XLAC_INVALID_ARGUMENT, "needs a context");
  xlac_context_destroy(context);
  xlac_program_destroy(program);
}

static void test_unknown_sizes(void) {
  static const int64_t kDims[] = {2, 4};
  xlac_argument_shape shape;
  xlac_load_options options = load_options();
  xlac_program *program = NULL;
  xlac_value_info value;
  EXPECT_ERROR(xlac_program_load(kDynamic, strlen(kDynamic), NULL, &program),
               XLAC_UNSUPPORTED, "its sizes must be given");
  EXPECT(!program);
  shape.argument = 0, shape.rank = 2, shape.dims = kDims;
  options.shapes = &shape, options.shape_count = 1;
  program = load(kDynamic, &options);
  value.struct_size = sizeof value;
  EXPECT(xlac_program_get_result(program, 0, &value) == XLAC_OK);
  EXPECT(value.rank == 2 && value.dims[0] == 2 && value.bytes == 32);
  xlac_program_destroy(program);
}

static void test_empty_arrays_and_tokens(void) {
  xlac_const_view arguments[2] = {{NULL, 0}, {NULL, 0}};
  xlac_view results[2] = {{NULL, 0}, {NULL, 0}};
  xlac_value_info value;
  xlac_program *program = load(kEmpty, NULL);
  value.struct_size = sizeof value;
  EXPECT(xlac_program_run(program, arguments, 2, results, 2, NULL) == XLAC_OK);
  EXPECT(xlac_program_get_argument(program, 0, &value) == XLAC_OK);
  EXPECT(value.rank == 2 && value.dims[0] == 0 && value.bytes == 0);
  EXPECT(xlac_program_get_argument(program, 1, &value) == XLAC_OK);
  EXPECT(value.dtype == XLAC_DTYPE_NONE && value.rank == 0);
  xlac_program_destroy(program);
}

static void test_images(const char *folder) {
  char path[512], absent[600];
  float w[6] = {1, 2, 3, 4, 5, 6}, x[3] = {10, 20, 30}, sum[6], minus[3];
  xlac_const_view arguments[2];
  xlac_view results[2];
  xlac_program *program = load(kAdd, NULL), *image = NULL;
  char *bytes;
  long size;
  FILE *file;
  snprintf(path, sizeof path, "%s/c_api_test.xlax", folder);
  snprintf(absent, sizeof absent, "%s/absent/x.xlax", folder);
  EXPECT(xlac_program_save(program, path) == XLAC_OK);
  EXPECT_ERROR(xlac_program_save(program, absent), XLAC_RUNTIME_ERROR,
               "absent");
  EXPECT_ERROR(xlac_program_save(program, "/dev/full"), XLAC_RUNTIME_ERROR,
               "/dev/full");
  EXPECT(xlac_program_load_image_file(path, &image) == XLAC_OK);
  arguments[0].data = w, arguments[0].bytes = sizeof w;
  arguments[1].data = x, arguments[1].bytes = sizeof x;
  results[0].data = sum, results[0].bytes = sizeof sum;
  results[1].data = minus, results[1].bytes = sizeof minus;
  EXPECT(xlac_program_run(image, arguments, 2, results, 2, NULL) == XLAC_OK);
  EXPECT(sum[5] == 36);
  xlac_program_destroy(image);
  EXPECT_ERROR(xlac_program_load_file(path, NULL, &image), XLAC_INVALID_PROGRAM,
               "does not contain the program");
  EXPECT_ERROR(xlac_program_load_image(kAdd, sizeof kAdd, &image),
               XLAC_INVALID_PROGRAM, "<image>");
  EXPECT_ERROR(xlac_program_load_image_file(absent, &image), XLAC_RUNTIME_ERROR,
               "absent");
  EXPECT_ERROR(xlac_program_load_file("/", NULL, &image), XLAC_RUNTIME_ERROR,
               "is a directory");
  file = fopen(path, "rb");
  fseek(file, 0, SEEK_END);
  size = ftell(file);
  rewind(file);
  bytes = malloc((size_t)size);
  EXPECT(fread(bytes, 1, (size_t)size, file) == (size_t)size);
  fclose(file);
  EXPECT(xlac_program_load_image(bytes, (size_t)size, &image) == XLAC_OK);
  xlac_program_destroy(image);
  bytes[size / 2] ^= 1;
  EXPECT_ERROR(xlac_program_load_image(bytes, (size_t)size, &image),
               XLAC_INVALID_PROGRAM, "");
  bytes[size / 2] ^= 1;
  EXPECT_ERROR(xlac_program_load_image(bytes, (size_t)size - 1, &image),
               XLAC_INVALID_PROGRAM, "");
  free(bytes);
  remove(path);
  xlac_program_destroy(program);
}

/* An image with names and the program inside, and its digest. */
static void test_complete_images(const char *folder) {
  char path[512], digest[65];
  uint32_t number = 9;
  xlac_load_options options = load_options();
  xlac_image_options how;
  xlac_value_info value;
  xlac_program_info info;
  xlac_program *program, *image = NULL, *again = NULL;
  memset(&how, 0, sizeof how), how.struct_size = sizeof how;
  memset(&value, 0, sizeof value), value.struct_size = sizeof value;
  memset(&info, 0, sizeof info), info.struct_size = sizeof info;
  options.flags = XLAC_LOAD_NAMES | XLAC_LOAD_KEEP_PROGRAM;
  program = load(kAdd, &options);
  snprintf(path, sizeof path, "%s/c_api_complete.xlax", folder);
  EXPECT(xlac_program_save(program, path) == XLAC_OK);
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK && info.has_program);
  xlac_program_destroy(program);

  EXPECT(xlac_program_load_image_file_with(path, &how, &image) == XLAC_OK);
  EXPECT(xlac_program_find_argument(image, "x", &number) == XLAC_OK);
  EXPECT(number == 1);
  EXPECT(xlac_program_get_result(image, 0, &value) == XLAC_OK);
  EXPECT(strcmp(value.name, "sum") == 0);
  EXPECT(xlac_program_get_info(image, &info) == XLAC_OK);
  EXPECT(info.has_program && info.from_cache);
  /* It can be saved again over the file that is mapped. */
  EXPECT(xlac_program_save(image, path) == XLAC_OK);
  xlac_program_destroy(image);

  /* As a program, with other options than those of its compilation. */
  options = load_options();
  options.flags = XLAC_LOAD_NAMES;
  options.target = "baseline";
  EXPECT(xlac_program_load_file(path, &options, &again) == XLAC_OK);
  EXPECT(xlac_program_get_info(again, &info) == XLAC_OK && !info.has_program);
  EXPECT(strcmp(info.target, "baseline") == 0);
  EXPECT(xlac_program_find_argument(again, "w", &number) == XLAC_OK);
  xlac_program_destroy(again);

  how.digest =
      "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef";
  EXPECT_ERROR(xlac_program_load_image_file_with(path, &how, &image),
               XLAC_INVALID_PROGRAM, "has the digest ");
  how.digest = strstr(xlac_error_message(), "has the digest ");
  if (how.digest) {
    snprintf(digest, sizeof digest, "%s",
             how.digest + strlen("has the digest "));
    how.digest = digest;
    EXPECT(xlac_program_load_image_file_with(path, &how, &image) == XLAC_OK);
    xlac_program_destroy(image);
  }
  how.digest = "0123";
  EXPECT_ERROR(xlac_program_load_image_file_with(path, &how, &image),
               XLAC_INVALID_ARGUMENT, "64 hexadecimal digits");
  how.digest = NULL, how.flags = XLAC_LOAD_NAMES;
  EXPECT_ERROR(xlac_program_load_image_file_with(path, &how, &image),
               XLAC_INVALID_ARGUMENT, "unknown flags: 2");
  remove(path);
}

static void test_bad_programs(void) {
  xlac_load_options options = load_options();
  xlac_program *program = NULL, *sharded;
  xlac_const_view argument;
  xlac_view result;
  float numbers[4] = {0};
  EXPECT_ERROR(xlac_program_load("nonsense", 8, NULL, &program),
               XLAC_INVALID_PROGRAM, "<input>:1:1");
  options.name = "model.mlir";
  EXPECT_ERROR(xlac_program_load("nonsense", 8, &options, &program),
               XLAC_INVALID_PROGRAM, "model.mlir:1:1");
  options.entry = "other";
  EXPECT_ERROR(xlac_program_load(kAdd, strlen(kAdd), &options, &program),
               XLAC_INVALID_PROGRAM, "other");
  options.entry = NULL, options.target = "z80";
  EXPECT_ERROR(xlac_program_load(kAdd, strlen(kAdd), &options, &program),
               XLAC_INVALID_ARGUMENT, "z80");
  options.target = NULL, options.flags = 1u << 30;
  EXPECT_ERROR(xlac_program_load(kAdd, strlen(kAdd), &options, &program),
               XLAC_INVALID_ARGUMENT, "unknown flags");
  options.flags = 0, options.shape_count = 1;
  EXPECT_ERROR(xlac_program_load(kAdd, strlen(kAdd), &options, &program),
               XLAC_INVALID_ARGUMENT, "shapes is null");
  options.shape_count = 0, options.invariant_count = 1;
  EXPECT_ERROR(xlac_program_load(kAdd, strlen(kAdd), &options, &program),
               XLAC_INVALID_ARGUMENT, "invariant_arguments is null");
  options.invariant_count = 0, options.struct_size = 3;
  EXPECT_ERROR(xlac_program_load(kAdd, strlen(kAdd), &options, &program),
               XLAC_INVALID_ARGUMENT, "struct_size is 3");
  EXPECT(!program);
  sharded = load(kSharded, NULL);
  argument.data = numbers, argument.bytes = 8;
  result.data = numbers + 2, result.bytes = 8;
  EXPECT_ERROR(xlac_program_run(sharded, &argument, 1, &result, 1, NULL),
               XLAC_UNSUPPORTED, "2 devices");
  xlac_program_destroy(sharded);
}

/* A struct of a later version is accepted while its new members are zero. */
static void test_later_structs(void) {
  struct {
    xlac_load_options known;
    uint64_t more;
  } later;
  xlac_program *program = NULL;
  memset(&later, 0, sizeof later);
  later.known.struct_size = sizeof later;
  EXPECT(xlac_program_load(kAdd, strlen(kAdd), &later.known, &program) ==
         XLAC_OK);
  xlac_program_destroy(program);
  later.more = 1;
  EXPECT_ERROR(xlac_program_load(kAdd, strlen(kAdd), &later.known, &program),
               XLAC_INVALID_ARGUMENT, "does not have");
}

static void test_null_arguments(void) {
  xlac_program *program = load(kAdd, NULL);
  xlac_program *none = NULL;
  xlac_context *context = NULL;
  xlac_run_options options = run_options(NULL);
  xlac_view view = {NULL, 0};
  uint32_t number;
  EXPECT(xlac_program_load(NULL, 0, NULL, &none) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_load(kAdd, 1, NULL, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_load_file(NULL, NULL, &none) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_load_file("x", NULL, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_load_image(NULL, 0, &none) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_load_image("x", 1, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_load_image_file(NULL, &none) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_load_image_file("x", NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_save(NULL, "x") == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_save(program, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_get_info(NULL, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_get_info(program, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_get_argument(NULL, 0, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_get_argument(program, 0, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_get_result(NULL, 0, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_get_result(program, 0, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_find_argument(NULL, "x", &number) ==
         XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_find_argument(program, NULL, &number) ==
         XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_find_argument(program, "x", NULL) ==
         XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_find_result(program, NULL, NULL) ==
         XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_buffer_create(1, NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_buffer_data(NULL) == NULL && xlac_buffer_bytes(NULL) == 0);
  EXPECT(xlac_context_create(NULL) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_context_set_arena(NULL, view) == XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_run(NULL, NULL, 0, NULL, 0, NULL) ==
         XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_run_new(NULL, NULL, 0, NULL, 0, NULL) ==
         XLAC_INVALID_ARGUMENT);
  EXPECT(xlac_program_run_new(program, NULL, 0, NULL, 2, NULL) ==
         XLAC_INVALID_ARGUMENT);
  xlac_program_destroy(NULL);
  xlac_context_destroy(NULL);
  xlac_buffer_destroy(NULL);
  /* Handles of another kind. */
  EXPECT(xlac_context_create(&context) == XLAC_OK);
  EXPECT_ERROR(xlac_program_get_info((xlac_program *)context, NULL),
               XLAC_INVALID_ARGUMENT, "is not a program");
  EXPECT(xlac_buffer_data((xlac_buffer *)context) == NULL);
  xlac_buffer_destroy((xlac_buffer *)context);
  xlac_program_destroy((xlac_program *)context);
  options.context = (xlac_context *)program;
  EXPECT_ERROR(xlac_program_run(program, NULL, 0, NULL, 0, &options),
               XLAC_INVALID_ARGUMENT, "is not a context");
  options.context = context, options.threads = -1;
  EXPECT_ERROR(xlac_program_run(program, NULL, 0, NULL, 0, &options),
               XLAC_INVALID_ARGUMENT, "threads");
  xlac_context_destroy(context);
  xlac_program_destroy(program);
}

struct Messages {
  int count;
  char last[256];
};

static void keep_message(void *data, xlac_log_level level, const char *text) {
  struct Messages *messages = data;
  ++messages->count;
  snprintf(messages->last, sizeof messages->last, "%d %s", (int)level, text);
}

static void test_settings(const char *folder) {
  char path[512], entry[600];
  struct Messages messages = {0, ""};
  xlac_program *program;
  xlac_program_info info;
  FILE *file;
  info.struct_size = sizeof info;
  EXPECT_ERROR(xlac_set_thread_count(-1), XLAC_INVALID_ARGUMENT, "4096");
  EXPECT_ERROR(xlac_set_thread_count(5000), XLAC_INVALID_ARGUMENT, "4096");
  EXPECT(xlac_set_thread_count(1) == XLAC_OK);
  EXPECT(xlac_set_thread_count(0) == XLAC_OK);
  EXPECT_ERROR(xlac_set_cache_folder("/proc/none"), XLAC_RUNTIME_ERROR,
               "/proc");
  EXPECT_ERROR(xlac_set_cache_folder(""), XLAC_INVALID_ARGUMENT, "empty");
  snprintf(path, sizeof path, "%s/cache", folder);
  EXPECT(xlac_set_cache_folder(path) == XLAC_OK);
  xlac_program_destroy(load(kAdd, NULL));
  program = load(kAdd, NULL);
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK);
  EXPECT(info.from_cache == 1);
  xlac_program_destroy(program);
  /* A file in the place of a folder gives a warning. */
  EXPECT(xlac_set_logger(keep_message, &messages) == XLAC_OK);
  snprintf(path, sizeof path, "%s/other", folder);
  EXPECT(xlac_set_cache_folder(path) == XLAC_OK);
  snprintf(entry, sizeof entry, "%s/executable", path);
  file = fopen(entry, "w");
  EXPECT(file && fclose(file) == 0);
  xlac_program_destroy(load(kAdd, NULL));
  EXPECT(messages.count > 0 && messages.last[0] == '1');
  EXPECT(xlac_set_logger(NULL, NULL) == XLAC_OK);
  EXPECT(xlac_set_cache_folder(NULL) == XLAC_OK);
  program = load(kAdd, NULL);
  EXPECT(xlac_program_get_info(program, &info) == XLAC_OK);
  EXPECT(info.from_cache == 0);
  xlac_program_destroy(program);
}

struct Work {
  const xlac_program *program;
  int number, failures;
};

/* Runs the program with numbers of this thread; errors of other threads do not
 * show here. */
static void *run_often(void *data) {
  struct Work *work = data;
  xlac_context *context = NULL;
  int i, k;
  work->failures += xlac_context_create(&context) != XLAC_OK;
  for (i = 0; i < 200; ++i) {
    float w[6], x[3], sum[6], minus[3];
    char wanted[64];
    xlac_const_view arguments[2];
    xlac_view results[2];
    xlac_run_options options = run_options(i % 2 ? context : NULL);
    for (k = 0; k < 6; ++k)
      w[k] = (float)(work->number * 1000 + i + k);
    for (k = 0; k < 3; ++k)
      x[k] = (float)k;
    arguments[0].data = w, arguments[0].bytes = sizeof w;
    arguments[1].data = x, arguments[1].bytes = sizeof x;
    results[0].data = sum, results[0].bytes = sizeof sum;
    results[1].data = minus, results[1].bytes = sizeof minus;
    work->failures += xlac_program_run(work->program, arguments, 2, results, 2,
                                       &options) != XLAC_OK;
    for (k = 0; k < 6; ++k)
      work->failures += sum[k] != w[k] + x[k % 3];
    snprintf(wanted, sizeof wanted, "has 2 arguments, got %d", work->number);
    work->failures +=
        xlac_program_run(work->program, arguments, (size_t)work->number,
                         results, 2, &options) != XLAC_INVALID_ARGUMENT ||
        !strstr(xlac_error_message(), wanted);
  }
  xlac_context_destroy(context);
  return NULL;
}

static void *load_often(void *data) {
  struct Work *work = data;
  int i;
  for (i = 0; i < 3; ++i) {
    xlac_program *program = NULL;
    work->failures += xlac_program_load(kInvariant, strlen(kInvariant), NULL,
                                        &program) != XLAC_OK;
    xlac_program_destroy(program);
  }
  return NULL;
}

static void test_threads(void) {
  enum { kThreads = 8 };
  pthread_t threads[kThreads];
  struct Work work[kThreads];
  xlac_program *program = load(kAdd, NULL);
  int i;
  for (i = 0; i < kThreads; ++i) {
    work[i].program = program;
    work[i].number = i + 3;
    work[i].failures = 0;
    EXPECT(pthread_create(&threads[i], NULL, i < 6 ? run_often : load_often,
                          &work[i]) == 0);
  }
  for (i = 0; i < kThreads; ++i) {
    pthread_join(threads[i], NULL);
    EXPECT(work[i].failures == 0);
  }
  xlac_program_destroy(program);
}

int main(int argc, char **argv) {
  if (argc == 3 && strcmp(argv[2], "threads") == 0) {
    test_threads();
    printf("%d failures\n", failures);
    return failures != 0;
  }
  if (argc != 2) {
    printf("usage: c_api_test FOLDER [threads]\n");
    return 2;
  }
  EXPECT(strcmp(xlac_error_message(), "") == 0);
  test_versions();
  test_types();
  test_inspection();
  test_entries();
  test_borrowed_memory();
  test_owned_memory();
  test_aliases_and_arenas();
  test_invariant_arguments();
  test_unknown_sizes();
  test_empty_arrays_and_tokens();
  test_images(argv[1]);
  test_complete_images(argv[1]);
  test_bad_programs();
  test_later_structs();
  test_null_arguments();
  test_settings(argv[1]);
  test_threads();
  printf("%d failures\n", failures);
  return failures != 0;
}
