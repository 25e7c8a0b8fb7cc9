// Pooling: windows of the spatial dimensions become one element each. Options
// are in PyTorch's argument order, with its defaults; inputs have a batch
// dimension or lack it.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

struct MaxPoolOptions {
  static constexpr size_t required = 1;
  SizeList kernel_size;
  SizeList stride = {}; ///< kernel_size unless given
  SizeList padding = 0;
  SizeList dilation = 1;
  bool ceil_mode = false; ///< windows may end beyond the padding
};
/// What MaxPool1d, 2d and 3d share.
struct XLAC_API MaxPoolNdImpl : Module {
  using Options = MaxPoolOptions;
  Tensor forward(const Tensor &input);
  /// What PyTorch gives with return_indices: also where in the spatial
  /// dimensions, counted row by row, each greatest element is.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor &input);
  Options options;

protected:
  MaxPoolNdImpl(int dimensions, Options given);
  std::string extra_repr() const override;

private:
  int dimensions_;
};
/// The greatest element of each window of [N, C, length].
XLAC_SPATIAL_MODULE(MaxPool, 1);
/// The greatest element of each window of [N, C, height, width].
XLAC_SPATIAL_MODULE(MaxPool, 2);
/// The greatest element of each window of [N, C, depth, height, width].
XLAC_SPATIAL_MODULE(MaxPool, 3);

struct MaxUnpoolOptions {
  static constexpr size_t required = 1;
  SizeList kernel_size;
  SizeList stride = {}; ///< kernel_size unless given
  SizeList padding = 0;
};
/// Puts elements back where MaxPool2d found them, zeros elsewhere.
struct XLAC_API MaxUnpool2dImpl : Module {
  using Options = MaxUnpoolOptions;
  explicit MaxUnpool2dImpl(Options given);
  /// `indices` as MaxPool2d's forward_with_indices gives them. `output_size`
  /// says which of the sizes that stride leaves open the result has, perhaps
  /// after those of the other dimensions; ValueError for one that cannot be.
  Tensor forward(const Tensor &input, const Tensor &indices,
                 IntArrayRef output_size = {});
  Options options; ///< its lists have an entry for each dimension

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(MaxUnpool2d);

struct AvgPoolOptions {
  static constexpr size_t required = 1;
  SizeList kernel_size;
  SizeList stride = {}; ///< kernel_size unless given
  SizeList padding = 0;
  bool ceil_mode = false;        ///< windows may end beyond the padding
  bool count_include_pad = true; ///< zeros of the padding count
  std::optional<int64_t> divisor_override = {}; ///< not for AvgPool1d
};
/// What AvgPool1d, 2d and 3d share.
struct XLAC_API AvgPoolNdImpl : Module {
  using Options = AvgPoolOptions;
  Tensor forward(const Tensor &input);
  Options options;

protected:
  AvgPoolNdImpl(int dimensions, Options given);
  std::string extra_repr() const override;

private:
  int dimensions_;
};
/// The mean of each window of [N, C, length].
XLAC_SPATIAL_MODULE(AvgPool, 1);
/// The mean of each window of [N, C, height, width].
XLAC_SPATIAL_MODULE(AvgPool, 2);
/// The mean of each window of [N, C, depth, height, width].
XLAC_SPATIAL_MODULE(AvgPool, 3);

struct LPPoolOptions {
  static constexpr size_t required = 2;
  Scalar norm_type;
  SizeList kernel_size;
  SizeList stride = {}; ///< kernel_size unless given
  bool ceil_mode = false;
};
/// (Σ x^p)^(1/p) of each window of [N, C, height, width].
XLAC_TENSOR_MODULE(LPPool2d, LPPoolOptions);

struct AdaptivePoolOptions {
  static constexpr size_t required = 1;
  SizeList output_size; ///< -1, PyTorch's None, keeps a size
};
/// What AdaptiveAvgPool1d, 2d and 3d share.
struct XLAC_API AdaptiveAvgPoolNdImpl : Module {
  using Options = AdaptivePoolOptions;
  Tensor forward(const Tensor &input);
  Options options;

protected:
  AdaptiveAvgPoolNdImpl(int dimensions, Options given)
      : options(std::move(given)), dimensions_(dimensions) {}
  std::string extra_repr() const override;

private:
  int dimensions_;
};
/// Means of as many windows of [N, C, length] as the result is to have.
XLAC_SPATIAL_MODULE(AdaptiveAvgPool, 1);
/// Means of as many windows of [N, C, height, width] as the result is to have.
XLAC_SPATIAL_MODULE(AdaptiveAvgPool, 2);
/// Means of as many windows of [N, C, depth, height, width] as the result is to
/// have.
XLAC_SPATIAL_MODULE(AdaptiveAvgPool, 3);

/// What AdaptiveMaxPool1d and 2d share.
struct XLAC_API AdaptiveMaxPoolNdImpl : Module {
  using Options = AdaptivePoolOptions;
  Tensor forward(const Tensor &input);
  /// As MaxPool2d's.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor &input);
  Options options;

protected:
  AdaptiveMaxPoolNdImpl(int dimensions, Options given)
      : options(std::move(given)), dimensions_(dimensions) {}
  std::string extra_repr() const override;

private:
  int dimensions_;
};
/// The greatest of as many windows of [N, C, length] as the result is to have.
XLAC_SPATIAL_MODULE(AdaptiveMaxPool, 1);
/// The greatest of as many windows of [N, C, height, width] as the result is to
/// have.
XLAC_SPATIAL_MODULE(AdaptiveMaxPool, 2);

} // namespace xlac::nn
