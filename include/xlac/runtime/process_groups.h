// From the ids of a collective to the processes that meet.
#pragma once

#include "xlac/runtime/collective.h"

namespace xlac::runtime {

/// Processes of a group by number, in the group's order.
using ProcessGroup = std::vector<int>;

/// The groups that `what` splits the grid into; for kinds that have pairs, the
/// pairs. User for ids that the grid does not have.
Result<std::vector<ProcessGroup>> process_groups(const Collective &what,
                                                 GridShape shape);

/// "replica 1, partition 0".
std::string process_text(int process, GridShape shape);

} // namespace xlac::runtime
