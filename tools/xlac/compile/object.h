// Files for programs in C, for xlac compile.
#pragma once

#include "commands.h"

#include "xlac/compiler_object.h"

namespace xlac::cli {

/// Options of --emit obj, so and archive, with those of other stages that they
/// have too. If there are several targets or sizes, the dump is of the last.
struct ObjectOptions {
  std::string output, name, dump_directory;
  bool weights_file = false, multi_target = false, timing = false;
  std::vector<std::string> sizes; ///< as --size: n=1..64
};

void add_object(CLI::App &app, ObjectOptions &options);

/// Compiles the source and writes the file, its header and, if requested, its
/// weights. Returns the exit code.
int write_object(Compiler &compiler, const Source &source,
                 const SharedOptions &options, const ObjectOptions &object,
                 ObjectKind kind);

} // namespace xlac::cli
