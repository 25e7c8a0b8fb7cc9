// Normalization. Options are in PyTorch's argument order, with its defaults.
#pragma once

#include "xlac/nn/module.h"

namespace xlac::nn {

struct BatchNormOptions {
  int64_t num_features;
  double eps = 1e-5;
  std::optional<double> momentum = 0.1; ///< none: the mean of all batches
  bool affine = true;
  bool track_running_stats = true;
};
struct XLAC_API BatchNorm2dImpl : Module {
  explicit BatchNorm2dImpl(int64_t num_features);
  explicit BatchNorm2dImpl(BatchNormOptions options);
  Tensor forward(const Tensor &input);
  Tensor weight, bias, running_mean, running_var, num_batches_tracked;

protected:
  std::string extra_repr() const override;

private:
  BatchNormOptions options_;
};
XLAC_MODULE(BatchNorm2d);

} // namespace xlac::nn
