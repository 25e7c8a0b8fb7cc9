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
/// The ordinals of a rendezvous; all `replicas` if `ordinals` is empty. User
/// failure unless they are distinct ordinals of the job that include the
/// caller.
Result<std::vector<int>> participants(int ordinal, std::string_view tag,
                                      std::span<const int> ordinals,
                                      int replicas);

} // namespace xlac::job
