// Evaluation of collectives in a grid of processes. The evaluator handles one
// process. This code computes a collective for all processes together, by the
// specification and with the evaluator's own ops.
#pragma once

#include "fuzz/error_bound.h"
#include "xlac/runtime/collective.h"

namespace xlac::fuzz {

/// Values by process: operands or results.
using ByProcess = std::vector<std::vector<Checked>>;

/// True if the op's results depend on other processes or on the number of its
/// process.
bool is_collective(ops::OpKind kind);

/// Returns the results of such an op from the operands of each process;
/// operands in `use` are ignored. Returns nothing if values with a radius would
/// be reduced.
std::optional<ByProcess> exchanged(const OpUse &use, const ByProcess &operands,
                                   runtime::GridShape grid);

} // namespace xlac::fuzz
