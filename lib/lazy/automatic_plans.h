// The shardings of arguments that the compiler has chosen under automatic SPMD.
// They let a later step, whose arguments have them, use the same program.
#pragma once

#include "xlac/runtime/executable.h"
#include "xlac/support/fast_hash.h"
#include "xlac/support/sharding.h"

#include <optional>
#include <vector>

namespace xlac::lazy {

/// One sharding per argument; the compiler chooses those without a value.
using RequestedShardings = std::vector<std::optional<Sharding>>;

/// The shardings of arguments to compile a graph with. They are those of a call
/// of keep_plan() for `graph` if its program expects all shardings that `held`
/// has, and left the other arguments open. Otherwise they are `held`.
RequestedShardings planned_shardings(const Hash128 &graph,
                                     RequestedShardings held);

/// Records the program that was compiled with `requested`. `graph` identifies
/// its graph, without shardings of arguments.
void keep_plan(const Hash128 &graph, const RequestedShardings &requested,
               const runtime::Executable &executable);

} // namespace xlac::lazy
