// Conversion of a mesh and a partition spec to a tensor's sharding.
#pragma once

#include "xlac/spmd.h"
#include "xlac/support/sharding.h"

namespace xlac::spmd {

/// Returns the sharding of a tensor of rank `rank` on `mesh`; replicated if no
/// dimension is sharded. Throws ValueError for a spec of another length, for
/// unknown mesh axes, and for an axis that is named twice.
Sharding sharding_of(const Mesh &mesh, const PartitionSpec &spec, size_t rank);

ShardingType type_of(const Sharding &sharding);

} // namespace xlac::spmd
