// Fault injection for file writes: calls that write files are counted in the
// current thread, and the Nth one fails or kills the process. The definitions
// replace those of the C library in the whole test program.
#pragma once

#include <string>

namespace xlac::file_calls {

enum class FailureKind {
  None,     ///< only count
  One,      ///< the Nth call fails
  All,      ///< the Nth call and all later ones fail, as on a full disk
  Short,    ///< as All, but the Nth write writes half of its bytes
  KillAt,   ///< the process is killed instead of the Nth call
  KillAfter ///< the process is killed after the Nth call
};

/// Starts to count calls of this thread. Failing calls: open and mkdir
/// (ENOSPC), write and pwrite (ENOSPC), fsync, rename and close (EIO),
/// ftruncate and fchmod (EIO). Removals are counted only for kills.
void arm(FailureKind failure_kind, int number);
/// Stops counting. Returns the number of failed calls.
int disarm();
/// Whether a rename succeeded since arm().
bool has_renamed();
/// Returns the name of the first failed call, such as "fsync".
std::string failed_call();

} // namespace xlac::file_calls
