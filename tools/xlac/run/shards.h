// Slicing of arguments of partitioned programs into shards, and joining of
// results.
#pragma once

#include "npy.h"
#include "xlac/runtime/buffer.h"
#include "xlac/runtime/image.h"

namespace xlac::cli {

/// Returns the shard of `whole` for `device`, padded with zeros to the shard
/// size.
HostArray slice_shard(const HostArray &whole, const Sharding &sharding,
                      int64_t device);

/// Returns the array of type `whole` from the devices' shards, in device order.
HostArray join_shards(const TensorType &whole, const Sharding &sharding,
                      const std::vector<const std::byte *> &shards);

/// Returns the arguments of each process. Unpartitioned programs have one set
/// of inputs for all; partitioned ones have shards for each partition.
std::vector<std::vector<HostArray>>
arguments_of(const runtime::ExecutableImage &image,
             std::vector<HostArray> inputs);

/// Returns the outputs of each process, or of each replica for a partitioned
/// program.
std::vector<std::vector<HostArray>>
outputs_of(const runtime::ExecutableImage &image,
           const std::vector<std::vector<runtime::BufferRef>> &results);

/// Returns the contents of a buffer of that type; no elements for a token.
HostArray to_array(const Type &type, const runtime::BufferRef &buffer);
/// Returns the tensor type that represents a token.
TensorType no_elements();

} // namespace xlac::cli
