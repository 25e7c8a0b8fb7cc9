#include "xlac/nn/convolution.h"

#include "initial_values.h"
#include "repr.h"
#include "spatial.h"

#include "xlac/nn_functional.h"
#include "xlac/support/raise.h"

#include <algorithm>

namespace xlac::nn {

namespace {

template <class Options>
void check_groups(const std::string &name, const Options &o) {
  if (o.groups < 1)
    raise<ValueError>(name + ": groups must be a positive integer");
  if (o.in_channels % o.groups != 0)
    raise<ValueError>(name + ": in_channels must be divisible by groups");
  if (o.out_channels % o.groups != 0)
    raise<ValueError>(name + ": out_channels must be divisible by groups");
}

/// Formats the options. Convolutions and transposed ones differ between padding
/// and groups.
template <class Options>
std::string shown(const Options &o, const std::string &padding,
                  const SizeList *output_padding) {
  Shape zeros(o.kernel_size.size(), 0), ones(o.kernel_size.size(), 1);
  auto tuple = [](const Shape &list) { return repr_of(list); };
  std::string text =
      fmt::format("{}, {}, kernel_size={}, stride={}", o.in_channels,
                  o.out_channels, tuple(o.kernel_size), tuple(o.stride));
  if (padding != tuple(zeros))
    text += ", padding=" + padding;
  if (o.dilation != ones)
    text += ", dilation=" + tuple(o.dilation);
  if (output_padding && *output_padding != zeros)
    text += ", output_padding=" + tuple(*output_padding);
  if (o.groups != 1)
    text += fmt::format(", groups={}", o.groups);
  if (!o.bias)
    text += ", bias=False";
  if (o.padding_mode != "zeros")
    text += ", padding_mode=" + o.padding_mode;
  return text;
}

/// Returns the sizes of a weight: two channel dimensions, then the kernel's.
Shape weight_sizes(int64_t first, int64_t second, const Shape &kernel) {
  Shape sizes{first, second};
  sizes.insert(sizes.end(), kernel.begin(), kernel.end());
  return sizes;
}

int64_t fan_in_of(const Shape &weight) {
  int64_t count = 1;
  for (size_t i = 1; i < weight.size(); ++i)
    count *= weight[i];
  return count;
}

} // namespace

//===- Convolutions -------------------------------------------------------===//

/// Returns the padding at both ends of each dimension, the last one first.
static Shape both_ends(const ConvOptions &o, size_t dimensions) {
  Shape ends;
  for (size_t i = dimensions; i-- > 0;) {
    int64_t total = o.padding.mode == "same"
                        ? o.dilation[i] * (o.kernel_size[i] - 1)
                    : o.padding.mode == "valid" ? 0
                                                : 2 * o.padding[i];
    ends.push_back(total / 2);
    ends.push_back(total - total / 2);
  }
  return ends;
}

static void check_padding(const std::string &name, const ConvOptions &o) {
  const std::string &mode = o.padding.mode;
  if (!mode.empty() && mode != "same" && mode != "valid")
    raise<ValueError>(fmt::format("{}: Invalid padding string '{}', should be "
                                  "one of 'valid', 'same'",
                                  name, mode));
  if (mode == "same" && std::any_of(o.stride.begin(), o.stride.end(),
                                    [](int64_t step) { return step != 1; }))
    raise<ValueError>(
        name + ": padding='same' is not supported for strided convolutions");
  if (o.padding_mode != "zeros" && o.padding_mode != "reflect" &&
      o.padding_mode != "replicate" && o.padding_mode != "circular")
    raise<ValueError>(fmt::format(
        "{}: padding_mode must be one of 'zeros', 'reflect', 'replicate', "
        "'circular', but got padding_mode='{}'",
        name, o.padding_mode));
}

ConvNdImpl::ConvNdImpl(int dimensions, Options given)
    : options(std::move(given)), dimensions_(dimensions) {
  Options &o = options;
  auto n = static_cast<size_t>(dimensions);
  std::string name = fmt::format("Conv{}d", dimensions);
  check_groups(name, o);
  check_padding(name, o);
  o.kernel_size = each_of(name, o.kernel_size, n, "kernel_size");
  o.stride = each_of(name, o.stride, n, "stride");
  o.dilation = each_of(name, o.dilation, n, "dilation");
  if (o.padding.mode.empty())
    o.padding = ConvPadding(each_of(name, o.padding, n, "padding"));
  if (o.padding_mode != "zeros")
    continued_ = both_ends(o, n);
  Shape sizes =
      weight_sizes(o.out_channels, o.in_channels / o.groups, o.kernel_size);
  int64_t fan_in = fan_in_of(sizes);
  weight = register_parameter("weight", uniform_start(sizes, fan_in));
  bias = register_parameter(
      "bias", o.bias ? uniform_start({o.out_channels}, fan_in) : Tensor());
}

Tensor ConvNdImpl::forward(const Tensor &input) {
  const Options &o = options;
  if (o.padding_mode != "zeros") {
    Tensor wider = functional::pad(input, continued_, o.padding_mode);
    return XLAC_BY_DIMENSIONS(dimensions_, conv, wider, weight, bias, o.stride,
                              0, o.dilation, o.groups);
  }
  if (!o.padding.mode.empty())
    return convolution_mode(input, weight, bias, o.stride, o.padding.mode,
                            o.dilation, o.groups);
  return XLAC_BY_DIMENSIONS(dimensions_, conv, input, weight, bias, o.stride,
                            o.padding, o.dilation, o.groups);
}

std::string ConvNdImpl::extra_repr() const {
  const ConvPadding &padding = options.padding;
  return shown(options,
               padding.mode.empty()
                   ? repr_of(static_cast<const Shape &>(padding))
                   : padding.mode,
               nullptr);
}

//===- Transposed convolutions --------------------------------------------===//

ConvTransposeNdImpl::ConvTransposeNdImpl(int dimensions, Options given)
    : options(std::move(given)), dimensions_(dimensions) {
  Options &o = options;
  auto n = static_cast<size_t>(dimensions);
  std::string name = fmt::format("ConvTranspose{}d", dimensions);
  if (o.padding_mode != "zeros")
    raise<ValueError>("Only \"zeros\" padding mode is supported for " + name);
  check_groups(name, o);
  o.kernel_size = each_of(name, o.kernel_size, n, "kernel_size");
  o.stride = each_of(name, o.stride, n, "stride");
  o.padding = each_of(name, o.padding, n, "padding");
  o.output_padding = each_of(name, o.output_padding, n, "output_padding");
  o.dilation = each_of(name, o.dilation, n, "dilation");
  Shape sizes =
      weight_sizes(o.in_channels, o.out_channels / o.groups, o.kernel_size);
  int64_t fan_in = fan_in_of(sizes);
  weight = register_parameter("weight", uniform_start(sizes, fan_in));
  bias = register_parameter(
      "bias", o.bias ? uniform_start({o.out_channels}, fan_in) : Tensor());
}

/// Returns the output padding for which the result has the spatial sizes
/// `sizes`.
Shape ConvTransposeNdImpl::padding_for(const Tensor &input, Shape sizes) const {
  const Options &o = options;
  auto n = static_cast<size_t>(dimensions_);
  auto before = static_cast<size_t>(input.dim()) - n;
  if (sizes.size() == n + before)
    sizes.erase(sizes.begin(), sizes.begin() + static_cast<long>(before));
  if (sizes.size() != n)
    raise<ValueError>(fmt::format(
        "ConvTranspose{}D: for {}D input, output_size must have {} or {} "
        "elements (got {})",
        n, input.dim(), n, n + before, sizes.size()));
  Shape padding;
  for (size_t i = 0; i < n; ++i) {
    int64_t least =
        (input.size(static_cast<int64_t>(before + i)) - 1) * o.stride[i] -
        2 * o.padding[i] + o.dilation[i] * (o.kernel_size[i] - 1) + 1;
    int64_t most = least + o.stride[i] - 1;
    if (sizes[i] < least || sizes[i] > most)
      raise<ValueError>(fmt::format(
          "requested an output size of {}, but valid sizes range from {} to {} "
          "in dimension {}",
          repr_of(sizes), least, most, i));
    padding.push_back(sizes[i] - least);
  }
  return padding;
}

Tensor ConvTransposeNdImpl::forward(const Tensor &input,
                                    IntArrayRef output_size) {
  const Options &o = options;
  Shape padding =
      output_size.size() == 0
          ? Shape(o.output_padding)
          : padding_for(input, Shape(output_size.begin(), output_size.end()));
  return XLAC_BY_DIMENSIONS(dimensions_, conv_transpose, input, weight, bias,
                            o.stride, o.padding, padding, o.groups, o.dilation);
}

std::string ConvTransposeNdImpl::extra_repr() const {
  return shown(options, repr_of(static_cast<const Shape &>(options.padding)),
               &options.output_padding);
}

//===- im2col and col2im --------------------------------------------------===//

Tensor UnfoldImpl::forward(const Tensor &input) {
  return im2col(input, options.kernel_size, options.dilation, options.padding,
                options.stride);
}
std::string UnfoldImpl::extra_repr() const {
  return fmt::format("kernel_size={}, dilation={}, padding={}, stride={}",
                     repr_of(options.kernel_size), repr_of(options.dilation),
                     repr_of(options.padding), repr_of(options.stride));
}

Tensor FoldImpl::forward(const Tensor &input) {
  return col2im(input, options.output_size, options.kernel_size,
                options.dilation, options.padding, options.stride);
}
std::string FoldImpl::extra_repr() const {
  return fmt::format(
      "output_size={}, kernel_size={}, dilation={}, padding={}, stride={}",
      repr_of(options.output_size), repr_of(options.kernel_size),
      repr_of(options.dilation), repr_of(options.padding),
      repr_of(options.stride));
}

} // namespace xlac::nn
