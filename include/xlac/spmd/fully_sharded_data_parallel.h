// torch_xla.experimental.spmd_fully_sharded_data_parallel: shards the
// parameters, gradients and optimizer state of a module, and its batch, over
// one axis of a mesh.
#pragma once

#include "xlac/nn.h"
#include "xlac/spmd.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace xlac::spmd {

/// Decides which submodules are wrapped. With `recurse` it returns whether to
/// look into the children of `module`, else whether to wrap `module` itself.
/// `nonwrapped_numel` is the number of elements of its parameters, less those
/// of children that are wrapped.
using AutoWrapPolicy = std::function<bool(nn::Module &module, bool recurse,
                                          int64_t nonwrapped_numel)>;

/// Wraps modules with at least `min_num_params` elements of parameters that
/// are not wrapped further inside.
XLAC_API AutoWrapPolicy
size_based_auto_wrap_policy(int64_t min_num_params = 100'000'000);
/// Wraps modules of the given handles' classes:
/// transformer_auto_wrap_policy<nn::TransformerEncoderLayer>().
template <class... Holder> AutoWrapPolicy transformer_auto_wrap_policy() {
  return [](nn::Module &module, bool recurse, int64_t) {
    return recurse ||
           (dynamic_cast<typename Holder::Contained *>(&module) || ...);
  };
}

/// Annotates the tensors of a module's result in place, by mark_sharding.
using ShardOutput =
    std::function<void(const std::vector<Tensor> &outputs, const Mesh &mesh)>;

/// Options of SpmdFullyShardedDataParallel.
struct FullyShardedOptions {
  /// The mesh; the global mesh if empty.
  std::optional<Mesh> mesh = {};
  /// The axis of the mesh that parameters and batch are sharded over.
  std::string axis = "fsdp";
  /// Another axis that the batch, but no parameter, is sharded over.
  std::optional<std::string> extra_data_axis = {};
  /// Annotates the result. Without it, the first dimension of each tensor of
  /// the result, and of its gradient, is sharded as the batch is.
  ShardOutput shard_output = {};
  /// Submodules whose results are sharded as the batch is. Without it, there
  /// are none.
  AutoWrapPolicy auto_wrap_policy = {};
};

namespace detail {

/// Shards the parameters of `module` and adds the hooks that shard its batch
/// and results. Errors are those of SpmdFullyShardedDataParallel.
XLAC_API void shard_fully(nn::Module &module,
                          const FullyShardedOptions &options);
/// The sharding of batches of rank `rank`.
XLAC_API ShardingSpec batch_sharding(const FullyShardedOptions &options,
                                     int64_t rank);

/// The module behind SpmdFullyShardedDataParallel<M>.
template <class M> struct FullyShardedImpl : nn::Module {
  FullyShardedImpl(M module, FullyShardedOptions options)
      : module_(register_module("_orig_module", std::move(module))),
        options_(std::move(options)) {
    shard_fully(*module_, options_);
  }
  /// Calls the wrapped module with its hooks.
  template <class... A>
  auto forward(A &&...args) -> decltype(std::declval<M &>()(args...)) {
    return module_(std::forward<A>(args)...);
  }
  /// The wrapped module.
  M module() const { return module_; }
  /// The sharding that inputs of rank `rank` get, for loaders. ValueError for
  /// rank 0.
  ShardingSpec input_sharding(int64_t rank) const {
    return batch_sharding(options_, rank);
  }
  std::string name() const override { return "SpmdFullyShardedDataParallel"; }

private:
  M module_;
  FullyShardedOptions options_;
};

} // namespace detail

/// Wraps a module of xla:0 under SPMD, and calls it as the module is called:
///
///     xs::SpmdFullyShardedDataParallel net(Gpt().to(device), {.mesh = mesh});
///
/// - Each parameter that has no sharding is sharded in place along its largest
///   dimension that the size of the axis divides, or else along its largest
///   dimension. One with fewer elements along that than the axis has devices is
///   replicated. Optimizers lay out their state as the parameter.
/// - Gradients of parameters are sharded as the parameters are.
/// - Inputs of rank 1 and more without a sharding are sharded in place along
///   their first dimension.
/// - Results are sharded as FullyShardedOptions::shard_output describes.
///
/// Names in state_dict() start with "_orig_module.", as in torch_xla.
/// ValueError without a mesh, or if the mesh lacks an axis; UserError without
/// SPMD; DeviceError for parameters of other devices.
template <class M>
class SpmdFullyShardedDataParallel
    : public nn::ModuleHolder<SpmdFullyShardedDataParallel<M>,
                              detail::FullyShardedImpl<M>> {
  using Base = nn::ModuleHolder<SpmdFullyShardedDataParallel<M>,
                                detail::FullyShardedImpl<M>>;

public:
  /// An empty handle.
  template <std::same_as<std::nullptr_t> Nothing>
  SpmdFullyShardedDataParallel(Nothing nothing) : Base(nothing) {}
  /// Wraps `module`, whose parameters are sharded now.
  explicit SpmdFullyShardedDataParallel(M module,
                                        FullyShardedOptions options = {})
      : Base(std::move(module), std::move(options)) {}
};

} // namespace xlac::spmd
