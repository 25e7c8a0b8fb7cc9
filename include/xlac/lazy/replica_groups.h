// Matches replicas that are threads of one process.
#pragma once

#include "xlac/types.h"

#include <vector>

namespace xlac::lazy {

/// Makes this thread a replica. It forms a group with the threads that pass the
/// same devices, each with another ordinal.
void join_local_replicas(std::vector<Device> devices, int ordinal);

} // namespace xlac::lazy
