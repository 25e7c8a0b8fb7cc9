// Shards of values on the devices of SPMD.
#pragma once

#include "xlac/host/literal.h"
#include "xlac/runtime/buffer.h"
#include "xlac/support/sharding.h"

#include <vector>

namespace xlac::lazy {

/// The type of one shard of a value of type `whole`.
TensorType shard_type(const TensorType &whole, const Sharding &sharding);
/// A copy of `literal` in the memory of xla device `device`.
runtime::BufferRef upload_to(int device, const host::Literal &literal);
/// The elements of `buffer`, without a copy; waits for them.
host::Literal lent(const TensorType &type, const runtime::BufferRef &buffer);

/// One buffer per device of this process with its shard of `whole`, padded with
/// zeros. Devices with equal shards share a buffer.
std::vector<runtime::BufferRef> shard_literal(const host::Literal &whole,
                                              const Sharding &sharding);
/// The same for a value of sizes `dims`, of which `rows` are the rows starting
/// at `first_row`. UserError if a device of this process needs other rows.
std::vector<runtime::BufferRef> shard_rows(const std::vector<int64_t> &dims,
                                           int64_t first_row,
                                           const host::Literal &rows,
                                           const Sharding &sharding);
/// Assembles the global value of type `type` from its shards; waits for them.
host::Literal put_together(const TensorType &type, const Sharding &sharding,
                           const std::vector<runtime::BufferRef> &shards);
/// Changes the sharding from `from` to `to`. Waits for the shards if these
/// differ. Each device copies the pieces that it needs into its own memory from
/// the devices that hold them; counted as ReshardedData. Replicas share a
/// buffer. If `from` is tiled, this process must have all devices.
std::vector<runtime::BufferRef>
rearranged(const TensorType &type, const Sharding &from, const Sharding &to,
           std::vector<runtime::BufferRef> shards);

} // namespace xlac::lazy
