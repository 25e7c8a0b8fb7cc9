// Enabling SPMD.
#pragma once

namespace xlac::lazy {

/// Enables SPMD for the rest of the process; `automatic` shards large values
/// without an annotation. If XLAC_NUM_HOSTS is above 1, the processes of these
/// hosts, one each, share their devices for SPMD. The same holds for spawned
/// processes with one device each. UserError in any other replica.
void use_spmd(bool automatic);

} // namespace xlac::lazy
