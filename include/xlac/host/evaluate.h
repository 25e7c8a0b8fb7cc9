// Evaluates programs plainly, op by op, on host memory: the `cpu` device, the
// oracle of tests, constant folding. One thread, no state between calls, safe
// before a fork. Floats are computed in double and rounded once after each op.
#pragma once

#include "xlac/graph/program.h"
#include "xlac/host/literal.h"
#include "xlac/support/result.h"

#include <span>
#include <vector>

namespace xlac::host {

/// Runs the entry function of `program`. Failures name the op.
Result<std::vector<Literal>> evaluate(const graph::Program &program,
                                      std::span<const Literal> arguments);

/// Computes `roots`, whose parameters all carry HostData. Shared nodes are
/// computed once.
Result<std::vector<Literal>> evaluate(std::span<const graph::Value> roots);

/// True if every op of `program` can be evaluated; otherwise false and, with
/// `missing`, the name of the first that cannot.
bool can_evaluate(const graph::Program &program, std::string *missing);

} // namespace xlac::host
