// A meeting whose members are all here: copies between their buffers, and
// compiled reducers in the group's order.
#pragma once

#include "xlac/runtime/collective_plan.h"

namespace xlac::runtime {

/// Fills the results of all members; `leader` is the member on whose thread it
/// happens. Sizes that do not fit the group are the program's fault.
Status execute(const Rendezvous &rendezvous_state,
               const CollectiveCall &leader);

} // namespace xlac::runtime
