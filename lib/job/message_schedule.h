// One meeting of a group of processes: each one's part in the script that all
// of them follow. What goes to others is cut into messages; each takes them in
// the order in which the others send them, so no request is needed.
#pragma once

#include "group_channel.h"

namespace xlac::job {

/// Fills the results of the members that are here; `leader` is one of them.
Status run_schedule(GroupChannel &channel, const runtime::Rendezvous &meeting,
                    const runtime::CollectiveCall &leader);

} // namespace xlac::job
