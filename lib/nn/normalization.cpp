#include "xlac/nn/normalization.h"

#include "repr.h"

#include "xlac/support/raise.h"

namespace xlac::nn {

//===- Channel statistics -------------------------------------------------===//

ChannelNormImpl::ChannelNormImpl(BatchNormOptions given) : options(given) {
  Shape sizes{options.num_features};
  bool affine = options.affine, tracks = options.track_running_stats;
  weight = register_parameter("weight", affine ? ones(sizes) : Tensor());
  bias = register_parameter("bias", affine ? zeros(sizes) : Tensor());
  running_mean =
      register_buffer("running_mean", tracks ? zeros(sizes) : Tensor());
  running_var = register_buffer("running_var", tracks ? ones(sizes) : Tensor());
  num_batches_tracked = register_buffer("num_batches_tracked",
                                        tracks ? zeros({}, kInt64) : Tensor());
}

std::string ChannelNormImpl::extra_repr() const {
  const BatchNormOptions &o = options;
  return repr_of(o.num_features) + ", eps=" + repr_of(o.eps) +
         ", momentum=" + repr_of(o.momentum) + ", affine=" + repr_of(o.affine) +
         ", track_running_stats=" + repr_of(o.track_running_stats);
}

void ChannelNormImpl::check_rank(const Tensor &input, int64_t least,
                                 int64_t most) const {
  int64_t rank = input.dim();
  if (rank >= least && rank <= most)
    return;
  std::string wanted = std::to_string(least) + "D";
  if (least != most)
    wanted += " or " + std::to_string(most) + "D";
  raise<ShapeError>(name() + ": expected " + wanted + " input (got " +
                    std::to_string(rank) + "D input)");
}

Tensor BatchNormNdImpl::forward(const Tensor &input) {
  check_input(input);
  bool tracks = options.track_running_stats;
  double momentum = options.momentum.value_or(0);
  if (is_training() && tracks) {
    NoGradGuard guard;
    num_batches_tracked += 1;
    if (!options.momentum)
      momentum = 1 / num_batches_tracked.item<double>();
  }
  if (!is_training() && tracks)
    return batch_norm(input, running_mean, running_var, weight, bias, false,
                      momentum, options.eps);
  bool follows = tracks && is_training();
  return by_batch(input, follows ? running_mean : Tensor(),
                  follows ? running_var : Tensor(), momentum);
}

Tensor BatchNormNdImpl::by_batch(const Tensor &input, const Tensor &mean,
                                 const Tensor &var, double momentum) const {
  return batch_norm(input, mean, var, weight, bias, true, momentum,
                    options.eps);
}

void BatchNorm1dImpl::check_input(const Tensor &input) const {
  check_rank(input, 2, 3);
}

void BatchNorm2dImpl::check_input(const Tensor &input) const {
  check_rank(input, 4, 4);
}

void BatchNorm3dImpl::check_input(const Tensor &input) const {
  check_rank(input, 5, 5);
}

InstanceNormNdImpl::InstanceNormNdImpl(Options given, int64_t spatial)
    : ChannelNormImpl({given.num_features, given.eps, given.momentum,
                       given.affine, given.track_running_stats}),
      spatial_(spatial) {}

Tensor InstanceNormNdImpl::normalized(const Tensor &input) {
  return instance_norm(input, running_mean, running_var, weight, bias,
                       is_training() || !options.track_running_stats,
                       options.momentum.value_or(0), options.eps);
}

Tensor InstanceNormNdImpl::forward(const Tensor &input) {
  check_rank(input, spatial_ + 1, spatial_ + 2);
  bool batched = input.dim() == spatial_ + 2;
  int64_t dim = batched ? 1 : 0;
  if (options.affine && input.size(dim) != options.num_features)
    raise<ValueError>(
        name() + ": expected input's size at dim=" + std::to_string(dim) +
        " to match num_features (" + std::to_string(options.num_features) +
        "), but got: " + std::to_string(input.size(dim)));
  return batched ? normalized(input)
                 : normalized(input.unsqueeze(0)).squeeze(0);
}

//===- Element statistics -------------------------------------------------===//

LayerNormImpl::LayerNormImpl(Options given) : options(std::move(given)) {
  const Shape &sizes = options.normalized_shape;
  bool affine = options.elementwise_affine;
  weight = register_parameter("weight", affine ? ones(sizes) : Tensor());
  bias = register_parameter("bias",
                            affine && options.bias ? zeros(sizes) : Tensor());
}

Tensor LayerNormImpl::forward(const Tensor &input) {
  return layer_norm(input, options.normalized_shape, weight, bias, options.eps);
}

std::string LayerNormImpl::extra_repr() const {
  return repr_of(Shape(options.normalized_shape)) +
         ", eps=" + repr_of(options.eps) +
         ", elementwise_affine=" + repr_of(options.elementwise_affine);
}

RMSNormImpl::RMSNormImpl(Options given) : options(std::move(given)) {
  weight = register_parameter("weight", options.elementwise_affine
                                            ? ones(options.normalized_shape)
                                            : Tensor());
}

Tensor RMSNormImpl::forward(const Tensor &input) {
  return rms_norm(input, options.normalized_shape, weight, options.eps);
}

std::string RMSNormImpl::extra_repr() const {
  return repr_of(Shape(options.normalized_shape)) +
         ", eps=" + repr_of(options.eps) +
         ", elementwise_affine=" + repr_of(options.elementwise_affine);
}

GroupNormImpl::GroupNormImpl(Options given) : options(given) {
  if (options.num_groups < 1 || options.num_channels % options.num_groups != 0)
    raise<ValueError>("GroupNorm: num_channels (" +
                      std::to_string(options.num_channels) +
                      ") must be divisible by num_groups (" +
                      std::to_string(options.num_groups) + ")");
  Shape sizes{options.num_channels};
  weight =
      register_parameter("weight", options.affine ? ones(sizes) : Tensor());
  bias = register_parameter("bias", options.affine ? zeros(sizes) : Tensor());
}

Tensor GroupNormImpl::forward(const Tensor &input) {
  return group_norm(input, options.num_groups, weight, bias, options.eps);
}

std::string GroupNormImpl::extra_repr() const {
  return repr_of(options.num_groups) + ", " + repr_of(options.num_channels) +
         ", eps=" + repr_of(options.eps) +
         ", affine=" + repr_of(options.affine);
}

Tensor LocalResponseNormImpl::forward(const Tensor &input) {
  return local_response_norm(input, options.size, options.alpha, options.beta,
                             options.k);
}

std::string LocalResponseNormImpl::extra_repr() const {
  return repr_of(options.size) + ", alpha=" + repr_of(options.alpha) +
         ", beta=" + repr_of(options.beta) + ", k=" + repr_of(options.k);
}

} // namespace xlac::nn
