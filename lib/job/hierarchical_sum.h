// An all_reduce in three stages: a reduce-scatter within each host, an
// all-reduce between the hosts, an all-gather within each host. Each byte
// crosses the link of a host once in each direction, instead of once for each
// process of the host. The operands of a host are added first, so the bits of
// the result depend on the division into hosts.
#pragma once

#include "group_channel.h"

namespace xlac::job {

/// Whether the processes of the group are equally many on several hosts, and
/// the cost model expects the three stages to take less time for this many
/// bytes. All processes of the group get the same answer.
bool is_hierarchical_sum_faster(const GroupChannel &channel, int64_t bytes);

/// Fills result `number` of the local members. The reduction's receivers must
/// be all members, and the above must hold.
Status sum_hierarchically(GroupChannel &channel,
                          const runtime::Rendezvous &meeting,
                          const runtime::CollectiveCall &leader, size_t number,
                          const runtime::GroupReduction &fold);

} // namespace xlac::job
