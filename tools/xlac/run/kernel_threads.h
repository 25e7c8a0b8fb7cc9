// Shares of threads: how well the launches of a profile use their threads.
#pragma once

#include "kernel_times.h"

namespace xlac::cli {

/// Adds to `profile`, whose runs used `threads` threads, the times in
/// `one_thread`, the profile of runs of the same program on one thread, and the
/// shares of the threads in the launches of `events`, which were recorded with
/// pieces on `threads` threads.
void add_threads(RunProfile &profile, int threads, const RunProfile &one_thread,
                 const runtime::ExecutableImage &image,
                 const std::vector<runtime::LaunchEvent> &events);

} // namespace xlac::cli
