#include "xlac/lazy/partitions.h"

#include "xlac/job/job.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/support/raise.h"

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

int partition_process_count() {
  return spmd_job() ? spmd_job()->topology().processes() : 1;
}

int partition_process() {
  return spmd_job() ? spmd_job()->topology().process() : 0;
}

std::vector<std::string> meet_partition_processes(std::string_view tag,
                                                  std::string_view payload) {
  const std::shared_ptr<job::Job> &job = spmd_job();
  if (!job)
    return {std::string(payload)};
  const job::Topology &topology = job->topology();
  std::vector<int> firsts; // one replica of each process
  for (int process = 0; process < topology.processes(); ++process)
    firsts.push_back(process * topology.devices_per_process);
  return unwrap(
      job->rendezvous(topology.first_replica(), tag, payload, firsts));
}

int partition_count() { return is_spmd() ? devices_of_job() : 1; }

} // namespace xlac::lazy
