// Maps the ids of a collective to groups of processes.
#pragma once

#include "xlac/runtime/collective.h"

namespace xlac::runtime {

/// Indices of the processes of a group, in group order.
using ProcessGroup = std::vector<int>;

/// The groups into which `what` divides the grid; for kinds with source-target
/// pairs, the pairs. User failure for ids that the grid does not have.
Result<std::vector<ProcessGroup>> process_groups(const Collective &what,
                                                 GridShape shape);

/// "replica 1, partition 0".
std::string process_text(int process, GridShape shape);

} // namespace xlac::runtime
