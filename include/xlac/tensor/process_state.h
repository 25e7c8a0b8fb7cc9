// A process that has come to be by fork, as one that has just started, and at
// its end.
#pragma once

namespace xlac::frontend {

/// What programs set for the process or its first thread is as in a new one:
/// seeds, defaults, modes, metrics, the disk cache. For a process whose runtime
/// has not started.
void reset_process_state();

/// Waits until the asynchronous step closures that are queued have run; throws
/// what one has thrown.
void finish_step_closures();

} // namespace xlac::frontend
