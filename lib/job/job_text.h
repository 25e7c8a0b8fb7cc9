// Text about replicas in messages, and the participants of a rendezvous.
#pragma once

#include "xlac/support/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::job {

/// "replica 3", "replicas 4 to 7".
std::string replica_text(int first, int count);
/// "2 hosts of 4 processes with 1 devices".
std::string shape_text(int hosts, int processes_per_host,
                       int devices_per_process);
/// The failure of a process that joins with another shape, `theirs`, than that
/// of process 0, `own`.
Failure other_shape(int process, const std::string &theirs,
                    const std::string &own);
/// The ordinals of a rendezvous; all `replicas` if `ordinals` is empty. User
/// failure unless they are distinct ordinals of the job that include the
/// caller.
Result<std::vector<int>> participants(int ordinal, std::string_view tag,
                                      std::span<const int> ordinals,
                                      int replicas);

} // namespace xlac::job
