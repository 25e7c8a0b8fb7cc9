// Graph values that are sharded over the devices of SPMD.
#pragma once

#include "xlac/lazy/device_data.h"
#include "xlac/lazy/layout.h"

#include <vector>

namespace xlac::lazy {

/// `value` with the layout `layout`: the value itself if it has or requests
/// that layout, else a pending value.
graph::Value laid_out(graph::Value value, const Layout &layout);
/// A parameter that holds `literal`, sharded over the devices of SPMD now.
graph::Value distributed_value(host::Literal literal, Layout layout);
/// A parameter with the elements of `data`, whose shards are moved to `layout`;
/// waits for them. This process has all devices.
graph::Value rearranged_value(DeviceData &data, Layout layout);
/// The shard of each device for a value with `sharding`; waits for the value.
std::vector<host::Literal> read_shards(DeviceData &data,
                                       const Sharding &sharding);
/// A parameter with one shard per device, of a value of type `type`.
graph::Value value_of_shards(const TensorType &type, Layout layout,
                             const std::vector<host::Literal> &shards);
/// A parameter for a value of type `whole`. This process provides the rows
/// `literal`, starting at `first_row`. UserError if its devices need other
/// rows.
graph::Value value_of_rows(const TensorType &whole, int64_t first_row,
                           const host::Literal &literal, Layout layout);

} // namespace xlac::lazy
