// How many threads can run at once.
#pragma once

namespace xlac {

/// Cores that this process may use, at least 1: those of its affinity mask, or
/// fewer where the quota of its cgroup amounts to fewer, rounded up. Found
/// once.
int available_cores();

/// XLAC_NUM_THREADS, else available_cores(). Found once.
int default_thread_count();

} // namespace xlac
