// The names of a program's arguments, results and entries, which the disk cache
// keeps, so that a warm start does not open the compiler for them.
#pragma once

#include "xlac/cache/store.h"
#include "xlac/compiler.h"

#include <string>
#include <vector>

namespace xlac {

/// As Signature and ProgramDescription have them.
struct SourceNames {
  std::vector<std::string> arguments, results, entries;
};

/// The names of the source, from `store` or by the compiler, which then puts
/// them there. `store` may be null. Errors as Compiler::describe.
Result<SourceNames> names_of_source(const Source &source, cache::Store *store);

} // namespace xlac
