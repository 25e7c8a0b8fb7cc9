// The devices that an SPMD program is partitioned for: those of this process,
// or of all processes of a job.
#pragma once

#include "xlac/runtime/communicator.h"

#include <memory>

namespace xlac::job {
class Job;
}

namespace xlac::lazy {

/// Number of partitions of a program, 1 without SPMD; and the number of
/// partitions under SPMD.
int partition_count();
int devices_of_job();
/// The partition of this process's first device, and whether the process has
/// all partitions.
int first_partition();
bool has_all_partitions();
/// The communicator of the processes that share the partitions, or null.
std::shared_ptr<runtime::Communicator> grid_of_processes();
/// Partitions programs over the devices of all processes of `job`. Must be
/// called before SPMD is enabled; not used if this process has all devices.
void set_partition_job(std::shared_ptr<job::Job> job);

} // namespace xlac::lazy
