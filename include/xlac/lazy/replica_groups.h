// Where replicas that are threads of one process find each other.
#pragma once

#include "xlac/types.h"

#include <vector>

namespace xlac::lazy {

/// This thread is a replica among other threads of the process: meets those
/// that join with the same devices, each as another one of them.
void join_local_replicas(std::vector<Device> devices, int ordinal);

} // namespace xlac::lazy
