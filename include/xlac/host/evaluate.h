// Evaluates programs op by op in host memory, for the `cpu` device, as a
// reference implementation in tests, and for constant folding. It uses one
// thread, has no state between calls, and is safe before a fork. Floats are
// computed in double and rounded once after each op.
#pragma once

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"
#include "xlac/support/result.h"

#include <span>
#include <vector>

namespace xlac::host {

/// Evaluates the entry function of `program`. Failures name the op.
Result<std::vector<Literal>> evaluate(const graph::Program &program,
                                      std::span<const Literal> arguments);

/// Evaluates `roots`, whose parameters must all carry HostData. Shared nodes
/// are evaluated once.
Result<std::vector<Literal>> evaluate(std::span<const graph::Value> roots);

/// Whether every op of `program` can be evaluated. If not, `missing`, if set,
/// gets the name of the first op that cannot.
bool can_evaluate(const graph::Program &program, std::string *missing);

} // namespace xlac::host
