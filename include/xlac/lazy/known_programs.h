// What this process has compiled or loaded, and how a new graph differs from
// what it knows.
#pragma once

#include "xlac/graph/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace xlac::lazy {

struct ProgramFacts {
  std::string hash; ///< the program key
  std::string name; ///< of the step scope or compiled function; mostly empty
  int64_t kernels = 0, temp_bytes = 0;
  double compile_seconds = 0;
  bool from_cache = false; ///< read from the disk cache
};

/// Takes note of a program that was not known.
void remember_program(const graph::Program &program, ProgramFacts facts);

/// All that was noted, in order.
std::vector<ProgramFacts> known_programs();

/// Which known program is nearest to `program` and where the two part, with the
/// source line of the call when there is debug information. Says so when the
/// program is known, or nothing is.
std::string explain_difference(const graph::Program &program);

} // namespace xlac::lazy
