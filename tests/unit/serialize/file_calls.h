// The calls that write files, counted in the thread that asks for it, of which
// the Nth fails or kills the process. The definitions replace those of the C
// library in the whole test program.
#pragma once

#include <string>

namespace xlac::file_calls {

enum class FailureKind {
  None,     ///< count alone
  One,      ///< the Nth call fails
  All,      ///< the Nth call and all after it fail, as on a full disk
  Short,    ///< as All, but the Nth write takes half of its bytes
  KillAt,   ///< the process is killed instead of the Nth call
  KillAfter ///< the process is killed once the Nth call is done
};

/// From here on calls of this thread count. Calls that fail: open and mkdir
/// (ENOSPC), write and pwrite (ENOSPC), fsync, rename and close (EIO),
/// ftruncate and fchmod (EIO). Removals are counted only for kills.
void arm(FailureKind failure_kind, int number);
/// Ends that; the number of calls that failed.
int disarm();
/// A rename was done since arm().
bool has_renamed();
/// The call that failed first, as "fsync".
std::string failed_call();

} // namespace xlac::file_calls
