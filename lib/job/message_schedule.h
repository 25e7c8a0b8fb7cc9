// Executes one collective of a group of processes. All processes follow the
// same schedule. Data for other processes is split into messages, which each
// process receives in the order in which the others send them. No requests are
// needed.
#pragma once

#include "group_channel.h"

namespace xlac::job {

/// Fills the results of the local members; `leader` is one of them.
Status run_schedule(GroupChannel &channel, const runtime::Rendezvous &meeting,
                    const runtime::CollectiveCall &leader);

} // namespace xlac::job
