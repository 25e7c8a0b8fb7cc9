// The elements of one value as the parts that the devices of SPMD hold.
#pragma once

#include "xlac/host/literal.h"
#include "xlac/runtime/buffer.h"
#include "xlac/support/sharding.h"

#include <vector>

namespace xlac::lazy {

/// The type of one device's part of a value of type `whole`.
TensorType shard_type(const TensorType &whole, const Sharding &sharding);
/// A copy of `literal` in the memory of xla device `device`.
runtime::BufferRef upload_to(int device, const host::Literal &literal);
/// The elements in `buffer`, without a copy; waits for them.
host::Literal lent(const TensorType &type, const runtime::BufferRef &buffer);

/// One buffer for each device of this process: its part of `whole`, zeros at
/// its end where the dimensions do not divide. Devices with equal parts share a
/// buffer.
std::vector<runtime::BufferRef> shard_literal(const host::Literal &whole,
                                              const Sharding &sharding);
/// The same of a value of sizes `dims`, of which `rows` are those from
/// `first_row` on. UserError if a device of this process needs others.
std::vector<runtime::BufferRef> shard_rows(const std::vector<int64_t> &dims,
                                           int64_t first_row,
                                           const host::Literal &rows,
                                           const Sharding &sharding);
/// The whole of type `type` whose parts all lie in `shards`; waits for them.
host::Literal put_together(const TensorType &type, const Sharding &sharding,
                           const std::vector<runtime::BufferRef> &shards);
/// What lies as `from` says, cut up as `to` says. Waits where these differ.
std::vector<runtime::BufferRef>
rearranged(const TensorType &type, const Sharding &from, const Sharding &to,
           std::vector<runtime::BufferRef> shards);

} // namespace xlac::lazy
