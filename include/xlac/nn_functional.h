// F::relu, F::conv2d, F::cross_entropy, …: PyTorch's torch.nn.functional.
#pragma once

#include "xlac/ops.h"

#include <concepts>
#include <string_view>

namespace xlac::nn::functional {

// Makes every function of ops.h available here too.
using namespace xlac;

/// Text, but not a number: conv2d(x, w, b, 1, "same").
template <class Text>
concept PaddingMode =
    std::convertible_to<const Text &, std::string_view> && !std::integral<Text>;

#define XLAC_PADDED_CONVOLUTION(name)                                          \
  /** The convolution with padding "valid" (none) or "same". */                \
  template <PaddingMode Text>                                                  \
  Tensor name(const Tensor &input, const Tensor &weight, const Tensor &bias,   \
              IntArrayRef stride, const Text &padding,                         \
              IntArrayRef dilation = 1, int64_t groups = 1) {                  \
    return convolution_mode(input, weight, bias, stride, padding, dilation,    \
                            groups);                                           \
  }                                                                            \
  using xlac::name;
XLAC_PADDED_CONVOLUTION(conv1d)
XLAC_PADDED_CONVOLUTION(conv2d)
XLAC_PADDED_CONVOLUTION(conv3d)
#undef XLAC_PADDED_CONVOLUTION

/// Extracts patches of [N, C, H, W] as columns [N, C · kernel elements,
/// patches]. It differs from xlac::unfold, which is Tensor::unfold.
inline Tensor unfold(const Tensor &input, IntArrayRef kernel_size,
                     IntArrayRef dilation = 1, IntArrayRef padding = 0,
                     IntArrayRef stride = 1) {
  return im2col(input, kernel_size, dilation, padding, stride);
}
/// Sums such columns into [N, C, output_size…].
inline Tensor fold(const Tensor &input, IntArrayRef output_size,
                   IntArrayRef kernel_size, IntArrayRef dilation = 1,
                   IntArrayRef padding = 0, IntArrayRef stride = 1) {
  return col2im(input, output_size, kernel_size, dilation, padding, stride);
}

} // namespace xlac::nn::functional

namespace xlac {
namespace F = nn::functional;
} // namespace xlac
