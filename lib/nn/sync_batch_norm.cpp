// Batch normalization over the batches of all replicas. It all-reduces twice,
// for the mean and for the squared deviations from it. A single pass over sums
// of squares would suffer cancellation where the mean is large.
#include "xlac/lazy/replication.h"
#include "xlac/nn/normalization.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/collectives.h"

#include <numeric>

namespace xlac::nn {

namespace {

/// Sums over all replicas; its gradient is the sum over all replicas, too.
struct SumOverReplicas : autograd::Function<SumOverReplicas> {
  static Tensor sum(const Tensor &x) {
    return frontend::all_reduce(ops::OpKind::Add, {x}, 1,
                                frontend::complete_groups({}))[0];
  }
  static Tensor forward(autograd::FunctionCtx &, const Tensor &x) {
    return sum(x);
  }
  static std::vector<Tensor> backward(autograd::FunctionCtx &,
                                      std::vector<Tensor> grads) {
    return {sum(grads[0])};
  }
};

/// running = (1 - momentum) running + momentum value.
void follow(const Tensor &running, const Tensor &value, double momentum) {
  if (!running.defined())
    return;
  NoGradGuard guard;
  Tensor target = running;
  target.copy_((1 - momentum) * running + momentum * value);
}

} // namespace

void SyncBatchNormImpl::check_input(const Tensor &input) const {
  if (input.dim() < 2)
    raise<ShapeError>("SyncBatchNorm: expected at least 2D input (got " +
                      std::to_string(input.dim()) + "D input)");
  if (input.size(1) == 0)
    raise<ShapeError>("SyncBatchNorm: the number of input channels should be "
                      "non-zero");
}

Tensor SyncBatchNormImpl::by_batch(const Tensor &input, const Tensor &mean,
                                   const Tensor &var, double momentum) const {
  if (lazy::replication().world <= 1)
    return BatchNormNdImpl::by_batch(input, mean, var, momentum);
  int64_t channels = input.size(1);
  if (channels != options.num_features)
    raise<ShapeError>("SyncBatchNorm: running_mean should contain " +
                      std::to_string(channels) + " elements not " +
                      std::to_string(options.num_features));
  // Narrow floats are summed in f32.
  Tensor x = element_size(input.dtype()) < 4 ? input.to(kFloat32) : input;
  Shape others(static_cast<size_t>(input.dim()) - 1, 0),
      wide(others.size() + 1, 1);
  std::iota(others.begin() + 1, others.end(), 2);
  wide[1] = channels;
  Tensor own = full({1}, static_cast<double>(input.numel() / channels),
                    TensorOptions(x.device()).dtype(x.dtype()));
  Tensor sums = SumOverReplicas::apply(cat({x.sum(others), own}));
  Tensor count = sums.narrow(0, channels, 1);
  Tensor center = sums.narrow(0, 0, channels) / count;
  Tensor around = x - center.view(wide);
  Tensor variance =
      SumOverReplicas::apply((around * around).sum(others)) / count;
  Tensor y = around * rsqrt(variance + options.eps).view(wide);
  if (weight.defined())
    y = y * weight.view(wide);
  if (bias.defined())
    y = y + bias.view(wide);
  follow(mean, center.detach(), momentum);
  follow(var, (variance * count / clamp_min(count - 1.0, 1.0)).detach(),
         momentum);
  return y.to(input.dtype());
}

} // namespace xlac::nn
