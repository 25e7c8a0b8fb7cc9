// How messages call replicas, and who takes part in a rendezvous.
#pragma once

#include "xlac/support/result.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace xlac::job {

/// "replica 3", "replicas 4 to 7".
std::string replica_text(int first, int count);
/// The ordinals of a rendezvous: all `replicas` where none are named. User
/// unless they are those of the job, once each, and the caller's among them.
Result<std::vector<int>> participants(int ordinal, std::string_view tag,
                                      std::span<const int> ordinals,
                                      int replicas);

} // namespace xlac::job
