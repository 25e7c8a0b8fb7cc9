// Activations. Options have PyTorch's order of arguments and its defaults. With
// `inplace` the result is written to the input.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

//===- Without options ----------------------------------------------------===//

/// 1 / (1 + exp(-x)).
XLAC_TENSOR_MODULE(Sigmoid, NoOptions);
/// log(sigmoid(x)).
XLAC_TENSOR_MODULE(LogSigmoid, NoOptions);
XLAC_TENSOR_MODULE(Tanh, NoOptions);
/// x - tanh(x).
XLAC_TENSOR_MODULE(Tanhshrink, NoOptions);
/// x / (1 + |x|).
XLAC_TENSOR_MODULE(Softsign, NoOptions);

//===- In place or not ----------------------------------------------------===//

/// Options of activations without other options.
struct InPlaceOptions {
  bool inplace = false; ///< writes the result to the input
};
/// max(x, 0).
XLAC_TENSOR_MODULE(ReLU, InPlaceOptions);
/// min(max(x, 0), 6).
XLAC_TENSOR_MODULE(ReLU6, InPlaceOptions);
/// ELU with constants that preserve mean 0 and variance 1 through layers.
XLAC_TENSOR_MODULE(SELU, InPlaceOptions);
/// x · sigmoid(x).
XLAC_TENSOR_MODULE(SiLU, InPlaceOptions);
/// x · tanh(softplus(x)).
XLAC_TENSOR_MODULE(Mish, InPlaceOptions);
/// relu6(x + 3) / 6.
XLAC_TENSOR_MODULE(Hardsigmoid, InPlaceOptions);
/// x · relu6(x + 3) / 6.
XLAC_TENSOR_MODULE(Hardswish, InPlaceOptions);

//===- With parameters ----------------------------------------------------===//

/// Options of LeakyReLU.
struct LeakyReLUOptions {
  Scalar negative_slope = 0.01; ///< slope for negative elements
  bool inplace = false;         ///< writes the result to the input
};
/// x, multiplied by negative_slope where x < 0.
XLAC_TENSOR_MODULE(LeakyReLU, LeakyReLUOptions);

/// Options of RReLU.
struct RReLUOptions {
  double lower = 1.0 / 8, upper = 1.0 / 3; ///< bounds of the random slope
  bool inplace = false;                    ///< writes the result to the input
};
/// x, multiplied where x < 0 by a slope. In training each element has a random
/// slope between the bounds; otherwise the slope is their mean.
XLAC_TENSOR_MODULE(RReLU, RReLUOptions);

/// Options of ELU.
struct ELUOptions {
  Scalar alpha = 1.0;   ///< scale of negative elements
  bool inplace = false; ///< writes the result to the input
};
/// x, but alpha · (exp(x) - 1) where x < 0.
XLAC_TENSOR_MODULE(ELU, ELUOptions);
/// x, but alpha · (exp(x / alpha) - 1) where x < 0.
XLAC_TENSOR_MODULE(CELU, ELUOptions);

/// Options of GELU.
struct GELUOptions {
  std::string approximate = "none"; ///< or "tanh"
};
/// x times the cumulative distribution function of the standard normal
/// distribution.
XLAC_TENSOR_MODULE(GELU, GELUOptions);

/// Options of Softplus.
struct SoftplusOptions {
  /// Steepness; larger inputs than threshold / beta pass unchanged.
  Scalar beta = 1.0, threshold = 20.0;
};
/// log(1 + exp(beta · x)) / beta, but x where beta · x exceeds the threshold.
XLAC_TENSOR_MODULE(Softplus, SoftplusOptions);

/// Options of Hardshrink and Softshrink.
struct ShrinkOptions {
  Scalar lambd = 0.5; ///< half the width of the interval that becomes 0
};
/// x moved by lambd towards 0, and 0 where |x| <= lambd.
XLAC_TENSOR_MODULE(Softshrink, ShrinkOptions);
/// x, but 0 where |x| <= lambd.
XLAC_TENSOR_MODULE(Hardshrink, ShrinkOptions);

/// Options of Hardtanh.
struct HardtanhOptions {
  Scalar min_val = -1.0, max_val = 1.0; ///< bounds of the result
  bool inplace = false;                 ///< writes the result to the input
};
/// x clamped to [min_val, max_val]. Throws ValueError unless min_val < max_val.
struct XLAC_API HardtanhImpl : Module {
  using Options = HardtanhOptions;
  explicit HardtanhImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(Hardtanh);

/// Options of Threshold.
struct ThresholdOptions {
  static constexpr size_t required = 2;
  Scalar threshold, value; ///< elements up to the threshold become the value
  bool inplace = false;    ///< writes the result to the input
};
/// x where it exceeds the threshold, else `value`.
XLAC_TENSOR_MODULE(Threshold, ThresholdOptions);

/// Options of PReLU.
struct PReLUOptions {
  int64_t num_parameters = 1; ///< 1, or the number of channels
  double init = 0.25;         ///< initial slope
};
/// x, multiplied by the learned `weight` where x < 0.
struct XLAC_API PReLUImpl : Module {
  using Options = PReLUOptions;
  explicit PReLUImpl(Options given);
  Tensor forward(const Tensor &input);
  Options options;
  Tensor weight; ///< [num_parameters]

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(PReLU);

//===- Along a dimension --------------------------------------------------===//

/// Options of GLU.
struct GLUOptions {
  int64_t dim = -1; ///< dimension that is halved
};
/// The first half along `dim` times the sigmoid of the second.
XLAC_TENSOR_MODULE(GLU, GLUOptions);

/// Options of Softmax.
struct SoftmaxOptions {
  /// By default 0 for inputs of 0, 1 or 3 dimensions and 1 for others.
  std::optional<int64_t> dim = {};
};
/// exp(x) / Σ exp(x) along `dim`.
XLAC_TENSOR_MODULE(Softmax, SoftmaxOptions);
/// log(softmax(x)).
XLAC_TENSOR_MODULE(LogSoftmax, SoftmaxOptions);
/// softmax(-x).
XLAC_TENSOR_MODULE(Softmin, SoftmaxOptions);

} // namespace xlac::nn
