#include "process_plan.h"

#include "xlac/lazy/setting_values.h"
#include "xlac/support/environment.h"
#include "xlac/support/logging.h"
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
  /// The number of hosts, where the launcher does not set local_world_size.
  const char *hosts;
  bool is_mpi; ///< the processes can join each other through MPI
};

constexpr std::array<PlaceNames, 4> kLaunchers = {{
    {"RANK", "LOCAL_RANK", "WORLD_SIZE", "LOCAL_WORLD_SIZE", nullptr, false},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_LOCAL_RANK",
     "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", nullptr, true},
    {"PMI_RANK", "MPI_LOCALRANKID", "PMI_SIZE", "MPI_LOCALNRANKS", nullptr,
     true},
    // srun --mpi=pmix. Slurm also sets its own variables in batch scripts,
    // which are no ranks.
    {"PMIX_RANK", "SLURM_LOCALID", "SLURM_STEP_NUM_TASKS", nullptr,
     "SLURM_STEP_NUM_NODES", true},
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

bool is_set(const PlaceNames &names) {
  return environment_text(names.rank) && environment_text(names.local_rank) &&
         environment_text(names.world_size);
}

/// Returns the position of a process from a launcher's variables.
/// XLAC_NUM_HOSTS divides the ranks of an MPI launcher into hosts of equal
/// size.
job::Topology topology_of(const PlaceNames &names) {
  int rank = number_of(read_launcher_number(names.rank, 0), 0);
  int local_rank = number_of(read_launcher_number(names.local_rank, 0), 0);
  int world = number_of(read_launcher_number(names.world_size, 1), 1);
  std::optional<int64_t> divided =
      lazy::checked_setting(read_integer(SettingId::NumHosts));
  int hosts = static_cast<int>(divided.value_or(1));
  if (names.hosts && !divided)
    hosts = number_of(read_launcher_number(names.hosts, 1), 1);
  int local_world = std::max(1, world / hosts);
  if (names.local_world_size && !(names.is_mpi && divided))
    local_world =
        number_of(read_launcher_number(names.local_world_size, 1), local_world);
  if (names.is_mpi && divided)
    local_rank = rank % local_world;
  if (rank >= world || local_rank >= local_world || world % local_world != 0 ||
      rank % local_world != local_rank ||
      (names.is_mpi && divided && world != hosts * local_world))
    raise<ValueError>(
        std::string(names.rank) + "=" + std::to_string(rank) + ", " +
        names.local_rank + "=" + std::to_string(local_rank) + ", " +
        names.world_size + "=" + std::to_string(world) + " and " +
        std::to_string(local_world) +
        " processes a host contradict each other: ranks must go host by host, "
        "equally many on each");
  job::Topology topology = from_environment();
  topology.hosts = world / local_world;
  topology.host = rank / local_world;
  topology.processes_per_host = local_world;
  topology.local_process = local_rank;
  topology.devices_per_process = devices_per_process();
  topology.name = launched_name() + "-" + std::to_string(topology.master_port);
  return topology;
}

/// Whether a job of several hosts that an MPI launcher has started uses MPI
/// where XLAC_TRANSPORT leaves the choice.
bool is_mpi_available(const job::Topology &topology) {
  Status status = job::check_mpi();
  if (!status && topology.process() == 0)
    log_warning(status.error().message + "; the job uses TCP");
  return bool(status);
}

bool wants_collectives_of_mpi() {
  return lazy::checked_setting(read_text(SettingId::JobCollectives)) ==
         "engine";
}

} // namespace

std::optional<job::Topology> launched_topology() {
  std::string transport =
      lazy::checked_setting(read_text(SettingId::JobTransport))
          .value_or("auto");
  bool wants_engine = wants_collectives_of_mpi();
  if (wants_engine && transport == "tcp")
    raise<ValueError>("XLAC_COLLECTIVES is 'engine', which needs MPI, but "
                      "XLAC_TRANSPORT is 'tcp'");
  bool wants_mpi = transport == "mpi" || wants_engine;
  for (const PlaceNames &names : kLaunchers) {
    if (!is_set(names) || (wants_mpi && !names.is_mpi))
      continue;
    job::Topology topology = topology_of(names);
    // Within one host MPI would carry no messages.
    if (wants_mpi || (transport == "auto" && names.is_mpi &&
                      topology.hosts > 1 && is_mpi_available(topology)))
      topology.transport = job::HostTransport::Mpi;
    if (wants_engine)
      topology.collectives = job::CollectiveMethod::Engine;
    return topology;
  }
  if (wants_mpi)
    raise<ValueError>(std::string(wants_engine ? "XLAC_COLLECTIVES is 'engine'"
                                               : "XLAC_TRANSPORT is 'mpi'") +
                      ", but no MPI launcher such as mpirun or srun "
                      "--mpi=pmix has started this process");
  return std::nullopt;
}

} // namespace xlac::distributed
