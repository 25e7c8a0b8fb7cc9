// Joins the processes that a launcher of MPI has started. MPI carries the
// messages between hosts. The processes of a host are connected by local
// sockets and use shared memory.
#pragma once

#include "message_transport.h"

#include "xlac/job/job.h"

namespace xlac::job {

/// Blocks until all processes have joined, and returns their transport. Process
/// 0 compares the topologies of all. User failure if MPI cannot be used or its
/// ranks are not those of the topology. Collective failure if not all join
/// within `deadline`, or if their topologies differ.
Result<JoinedProcesses> join_over_mpi(const Topology &topology,
                                      std::chrono::milliseconds deadline);

} // namespace xlac::job
