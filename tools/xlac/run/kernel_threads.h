// Shares of threads: how well the launches of a profile use their threads.
#pragma once

#include "kernel_times.h"

#include <map>

namespace xlac::cli {

/// Returns when each thread began its first of these pieces, by thread id, in
/// nanoseconds on Clock.
std::map<int32_t, int64_t>
first_begins(const std::vector<runtime::LaunchEvent> &pieces);

/// Adds to `profile`, whose runs used `threads` threads, the times in
/// `one_thread`, the profile of runs of the same program on one thread, and the
/// shares of the threads in the launches of `events`, which were recorded with
/// pieces on `threads` threads.
void add_threads(RunProfile &profile, int threads, const RunProfile &one_thread,
                 const runtime::ExecutableImage &image,
                 const std::vector<runtime::LaunchEvent> &events);

} // namespace xlac::cli
