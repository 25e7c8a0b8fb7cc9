// The memory that a program will take, known before it runs.
#pragma once

#include "xlac/runtime/executable.h"

#include <string>

namespace xlac::cli {

/// Bytes of one run at its peak; a result may take an argument's place only if
/// the caller gives it away, so nothing is counted off for that.
struct MemoryPlan {
  int64_t arguments = 0, results = 0, arena = 0;
  int64_t prologue = 0;  ///< values kept for later runs
  int64_t constants = 0; ///< and code
  int64_t total() const {
    return arguments + results + arena + prologue + constants;
  }
};

MemoryPlan plan_of(const runtime::Executable &executable);

/// "memory: 12.0 MiB = 8.0 MiB arguments + 4.0 MiB results + …".
std::string text_of(const MemoryPlan &plan);

} // namespace xlac::cli
