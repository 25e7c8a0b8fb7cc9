// A program in the types that devices store in the bf16 modes. It is rewritten
// before its cache key is computed and before it is printed or compiled.
#pragma once

#include "xlac/graph/program.h"

namespace xlac::lazy {

/// `program` with stored types for all values; the order of arguments and
/// results does not change.
graph::Program stored_program(const graph::Program &program);

} // namespace xlac::lazy
