// The devices that an SPMD program is partitioned for: those of this process,
// or of all processes of a job.
#pragma once

#include "xlac/runtime/communicator.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

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
/// Number of processes that have the partitions, and the place of this one.
int partition_process_count();
int partition_process();
/// Waits until each of these processes has called with this tag. Returns their
/// payloads in order.
std::vector<std::string> meet_partition_processes(std::string_view tag,
                                                  std::string_view payload);
/// The communicator of the processes that share the partitions, or null.
std::shared_ptr<runtime::Communicator> grid_of_processes();
/// Partitions programs over the devices of all processes of `job`. Must be
/// called before SPMD is enabled; not used if this process has all devices.
void set_partition_job(std::shared_ptr<job::Job> job);

} // namespace xlac::lazy
