// The memory that a program needs, known before it runs.
#pragma once

#include "xlac/runtime/executable.h"

#include <string>

namespace xlac::cli {

/// The peak bytes of one run. Donated arguments may hold results, but donation
/// depends on the caller and is not considered.
struct MemoryPlan {
  int64_t arguments = 0, results = 0, arena = 0;
  int64_t prologue = 0;  ///< values saved for later runs
  int64_t constants = 0; ///< and code
  int64_t total() const {
    return arguments + results + arena + prologue + constants;
  }
};

MemoryPlan plan_of(const runtime::Executable &executable);

/// Formats "memory: 12.0 MiB = 8.0 MiB arguments + 4.0 MiB results + …".
std::string text_of(const MemoryPlan &plan);

} // namespace xlac::cli
