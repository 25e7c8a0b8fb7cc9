// Errors that the program of a launched process does not catch. They end the
// process with exit code 1, and the ranks of a launcher print one message
// together instead of one each.
#pragma once

#include <string>

namespace xlac::job {

/// The place of this process among those that a launcher has started.
struct LaunchedRank {
  int rank = 0, world = 1;
  std::string job; ///< name that the ranks share
};

/// From now on, an xlac::Error that the program does not catch is printed by
/// the first rank. The other ranks give the launcher time to end them. If it
/// does not, one process of each host prints its error. Only the first call has
/// an effect. Other exceptions end the process as before.
void report_uncaught_errors(LaunchedRank rank);

} // namespace xlac::job
