// The position of this process among those that a launcher such as mpirun,
// srun, torchrun or xlac launch has started, from the environment.
#pragma once

#include "xlac/job/job.h"

#include <optional>

namespace xlac::job {

/// The topology of the processes that the launcher has started, each with this
/// many devices, and their transport; nothing without a launcher. User failure
/// for an invalid environment. XLAC_NUM_HOSTS divides the ranks of an MPI
/// launcher into hosts of equal size.
Result<std::optional<Topology>> launched_topology(int devices_per_process);

/// What XLAC_COLLECTIVES chooses. User failure for an invalid setting.
Result<CollectiveMethod> chosen_collectives();

/// How a process that got its place elsewhere can use MPI.
struct MpiUse {
  bool can = false;   ///< an MPI launcher gave it the same place
  bool wants = false; ///< the settings accept nothing else
  CollectiveMethod collectives = CollectiveMethod::Plan;
};
/// MPI for process `process` of `processes`. User failure for an invalid
/// setting.
Result<MpiUse> mpi_use(int process, int processes);

} // namespace xlac::job
