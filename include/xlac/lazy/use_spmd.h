// The start of SPMD.
#pragma once

namespace xlac::lazy {

/// Turns SPMD on for good; `automatic` shards large values without an
/// annotation. With XLAC_NUM_HOSTS of more than 1 the processes of these
/// hosts meet, one each, and their devices are those of SPMD; so are the
/// devices of spawned processes that have one each. UserError in any other
/// replica.
void use_spmd(bool automatic);

} // namespace xlac::lazy
