// Annotations of fully sharded data parallelism.
#include "xlac/spmd/fully_sharded_data_parallel.h"

#include "xlac/lazy/spmd_mode.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/recorder.h"

#include <algorithm>

namespace xlac::spmd {

namespace {

Mesh mesh_of(const FullyShardedOptions &options) {
  std::optional<Mesh> mesh = options.mesh ? options.mesh : get_global_mesh();
  if (!mesh)
    raise<ValueError>("No mesh is given and no global mesh is set");
  auto check = [&](const std::string &axis) {
    if (!mesh->get_axis_name_idx(axis))
      raise<ValueError>("the mesh must have an axis named '" + axis + "'");
  };
  check(options.axis);
  if (options.extra_data_axis)
    check(*options.extra_data_axis);
  return *mesh;
}

int64_t size_of_axis(const Mesh &mesh, const std::string &axis) {
  return mesh.mesh_shape()[static_cast<size_t>(*mesh.get_axis_name_idx(axis))];
}

/// The entry of the dimension that batches are sharded along.
SpecEntry batch_entry(const FullyShardedOptions &options) {
  if (options.extra_data_axis)
    return {*options.extra_data_axis, options.axis};
  return options.axis;
}

/// A spec of rank `rank` whose only sharded dimension is `dim`.
PartitionSpec spec_with(int64_t rank, int64_t dim, const SpecEntry &entry) {
  std::vector<SpecEntry> entries(static_cast<size_t>(rank), None);
  entries.at(static_cast<size_t>(dim)) = entry;
  return PartitionSpec(std::move(entries));
}

PartitionSpec parameter_spec(const Shape &sizes, int64_t devices,
                             const std::string &axis) {
  auto rank = static_cast<int64_t>(sizes.size());
  int64_t largest = -1, divided = -1;
  for (int64_t i = 0; i < rank; ++i) {
    auto size_at = [&](int64_t dim) { return sizes[static_cast<size_t>(dim)]; };
    if (largest < 0 || size_at(i) > size_at(largest))
      largest = i;
    if (size_at(i) % devices == 0 &&
        (divided < 0 || size_at(i) > size_at(divided)))
      divided = i;
  }
  int64_t chosen = divided >= 0 ? divided : largest;
  if (chosen < 0 || sizes[static_cast<size_t>(chosen)] < devices)
    return PartitionSpec(
        std::vector<SpecEntry>(static_cast<size_t>(rank), None));
  return spec_with(rank, chosen, axis);
}

bool has_sharding(const Tensor &t) { return !get_sharding_spec(t).empty(); }

/// Shards `parameter` and its future gradients.
void shard_parameter(Tensor parameter, const Mesh &mesh,
                     const std::string &axis) {
  if (has_sharding(parameter))
    return;
  PartitionSpec spec =
      parameter_spec(parameter.sizes(), size_of_axis(mesh, axis), axis);
  mark_sharding(parameter, mesh, spec);
  if (!parameter.requires_grad())
    return;
  parameter.register_hook([mesh, spec](const Tensor &gradient) {
    return mark_sharding_with_gradients(gradient, mesh, spec);
  });
}

/// Shards inputs that have no sharding in place.
void shard_inputs(const std::vector<Tensor> &inputs, const Mesh &mesh,
                  const SpecEntry &entry) {
  for (const Tensor &input : inputs)
    if (input.defined() && input.dim() > 0 && input.device().type == kXLA &&
        !has_sharding(input))
      mark_sharding(input, mesh, spec_with(input.dim(), 0, entry));
}

std::vector<Tensor> sharded_outputs(const std::vector<Tensor> &outputs,
                                    const Mesh &mesh, const SpecEntry &entry) {
  std::vector<Tensor> sharded;
  for (const Tensor &output : outputs)
    sharded.push_back(output.defined() && output.dim() > 0
                          ? mark_sharding_with_gradients(
                                output, mesh, spec_with(output.dim(), 0, entry))
                          : output);
  return sharded;
}

void add_output_hook(nn::Module &module, const FullyShardedOptions &options,
                     const Mesh &mesh) {
  if (options.shard_output) {
    module.register_forward_hook(
        [mesh, shard = options.shard_output](
            nn::Module &, const std::vector<Tensor> &,
            const std::vector<Tensor> &outputs) { shard(outputs, mesh); });
    return;
  }
  module.register_forward_hook([mesh, entry = batch_entry(options)](
                                   nn::Module &, const std::vector<Tensor> &,
                                   const std::vector<Tensor> &outputs) {
    return sharded_outputs(outputs, mesh, entry);
  });
}

/// Adds hooks to the modules under `module` that the policy wraps, and to
/// `module` itself unless it `is_root`. Returns the number of elements of
/// parameters that are wrapped.
int64_t wrap(nn::Module &module, const FullyShardedOptions &options,
             const Mesh &mesh, bool is_root) {
  int64_t count = 0;
  for (const Tensor &parameter : module.parameters())
    count += parameter.numel();
  if (!options.auto_wrap_policy(module, /*recurse=*/true, count))
    return 0;
  int64_t wrapped = 0;
  for (const std::shared_ptr<nn::Module> &child : module.children())
    wrapped += wrap(*child, options, mesh, /*is_root=*/false);
  if (is_root ||
      !options.auto_wrap_policy(module, /*recurse=*/false, count - wrapped))
    return wrapped;
  add_output_hook(module, options, mesh);
  return count;
}

} // namespace

AutoWrapPolicy size_based_auto_wrap_policy(int64_t min_num_params) {
  return [min_num_params](nn::Module &, bool, int64_t nonwrapped_numel) {
    return nonwrapped_numel >= min_num_params;
  };
}

void detail::shard_fully(nn::Module &module,
                         const FullyShardedOptions &options) {
  XLAC_CALL("SpmdFullyShardedDataParallel");
  Mesh mesh = mesh_of(options);
  if (!lazy::is_spmd())
    raise<UserError>("SPMD is off, call xr::use_spmd() first");
  for (const Tensor &parameter : module.parameters())
    shard_parameter(parameter, mesh, options.axis);
  module.register_forward_pre_hook(
      [mesh, entry = batch_entry(options)](nn::Module &,
                                           const std::vector<Tensor> &inputs) {
        shard_inputs(inputs, mesh, entry);
      });
  if (options.auto_wrap_policy)
    wrap(module, options, mesh, /*is_root=*/true);
  add_output_hook(module, options, mesh);
}

ShardingSpec detail::batch_sharding(const FullyShardedOptions &options,
                                    int64_t rank) {
  XLAC_CALL("input_sharding");
  if (rank < 1)
    raise<ValueError>("a batch has at least one dimension, got rank " +
                      std::to_string(rank));
  return {mesh_of(options), spec_with(rank, 0, batch_entry(options))};
}

} // namespace xlac::spmd
