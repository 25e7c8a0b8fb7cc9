// Random shardings of a random program, for two to eight partitions: what comes
// out must not depend on them.
#pragma once

#include "xlac/graph/program.h"

#include <string>

namespace xlac::fuzz {

/// `text`, the module of `program`, with annotations of arguments and results
/// drawn from `seed`; unchanged where the program talks to others itself.
std::string add_shardings(std::string text, const graph::Program &program,
                          uint64_t seed);

} // namespace xlac::fuzz
