#include "xlac/lazy/use_spmd.h"

#include "xlac/job/launcher.h"
#include "xlac/lazy/device_data.h"
#include "xlac/lazy/devices.h"
#include "xlac/lazy/partitions.h"
#include "xlac/lazy/replication.h"
#include "xlac/lazy/setting_values.h"
#include "xlac/lazy/spmd_mode.h"
#include "xlac/support/fork.h"
#include "xlac/support/logging.h"
#include "xlac/support/settings.h"

#include <mutex>

namespace xlac::lazy {

/// The position of this process among those of XLAC_NUM_HOSTS hosts, one
/// process each.
static job::Topology topology_of_hosts(int hosts) {
  job::Topology topology;
  topology.hosts = hosts;
  topology.host = static_cast<int>(
      checked_setting(read_integer(SettingId::HostIndex)).value_or(0));
  topology.devices_per_process = runtime_device_count();
  topology.master_address =
      text_setting(SettingId::MasterAddress).value_or(topology.master_address);
  topology.master_port =
      static_cast<int>(checked_setting(read_integer(SettingId::MasterPort))
                           .value_or(topology.master_port));
  topology.collectives = unwrap(job::chosen_collectives());
  topology.name = "spmd-" + std::to_string(topology.master_port);
  return topology;
}

static std::shared_ptr<job::Job> join(const job::Topology &topology) {
  auto joined = unwrap(job::join_job(topology, collective_deadline()));
  Replication process;
  process.job = joined;
  set_process_replication(std::move(process));
  return joined;
}

/// The job of the processes that a launcher has started, or else of the hosts;
/// null if there is only one process.
static std::shared_ptr<job::Job> join_processes() {
  auto launched = checked_setting(
      job::launched_topology(static_cast<int>(runtime_device_count())));
  if (launched && launched->processes() > 1)
    return join(*launched);
  int64_t hosts =
      checked_setting(read_integer(SettingId::NumHosts)).value_or(1);
  return hosts > 1 && !launched
             ? join(topology_of_hosts(static_cast<int>(hosts)))
             : nullptr;
}

static bool is_one_of_several(const std::shared_ptr<job::Job> &job) {
  return job && job->topology().processes() > 1 &&
         job->topology().devices_per_process == 1;
}

void use_spmd(bool automatic) {
  static ForkMutex mutex;
  std::lock_guard lock(mutex);
  if (automatic)
    set_automatic_spmd();
  if (spmd_was_set())
    return;
  if (is_one_of_several(replication().job))
    set_partition_job(replication().job);
  else if (is_replica())
    raise<UserError>("SPMD cannot begin in a replica");
  else if (std::shared_ptr<job::Job> job = join_processes())
    set_partition_job(job);
  set_spmd();
  if (device_data_made() > 0)
    log_warning("use_spmd: tensors of xla devices were made before; they "
                "become replicated. Call xr::use_spmd() first.");
}

} // namespace xlac::lazy
