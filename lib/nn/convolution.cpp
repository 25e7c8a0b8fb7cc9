#include "xlac/nn/convolution.h"

#include "initial_values.h"
#include "repr.h"

#include "xlac/lazy/errors.h"
#include "xlac/tensor/access.h"

#include <algorithm>

namespace xlac::nn {

using lazy::raise;

/// One entry for each of the two dimensions.
static Shape pair(const Shape &given, const char *what) {
  if (given.size() == 1)
    return {given[0], given[0]};
  if (given.size() != 2)
    raise<ValueError>(std::string("Conv2d: ") + what +
                      " must be one integer or two");
  return given;
}

Conv2dImpl::Conv2dImpl(int64_t in_channels, int64_t out_channels,
                       int64_t kernel_size)
    : Conv2dImpl(Conv2dOptions{in_channels, out_channels, {kernel_size}}) {}

Conv2dImpl::Conv2dImpl(Conv2dOptions options) : options_(std::move(options)) {
  Conv2dOptions &o = options_;
  if (o.groups < 1)
    raise<ValueError>("Conv2d: groups must be a positive integer");
  if (o.in_channels % o.groups != 0)
    raise<ValueError>("Conv2d: in_channels must be divisible by groups");
  if (o.out_channels % o.groups != 0)
    raise<ValueError>("Conv2d: out_channels must be divisible by groups");
  if (o.padding_mode != "zeros" && o.padding_mode != "reflect" &&
      o.padding_mode != "replicate" && o.padding_mode != "circular")
    raise<ValueError>("Conv2d: padding_mode must be one of 'zeros', "
                      "'reflect', 'replicate', 'circular', but got "
                      "padding_mode='" +
                      o.padding_mode + "'");
  o.kernel_size = pair(o.kernel_size, "kernel_size");
  o.stride = pair(o.stride, "stride");
  o.padding = pair(o.padding, "padding");
  o.dilation = pair(o.dilation, "dilation");
  int64_t each = o.in_channels / o.groups;
  int64_t fan_in = each * o.kernel_size[0] * o.kernel_size[1];
  weight = register_parameter(
      "weight",
      uniform_start({o.out_channels, each, o.kernel_size[0], o.kernel_size[1]},
                    fan_in));
  bias = register_parameter(
      "bias", o.bias ? uniform_start({o.out_channels}, fan_in) : Tensor());
}

/// `input` continued by `amount` elements at both ends of `dim`, as the padding
/// mode takes them from inside.
static Tensor continued(const Tensor &input, int64_t dim, int64_t amount,
                        const std::string &mode) {
  int64_t size = input.size(dim);
  if (amount > (mode == "reflect" ? size - 1 : size) && mode != "replicate")
    raise<ShapeError>("Conv2d: padding " + std::to_string(amount) +
                      " is too large for a dimension of size " +
                      std::to_string(size));
  std::vector<int64_t> from;
  for (int64_t i = -amount; i < size + amount; ++i) {
    int64_t inside = std::clamp<int64_t>(i, 0, size - 1);
    if (mode == "reflect")
      inside = i < 0 ? -i : i >= size ? 2 * size - 2 - i : i;
    if (mode == "circular")
      inside = (i + size) % size;
    from.push_back(inside);
  }
  XLAC_CALL("Conv2d");
  Device device = input.device();
  return front::finish(build::take(front::value_on(input, device),
                                   build::constant(from),
                                   dim < 0 ? dim + input.dim() : dim),
                       device, input.dtype());
}

Tensor Conv2dImpl::forward(const Tensor &input) {
  const Conv2dOptions &o = options_;
  if (o.padding_mode == "zeros")
    return conv2d(input, weight, bias, o.stride, o.padding, o.dilation,
                  o.groups);
  Tensor wider = continued(input, -2, o.padding[0], o.padding_mode);
  wider = continued(wider, -1, o.padding[1], o.padding_mode);
  return conv2d(wider, weight, bias, o.stride, 0, o.dilation, o.groups);
}

std::string Conv2dImpl::extra_repr() const {
  const Conv2dOptions &o = options_;
  std::string text = std::to_string(o.in_channels) + ", " +
                     std::to_string(o.out_channels) +
                     ", kernel_size=" + repr_of(o.kernel_size) +
                     ", stride=" + repr_of(o.stride);
  if (o.padding != Shape{0, 0})
    text += ", padding=" + repr_of(o.padding);
  if (o.dilation != Shape{1, 1})
    text += ", dilation=" + repr_of(o.dilation);
  if (o.groups != 1)
    text += ", groups=" + std::to_string(o.groups);
  if (!o.bias)
    text += ", bias=False";
  if (o.padding_mode != "zeros")
    text += ", padding_mode=" + o.padding_mode;
  return text;
}

} // namespace xlac::nn
