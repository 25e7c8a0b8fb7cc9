// Gets an executable for a program: from this process, from the disk cache, or
// by compiling.
#pragma once

#include "xlac/cache/store.h"
#include "xlac/compiler.h"
#include "xlac/graph/program.h"
#include "xlac/loader/program_code.h"
#include "xlac/runtime/executable.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace xlac {

enum class CacheStatus { Memory, Hit, Miss, Off };
std::string_view to_string(CacheStatus status);

struct ProgramLoadOptions {
  CompilerOptions compile;
  /// The disk cache, or null for none.
  cache::Store *store = nullptr;
  /// Looks for the executable in this process, and keeps it there.
  bool keep_in_memory = true;
  /// Compiles code for any size on another thread, after the code for the sizes
  /// of the program.
  bool in_background = false;
  /// When unsuitable custom calls of built-in targets are rejected.
  runtime::CallCheck call_check = runtime::CallCheck::Load;
  /// Gives compile.argument_sizes of a program that has dimensions of unknown
  /// size. Called for such programs alone, if no sizes are given; may be empty.
  std::function<Result<ArgumentSizes>()> argument_sizes = {};
};

/// Reads the number and the sizes of an argument from a text such as "0=2x3";
/// "0=" is a scalar. Returns nothing for other texts.
std::optional<ArgumentSizes::value_type>
parse_argument_sizes(std::string_view text);

struct LoadedProgram {
  /// The program key; empty if only the bytes of a text were hashed.
  std::string hash;
  std::shared_ptr<const runtime::Executable> executable;
  /// What programs that count their runs call; at first it is `executable`.
  std::shared_ptr<ProgramCode> code;
  CacheStatus cache = CacheStatus::Off;
  double compile_ms = 0; ///< includes loading the compiler library
  double load_ms = 0;    ///< lookup, reading and mapping
  CompileReport report;

  bool was_compiled() const {
    return cache == CacheStatus::Miss || cache == CacheStatus::Off;
  }
  /// Number of kernels for which machine code was generated.
  int64_t new_kernels() const {
    return report.kernels - report.kernels_from_cache -
           report.kernels_for_other_sizes;
  }
};

/// Adds a compiled program to the counter UncachedCompile or, if all its
/// kernels have code that was compiled for other sizes, to SharedCodeCompile.
void count_compilation(const LoadedProgram &loaded);

/// The executable of `source`, compiled if necessary. The cache maps the bytes
/// of a text to its executable, so a cached text is not parsed.
Result<LoadedProgram> load_or_compile(const Source &source,
                                      const ProgramLoadOptions &options);

/// The executable of a traced program.
Result<LoadedProgram> load_or_compile(const graph::Program &program,
                                      const ProgramLoadOptions &options);

/// Compiles code for the sizes of the program on the background thread, which
/// then replaces `code` here and in the disk cache. The results of both are
/// equal bit for bit. `options` are those with which the program was loaded.
/// Does nothing for a program that has XLAC_MAX_SPECIALIZATIONS such sizes.
void specialize(const Source &source, const ProgramLoadOptions &options,
                std::shared_ptr<ProgramCode> code);
void specialize(const graph::Program &program,
                const ProgramLoadOptions &options,
                std::shared_ptr<ProgramCode> code);

} // namespace xlac
