// The command line of mpirun that starts the processes of a job on several
// hosts.
#pragma once

#include "xlac/support/result.h"

#include <string>
#include <vector>

namespace xlac::cli {

/// What mpirun starts.
struct MpiLaunch {
  std::vector<std::string> hosts;
  int processes_per_host = 1;
  std::string shell; ///< reaches hosts; empty: mpirun's own choice
  std::string folder;
  std::vector<std::string> variables; ///< names of those that all hosts get
  std::vector<std::string> program;
};

/// User failure if there is no mpirun on the path, if it belongs to an MPI
/// whose options are unknown, or if libxlac_mpi.so cannot be opened.
Status check_mpirun();
/// The command for the mpirun of the path, which must pass check_mpirun().
std::vector<std::string> mpi_command(const MpiLaunch &launch);

} // namespace xlac::cli
