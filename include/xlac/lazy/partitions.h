// The devices that one program of SPMD is partitioned for: those of this
// process, or of all processes of a job.
#pragma once

#include "xlac/runtime/communicator.h"

#include <memory>

namespace xlac::job {
class Job;
}

namespace xlac::lazy {

/// Devices that one program is cut up for, 1 without SPMD, and those that it
/// would be.
int partition_count();
int devices_of_job();
/// Which of them this process's first device is, and whether it has all.
int first_partition();
bool has_all_partitions();
/// Where the partitions of several processes meet, else null.
std::shared_ptr<runtime::Communicator> grid_of_processes();
/// The processes of `job` share the devices of SPMD; to be called before SPMD
/// is on, and not at all where this process has all devices.
void set_partition_job(std::shared_ptr<job::Job> job);

} // namespace xlac::lazy
