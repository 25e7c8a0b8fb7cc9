// Arguments of partitioned programs cut for their devices, results put
// together.
#pragma once

#include "npy.h"
#include "xlac/runtime/buffer.h"
#include "xlac/runtime/image.h"

namespace xlac::cli {

/// The part of `whole` that `device` gets, padded with zeros to a shard's size.
HostArray slice_shard(const HostArray &whole, const Sharding &sharding,
                      int64_t device);

/// The array of type `whole` whose shards the devices have, in their order.
HostArray join_shards(const TensorType &whole, const Sharding &sharding,
                      const std::vector<const std::byte *> &shards);

/// What each process gets: the same inputs, once, or of a partitioned program
/// the shards of them for each partition.
std::vector<std::vector<HostArray>>
arguments_of(const runtime::ExecutableImage &image,
             std::vector<HostArray> inputs);

/// Outputs of each process or, of a partitioned program, of each replica.
std::vector<std::vector<HostArray>>
outputs_of(const runtime::ExecutableImage &image,
           const std::vector<std::vector<runtime::BufferRef>> &results);

/// The contents of a buffer of that type; no elements for a token.
HostArray to_array(const Type &type, const runtime::BufferRef &buffer);
/// The tensor type that stands for a token.
TensorType no_elements();

} // namespace xlac::cli
