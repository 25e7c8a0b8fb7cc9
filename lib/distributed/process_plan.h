// The topology of a job and the position of this process in it, from options
// and the environment.
#pragma once

#include "xlac/job/job.h"

#include <functional>
#include <optional>

namespace xlac::distributed {

using ReplicaFunction = std::function<void(int)>;

/// Returns the job of a spawn of `processes_per_host` processes on this host,
/// from the position of the first one. Throws ValueError for an invalid
/// environment.
job::Topology spawned_topology(int processes_per_host, int devices_per_process);
/// Returns the position of a process that a launcher has started; nothing in
/// other processes.
std::optional<job::Topology> launched_topology();
/// Returns XLAC_DEVICES_PER_PROCESS, or 1 when unset.
int devices_per_process();

/// The failure of a replica.
struct ReplicaFailure {
  int ordinal = 0;
  std::string message;
  /// of another replica's failure: a CollectiveError
  bool is_consequence = false;
};

/// Makes this process a member of the job and runs fn(ordinal) for each of its
/// devices: on this thread for a single device, else on one thread per device.
/// Waits for their programs. Throws the first exception that is not a
/// consequence of another failure. `failed`, unless empty, is called with it
/// before other processes learn of the failure.
void run_in_job(const job::Topology &topology, const ReplicaFunction &fn,
                const std::function<void(const ReplicaFailure &)> &failed = {});

} // namespace xlac::distributed
