// Modules with parameters and the losses.
#include "xlac/nn.h"

#include "xlac/lazy/errors.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace xlac::nn {

using lazy::raise;

/// Uniform in ±1/√fan_in, as PyTorch's layers start.
static Tensor drawn(IntArrayRef sizes, int64_t fan_in) {
  double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  return init::uniform_(empty(sizes), -bound, bound);
}

/// "(5, 5)".
static std::string tuple_text(const Shape &list) {
  std::string text = "(";
  for (size_t i = 0; i < list.size(); ++i)
    text += (i ? ", " : "") + std::to_string(list[i]);
  return text + (list.size() == 1 ? ",)" : ")");
}

/// As Python prints a number: "1e-05", "0.1".
static std::string number_text(double number) {
  std::ostringstream text;
  text << number;
  return text.str();
}

//===- Linear -------------------------------------------------------------===//

LinearImpl::LinearImpl(int64_t in_features, int64_t out_features, bool bias)
    : LinearImpl(LinearOptions{in_features, out_features, bias}) {}

LinearImpl::LinearImpl(LinearOptions options) {
  int64_t in = options.in_features, out = options.out_features;
  weight = register_parameter("weight", drawn({out, in}, in));
  bias = register_parameter("bias", options.bias ? drawn({out}, in) : Tensor());
}

Tensor LinearImpl::forward(const Tensor &input) {
  return linear(input, weight, bias);
}

std::string LinearImpl::extra_repr() const {
  return "in_features=" + std::to_string(weight.size(1)) +
         ", out_features=" + std::to_string(weight.size(0)) +
         ", bias=" + (bias.defined() ? "True" : "False");
}

//===- Conv2d -------------------------------------------------------------===//

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
      drawn({o.out_channels, each, o.kernel_size[0], o.kernel_size[1]},
            fan_in));
  bias = register_parameter("bias", o.bias ? drawn({o.out_channels}, fan_in)
                                           : Tensor());
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
                     ", kernel_size=" + tuple_text(o.kernel_size) +
                     ", stride=" + tuple_text(o.stride);
  if (o.padding != Shape{0, 0})
    text += ", padding=" + tuple_text(o.padding);
  if (o.dilation != Shape{1, 1})
    text += ", dilation=" + tuple_text(o.dilation);
  if (o.groups != 1)
    text += ", groups=" + std::to_string(o.groups);
  if (!o.bias)
    text += ", bias=False";
  if (o.padding_mode != "zeros")
    text += ", padding_mode=" + o.padding_mode;
  return text;
}

//===- BatchNorm2d --------------------------------------------------------===//

BatchNorm2dImpl::BatchNorm2dImpl(int64_t num_features)
    : BatchNorm2dImpl(BatchNormOptions{num_features}) {}

BatchNorm2dImpl::BatchNorm2dImpl(BatchNormOptions options) : options_(options) {
  Shape sizes{options.num_features};
  bool affine = options.affine, tracks = options.track_running_stats;
  weight = register_parameter("weight", affine ? ones(sizes) : Tensor());
  bias = register_parameter("bias", affine ? zeros(sizes) : Tensor());
  running_mean =
      register_buffer("running_mean", tracks ? zeros(sizes) : Tensor());
  running_var = register_buffer("running_var", tracks ? ones(sizes) : Tensor());
  num_batches_tracked = register_buffer("num_batches_tracked",
                                        tracks ? zeros({}, kInt64) : Tensor());
}

Tensor BatchNorm2dImpl::forward(const Tensor &input) {
  if (input.dim() != 4)
    raise<ShapeError>("BatchNorm2d: expected 4D input (got " +
                      std::to_string(input.dim()) + "D input)");
  bool tracks = options_.track_running_stats;
  double momentum = options_.momentum.value_or(0);
  if (is_training() && tracks) {
    NoGradGuard guard;
    num_batches_tracked += 1;
    if (!options_.momentum)
      momentum = 1 / num_batches_tracked.item<double>();
  }
  bool by_batch = is_training() || !tracks;
  bool follows = tracks && is_training();
  return batch_norm(input, follows || !by_batch ? running_mean : Tensor(),
                    follows || !by_batch ? running_var : Tensor(), weight, bias,
                    by_batch, momentum, options_.eps);
}

std::string BatchNorm2dImpl::extra_repr() const {
  const BatchNormOptions &o = options_;
  auto flag = [](bool on) { return on ? "True" : "False"; };
  return std::to_string(o.num_features) + ", eps=" + number_text(o.eps) +
         ", momentum=" + (o.momentum ? number_text(*o.momentum) : "None") +
         ", affine=" + flag(o.affine) +
         ", track_running_stats=" + flag(o.track_running_stats);
}

//===- Losses -------------------------------------------------------------===//

NLLLossImpl::NLLLossImpl(NLLLossOptions options)
    : ignore_index_(options.ignore_index),
      reduction_(std::move(options.reduction)) {
  weight_ = register_buffer("weight", options.weight);
}

Tensor NLLLossImpl::forward(const Tensor &input, const Tensor &target) {
  return nll_loss(input, target, weight_, ignore_index_, reduction_);
}

} // namespace xlac::nn
