/* The C interface of libxlac.so: loads, inspects and runs StableHLO programs
 * and images. It needs C99 and no other header of xlac. No exception and no
 * type of C++ crosses it.
 *
 * Functions that can fail return an xlac_status; xlac_error_message() then
 * describes the failure. Invalid arguments, such as a null pointer, an index
 * out of range or a handle of another kind, give XLAC_INVALID_ARGUMENT. Handles
 * that were destroyed must not be passed. All functions may be called from
 * several threads at the same time, except on a context that is in use and on a
 * handle that is being destroyed.
 *
 * Structs begin with struct_size, which the caller sets to sizeof the struct. A
 * later version of the library may add members at the end. It reads and writes
 * only the members that the caller's struct has. Members that are zero have
 * their default. */
#ifndef XLAC_C_API_H
#define XLAC_C_API_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Exports a function from libxlac.so. */
#define XLAC_C_API __attribute__((visibility("default")))

/** The version of this interface. It grows when functions or members are added;
 * nothing is removed while SOVERSION of the library stays the same. */
#define XLAC_C_API_VERSION 1

/** XLAC_C_API_VERSION of the library that is loaded. */
XLAC_C_API int32_t xlac_c_api_version(void);
/** The version of the library: "MAJOR.MINOR.PATCH". */
XLAC_C_API const char *xlac_version(void);

/*===-- Errors -----------------------------------------------------------===*/

/** Results of functions. */
typedef enum xlac_status {
  XLAC_OK = 0,
  XLAC_INVALID_ARGUMENT = 1, /**< an argument of the call is wrong */
  XLAC_INVALID_PROGRAM = 2,  /**< the program or the image is wrong */
  XLAC_UNSUPPORTED = 3,      /**< valid, but not implemented */
  XLAC_RUNTIME_ERROR = 4,    /**< a failure of the machine or of files */
  XLAC_OUT_OF_MEMORY = 5,    /**< no memory, or a limit is exceeded */
  XLAC_INTERNAL_ERROR = 6    /**< a defect of xlac */
} xlac_status;

/** The name of the constant: "XLAC_OK". "unknown status" for other numbers. */
XLAC_C_API const char *xlac_status_name(int32_t status);

/** Describes the last failure of a call on this thread: what is wrong, what was
 * expected. Empty if none has failed. Valid until the next call on this thread
 * that fails. */
XLAC_C_API const char *xlac_error_message(void);

/*===-- Settings of the process ------------------------------------------===*/

/** Levels of messages. */
typedef enum xlac_log_level {
  XLAC_LOG_INFO = 0,    /**< output that the setting XLAC_LOGS requested */
  XLAC_LOG_WARNING = 1, /**< the program continues, but not as requested */
  XLAC_LOG_ERROR = 2    /**< a failure that no caller can receive */
} xlac_log_level;

/** Receives a message of one line. Called from any thread, and from several at
 * the same time. It must not call functions of this interface. */
typedef void (*xlac_logger)(void *data, xlac_log_level level,
                            const char *message);

/** Sends messages to `logger`, which gets `data`, instead of standard error. A
 * null logger restores standard error. `data` must stay valid until the logger
 * is replaced and running calls have returned. */
XLAC_C_API xlac_status xlac_set_logger(xlac_logger logger, void *data);

/** Limits the threads of later compilations and runs, 1 to 4096. 0 restores the
 * default: XLAC_NUM_THREADS, else one per core that the process may use. */
XLAC_C_API xlac_status xlac_set_thread_count(int32_t threads);

/** Uses a folder as the disk cache of programs that are loaded later. It is
 * made with mode 0700 if needed. Null: no disk cache. Before the first call the
 * cache is the folder that XLAC_CACHE_DIR names, or none. XLAC_CACHE=off has
 * precedence. XLAC_RUNTIME_ERROR, and the cache stays what it was, if the
 * folder cannot be used. */
XLAC_C_API xlac_status xlac_set_cache_folder(const char *path);

/*===-- Types ------------------------------------------------------------===*/

/** Element types with StableHLO's names. An element takes xlac_dtype_bytes()
 * bytes: types narrower than a byte take one. */
typedef enum xlac_dtype {
  XLAC_DTYPE_NONE = 0, /**< of a token, which has no elements */
  XLAC_DTYPE_I1 = 1,   /**< boolean: a byte that is 0 or 1 */
  XLAC_DTYPE_I2 = 2,
  XLAC_DTYPE_I4 = 3,
  XLAC_DTYPE_I8 = 4,
  XLAC_DTYPE_I16 = 5,
  XLAC_DTYPE_I32 = 6,
  XLAC_DTYPE_I64 = 7,
  XLAC_DTYPE_UI2 = 8,
  XLAC_DTYPE_UI4 = 9,
  XLAC_DTYPE_UI8 = 10,
  XLAC_DTYPE_UI16 = 11,
  XLAC_DTYPE_UI32 = 12,
  XLAC_DTYPE_UI64 = 13,
  XLAC_DTYPE_F4E2M1FN = 14,
  XLAC_DTYPE_F6E2M3FN = 15,
  XLAC_DTYPE_F6E3M2FN = 16,
  XLAC_DTYPE_F8E3M4 = 17,
  XLAC_DTYPE_F8E4M3 = 18,
  XLAC_DTYPE_F8E4M3B11FNUZ = 19,
  XLAC_DTYPE_F8E4M3FN = 20,
  XLAC_DTYPE_F8E4M3FNUZ = 21,
  XLAC_DTYPE_F8E5M2 = 22,
  XLAC_DTYPE_F8E5M2FNUZ = 23,
  XLAC_DTYPE_F8E8M0FNU = 24,
  XLAC_DTYPE_BF16 = 25,
  XLAC_DTYPE_F16 = 26,
  XLAC_DTYPE_F32 = 27,
  XLAC_DTYPE_F64 = 28,
  XLAC_DTYPE_COMPLEX64 = 29, /**< complex<f32> */
  XLAC_DTYPE_COMPLEX128 = 30 /**< complex<f64> */
} xlac_dtype;

/** MLIR's name: "f32", "complex<f64>"; "token" for XLAC_DTYPE_NONE, and
 * "unknown type" for other numbers. */
XLAC_C_API const char *xlac_dtype_name(int32_t dtype);
/** Bytes of an element; 0 for XLAC_DTYPE_NONE and other numbers. */
XLAC_C_API size_t xlac_dtype_bytes(int32_t dtype);

/*===-- Programs ---------------------------------------------------------===*/

/** A compiled program. Several threads may run it at the same time. */
typedef struct xlac_program xlac_program;

/** Sizes of an argument whose type has dimensions of unknown size. */
typedef struct xlac_argument_shape {
  uint32_t argument;   /**< the number of the argument */
  uint32_t rank;       /**< the number of `dims` */
  const int64_t *dims; /**< may be null if rank is 0 */
} xlac_argument_shape;

/** Flags of xlac_load_options. */
enum {
  /** Neither reads nor writes the disk cache. */
  XLAC_LOAD_WITHOUT_CACHE = 1,
  /** Looks up the names of arguments, results and entries, which the disk cache
   * keeps. Images have their names without it. */
  XLAC_LOAD_NAMES = 2,
  /** Omits calls of Python callbacks that have no results. */
  XLAC_LOAD_IGNORE_CALLBACKS = 4,
  /** Keeps the program, packed, so that xlac_program_save writes it into the
   * image. This opens the compiler, also if the program is in the cache. */
  XLAC_LOAD_KEEP_PROGRAM = 8
};

/** How a program is loaded. Zeros mean defaults. */
typedef struct xlac_load_options {
  size_t struct_size;   /**< sizeof of this struct */
  const char *name;     /**< of the source in messages; default "<input>" */
  const char *entry;    /**< the function to compile; default "main" */
  const char *target;   /**< target profile, as "avx2"; default "native" */
  uint32_t flags;       /**< XLAC_LOAD_… */
  uint32_t shape_count; /**< number of shapes */
  const xlac_argument_shape *shapes; /**< shapes of arguments of unknown size */
  /** Numbers of arguments that stay the same over many runs, such as weights:
   * see xlac_run_options::invariant_version. */
  const uint32_t *invariant_arguments;
  uint32_t invariant_count; /**< number of invariant arguments */
} xlac_load_options;

/** Compiles StableHLO text, a portable artifact (bytecode), a file of
 * jax.export or the program inside an image, or finds it in the disk cache. The
 * options of an image's compilation are the defaults of `options`. No machine
 * code of an image runs: see xlac_program_load_image. The bytes are not needed
 * afterwards. `options` may be null. Errors: XLAC_INVALID_PROGRAM, whose
 * message names file, line and column; XLAC_UNSUPPORTED; XLAC_RUNTIME_ERROR if
 * libxlac_compiler.so is missing. */
XLAC_C_API xlac_status xlac_program_load(const void *bytes, size_t size,
                                         const xlac_load_options *options,
                                         xlac_program **program);
/** As xlac_program_load, from a file. */
XLAC_C_API xlac_status xlac_program_load_file(const char *path,
                                              const xlac_load_options *options,
                                              xlac_program **program);
/** Loads an image that xlac_program_save or `xlac compile` wrote, as
 * xlac_program_load_image_with with default options. */
XLAC_C_API xlac_status xlac_program_load_image(const void *bytes, size_t size,
                                               xlac_program **program);
/** As xlac_program_load_image, from a file. */
XLAC_C_API xlac_status xlac_program_load_image_file(const char *path,
                                                    xlac_program **program);

/** How an image is loaded. Zeros mean defaults. */
typedef struct xlac_image_options {
  size_t struct_size; /**< sizeof of this struct */
  /** In messages; default "<image>", or the path of the file. */
  const char *name;
  /** 64 hexadecimal digits, as `xlac inspect --digest` prints them: an image
   * with another digest is refused. Null: any digest. */
  const char *digest;
  uint32_t flags; /**< XLAC_LOAD_WITHOUT_CACHE, or 0 */
} xlac_image_options;

/** Loads an image that xlac_program_save or `xlac compile` wrote. All bytes are
 * verified first. It needs no compiler if this machine has the CPU features of
 * the image's target. If it lacks some, the program inside the image is
 * compiled, or found in the disk cache. The machine code runs unchecked: load
 * only images from sources that you trust, or with a digest that you trust.
 * `options` may be null. XLAC_INVALID_PROGRAM if the image is damaged,
 * incomplete, of another version or has another digest, or if this machine
 * lacks CPU features and the image contains no program; then the message names
 * them. XLAC_INVALID_ARGUMENT for a digest that is no digest. */
XLAC_C_API xlac_status xlac_program_load_image_with(
    const void *bytes, size_t size, const xlac_image_options *options,
    xlac_program **program);
/** As xlac_program_load_image_with, from a file. It is mapped: constants and
 * the program inside are not copied. The file must not be overwritten or become
 * shorter before the program is destroyed; renaming another file over it does
 * no harm. With a digest the file is read instead, so that nobody changes it
 * after the comparison. */
XLAC_C_API xlac_status xlac_program_load_image_file_with(
    const char *path, const xlac_image_options *options,
    xlac_program **program);
/** Writes the program as an image, with the names of its arguments and results
 * if they are known, and with its StableHLO program if it is kept
 * (XLAC_LOAD_KEEP_PROGRAM) or came with an image. By convention the name ends
 * in .xlax. */
XLAC_C_API xlac_status xlac_program_save(const xlac_program *program,
                                         const char *path);
/** Destroys the program. Null is allowed; a handle of another kind is ignored.
 */
XLAC_C_API void xlac_program_destroy(xlac_program *program);

/** Facts about a program. Texts live as long as the program. */
typedef struct xlac_program_info {
  size_t struct_size; /**< sizeof of this struct */
  const char *entry;  /**< the function that was compiled */
  const char *target; /**< the target profile of the code */
  /** Numbers of arguments and results. */
  uint32_t argument_count, result_count;
  /** Functions of the source that can be entries: see xlac_program_get_entry.
   */
  uint32_t entry_count;
  uint32_t kernel_count;   /**< number of kernels */
  int32_t from_cache;      /**< 1 if no compilation was needed */
  uint64_t arena_bytes;    /**< memory for temporaries of one run */
  uint64_t code_bytes;     /**< of machine code and constants */
  uint64_t prologue_bytes; /**< of values computed from invariant arguments */
  uint32_t replicas, partitions; /**< devices that the program is made for */
  /** 1 if xlac_program_save writes the StableHLO program into the image. */
  int32_t has_program;
} xlac_program_info;
/** Fills info, whose struct_size the caller sets. */
XLAC_C_API xlac_status xlac_program_get_info(const xlac_program *program,
                                             xlac_program_info *info);

/** The name of an entry of the source, in its order. A program that was loaded
 * without XLAC_LOAD_NAMES, or from an image, has the one that was compiled. The
 * name lives as long as the program. */
XLAC_C_API xlac_status xlac_program_get_entry(const xlac_program *program,
                                              uint32_t number,
                                              const char **name);

/** An argument or a result. Pointers live as long as the program. */
typedef struct xlac_value_info {
  size_t struct_size;  /**< sizeof of this struct */
  const char *name;    /**< as the exporter wrote it; empty if unknown */
  xlac_dtype dtype;    /**< the element type */
  uint32_t rank;       /**< the number of dimensions */
  const int64_t *dims; /**< the sizes of the dimensions */
  uint64_t bytes;      /**< of its memory, row-major */
  int32_t alias; /**< of a result, the argument whose memory it may have; of
                      an argument, the result; -1 for none */
  int32_t is_invariant; /**< 1 for an argument that the prologue reads */
} xlac_value_info;
/** Fills info for the argument of that number. */
XLAC_C_API xlac_status xlac_program_get_argument(const xlac_program *program,
                                                 uint32_t number,
                                                 xlac_value_info *info);
/** Fills info for the result of that number. */
XLAC_C_API xlac_status xlac_program_get_result(const xlac_program *program,
                                               uint32_t number,
                                               xlac_value_info *info);
/** The number of the argument or result with that name. XLAC_INVALID_ARGUMENT
 * if there is none, as in a program that was loaded without names. */
XLAC_C_API xlac_status xlac_program_find_argument(const xlac_program *program,
                                                  const char *name,
                                                  uint32_t *number);
/** The same for results. */
XLAC_C_API xlac_status xlac_program_find_result(const xlac_program *program,
                                                const char *name,
                                                uint32_t *number);

/*===-- Memory -----------------------------------------------------------===*/

/** Memory that the caller owns. */
typedef struct xlac_const_view {
  const void *data; /**< may be null if `bytes` is 0 */
  size_t bytes;     /**< the size of the memory */
} xlac_const_view;
/** Memory that the caller owns and that a call writes. */
typedef struct xlac_view {
  void *data;   /**< may be null if bytes is 0 */
  size_t bytes; /**< the size of the memory */
} xlac_view;

/** Memory that the library owns, aligned to 64 bytes. */
typedef struct xlac_buffer xlac_buffer;
/** Allocates `bytes` of memory filled with zeros. */
XLAC_C_API xlac_status xlac_buffer_create(size_t bytes, xlac_buffer **buffer);
/** The memory; never null for a buffer, null for other arguments. */
XLAC_C_API void *xlac_buffer_data(const xlac_buffer *buffer);
/** The size in bytes; 0 for other arguments. */
XLAC_C_API size_t xlac_buffer_bytes(const xlac_buffer *buffer);
/** Destroys the buffer. Null is allowed; a handle of another kind is ignored.
 */
XLAC_C_API void xlac_buffer_destroy(xlac_buffer *buffer);

/** Returns memory to the operating system that destroyed buffers, contexts and
 * programs had and that the library keeps for reuse. */
XLAC_C_API xlac_status xlac_trim_memory(void);

/*===-- Running ----------------------------------------------------------===*/

/** What runs keep between them: memory for temporaries, and values computed
 * from invariant arguments. Only one run at a time may use a context; runs of
 * different programs may. */
typedef struct xlac_context xlac_context;
/** Creates a context without an arena. */
XLAC_C_API xlac_status xlac_context_create(xlac_context **context);
/** Gives the context memory for temporaries, which it then uses instead of its
 * own in runs that need no more than `arena.bytes`. `data` must be aligned to
 * 64 bytes, and valid until the context is destroyed or gets another arena. A
 * null `data` takes it back. Some memory is not in the arena: scratch of a few
 * MiB per thread in which GEMMs are packed, what sort, FFT, decompositions and
 * collectives need, and the values of invariant arguments. */
XLAC_C_API xlac_status xlac_context_set_arena(xlac_context *context,
                                              xlac_view arena);
/** Destroys the context. Null is allowed; a handle of another kind is ignored.
 */
XLAC_C_API void xlac_context_destroy(xlac_context *context);

/** How a program runs. Zeros mean defaults. */
typedef struct xlac_run_options {
  size_t struct_size; /**< sizeof of this struct */
  /** Null: the program takes a context from its pool, one for each thread that
   * runs it at the same time. */
  xlac_context *context;
  /** Limits the threads of this run; 0: as xlac_set_thread_count. */
  int32_t threads;
  /** The values that depend only on invariant arguments are computed in each
   * run with 0. With another number they are computed in the first run of the
   * program on the context that has this number, and kept until the number
   * changes. The invariant arguments must not change while it stays the same.
   * It needs a context. */
  uint64_t invariant_version;
} xlac_run_options;

/** Runs the program on memory of the caller. `arguments` and `results` have one
 * view for each argument and result, of exactly its bytes, row-major; a token
 * has none. A result may overlap only the argument that it aliases, and must
 * then be the same memory. Results aligned to 64 bytes are written in place,
 * others are copied. `options` may be null. After a failure the contents of
 * results, and of arguments that results alias, are undefined. XLAC_UNSUPPORTED
 * for a program of several devices. */
XLAC_C_API xlac_status xlac_program_run(const xlac_program *program,
                                        const xlac_const_view *arguments,
                                        size_t argument_count,
                                        const xlac_view *results,
                                        size_t result_count,
                                        const xlac_run_options *options);

/** As xlac_program_run, with results in new buffers, which the caller destroys.
 * `results` is an array of `result_count` pointers. After a failure they are
 * null. */
XLAC_C_API xlac_status xlac_program_run_new(const xlac_program *program,
                                            const xlac_const_view *arguments,
                                            size_t argument_count,
                                            xlac_buffer **results,
                                            size_t result_count,
                                            const xlac_run_options *options);

#ifdef __cplusplus
}
#endif

#endif /* XLAC_C_API_H */
