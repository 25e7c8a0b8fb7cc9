// The one door between the front end and the compiler. libxlac opens
// libxlac_compiler.so on the first miss and talks to it through this abstract
// class: plain C++ types only, nothing throws, nothing of LLVM or MLIR shows.
#pragma once

#include "xlac/runtime/image.h"
#include "xlac/support/log_output.h"
#include "xlac/support/result.h"
#include "xlac/support/sharding.h"
#include "xlac/support/target_profile.h"
#include "xlac/support/tensor_type.h"

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
struct ProgramPicture; // compiler_picture.h

namespace graph {
struct Program;
}

/// StableHLO text or bytecode (a portable artifact of any version), told apart
/// by their first bytes, and the name that messages use for it.
struct Source {
  std::string_view bytes;
  std::string name = "<input>";
  std::string entry = "main"; ///< the function to compile
};

/// Where the compiler looks for kernels compiled before; the cache component
/// implements it. Called from several threads.
class KernelStore {
public:
  virtual ~KernelStore() = default;
  virtual std::optional<runtime::Blob> find(std::string_view hash) = 0;
  virtual void put(std::string_view hash, const runtime::Blob &blob) = 0;
};

/// Partitions and shardings of a program beside those that it declares itself.
struct PartitionOptions {
  /// Number of partitions; 0: as the module's `mhlo.num_partitions` says.
  int64_t count = 0;
  /// Shardings of arguments of the entry function by number, in place of the
  /// annotations that the arguments have.
  std::vector<std::pair<uint32_t, Sharding>> arguments;
  /// In a program without annotations, shards large arguments along one
  /// dimension; as `mhlo.use_auto_spmd_partitioning` does.
  bool automatic = false;
};

struct CompilerOptions {
  TargetProfile target = host_profile();
  int threads = 0;            ///< compile threads; 0: one a core
  std::string dump_directory; ///< every stage as a file when not empty
  KernelStore *kernels = nullptr;
  /// Arguments that stay the same over many runs (weights): what depends on
  /// them alone moves to the prologue.
  std::vector<uint32_t> invariant_arguments;
  /// Leaves out calls of JAX's Python callbacks that only have side effects, as
  /// those of `jax.debug.print`; the report's warnings say which. Those with
  /// results stay, and programs with them are refused unless their target is
  /// registered.
  bool ignore_callbacks = false;
  PartitionOptions partition;
};

/// The part of `options` that changes what is compiled, for cache keys.
std::string cache_text(const CompilerOptions &options);

struct PhaseTime {
  std::string phase;
  double milliseconds = 0;
  int64_t begin = 0;  ///< nanoseconds of Clock
  int32_t thread = 0; ///< as the operating system numbers threads
};

struct CompileReport {
  std::vector<PhaseTime> phases; ///< one after another
  /// What the threads of the phase "code" did.
  std::vector<PhaseTime> batches;
  int64_t kernels = 0, kernels_from_cache = 0;
  std::vector<std::string> warnings; ///< a line each
};

/// How a module is printed.
struct TextOptions {
  bool generic = false;    ///< MLIR's generic form
  bool debug_info = false; ///< with locations
};

/// How a portable artifact is written.
struct ArtifactOptions {
  std::string version = "current"; ///< or "minimum", or one such as "1.9.0"
  bool strip_debug_info = false;   ///< without locations
};

/// Stages that `emit` can print.
enum class Stage { StableHLO, Kernels, Llvm, Assembly, Object, SharedObject };

struct Signature {
  std::vector<Type> arguments, results;
};

/// A source that was parsed and verified, for who wants more than one thing of
/// it. One thread at a time.
class ParsedProgram {
public:
  virtual ~ParsedProgram() = default;

  /// As Compiler::program_key.
  virtual Result<std::string> key() = 0;
  /// As Compiler::compile. Once, and last: it takes the program apart.
  virtual Result<runtime::ExecutableImage>
  compile(const CompilerOptions &options, CompileReport *report = nullptr) = 0;
};

class Compiler {
public:
  virtual ~Compiler() = default;

  /// Changes whenever generated code may: part of every cache key.
  virtual std::string build_id() const = 0;

  /// Parses, verifies and gives the entry function's types. Failures name
  /// file:line:column.
  virtual Result<Signature> signature(const Source &source) = 0;

  /// What the result outlives of `source` it has copied.
  virtual Result<std::unique_ptr<ParsedProgram>>
  parse(const Source &source) = 0;

  virtual Result<runtime::ExecutableImage>
  compile(const Source &source, const CompilerOptions &options,
          CompileReport *report = nullptr) = 0;
  virtual Result<runtime::ExecutableImage>
  compile(const graph::Program &program, const CompilerOptions &options,
          CompileReport *report = nullptr) = 0;

  /// A stage as text, or as the bytes of an object file. The report gets
  /// warnings and the time of the passes.
  virtual Result<std::string> emit(const Source &source,
                                   const CompilerOptions &options, Stage stage,
                                   CompileReport *report = nullptr) = 0;

  /// What compiling the program makes of it, without its code.
  virtual Result<ProgramPicture> picture(const Source &source,
                                         const CompilerOptions &options) = 0;

  /// The graph as a StableHLO module; locations with `debug_info`.
  virtual Result<std::string> print(const graph::Program &program,
                                    bool debug_info) = 0;
  /// Parses, verifies and prints.
  virtual Result<std::string> print(const Source &source,
                                    const TextOptions &options) = 0;

  /// The module or graph as the bytes of a portable artifact. Fails, naming op
  /// or type, where the version lacks something.
  virtual Result<std::string> artifact(const Source &source,
                                       const ArtifactOptions &options) = 0;
  virtual Result<std::string> artifact(const graph::Program &program,
                                       const ArtifactOptions &options) = 0;

  /// 64 hex digits: the program key of the module, equal to the key of the
  /// graph that it was printed from.
  virtual Result<std::string> program_key(const Source &source) = 0;

  /// Runs an MLIR pass pipeline in text form and prints what comes out.
  virtual Result<std::string> run_passes(const Source &source,
                                         std::string_view pipeline) = 0;

  /// Splits a conformance file at `// -----` and makes each case runnable.
  virtual Result<std::vector<CheckCase>> check_cases(const Source &source) = 0;

  /// "file:line" of a return address in the program's own source, or "".
  virtual std::string symbolize(uintptr_t address) = 0;
};

/// What libxlac_compiler.so exports, as `extern "C" xlac_compiler_create`.
/// `abi` is kCompilerInterface of the caller; null when it does not fit.
inline constexpr uint32_t kCompilerInterface = 7;
inline constexpr char kCompilerFactorySymbol[] = "xlac_compiler_create";
using CompilerFactory = Compiler *(*)(uint32_t abi);
/// A second export, `extern "C" xlac_compiler_set_log`: from then on the
/// library hands its messages, with their LogLevel, to `receive`.
inline constexpr char kCompilerLogSymbol[] = "xlac_compiler_set_log";
using CompilerLogSetter = void (*)(LogReceiver receive);

} // namespace xlac
