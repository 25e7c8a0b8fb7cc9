// Pending graphs as text, and the file of executed graphs.
#pragma once

#include "xlac/graph/program.h"

#include <string>

namespace xlac::lazy {

/// One node per line, operands before uses, results marked:
///   %2 = f32[2] aten::add(%0, %1), ROOT=0
std::string graph_text(const graph::Program &program);

/// Appends the graph to XLA_SAVE_TENSORS_FILE, if it is set, as text or, with
/// XLA_SAVE_TENSORS_FMT=hlo, as StableHLO.
void save_graph(const graph::Program &program);

/// Whether save_graph writes anything.
bool saves_graphs();

} // namespace xlac::lazy
