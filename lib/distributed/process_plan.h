// Which processes a job has and which of them this one makes or is, from
// options and the environment.
#pragma once

#include "xlac/job/job.h"

#include <functional>
#include <optional>

namespace xlac::distributed {

using ReplicaFunction = std::function<void(int)>;

/// The job of a spawn of `processes_per_host` processes here, as seen from the
/// first of them. ValueError where the environment makes no sense.
job::Topology spawned_topology(int processes_per_host, int devices_per_process);
/// The place of a process that a launcher has started; nothing in others.
std::optional<job::Topology> launched_topology();
/// XLAC_DEVICES_PER_PROCESS, else 1.
int devices_per_process();

/// What a replica threw.
struct ReplicaFailure {
  int ordinal = 0;
  std::string message;
  bool is_consequence = false; ///< of another one's: a CollectiveError
};

/// Runs fn(ordinal) for each device of this process, which becomes one of the
/// job's: on this thread for a single device, else on one each. Waits for their
/// programs. Throws what the first of them threw that was no consequence;
/// `failed`, unless empty, hears of it before the other processes do.
void run_in_job(const job::Topology &topology, const ReplicaFunction &fn,
                const std::function<void(const ReplicaFailure &)> &failed = {});

} // namespace xlac::distributed
