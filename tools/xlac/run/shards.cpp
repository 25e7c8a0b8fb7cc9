#include "shards.h"

#include "xlac/host/strided.h"

namespace xlac::cli {
HostArray slice_shard(const HostArray &whole, const Sharding &sharding,
                      int64_t device) {
  if (!sharding.is_tiled())
    return whole;
  HostArray shard;
  shard.type = whole.type;
  shard.type.dims = shard_dims(whole.type.dims, sharding);
  shard.bytes.assign(*shard.type.byte_count(), std::byte(0));
  ShardBounds part = shard_bounds(whole.type.dims, sharding, device);
  std::vector<int64_t> start(part.begin.size(), 0);
  host::copy_box(shard.bytes.data(), {shard.type.dims, start},
                 whole.bytes.data(), {whole.type.dims, part.begin}, part.size,
                 byte_size(whole.type.element));
  return shard;
}

HostArray join_shards(const TensorType &whole, const Sharding &sharding,
                      const std::vector<const std::byte *> &shards) {
  HostArray joined;
  joined.type = whole;
  if (!sharding.is_tiled()) {
    joined.bytes.assign(shards[0], shards[0] + *whole.byte_count());
    return joined;
  }
  joined.bytes.resize(*whole.byte_count());
  std::vector<int64_t> dims = shard_dims(whole.dims, sharding);
  std::vector<int64_t> start(dims.size(), 0);
  for (size_t device = 0; device < shards.size(); ++device) {
    ShardBounds part =
        shard_bounds(whole.dims, sharding, static_cast<int64_t>(device));
    if (part.copy == 0)
      host::copy_box(joined.bytes.data(), {whole.dims, part.begin},
                     shards[device], {dims, start}, part.size,
                     byte_size(whole.element));
  }
  return joined;
}

std::vector<std::vector<HostArray>>
arguments_of(const runtime::ExecutableImage &image,
             std::vector<HostArray> inputs) {
  std::vector<std::vector<HostArray>> all;
  if (image.partitions == 1)
    all.push_back(std::move(inputs));
  for (int i = 0; image.partitions > 1 && i < image.partitions; ++i) {
    std::vector<HostArray> &shards = all.emplace_back();
    for (size_t k = 0; k < inputs.size(); ++k)
      shards.push_back(slice_shard(inputs[k], image.argument_shardings[k], i));
  }
  return all;
}

/// Returns the results of one process without joining shards.
static std::vector<HostArray>
own_outputs(const runtime::ExecutableImage &image,
            const std::vector<runtime::BufferRef> &results) {
  std::vector<HostArray> arrays;
  for (size_t i = 0; i < results.size(); ++i)
    arrays.push_back(to_array(image.results[i], results[i]));
  return arrays;
}

std::vector<std::vector<HostArray>>
outputs_of(const runtime::ExecutableImage &image,
           const std::vector<std::vector<runtime::BufferRef>> &results) {
  std::vector<std::vector<HostArray>> outputs;
  for (size_t first = 0; first < results.size(); first += image.partitions) {
    std::vector<HostArray> &arrays =
        outputs.emplace_back(own_outputs(image, results[first]));
    for (size_t i = 0; image.partitions > 1 && i < arrays.size(); ++i) {
      if (!image.results[i].is_tensor())
        continue;
      std::vector<const std::byte *> shards;
      for (int device = 0; device < image.partitions; ++device)
        shards.push_back(results[first + device][i]->data());
      arrays[i] = join_shards(image.global_results[i].tensor(),
                              image.result_shardings[i], shards);
    }
  }
  return outputs;
}

HostArray to_array(const Type &type, const runtime::BufferRef &buffer) {
  if (!type.is_tensor())
    return {no_elements(), {}};
  const std::byte *data = buffer->data();
  return {type.tensor(), {data, data + *type.tensor().byte_count()}};
}

TensorType no_elements() {
  TensorType type;
  type.element = ElementType::I1;
  type.dims = {0};
  return type;
}

} // namespace xlac::cli
