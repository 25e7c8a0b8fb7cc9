// How values lie on the devices of SPMD.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/sharding.h"

#include <memory>
#include <optional>

namespace xlac::lazy {

/// How a value lies on the devices of SPMD; null: no sharding was requested,
/// and every device has it or can be lent it.
using Layout = std::shared_ptr<const Sharding>;

/// The sharding of `layout`, which may be null.
const Sharding &sharding_in(const Layout &layout);

/// The sharding that a node of build::sharding() asks for; nothing of others.
std::optional<Sharding> asked_sharding(const graph::Node &node);

} // namespace xlac::lazy
