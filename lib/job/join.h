// How the processes of a job find each other: each tells process 0 where it
// listens, gets back where all do, and connects to those before it. In any
// order of start; nothing stays behind but the connections.
#pragma once

#include "socket.h"

#include "xlac/job/job.h"

namespace xlac::job {

/// Another process of the job, and the connection to it.
struct Peer {
  int process = 0, host = 0;
  int64_t pid = 0;
  Descriptor socket;
};

/// All other processes, as they are numbered; the own entry has no connection.
Result<std::vector<Peer>> connect_peers(const Topology &topology,
                                        std::chrono::milliseconds deadline);

} // namespace xlac::job
