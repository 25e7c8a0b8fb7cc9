// A whole program in the types that devices store in the bf16 modes. It is
// rewritten before it is keyed for the disk, printed or compiled.
#pragma once

#include "xlac/graph/program.h"

namespace xlac::lazy {

/// `program` with every value of a stored type; arguments and results keep
/// their places.
graph::Program stored_program(const graph::Program &program);

} // namespace xlac::lazy
