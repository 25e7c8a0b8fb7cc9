#include "process_plan.h"

#include "xlac/job/launcher.h"
#include "xlac/lazy/setting_values.h"
#include "xlac/support/raise.h"

#include <atomic>
#include <chrono>
#include <unistd.h>

namespace xlac::distributed {

/// Returns the number, or `otherwise` when unset.
static int number_of(Result<std::optional<int64_t>> read, int otherwise) {
  return static_cast<int>(
      lazy::checked_setting(std::move(read)).value_or(otherwise));
}

int devices_per_process() {
  return number_of(read_integer(SettingId::DevicesPerProcess), 1);
}

/// Reads the environment variables that both kinds of jobs use.
static job::Topology from_environment() {
  job::Topology topology;
  topology.master_address =
      text_setting(SettingId::MasterAddress).value_or("127.0.0.1");
  topology.master_port = number_of(read_integer(SettingId::MasterPort), 12355);
  topology.collectives = unwrap(job::chosen_collectives());
  return topology;
}

job::Topology spawned_topology(int processes_per_host,
                               int devices_per_process) {
  job::Topology topology = from_environment();
  topology.hosts = number_of(read_integer(SettingId::NumHosts), 1);
  topology.host = number_of(read_integer(SettingId::HostIndex), 0);
  if (topology.host >= topology.hosts)
    raise<ValueError>("XLAC_HOST_INDEX is " + std::to_string(topology.host) +
                      ", but XLAC_NUM_HOSTS " + std::to_string(topology.hosts));
  topology.processes_per_host = processes_per_host;
  topology.devices_per_process = devices_per_process;
  static std::atomic<int> jobs{0};
  topology.name =
      "spawn-" + std::to_string(getpid()) + "-" + std::to_string(++jobs) + "-" +
      std::to_string(
          std::chrono::steady_clock::now().time_since_epoch().count());
  return topology;
}

std::optional<job::Topology> launched_topology() {
  return lazy::checked_setting(job::launched_topology(devices_per_process()));
}

} // namespace xlac::distributed
