// Linear layers, and layers that only reshape. Options have PyTorch's order of
// arguments and its defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

/// Returns its input.
XLAC_TENSOR_MODULE(Identity, NoOptions);

/// Options of Linear.
struct LinearOptions {
  static constexpr size_t required = 2;
  /// Sizes of the last dimension, before and after.
  int64_t in_features, out_features;
  bool bias = true; ///< whether there is a learned bias
};
/// input · weightᵀ + bias. Both parameters are initialized uniformly in
/// ±1/√in_features.
struct XLAC_API LinearImpl : Module {
  using Options = LinearOptions;
  LinearImpl(int64_t in_features, int64_t out_features, bool bias = true);
  explicit LinearImpl(LinearOptions options);
  Tensor forward(const Tensor &input);
  Tensor weight, bias; ///< [out, in], [out]

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(Linear);

/// Options of Bilinear.
struct BilinearOptions {
  static constexpr size_t required = 3;
  /// Sizes of the last dimensions of both inputs and of the result.
  int64_t in1_features, in2_features, out_features;
  bool bias = true; ///< whether there is a learned bias
};
/// input1ᵀ · weight[o] · input2 + bias[o] for each output o. The parameters are
/// initialized uniformly in ±1/√in1_features. Throws ValueError unless
/// in1_features is positive.
struct XLAC_API BilinearImpl : Module {
  using Options = BilinearOptions;
  explicit BilinearImpl(Options given);
  Tensor forward(const Tensor &input1, const Tensor &input2);
  Options options;
  Tensor weight, bias; ///< [out, in1, in2], [out]

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(Bilinear);

/// Options of Flatten.
struct FlattenOptions {
  int64_t start_dim = 1, end_dim = -1; ///< first and last dimension to join
};
/// Merges dimensions start_dim to end_dim.
XLAC_TENSOR_MODULE(Flatten, FlattenOptions);

/// Options of Unflatten.
struct UnflattenOptions {
  static constexpr size_t required = 2;
  int64_t dim;            ///< dimension to split
  Shape unflattened_size; ///< sizes that replace that of dim
};
/// Splits dimension `dim` into several.
XLAC_TENSOR_MODULE(Unflatten, UnflattenOptions);

} // namespace xlac::nn
