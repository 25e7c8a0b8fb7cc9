// The interface between the front end and the compiler. libxlac loads
// libxlac_compiler.so on the first cache miss and calls it through this
// abstract class. It uses plain C++ types without LLVM or MLIR, and its
// functions do not throw.
#pragma once

#include "xlac/runtime/image.h"
#include "xlac/support/call_partitioner.h"
#include "xlac/support/log_output.h"
#include "xlac/support/op_sharding.h"
#include "xlac/support/result.h"
#include "xlac/support/sharding.h"
#include "xlac/support/target_profile.h"
#include "xlac/support/tensor_type.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace xlac {

struct CheckCase;      // compiler_check_case.h
struct ObjectFiles;    // compiler_object.h
struct ObjectRequest;  // compiler_object.h
struct ProgramPicture; // compiler_picture.h

namespace graph {
struct Program;
}

/// StableHLO text, bytecode (a portable artifact of any version) or a file of
/// jax.export, distinguished by content. `name` is the name of the source in
/// messages.
struct Source {
  std::string_view bytes;
  std::string name = "<input>";
  std::string entry = "main"; ///< the function to compile
};

/// Stores compiled kernels for the compiler to reuse. The cache component
/// implements it. It is called from several threads.
class KernelStore {
public:
  virtual ~KernelStore() = default;
  virtual std::optional<runtime::Blob> find(std::string_view hash) = 0;
  virtual void put(std::string_view hash, const runtime::Blob &blob) = 0;
  /// What the compiler knows about the kernels of a family of programs
  /// (CompilerOptions::family), as it was put; empty if nothing.
  virtual std::vector<std::byte> find_templates(std::string_view family) = 0;
  virtual void put_templates(std::string_view family,
                             std::span<const std::byte> bytes) = 0;
};

/// Partition count and shardings of a program, in addition to those that it
/// declares.
struct PartitionOptions {
  /// Number of partitions; 0: from the module's `mhlo.num_partitions`.
  int64_t count = 0;
  /// Shardings by argument number of the entry function. They replace the
  /// annotations that the arguments have.
  std::vector<std::pair<uint32_t, Sharding>> arguments;
  /// Searches shardings of arguments if the program has no annotations. For a
  /// program with `mhlo.use_auto_spmd_partitioning`, the compiler does this for
  /// all arguments without annotation.
  bool automatic = false;
  /// What the search assumes, and the sizes of the mesh's axes; empty for all
  /// meshes of one and two axes.
  DeviceRates rates;
  std::vector<int64_t> mesh;
  /// Whether the report lists the shardings of all ops. Has no influence on the
  /// code.
  bool explains = false;
};

/// Sizes of arguments of the entry function: number, size in each dimension.
using ArgumentSizes = std::vector<std::pair<uint32_t, std::vector<int64_t>>>;

/// When kernels that an earlier program of the family has with other sizes get
/// code for any size.
enum class AnySizeCode : uint8_t {
  Now,
  /// Unless code for any size exists, they get code for their own sizes, which
  /// takes less time to compile. CompileReport::lacks_any_size_code tells.
  Later,
};

struct CompilerOptions {
  TargetProfile target = host_profile();
  int threads = 0;            ///< compile threads; 0: one per core
  std::string dump_directory; ///< dumps every stage to a file, if set
  KernelStore *kernels = nullptr;
  /// Names programs that differ only in sizes. If it is not empty and `kernels`
  /// is set, the code of kernels that was compiled for two sizes serves other
  /// sizes of the same family. It has no influence on results.
  std::string family = {};
  AnySizeCode any_size_code = AnySizeCode::Now;
  /// Sizes of arguments with which the program is likely to run too. With those
  /// that the program can have, the compiler determines what distinguishes
  /// sizes, and compiles code for any size at once. Kernels that have another
  /// form with these sizes are compiled as well.
  std::vector<ArgumentSizes> other_sizes = {};
  /// The compilation fails soon after this becomes true; null for never.
  const std::atomic<bool> *is_cancelled = nullptr;
  /// Arguments that stay the same over many runs, such as weights. Computations
  /// that depend only on them move to the prologue.
  std::vector<uint32_t> invariant_arguments;
  /// Treats arguments that the program uses as weights as invariant as well:
  /// those that are not donated, and that only products, convolutions and
  /// lookups read.
  bool find_invariant_arguments = false;
  /// Omits calls of JAX Python callbacks that only have side effects, such as
  /// those of `jax.debug.print`. The report's warnings list them. Callbacks
  /// with results remain: a program with one is rejected unless its target is
  /// registered.
  bool ignore_callbacks = false;
  PartitionOptions partition;
  /// Whether arguments and results have the memory layouts that the program's
  /// `mhlo.layout_mode` attributes request. Otherwise all are row-major.
  bool requested_layouts = false;
  /// The arguments' sizes for a program with dimensions of unknown size. The
  /// sizes of other arguments must equal their types.
  ArgumentSizes argument_sizes = {};
  /// Partitions custom calls; null for none. It must live as long as the
  /// compilation. Programs with such calls are not cached, because what it
  /// returns is not a part of the program.
  const CallPartitioner *call_partitioner = nullptr;
  /// Targets of custom calls that compute each index of their batch dimensions
  /// independently. A call states its number of batch dimensions in the entry
  /// `num_batch_dims` of `mhlo.frontend_attributes`.
  std::vector<std::string> batch_targets = {};
};

/// The options that affect the compiled code, as text for cache keys.
std::string cache_text(const CompilerOptions &options);

struct PhaseTime {
  std::string phase;
  double milliseconds = 0;
  int64_t begin = 0;  ///< in nanoseconds, on Clock
  int32_t thread = 0; ///< thread id of the operating system
};

struct CompileReport {
  std::vector<PhaseTime> phases; ///< in order, without overlap
  /// Batches of the phase "code", on its threads.
  std::vector<PhaseTime> batches;
  int64_t kernels = 0, kernels_from_cache = 0;
  int64_t kernels_for_other_sizes = 0; ///< reuse code compiled for other sizes
  bool driver_for_other_sizes = false; ///< so does the driver
  int64_t kernels_for_any_size = 0;    ///< read sizes from memory
  /// AnySizeCode::Later had an effect.
  bool lacks_any_size_code = false;
  std::vector<std::string> warnings; ///< one line each
  /// The program of one device as text, if it has calls that
  /// CompilerOptions::call_partitioner partitions.
  std::string partitioned;
  /// The ops before partitioning, in order, if PartitionOptions::explains.
  std::vector<OpSharding> shardings;
  /// The plans of a search of shardings of arguments, the best first, if
  /// PartitionOptions::explains. The program has the first one.
  std::vector<ArgumentPlan> plans;
};

/// How a module is printed.
struct TextOptions {
  bool generic = false;    ///< MLIR's generic form
  bool debug_info = false; ///< prints locations
};

/// How a portable artifact is written.
struct ArtifactOptions {
  std::string version = "current"; ///< or "minimum", or a version: "1.9.0"
  bool strip_debug_info = false;   ///< omits locations
};

/// Stages that `emit` can print.
enum class Stage { StableHLO, Kernels, Llvm, Assembly };

/// The types of a program's arguments and results, and the names that its
/// producer gave them: those of the locations of arguments, and `jax.arg_info`
/// and `jax.result_info`. Empty for values without a name.
struct Signature {
  std::vector<Type> arguments, results;
  std::vector<std::string> argument_names, result_names;
};

/// What a caller of a program has to know.
struct ProgramDescription {
  Signature signature;
  /// The public functions with a body, in the order of the module.
  std::vector<std::string> entries;
  /// Results that may have the memory of arguments of the entry.
  std::vector<AliasPair> aliases;
  /// Targets of custom calls of the module, in the order of their first call.
  std::vector<std::string> custom_calls;
  /// Meshes of Shardy as text: `mesh = #sdy.mesh<["x"=2]>`.
  std::vector<std::string> meshes;
  int64_t replicas = 1, partitions = 1;
};

/// A parsed and verified source, for several requests about it. Only one thread
/// may use it at a time.
class ParsedProgram {
public:
  virtual ~ParsedProgram() = default;

  /// Same as Compiler::program_key.
  virtual Result<std::string> key() = 0;
  /// A key that programs which differ only in sizes have in common.
  virtual Result<std::string> family() = 0;
  /// The types of the entry function.
  virtual Result<Signature> signature() = 0;
  /// True if a custom call has a target that `partitioner` handles.
  virtual bool has_calls_for(const CallPartitioner &partitioner) = 0;
  /// Same as Compiler::compile. It consumes the program: call it once, as the
  /// last function.
  virtual Result<runtime::ExecutableImage>
  compile(const CompilerOptions &options, CompileReport *report = nullptr) = 0;
};

class Compiler {
public:
  virtual ~Compiler() = default;

  /// Changes whenever generated code may change. It is part of every cache key.
  virtual std::string build_id() const = 0;

  /// Parses and verifies the source and returns the types of the entry
  /// function. Errors name file:line:column.
  virtual Result<Signature> signature(const Source &source) = 0;

  /// As signature(), with what else a caller has to know.
  virtual Result<ProgramDescription> describe(const Source &source) = 0;

  /// Parses and verifies the source. The result copies what it needs of
  /// `source`, which may be freed afterwards.
  virtual Result<std::unique_ptr<ParsedProgram>>
  parse(const Source &source) = 0;
  /// Converts a traced program.
  virtual Result<std::unique_ptr<ParsedProgram>>
  parse(const graph::Program &program) = 0;

  virtual Result<runtime::ExecutableImage>
  compile(const Source &source, const CompilerOptions &options,
          CompileReport *report = nullptr) = 0;
  virtual Result<runtime::ExecutableImage>
  compile(const graph::Program &program, const CompilerOptions &options,
          CompileReport *report = nullptr) = 0;

  /// Returns a stage as text. The report gets warnings and the times of the
  /// passes.
  virtual Result<std::string> emit(const Source &source,
                                   const CompilerOptions &options, Stage stage,
                                   CompileReport *report = nullptr) = 0;

  /// Writes an object, shared object or archive with the programs of the
  /// request for programs in C.
  virtual Result<ObjectFiles> write_object(const ObjectRequest &request) = 0;

  /// Describes the kernels, buffers and steps of the compiled program, without
  /// its code.
  virtual Result<ProgramPicture> picture(const Source &source,
                                         const CompilerOptions &options) = 0;

  /// The graph as a StableHLO module, with locations if `debug_info` is set.
  virtual Result<std::string> print(const graph::Program &program,
                                    bool debug_info) = 0;
  /// Parses, verifies and prints.
  virtual Result<std::string> print(const Source &source,
                                    const TextOptions &options) = 0;

  /// The module or graph as the bytes of a portable artifact. If the requested
  /// version lacks an op or type, the error names it.
  virtual Result<std::string> artifact(const Source &source,
                                       const ArtifactOptions &options) = 0;
  virtual Result<std::string> artifact(const graph::Program &program,
                                       const ArtifactOptions &options) = 0;

  /// 64 hex digits: the program key of the module, equal to the key of the
  /// graph that it was printed from.
  virtual Result<std::string> program_key(const Source &source) = 0;

  /// Runs an MLIR pass pipeline in text form and prints the resulting module.
  virtual Result<std::string> run_passes(const Source &source,
                                         std::string_view pipeline) = 0;

  /// Splits a conformance file at `// -----` into cases that can run.
  virtual Result<std::vector<CheckCase>> check_cases(const Source &source) = 0;

  /// "file:line" of a return address in the source of the user's program, or
  /// "".
  virtual std::string symbolize(uintptr_t address) = 0;
};

/// The factory that libxlac_compiler.so exports, as `extern "C"
/// xlac_compiler_create`. `abi` is the caller's kCompilerInterface. Returns
/// null if the library has another version of the interface.
inline constexpr uint32_t kCompilerInterface = 11;
inline constexpr char kCompilerFactorySymbol[] = "xlac_compiler_create";
using CompilerFactory = Compiler *(*)(uint32_t abi);
/// A second export, `extern "C" xlac_compiler_set_log`. After the call the
/// library passes its messages, with their LogLevel, to `receive`.
inline constexpr char kCompilerLogSymbol[] = "xlac_compiler_set_log";
using CompilerLogSetter = void (*)(LogReceiver receive);

} // namespace xlac
