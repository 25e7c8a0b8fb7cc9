// The processes of a distributed program: who they are, as they tell each other
// through the host's key-value store, and the job that they form.
#pragma once

#include "c_api.h"
#include "named_values.h"

#include "xlac/job/job.h"

#include <chrono>
#include <memory>

namespace xlac::pjrt {

/// Where this process stands among those of the program.
struct Processes {
  int index = 0, count = 1;
  std::shared_ptr<job::Job> job; ///< null if there is one process
};

inline constexpr int kMostProcesses = 1 << 12;

/// How long executions wait for others.
std::chrono::milliseconds collective_deadline();

/// As the options `node_id` and `num_nodes` say, with so many devices in this
/// process. Waits for the other processes. Throws if they do not come or have
/// other numbers of devices.
Processes join_processes(const PJRT_Client_Create_Args &args, int devices);

} // namespace xlac::pjrt
