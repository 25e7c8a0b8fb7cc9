// Random shardings of a random program, for two to eight partitions: its
// results must not depend on them.
#pragma once

#include "xlac/graph/program.h"

namespace xlac::fuzz {

/// `program` for two to eight partitions, with shardings of arguments and
/// results drawn from `seed`; unchanged where it has collectives or other ops
/// that depend on the process.
graph::Program with_shardings(graph::Program program, uint64_t seed);

} // namespace xlac::fuzz
