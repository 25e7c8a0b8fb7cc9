// Process-wide state: its reset after fork, and its completion at the end of a
// process.
#pragma once

namespace xlac::frontend {

/// Resets what programs set for the process or its first thread: seeds,
/// defaults, modes, metrics, the disk cache. For a process whose runtime has
/// not started.
void reset_process_state();

/// Waits until the queued asynchronous step closures have run. Rethrows the
/// exception of one that failed.
void finish_step_closures();

} // namespace xlac::frontend
