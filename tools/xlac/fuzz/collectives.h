// What the processes of a grid get from each other. The evaluator knows one
// process; here an op that asks others is computed for all of them at once, by
// what the specification says and with the evaluator's own ops.
#pragma once

#include "fuzz/error_bound.h"
#include "xlac/runtime/collective.h"

namespace xlac::fuzz {

/// Values of each process: its operands, or its results.
using ByProcess = std::vector<std::vector<Checked>>;

/// True if the op's results depend on other processes, or on which one this is.
bool is_collective(ops::OpKind kind);

/// The results of such an op, whose own operands are left aside for those of
/// each process. Nothing where values with a radius would be combined.
std::optional<ByProcess> exchanged(const OpUse &use, const ByProcess &operands,
                                   runtime::GridShape grid);

} // namespace xlac::fuzz
