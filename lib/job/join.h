// Connects the processes of a job. Each process sends its address to process 0,
// receives the addresses of all, and connects to the processes with lower
// numbers. They may start in any order. Only the connections remain.
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

/// All processes by number; the entry of this process has no connection.
/// `listening` is that of join_job().
Result<std::vector<Peer>>
connect_peers(const Topology &topology, std::chrono::milliseconds deadline,
              const std::function<Status(int port)> &listening = {});

} // namespace xlac::job
