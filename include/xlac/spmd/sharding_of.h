// From a mesh and a partition spec to how a tensor lies on devices.
#pragma once

#include "xlac/spmd.h"
#include "xlac/support/sharding.h"

namespace xlac::spmd {

/// How a tensor of rank `rank` lies on `mesh`; replicated where nothing is cut.
/// ValueError for a spec of another length, for axes that the mesh does not
/// have, and for an axis that is named twice.
Sharding sharding_of(const Mesh &mesh, const PartitionSpec &spec, size_t rank);

ShardingType type_of(const Sharding &sharding);

} // namespace xlac::spmd
