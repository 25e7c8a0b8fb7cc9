// The number of threads that can run in parallel.
#pragma once

namespace xlac {

/// Number of cores that this process may use, at least 1: the size of its
/// affinity mask, limited by its cgroup's CPU quota, rounded up. Computed once.
int available_cores();

/// XLAC_NUM_THREADS, else available_cores(). Computed once.
int default_thread_count();

} // namespace xlac
