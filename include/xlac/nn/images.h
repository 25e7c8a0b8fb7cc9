// Padding, resizing of images, and pixel and channel shuffles. Options have
// PyTorch's order of arguments and its defaults. The batch dimension is
// optional for padding.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

//===- Padding ------------------------------------------------------------===//

/// Options of padding without a value.
struct PaddingOptions {
  static constexpr size_t required = 1;
  /// Padding at both ends of each dimension, the last dimension first: {left,
  /// right, top, bottom, …}. One number applies to all.
  SizeList padding;
};
/// Options of padding with a value.
struct ConstantPaddingOptions {
  static constexpr size_t required = 2;
  SizeList padding; ///< as in PaddingOptions
  Scalar value;     ///< value of the added elements
};

/// Common part of the padding modules. Throws ValueError for a list whose
/// length is not twice the number of dimensions.
struct XLAC_API PaddingBase : Module {
  /// Returns the padded input.
  Tensor forward(const Tensor &input);
  Shape padding; ///< for all dimensions

protected:
  /// `mode` is one of F::pad's. str() shows the value if there is one.
  PaddingBase(int dimensions, const SizeList &given, const char *mode,
              std::optional<Scalar> value = {});
  std::string extra_repr() const override;

private:
  const char *mode_;
  std::optional<Scalar> value_;
};

/// Common part of ConstantPad1d, 2d and 3d.
struct XLAC_API ConstantPadNdImpl : PaddingBase {
  using Options = ConstantPaddingOptions;

protected:
  ConstantPadNdImpl(int dimensions, const Options &options)
      : PaddingBase(dimensions, options.padding, "constant", options.value) {}
};
/// Pads [N, C, length] with `value`.
XLAC_SPATIAL_MODULE(ConstantPad, 1);
/// Pads [N, C, height, width] with `value`.
XLAC_SPATIAL_MODULE(ConstantPad, 2);
/// Pads [N, C, depth, height, width] with `value`.
XLAC_SPATIAL_MODULE(ConstantPad, 3);

#define XLAC_PADDING_FAMILY(Name, mode)                                        \
  /** A family of padding modules. */                                          \
  struct XLAC_API Name##NdImpl : PaddingBase {                                 \
    using Options = PaddingOptions;                                            \
                                                                               \
  protected:                                                                   \
    Name##NdImpl(int dimensions, const Options &options)                       \
        : PaddingBase(dimensions, options.padding, mode) {}                    \
  }
XLAC_PADDING_FAMILY(ZeroPad, "constant");
XLAC_PADDING_FAMILY(ReflectionPad, "reflect");
XLAC_PADDING_FAMILY(ReplicationPad, "replicate");
#undef XLAC_PADDING_FAMILY

/// Pads [N, C, height, width] with zeros.
XLAC_SPATIAL_MODULE(ZeroPad, 2);
/// Pads [N, C, length] by reflection at the ends.
XLAC_SPATIAL_MODULE(ReflectionPad, 1);
/// Pads [N, C, height, width] by reflection at the ends.
XLAC_SPATIAL_MODULE(ReflectionPad, 2);
/// Pads [N, C, depth, height, width] by reflection at the ends.
XLAC_SPATIAL_MODULE(ReflectionPad, 3);
/// Pads [N, C, length] with the elements at the ends.
XLAC_SPATIAL_MODULE(ReplicationPad, 1);
/// Pads [N, C, height, width] with the elements at the ends.
XLAC_SPATIAL_MODULE(ReplicationPad, 2);
/// Pads [N, C, depth, height, width] with the elements at the ends.
XLAC_SPATIAL_MODULE(ReplicationPad, 3);

//===- Sizes --------------------------------------------------------------===//

/// Options of Upsample.
struct UpsampleOptions {
  SizeList size = {};           ///< either this …
  FactorList scale_factor = {}; ///< … or this is given
  /// "nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear".
  std::string mode = "nearest";
  std::optional<bool> align_corners = {}; ///< maps corners to corners
  /// Derives the factors from the sizes of the result.
  std::optional<bool> recompute_scale_factor = {};
};
/// F::interpolate of [N, C, spatial…].
XLAC_TENSOR_MODULE(Upsample, UpsampleOptions);

/// Options of PixelShuffle.
struct PixelShuffleOptions {
  static constexpr size_t required = 1;
  int64_t upscale_factor; ///< factor of both spatial sizes
};
/// Rearranges [N, C · r², H, W] to [N, C, H · r, W · r].
XLAC_TENSOR_MODULE(PixelShuffle, PixelShuffleOptions);

/// Options of PixelUnshuffle.
struct PixelUnshuffleOptions {
  static constexpr size_t required = 1;
  int64_t downscale_factor; ///< divisor of both spatial sizes
};
/// Rearranges [N, C, H · r, W · r] to [N, C · r², H, W].
XLAC_TENSOR_MODULE(PixelUnshuffle, PixelUnshuffleOptions);

/// Options of ChannelShuffle.
struct ChannelShuffleOptions {
  static constexpr size_t required = 1;
  int64_t groups; ///< groups of channels that are interleaved
};
/// Interleaves the channels of the groups of [N, C, …].
XLAC_TENSOR_MODULE(ChannelShuffle, ChannelShuffleOptions);

} // namespace xlac::nn
