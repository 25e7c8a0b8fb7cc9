#include "process_plan.h"

#include "xlac/lazy/setting_values.h"
#include "xlac/support/environment.h"
#include "xlac/support/raise.h"

#include <array>
#include <atomic>
#include <chrono>
#include <climits>
#include <unistd.h>

namespace xlac::distributed {

/// Reads a launcher's variable like a setting: a number of at least `least`.
static Result<std::optional<int64_t>> read_launcher_number(const char *name,
                                                           int least) {
  auto text = environment_text(name);
  if (!text)
    return std::optional<int64_t>();
  auto number = environment_number(name);
  if (!number || *number < least || *number > INT_MAX)
    return failure(FailureKind::User, std::string(name) + " is '" + *text +
                                          "', wanted a number of at least " +
                                          std::to_string(least));
  return number;
}

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

namespace {

/// A launcher's variables for a process's ranks.
struct PlaceNames {
  const char *rank, *local_rank, *world_size, *local_world_size;
};

constexpr std::array<PlaceNames, 3> kLaunchers = {{
    {"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE"},
    {"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", "MPI_LOCALNRANKS"},
}};

/// Returns a name that is common to the processes that a launcher started
/// together and distinct from other jobs.
std::string launched_name() {
  for (const char *name : {"XLAC_JOB_NAME", "TORCHELASTIC_RUN_ID",
                           "PMIX_NAMESPACE", "OMPI_MCA_ess_base_jobid"})
    if (auto text = environment_text(name); text && *text != "none")
      return "launch-" + std::to_string(getuid()) + "-" + *text;
  return "launch-" + std::to_string(getuid());
}

} // namespace

std::optional<job::Topology> launched_topology() {
  for (const PlaceNames &names : kLaunchers) {
    if (!environment_text(names.rank) || !environment_text(names.local_rank) ||
        !environment_text(names.world_size))
      continue;
    int rank = number_of(read_launcher_number(names.rank, 0), 0);
    int local_rank = number_of(read_launcher_number(names.local_rank, 0), 0);
    int world = number_of(read_launcher_number(names.world_size, 1), 1);
    int hosts = number_of(read_integer(SettingId::NumHosts), 1);
    int local_world = number_of(read_launcher_number(names.local_world_size, 1),
                                std::max(1, world / hosts));
    if (rank >= world || local_rank >= local_world ||
        world % local_world != 0 || rank % local_world != local_rank)
      raise<ValueError>(
          std::string(names.rank) + "=" + std::to_string(rank) + ", " +
          names.local_rank + "=" + std::to_string(local_rank) + ", " +
          names.world_size + "=" + std::to_string(world) + " and " +
          std::to_string(local_world) +
          " processes a host contradict each other: ranks must go host by "
          "host, equally many on each");
    job::Topology topology = from_environment();
    topology.hosts = world / local_world;
    topology.host = rank / local_world;
    topology.processes_per_host = local_world;
    topology.local_process = local_rank;
    topology.devices_per_process = devices_per_process();
    topology.name =
        launched_name() + "-" + std::to_string(topology.master_port);
    return topology;
  }
  return std::nullopt;
}

} // namespace xlac::distributed
