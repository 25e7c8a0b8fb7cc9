#include "xlac/lazy/partitions.h"

#include "xlac/job/job.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/spmd_mode.h"

namespace xlac::lazy {

/// The job whose processes SPMD spans; null for this process only. Set before
/// SPMD is enabled.
static std::shared_ptr<job::Job> &spmd_job() {
  static auto *job = new std::shared_ptr<job::Job>; // outlives the devices
  return *job;
}

void set_partition_job(std::shared_ptr<job::Job> job) {
  spmd_job() = std::move(job);
}

int devices_of_job() {
  const std::shared_ptr<job::Job> &job =
      spmd_job() ? spmd_job() : replication().job;
  return job ? job->topology().replicas() : runtime_device_count();
}

int first_partition() {
  return spmd_job() ? spmd_job()->topology().first_replica() : 0;
}

bool has_all_partitions() { return !spmd_job(); }

std::shared_ptr<runtime::Communicator> grid_of_processes() {
  return spmd_job() ? spmd_job()->partitions() : nullptr;
}

int partition_count() { return is_spmd() ? devices_of_job() : 1; }

} // namespace xlac::lazy
