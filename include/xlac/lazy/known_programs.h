// The programs that this process has compiled or loaded, and the differences
// between them and a new graph.
#pragma once

#include "xlac/graph/program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace xlac::lazy {

struct ProgramFacts {
  std::string hash; ///< the program key
  std::string name; ///< of the step scope or compiled function; may be empty
  int64_t kernels = 0, temp_bytes = 0;
  double compile_seconds = 0;
  bool from_cache = false; ///< read from the disk cache
};

/// Records a new program.
void remember_program(const graph::Program &program, ProgramFacts facts);

/// All recorded programs, in order.
std::vector<ProgramFacts> known_programs();

/// Describes the known program nearest to `program` and their first difference,
/// with the source line of the call if debug information exists. Also reports
/// if the program is known, or if no program is.
std::string explain_difference(const graph::Program &program);

} // namespace xlac::lazy
