// Executes one collective of a group of processes by the collectives of MPI,
// which add in any order. Values are moved in chunks, several at a time.
#pragma once

#include "group_channel.h"

namespace xlac::job {

/// Whether MPI carries out the collective; else the plan does.
bool uses_engine(GroupChannel &channel, const runtime::Collective &what);

/// Fills the results of the local members; `leader` is one of them.
Status run_engine(GroupChannel &channel, const runtime::Rendezvous &meeting,
                  const runtime::CollectiveCall &leader);

} // namespace xlac::job
