// Convolutions and transposed convolutions over 1 to 3 spatial dimensions.
#include "xlac/tensor/formulas.h"

#include <numeric>

namespace xlac {

using namespace frontend;

namespace {

/// The arguments of a convolution over `n` dimensions.
struct Convolution {
  const Tensor &input, &weight, &bias;
  size_t n;
  Shape stride, dilation;
  int64_t groups;
};

void check(const Convolution &c, int64_t channels, int64_t per_group) {
  const Shape &x = impl_of(c.input).sizes, &w = impl_of(c.weight).sizes;
  if (w.size() != c.n + 2)
    raise<ShapeError>("weight must have " + std::to_string(c.n + 2) +
                      " dimensions, got " + to_text(w));
  if (x.size() != c.n + 1 && x.size() != c.n + 2)
    raise<ShapeError>("input must have " + std::to_string(c.n + 1) + " or " +
                      std::to_string(c.n + 2) + " dimensions, got " +
                      to_text(x));
  require_same_dtype(c.input, c.weight);
  if (c.groups < 1 || w[0] % c.groups != 0)
    raise<ValueError>(std::to_string(w[0]) +
                      " channels of weight are not divisible by " +
                      std::to_string(c.groups) + " groups");
  if (x[x.size() - c.n - 1] != channels)
    raise<ShapeError>("given weight of size " + to_text(w) + " and " +
                      std::to_string(c.groups) + " groups, expected input " +
                      to_text(x) + " to have " + std::to_string(channels) +
                      " channels");
  if (c.bias.defined() && impl_of(c.bias).sizes != Shape{per_group})
    raise<ShapeError>("expected bias of size " + to_text({per_group}) +
                      ", got " + to_text(impl_of(c.bias).sizes));
  window_per_dim(Shape(w.begin() + 2, w.end()), c.n, "kernel");
  for (size_t i = 0; i < c.n; ++i)
    if (c.stride[i] < 1 || c.dilation[i] < 1)
      raise<ValueError>("stride and dilation must be positive");
}

/// Convolves the input, adds the bias, and removes the batch dimension that was
/// added to an unbatched input.
Tensor convolve(const Convolution &c, Value kernel, const build::Window &window,
                int64_t groups) {
  Device device = common_device({&c.input, &c.weight, &c.bias});
  Dtype dtype = impl_of(c.input).dtype;
  Value x = value_on(c.input, device);
  bool batched = sizes_of(x).size() == c.n + 2;
  if (!batched) {
    Shape sizes = sizes_of(x);
    sizes.insert(sizes.begin(), 1);
    x = build::reshape(x, sizes);
  }
  for (size_t i = 0; i < c.n; ++i) {
    int64_t padded = (sizes_of(x)[i + 2] - 1) * window.base_dilation[i] + 1 +
                     window.low[i] + window.high[i];
    int64_t reach = (window.sizes[i] - 1) * window.dilation[i] + 1;
    if (padded < reach)
      raise<ShapeError>("calculated padded input size per channel: " +
                        std::to_string(padded) +
                        ", kernel size: " + std::to_string(reach) +
                        "; the kernel can't be greater than the input");
  }
  Value y = build::convolution(x, std::move(kernel), window, groups);
  if (c.bias.defined()) {
    Value bias = value_on(c.bias, device, dtype);
    y = y + build::broadcast_in_dim(bias, sizes_of(y), {1});
  }
  if (!batched)
    y = build::reshape(y, Shape(sizes_of(y).begin() + 1, sizes_of(y).end()));
  return finish(y, device, dtype);
}

Tensor convolve(const Convolution &c, const Shape &low, const Shape &high) {
  const Shape &w = impl_of(c.weight).sizes;
  build::Window window = build::plain_window(Shape(w.begin() + 2, w.end()));
  window.strides = c.stride;
  window.dilation = c.dilation;
  window.low = low;
  window.high = high;
  Device device = common_device({&c.input, &c.weight, &c.bias});
  return convolve(c, value_on(c.weight, device), window, c.groups);
}

Convolution given(size_t n, const Tensor &input, const Tensor &weight,
                  const Tensor &bias, IntArrayRef stride, IntArrayRef dilation,
                  int64_t groups) {
  return {input,
          weight,
          bias,
          n,
          window_per_dim(stride, n, "stride"),
          window_per_dim(dilation, n, "dilation"),
          groups};
}

Convolution described(size_t n, const Tensor &input, const Tensor &weight,
                      const Tensor &bias, IntArrayRef stride,
                      IntArrayRef dilation, int64_t groups) {
  Convolution c = given(n, input, weight, bias, stride, dilation, groups);
  const Shape &w = impl_of(weight).sizes;
  check(c, w.size() > 1 ? w[1] * groups : 0, w.empty() ? 0 : w[0]);
  return c;
}

Tensor convolution(size_t n, const Tensor &input, const Tensor &weight,
                   const Tensor &bias, IntArrayRef stride, IntArrayRef padding,
                   IntArrayRef dilation, int64_t groups) {
  Convolution c = described(n, input, weight, bias, stride, dilation, groups);
  Shape pad = window_per_dim(padding, n, "padding");
  for (int64_t amount : pad)
    if (amount < 0)
      raise<ValueError>("negative padding is not supported");
  return convolve(c, pad, pad);
}

Tensor padded_by_mode(size_t n, const Tensor &input, const Tensor &weight,
                      const Tensor &bias, IntArrayRef stride,
                      std::string_view padding, IntArrayRef dilation,
                      int64_t groups) {
  Convolution c = described(n, input, weight, bias, stride, dilation, groups);
  Shape low(n, 0), high(n, 0);
  if (padding == "same") {
    for (size_t i = 0; i < n; ++i) {
      if (c.stride[i] != 1)
        raise<ValueError>(
            "padding='same' is not supported for strided convolutions");
      int64_t total = c.dilation[i] * (impl_of(weight).sizes[i + 2] - 1);
      low[i] = total / 2;
      high[i] = total - low[i];
    }
  } else if (padding != "valid") {
    raise<ValueError>("invalid padding string: '" + std::string(padding) + "'");
  }
  return convolve(c, low, high);
}

//===- Transposed convolutions --------------------------------------------===//

/// Converts weight [in, out / groups, spatial…] to the kernel of the forward
/// convolution whose gradient this is: [out, in / groups, spatial…], reversed
/// along the spatial dimensions.
Value transposed_kernel(const Value &weight, int64_t groups) {
  const Shape sizes = sizes_of(weight);
  int64_t in = sizes[0] / groups, out = sizes[1];
  Shape split{groups, in, out}, joined{groups * out, in};
  split.insert(split.end(), sizes.begin() + 2, sizes.end());
  joined.insert(joined.end(), sizes.begin() + 2, sizes.end());
  Value kernel =
      build::reshape(swapped(build::reshape(weight, split), 1, 2), joined);
  ops::ReverseAttributes reverse;
  for (size_t i = 2; i < sizes.size(); ++i)
    reverse.dimensions.push_back(static_cast<int64_t>(i));
  return {build::emit(OpKind::Reverse, reverse, {kernel}), 0};
}

Tensor transposed(size_t n, const Tensor &input, const Tensor &weight,
                  const Tensor &bias, IntArrayRef stride, IntArrayRef padding,
                  IntArrayRef output_padding, int64_t groups,
                  IntArrayRef dilation) {
  Convolution c = given(n, input, weight, bias, stride, dilation, groups);
  Shape pad = window_per_dim(padding, n, "padding");
  Shape extra = window_per_dim(output_padding, n, "output_padding");
  const Shape &w = impl_of(weight).sizes;
  check(c, w.empty() ? 0 : w[0], w.size() > 1 ? w[1] * groups : 0);
  build::Window window = build::plain_window(Shape(w.begin() + 2, w.end()));
  window.base_dilation = c.stride;
  window.dilation = c.dilation;
  for (size_t i = 0; i < n; ++i) {
    if (extra[i] < 0 || (extra[i] >= c.stride[i] && extra[i] >= c.dilation[i]))
      raise<ValueError>("output padding must be smaller than either stride or "
                        "dilation, got " +
                        std::to_string(extra[i]));
    int64_t around = c.dilation[i] * (w[i + 2] - 1) - pad[i];
    window.low[i] = around;
    window.high[i] = around + extra[i];
  }
  Device device = common_device({&input, &weight, &bias});
  return convolve(c, transposed_kernel(value_on(weight, device), groups),
                  window, groups);
}

} // namespace

#define XLAC_CONVOLUTION(n)                                                    \
  Tensor conv##n##d(const Tensor &input, const Tensor &weight,                 \
                    const Tensor &bias, IntArrayRef stride,                    \
                    IntArrayRef padding, IntArrayRef dilation,                 \
                    int64_t groups) {                                          \
    XLAC_CALL("conv" #n "d");                                                  \
    return convolution(n, input, weight, bias, stride, padding, dilation,      \
                       groups);                                                \
  }                                                                            \
  Tensor conv_transpose##n##d(const Tensor &input, const Tensor &weight,       \
                              const Tensor &bias, IntArrayRef stride,          \
                              IntArrayRef padding, IntArrayRef output_padding, \
                              int64_t groups, IntArrayRef dilation) {          \
    XLAC_CALL("conv_transpose" #n "d");                                        \
    return transposed(n, input, weight, bias, stride, padding, output_padding, \
                      groups, dilation);                                       \
  }
XLAC_CONVOLUTION(1)
XLAC_CONVOLUTION(2)
XLAC_CONVOLUTION(3)
#undef XLAC_CONVOLUTION

Tensor convolution_mode(const Tensor &input, const Tensor &weight,
                        const Tensor &bias, IntArrayRef stride,
                        std::string_view padding, IntArrayRef dilation,
                        int64_t groups) {
  XLAC_CALL("convolution_mode");
  size_t rank = impl_of(weight).sizes.size();
  if (rank < 3 || rank > 5)
    raise<ShapeError>("weight must have 3 to 5 dimensions, got " +
                      to_text(impl_of(weight).sizes));
  return padded_by_mode(rank - 2, input, weight, bias, stride, padding,
                        dilation, groups);
}

} // namespace xlac
