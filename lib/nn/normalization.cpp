#include "xlac/nn/normalization.h"

#include "repr.h"

#include "xlac/lazy/errors.h"

namespace xlac::nn {

using lazy::raise;

BatchNorm2dImpl::BatchNorm2dImpl(int64_t num_features)
    : BatchNorm2dImpl(BatchNormOptions{num_features}) {}

BatchNorm2dImpl::BatchNorm2dImpl(BatchNormOptions options) : options_(options) {
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

Tensor BatchNorm2dImpl::forward(const Tensor &input) {
  if (input.dim() != 4)
    raise<ShapeError>("BatchNorm2d: expected 4D input (got " +
                      std::to_string(input.dim()) + "D input)");
  bool tracks = options_.track_running_stats;
  double momentum = options_.momentum.value_or(0);
  if (is_training() && tracks) {
    NoGradGuard guard;
    num_batches_tracked += 1;
    if (!options_.momentum)
      momentum = 1 / num_batches_tracked.item<double>();
  }
  bool by_batch = is_training() || !tracks;
  bool follows = tracks && is_training();
  return batch_norm(input, follows || !by_batch ? running_mean : Tensor(),
                    follows || !by_batch ? running_var : Tensor(), weight, bias,
                    by_batch, momentum, options_.eps);
}

std::string BatchNorm2dImpl::extra_repr() const {
  const BatchNormOptions &o = options_;
  return std::to_string(o.num_features) + ", eps=" + repr_of(o.eps) +
         ", momentum=" + (o.momentum ? repr_of(*o.momentum) : "None") +
         ", affine=" + repr_of(o.affine) +
         ", track_running_stats=" + repr_of(o.track_running_stats);
}

} // namespace xlac::nn
