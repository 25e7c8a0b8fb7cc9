// The memory that a program needs, known before it runs.
#pragma once

#include "xlac/runtime/executable.h"

#include <string>

namespace xlac::cli {

/// The peak bytes of one run without donation. A caller that donates arguments
/// needs `donatable` bytes less.
struct MemoryPlan {
  int64_t arguments = 0, results = 0, arena = 0;
  int64_t prologue = 0;  ///< values saved for later runs
  int64_t constants = 0; ///< and code
  int64_t donatable = 0; ///< of the results, in memory of donated arguments
  int64_t total() const {
    return arguments + results + arena + prologue + constants;
  }
};

MemoryPlan plan_of(const runtime::Executable &executable);

/// Formats "memory: 12.0 MiB = 8.0 MiB arguments + 4.0 MiB results + …", and
/// ", 4.0 MiB less with donated arguments" if donation saves memory.
std::string text_of(const MemoryPlan &plan);

} // namespace xlac::cli
