// Random shardings of a random program over two to eight partitions. The
// results must not depend on them.
#pragma once

#include "xlac/graph/program.h"

namespace xlac::fuzz {

/// Returns `program` for two to eight partitions, with random shardings of
/// arguments and results from `seed`. Returns it unchanged if it has
/// collectives or other ops that depend on the process.
graph::Program with_shardings(graph::Program program, uint64_t seed);

} // namespace xlac::fuzz
