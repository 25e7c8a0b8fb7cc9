// The processes of a distributed program. They exchange their properties
// through the host's key-value store and then join a job.
#pragma once

#include "c_api.h"
#include "named_values.h"

#include "xlac/job/job.h"

#include <chrono>
#include <memory>

namespace xlac::pjrt {

/// This process among the processes of the program.
struct Processes {
  int index = 0, count = 1;
  std::shared_ptr<job::Job> job; ///< null if there is one process
};

/// The maximum number of processes of a program.
inline constexpr int kMostProcesses = 1 << 12;

/// Returns how long collectives wait for other processes: the setting
/// XLAC_COLLECTIVE_TIMEOUT, by default 600 s. Throws Error for invalid values.
std::chrono::milliseconds collective_deadline();

/// Joins the job of the options `node_id` and `num_nodes` with `devices`
/// devices in this process, and waits for the other processes. One process
/// forms no job. Throws Error for invalid options, without a key-value store,
/// if a process does not join in time, and if processes have different numbers
/// of devices.
Processes join_processes(const PJRT_Client_Create_Args &args, int devices);

} // namespace xlac::pjrt
