// Executes a collective whose members are all local: copies between their
// buffers, and compiled reducers in group order.
#pragma once

#include "xlac/runtime/collective_plan.h"

namespace xlac::runtime {

/// Fills the results of all members, on the thread of `leader`. Sizes that do
/// not match the group are a User failure.
Status execute(const Rendezvous &rendezvous_state,
               const CollectiveCall &leader);

} // namespace xlac::runtime
