// Values of graphs that lie on the devices of SPMD as their shardings say.
#pragma once

#include "xlac/lazy/device_data.h"
#include "xlac/lazy/layout.h"

#include <vector>

namespace xlac::lazy {

/// `value`, which is to lie as `layout` says: itself where it does or was asked
/// to, else as a pending value.
graph::Value laid_out(graph::Value value, const Layout &layout);
/// A parameter that holds `literal` on the devices of SPMD, cut up now.
graph::Value distributed_value(host::Literal literal, Layout layout);
/// What each device holds, or would, of a value that lies as `sharding` says;
/// waits for it.
std::vector<host::Literal> read_shards(DeviceData &data,
                                       const Sharding &sharding);
/// A parameter that holds the shards, one a device, of a value of type `type`.
graph::Value value_of_shards(const TensorType &type, Layout layout,
                             const std::vector<host::Literal> &shards);
/// A parameter that holds a value of type `whole` of which this process has the
/// rows `literal` from `first_row` on. UserError if its devices need others.
graph::Value value_of_rows(const TensorType &whole, int64_t first_row,
                           const host::Literal &literal, Layout layout);

} // namespace xlac::lazy
