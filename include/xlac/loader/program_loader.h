// From a program to something that runs: the executables of this process, then
// the disk cache, then the compiler.
#pragma once

#include "xlac/cache/store.h"
#include "xlac/compiler.h"
#include "xlac/graph/program.h"
#include "xlac/runtime/executable.h"

#include <memory>
#include <string>

namespace xlac {

enum class CacheStatus { Memory, Hit, Miss, Off };
std::string_view to_string(CacheStatus status);

struct ProgramLoadOptions {
  CompilerOptions compile;
  /// The disk cache, or null to go without.
  cache::Store *store = nullptr;
  /// Look for and keep the executable in this process.
  bool keep_in_memory = true;
};

struct LoadedProgram {
  /// The program key; empty where a text's bytes alone were known.
  std::string hash;
  std::shared_ptr<const runtime::Executable> executable;
  CacheStatus cache = CacheStatus::Off;
  double compile_ms = 0; ///< opening the compiler library included
  double load_ms = 0;    ///< finding, reading and mapping
  CompileReport report;
};

/// The executable of `source`, compiled if it must be. What a text was compiled
/// to is remembered by its bytes, so a warm call parses nothing.
Result<LoadedProgram> load_or_compile(const Source &source,
                                      const ProgramLoadOptions &options);

/// The executable of a traced program.
Result<LoadedProgram> load_or_compile(const graph::Program &program,
                                      const ProgramLoadOptions &options);

} // namespace xlac
