// The layout of values on the devices of SPMD.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/support/sharding.h"

#include <memory>
#include <optional>

namespace xlac::lazy {

/// The sharding of a value on the devices of SPMD. Null: no sharding was
/// requested, and every device has the value or can borrow it.
using Layout = std::shared_ptr<const Sharding>;

/// The sharding of `layout`; replicated if `layout` is null.
const Sharding &sharding_in(const Layout &layout);

/// The sharding that a node of build::sharding() requests; empty for other
/// nodes.
std::optional<Sharding> asked_sharding(const graph::Node &node);

} // namespace xlac::lazy
