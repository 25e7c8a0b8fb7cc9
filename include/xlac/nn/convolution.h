// Convolutions, transposed convolutions, and im2col/col2im. Options have
// PyTorch's order of arguments and its defaults.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

/// Zeros at both ends of each dimension, "valid" (no padding) or "same" (the
/// result has the input's spatial sizes).
class ConvPadding : public SizeList {
public:
  using SizeList::SizeList;
  /// "same" or "valid".
  ConvPadding(std::string mode) : mode(std::move(mode)) {}
  /// "same" or "valid".
  ConvPadding(const char *mode) : mode(mode) {}
  std::string mode; ///< empty for numeric padding
};

/// Options of Conv1d, Conv2d and Conv3d.
struct ConvOptions {
  static constexpr size_t required = 3;
  /// Channels of the input and of the result.
  int64_t in_channels, out_channels;
  SizeList kernel_size;    ///< sizes of the window
  SizeList stride = 1;     ///< steps of the window
  ConvPadding padding = 0; ///< elements added at both ends of each dimension
  SizeList dilation = 1;   ///< distance between elements of the window
  int64_t groups = 1;      ///< groups of channels that are computed separately
  bool bias = true;        ///< whether there is a learned bias
  std::string padding_mode = "zeros"; ///< "reflect", "replicate", "circular"
};
/// Options of Conv1d.
using Conv1dOptions = ConvOptions;
/// Options of Conv2d.
using Conv2dOptions = ConvOptions;
/// Options of Conv3d.
using Conv3dOptions = ConvOptions;

/// Common part of Conv1d, Conv2d and Conv3d. Weight and bias are initialized
/// uniformly in ±1/√(in / groups · kernel elements). Throws ValueError for
/// channels that are not divisible by groups and for unknown padding modes.
struct XLAC_API ConvNdImpl : Module {
  using Options = ConvOptions;
  /// [N, in, spatial…] or [in, spatial…].
  Tensor forward(const Tensor &input);
  Options options;     ///< its lists have one entry per dimension
  Tensor weight, bias; ///< [out, in / groups, kernel…], [out]

protected:
  ConvNdImpl(int dimensions, Options given);
  std::string extra_repr() const override;

private:
  int dimensions_;
  Shape continued_; ///< in the order of F::pad, for modes other than "zeros"
};
/// Convolution of [N, in, length].
XLAC_SPATIAL_MODULE(Conv, 1);
/// Convolution of [N, in, height, width].
XLAC_SPATIAL_MODULE(Conv, 2);
/// Convolution of [N, in, depth, height, width].
XLAC_SPATIAL_MODULE(Conv, 3);

/// Options of ConvTranspose1d, ConvTranspose2d and ConvTranspose3d.
struct ConvTransposeOptions {
  static constexpr size_t required = 3;
  /// Channels of the input and of the result.
  int64_t in_channels, out_channels;
  SizeList kernel_size; ///< sizes of the window
  SizeList stride = 1;  ///< steps of the window
  SizeList padding = 0; ///< elements added at both ends of each dimension
  SizeList output_padding = 0; ///< elements added at one end of the result
  int64_t groups = 1;    ///< groups of channels that are computed separately
  bool bias = true;      ///< whether there is a learned bias
  SizeList dilation = 1; ///< distance between elements of the window
  std::string padding_mode = "zeros"; ///< the only one
};
/// Options of ConvTranspose1d.
using ConvTranspose1dOptions = ConvTransposeOptions;
/// Options of ConvTranspose2d.
using ConvTranspose2dOptions = ConvTransposeOptions;
/// Options of ConvTranspose3d.
using ConvTranspose3dOptions = ConvTransposeOptions;

/// Common part of ConvTranspose1d, 2d and 3d. Weight and bias are initialized
/// uniformly in ±1/√(out / groups · kernel elements).
struct XLAC_API ConvTransposeNdImpl : Module {
  using Options = ConvTransposeOptions;
  /// The input is [N, in, spatial…] or [in, spatial…]. With stride > 1 several
  /// output sizes are possible. `output_size` selects one and replaces
  /// output_padding: it lists the spatial sizes, optionally preceded by the
  /// other sizes. Throws ValueError for an impossible size.
  Tensor forward(const Tensor &input, IntArrayRef output_size = {});
  Options options;     ///< its lists have one entry per dimension
  Tensor weight, bias; ///< [in, out / groups, kernel…], [out]

protected:
  ConvTransposeNdImpl(int dimensions, Options given);
  std::string extra_repr() const override;

private:
  Shape padding_for(const Tensor &input, Shape sizes) const;
  int dimensions_;
};
/// The gradient of Conv1d with respect to its input, as a layer.
XLAC_SPATIAL_MODULE(ConvTranspose, 1);
/// The gradient of Conv2d with respect to its input, as a layer.
XLAC_SPATIAL_MODULE(ConvTranspose, 2);
/// The gradient of Conv3d with respect to its input, as a layer.
XLAC_SPATIAL_MODULE(ConvTranspose, 3);

/// Options of Unfold.
struct UnfoldOptions {
  static constexpr size_t required = 1;
  SizeList kernel_size;  ///< sizes of the window
  SizeList dilation = 1; ///< distance between elements of the window
  SizeList padding = 0;  ///< elements added at both ends of each dimension
  SizeList stride = 1;   ///< steps of the window
};
/// Extracts patches of [N, C, H, W] as columns [N, C · kernel elements,
/// patches].
XLAC_TENSOR_MODULE(Unfold, UnfoldOptions);

/// Options of Fold.
struct FoldOptions {
  static constexpr size_t required = 2;
  SizeList output_size;  ///< spatial sizes of the result
  SizeList kernel_size;  ///< sizes of the window
  SizeList dilation = 1; ///< distance between elements of the window
  SizeList padding = 0;  ///< elements added at both ends of each dimension
  SizeList stride = 1;   ///< steps of the window
};
/// Sums columns [N, C · kernel elements, patches] into [N, C, output_size…].
XLAC_TENSOR_MODULE(Fold, FoldOptions);

} // namespace xlac::nn
