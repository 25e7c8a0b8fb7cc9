// Pooling: reduces each window of the spatial dimensions to one element.
// Options have PyTorch's order of arguments and its defaults. The batch
// dimension is optional.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

/// Options of MaxPool1d, MaxPool2d and MaxPool3d.
struct MaxPoolOptions {
  static constexpr size_t required = 1;
  SizeList kernel_size;   ///< sizes of the window
  SizeList stride = {};   ///< default: kernel_size
  SizeList padding = 0;   ///< elements added at both ends of each dimension
  SizeList dilation = 1;  ///< distance between elements of the window
  bool ceil_mode = false; ///< windows may end after the padding
};
/// Common part of MaxPool1d, 2d and 3d.
struct XLAC_API MaxPoolNdImpl : Module {
  using Options = MaxPoolOptions;
  Tensor forward(const Tensor &input);
  /// As PyTorch with return_indices: also returns the row-major index of each
  /// maximum in the spatial dimensions.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor &input);
  Options options;

protected:
  MaxPoolNdImpl(int dimensions, Options given);
  std::string extra_repr() const override;

private:
  int dimensions_;
};
/// The maximum of each window of [N, C, length].
XLAC_SPATIAL_MODULE(MaxPool, 1);
/// The maximum of each window of [N, C, height, width].
XLAC_SPATIAL_MODULE(MaxPool, 2);
/// The maximum of each window of [N, C, depth, height, width].
XLAC_SPATIAL_MODULE(MaxPool, 3);

/// Options of MaxUnpool2d.
struct MaxUnpoolOptions {
  static constexpr size_t required = 1;
  SizeList kernel_size; ///< sizes of the window
  SizeList stride = {}; ///< default: kernel_size
  SizeList padding = 0; ///< elements added at both ends of each dimension
};
/// Writes elements to the positions where MaxPool2d found them, and zeros
/// elsewhere.
struct XLAC_API MaxUnpool2dImpl : Module {
  using Options = MaxUnpoolOptions;
  explicit MaxUnpool2dImpl(Options given);
  /// `indices` come from MaxPool2d's forward_with_indices. With stride > 1
  /// several output sizes are possible; `output_size` selects one. It lists the
  /// spatial sizes, optionally preceded by the other sizes. Throws ValueError
  /// for an impossible size.
  Tensor forward(const Tensor &input, const Tensor &indices,
                 IntArrayRef output_size = {});
  Options options; ///< its lists have one entry per dimension

protected:
  std::string extra_repr() const override;
};
XLAC_MODULE(MaxUnpool2d);

/// Options of AvgPool1d, AvgPool2d and AvgPool3d.
struct AvgPoolOptions {
  static constexpr size_t required = 1;
  SizeList kernel_size;   ///< sizes of the window
  SizeList stride = {};   ///< default: kernel_size
  SizeList padding = 0;   ///< elements added at both ends of each dimension
  bool ceil_mode = false; ///< windows may end after the padding
  bool count_include_pad = true;                ///< zeros of the padding count
  std::optional<int64_t> divisor_override = {}; ///< not for AvgPool1d
};
/// Common part of AvgPool1d, 2d and 3d.
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

/// Options of LPPool2d.
struct LPPoolOptions {
  static constexpr size_t required = 2;
  Scalar norm_type;       ///< exponent p of the norm
  SizeList kernel_size;   ///< sizes of the window
  SizeList stride = {};   ///< kernel_size unless given
  bool ceil_mode = false; ///< windows may end after the padding
};
/// (Σ x^p)^(1/p) of each window of [N, C, height, width].
XLAC_TENSOR_MODULE(LPPool2d, LPPoolOptions);

/// Options of adaptive pooling.
struct AdaptivePoolOptions {
  static constexpr size_t required = 1;
  SizeList output_size; ///< -1 (PyTorch's None) keeps the input's size
};
/// Common part of AdaptiveAvgPool1d, 2d and 3d.
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
/// Means of the windows that divide [N, C, length] into output_size elements.
XLAC_SPATIAL_MODULE(AdaptiveAvgPool, 1);
/// Means of the windows that divide [N, C, height, width] into output_size
/// elements.
XLAC_SPATIAL_MODULE(AdaptiveAvgPool, 2);
/// Means of the windows that divide [N, C, depth, height, width] into
/// output_size elements.
XLAC_SPATIAL_MODULE(AdaptiveAvgPool, 3);

/// Common part of AdaptiveMaxPool1d and 2d.
struct XLAC_API AdaptiveMaxPoolNdImpl : Module {
  using Options = AdaptivePoolOptions;
  Tensor forward(const Tensor &input);
  /// As MaxPool2d's forward_with_indices.
  std::tuple<Tensor, Tensor> forward_with_indices(const Tensor &input);
  Options options;

protected:
  AdaptiveMaxPoolNdImpl(int dimensions, Options given)
      : options(std::move(given)), dimensions_(dimensions) {}
  std::string extra_repr() const override;

private:
  int dimensions_;
};
/// Maxima of the windows that divide [N, C, length] into output_size elements.
XLAC_SPATIAL_MODULE(AdaptiveMaxPool, 1);
/// Maxima of the windows that divide [N, C, height, width] into output_size
/// elements.
XLAC_SPATIAL_MODULE(AdaptiveMaxPool, 2);

} // namespace xlac::nn
