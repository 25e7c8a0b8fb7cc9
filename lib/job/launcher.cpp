#include "xlac/job/launcher.h"

#include "uncaught_errors.h"

#include "xlac/job/reduction_cost.h"
#include "xlac/support/environment.h"
#include "xlac/support/logging.h"
#include "xlac/support/settings.h"

#include <algorithm>
#include <array>
#include <climits>
#include <string>
#include <utility>

#include <unistd.h>

namespace xlac::job {

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

/// Reads numbers and keeps the first failure.
class NumberReader {
public:
  int of(Result<std::optional<int64_t>> read, int otherwise) {
    if (!read && status)
      status = read.error();
    return static_cast<int>(read ? read->value_or(otherwise) : otherwise);
  }
  /// A launcher's variable like a setting: a number of at least `least`.
  int of(const char *name, int least, int otherwise) {
    auto text = environment_text(name);
    auto number = environment_number(name);
    if (text && (!number || *number < least || *number > INT_MAX) && status)
      status =
          failure(FailureKind::User, std::string(name) + " is '" + *text +
                                         "', wanted a number of at least " +
                                         std::to_string(least));
    return static_cast<int>(text && number ? *number : otherwise);
  }

  Status status;
};

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

int number_or(const char *name, int otherwise) {
  return static_cast<int>(environment_number(name).value_or(otherwise));
}

/// The ranks of a launcher print one message of an error that ends them all.
void share_uncaught_errors() {
  for (const PlaceNames &names : kLaunchers)
    if (is_set(names)) {
      report_uncaught_errors({.rank = number_or(names.rank, 0),
                              .world = number_or(names.world_size, 1),
                              .job = launched_name()});
      return;
    }
}

/// The position of a process from a launcher's variables.
Result<Topology> topology_of(const PlaceNames &names, int devices_per_process) {
  NumberReader read;
  int rank = read.of(names.rank, 0, 0);
  int local_rank = read.of(names.local_rank, 0, 0);
  int world = read.of(names.world_size, 1, 1);
  int divided = read.of(read_integer(SettingId::NumHosts), 0); // 0: not set
  int hosts = std::max(divided, 1);
  if (names.hosts && divided == 0)
    hosts = read.of(names.hosts, 1, 1);
  int local_world = std::max(1, world / hosts);
  if (names.local_world_size && !(names.is_mpi && divided > 0))
    local_world = read.of(names.local_world_size, 1, local_world);
  if (names.is_mpi && divided > 0)
    local_rank = rank % local_world;
  Topology topology;
  topology.master_port =
      read.of(read_integer(SettingId::MasterPort), topology.master_port);
  XLAC_RETURN_IF_ERROR(read.status);
  if (rank >= world || local_rank >= local_world || world % local_world != 0 ||
      rank % local_world != local_rank ||
      (names.is_mpi && divided > 0 && world != hosts * local_world))
    return failure(
        FailureKind::User,
        std::string(names.rank) + "=" + std::to_string(rank) + ", " +
            names.local_rank + "=" + std::to_string(local_rank) + ", " +
            names.world_size + "=" + std::to_string(world) + " and " +
            std::to_string(local_world) +
            " processes a host contradict each other: ranks must go host by "
            "host, equally many on each");
  topology.master_address =
      text_setting(SettingId::MasterAddress).value_or(topology.master_address);
  topology.hosts = world / local_world;
  topology.host = rank / local_world;
  topology.processes_per_host = local_world;
  topology.local_process = local_rank;
  topology.devices_per_process = devices_per_process;
  topology.name = launched_name() + "-" + std::to_string(topology.master_port);
  return topology;
}

/// Whether a job of several hosts that an MPI launcher has started uses MPI
/// where XLAC_TRANSPORT leaves the choice.
bool is_mpi_available(const Topology &topology) {
  Status status = check_mpi();
  if (!status && topology.process() == 0)
    log_warning(status.error().message + "; the job uses TCP");
  return bool(status);
}

/// What the settings XLAC_TRANSPORT and XLAC_COLLECTIVES choose.
struct Choices {
  std::string transport = "auto", collectives = "plan";

  bool wants_engine() const { return collectives == "engine"; }
  CollectiveMethod method() const {
    return wants_engine()                  ? CollectiveMethod::Engine
           : collectives == "hierarchical" ? CollectiveMethod::Hierarchical
                                           : CollectiveMethod::Plan;
  }
  bool wants_mpi() const { return transport == "mpi" || wants_engine(); }
};

Result<Choices> read_choices() {
  Choices choices;
  for (auto [id, value] :
       {std::pair(SettingId::JobTransport, &choices.transport),
        std::pair(SettingId::JobCollectives, &choices.collectives)}) {
    Result<std::optional<std::string>> read = read_text(id);
    if (!read)
      return read.error();
    *value = read->value_or(*value);
  }
  if (Result<LinkCosts> links = link_costs(); !links)
    return links.error();
  return choices;
}

} // namespace

Result<std::optional<Topology>> launched_topology(int devices_per_process) {
  share_uncaught_errors();
  Result<Choices> choices = read_choices();
  if (!choices)
    return choices.error();
  bool wants_engine = choices->wants_engine();
  if (wants_engine && choices->transport == "tcp")
    return failure(FailureKind::User,
                   "XLAC_COLLECTIVES is 'engine', which needs MPI, but "
                   "XLAC_TRANSPORT is 'tcp'");
  bool wants_mpi = choices->wants_mpi();
  for (const PlaceNames &names : kLaunchers) {
    if (!is_set(names) || (wants_mpi && !names.is_mpi))
      continue;
    Result<Topology> topology = topology_of(names, devices_per_process);
    if (!topology)
      return topology.error();
    // Within one host MPI would carry no messages.
    if (wants_mpi || (choices->transport == "auto" && names.is_mpi &&
                      topology->hosts > 1 && is_mpi_available(*topology)))
      topology->transport = HostTransport::Mpi;
    topology->collectives = choices->method();
    return std::optional<Topology>(std::move(*topology));
  }
  if (wants_mpi)
    return failure(
        FailureKind::User,
        std::string(wants_engine ? "XLAC_COLLECTIVES is 'engine'"
                                 : "XLAC_TRANSPORT is 'mpi'") +
            ", but no MPI launcher such as mpirun or srun --mpi=pmix has "
            "started this process");
  return std::optional<Topology>();
}

Result<CollectiveMethod> chosen_collectives() {
  Result<Choices> choices = read_choices();
  return choices ? Result<CollectiveMethod>(choices->method())
                 : choices.error();
}

Result<MpiUse> mpi_use(int process, int processes) {
  Result<Choices> choices = read_choices();
  if (!choices)
    return choices.error();
  MpiUse use;
  use.collectives = choices->method();
  use.wants = choices->wants_mpi();
  if (choices->transport == "tcp")
    return use;
  for (const PlaceNames &names : kLaunchers)
    if (names.is_mpi && is_set(names)) {
      use.can = environment_number(names.rank) == process &&
                environment_number(names.world_size) == processes &&
                bool(check_mpi());
      break;
    }
  return use;
}

} // namespace xlac::job
