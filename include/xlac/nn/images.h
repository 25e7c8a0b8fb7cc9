// Padding, sizes of images, and channels that become pixels. Options are in
// PyTorch's argument order, with its defaults; inputs of padding have a batch
// dimension or lack it.
#pragma once

#include "xlac/nn/families.h"

namespace xlac::nn {

//===- Padding ------------------------------------------------------------===//

struct PaddingOptions {
  static constexpr size_t required = 1;
  /// At both ends of each dimension, the last one first: {left, right, top,
  /// bottom, …}.
  SizeList padding;
};
struct ConstantPaddingOptions {
  static constexpr size_t required = 2;
  SizeList padding; ///< as PaddingOptions has it
  Scalar value;
};

/// What all of them share. ValueError for a list of another length than twice
/// the dimensions.
struct XLAC_API PaddingBase : Module {
  Tensor forward(const Tensor &input);
  Shape padding; ///< of all dimensions

protected:
  /// `mode` is one of F::pad's; str() shows the value if there is one.
  PaddingBase(int dimensions, const SizeList &given, const char *mode,
              std::optional<Scalar> value = {});
  std::string extra_repr() const override;

private:
  const char *mode_;
  std::optional<Scalar> value_;
};

/// What ConstantPad1d, 2d and 3d share.
struct XLAC_API ConstantPadNdImpl : PaddingBase {
  using Options = ConstantPaddingOptions;

protected:
  ConstantPadNdImpl(int dimensions, const Options &options)
      : PaddingBase(dimensions, options.padding, "constant", options.value) {}
};
/// `value` around [N, C, length].
XLAC_SPATIAL_MODULE(ConstantPad, 1);
/// `value` around [N, C, height, width].
XLAC_SPATIAL_MODULE(ConstantPad, 2);
/// `value` around [N, C, depth, height, width].
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

/// Zeros around [N, C, height, width].
XLAC_SPATIAL_MODULE(ZeroPad, 2);
/// What lies inside of [N, C, length], mirrored at the ends.
XLAC_SPATIAL_MODULE(ReflectionPad, 1);
/// What lies inside of [N, C, height, width], mirrored at the ends.
XLAC_SPATIAL_MODULE(ReflectionPad, 2);
/// What lies inside of [N, C, depth, height, width], mirrored at the ends.
XLAC_SPATIAL_MODULE(ReflectionPad, 3);
/// The elements at the ends of [N, C, length], again and again.
XLAC_SPATIAL_MODULE(ReplicationPad, 1);
/// The elements at the ends of [N, C, height, width], again and again.
XLAC_SPATIAL_MODULE(ReplicationPad, 2);
/// The elements at the ends of [N, C, depth, height, width], again and again.
XLAC_SPATIAL_MODULE(ReplicationPad, 3);

//===- Sizes --------------------------------------------------------------===//

struct UpsampleOptions {
  SizeList size = {};           ///< either this …
  FactorList scale_factor = {}; ///< … or this is given
  /// "nearest", "nearest-exact", "linear", "bilinear", "bicubic", "trilinear".
  std::string mode = "nearest";
  std::optional<bool> align_corners = {};
  std::optional<bool> recompute_scale_factor = {};
};
/// F::interpolate of [N, C, spatial…].
XLAC_TENSOR_MODULE(Upsample, UpsampleOptions);

struct PixelShuffleOptions {
  static constexpr size_t required = 1;
  int64_t upscale_factor;
};
/// [N, C · r², H, W] becomes [N, C, H · r, W · r].
XLAC_TENSOR_MODULE(PixelShuffle, PixelShuffleOptions);

struct PixelUnshuffleOptions {
  static constexpr size_t required = 1;
  int64_t downscale_factor;
};
/// [N, C, H · r, W · r] becomes [N, C · r², H, W].
XLAC_TENSOR_MODULE(PixelUnshuffle, PixelUnshuffleOptions);

struct ChannelShuffleOptions {
  static constexpr size_t required = 1;
  int64_t groups;
};
/// Channels of [N, C, …] as they come one from each group in turn.
XLAC_TENSOR_MODULE(ChannelShuffle, ChannelShuffleOptions);

} // namespace xlac::nn
