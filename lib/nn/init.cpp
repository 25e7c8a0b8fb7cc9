#include "xlac/nn/init.h"

#include "xlac/autograd.h"
#include "xlac/support/raise.h"
#include "xlac/tensor/access.h"

#include <algorithm>
#include <cmath>

namespace xlac::nn::init {

namespace {

struct Fans {
  double in, out;
};

Fans fans_of(const Tensor &tensor) {
  Shape sizes = tensor.sizes();
  if (sizes.size() < 2)
    raise<ValueError>("Fan in and fan out can not be computed for tensor with "
                      "fewer than 2 dimensions");
  double field = 1;
  for (size_t i = 2; i < sizes.size(); ++i)
    field *= static_cast<double>(sizes[i]);
  return {static_cast<double>(sizes[1]) * field,
          static_cast<double>(sizes[0]) * field};
}

double kaiming_deviation(const Tensor &tensor, double a, std::string_view mode,
                         std::string_view nonlinearity) {
  Fans fans = fans_of(tensor);
  if (mode != "fan_in" && mode != "fan_out")
    raise<ValueError>("Mode " + std::string(mode) +
                      " not supported, please use one of fan_in, fan_out");
  double fan = mode == "fan_in" ? fans.in : fans.out;
  return calculate_gain(nonlinearity, a) / std::sqrt(fan);
}

double xavier_deviation(const Tensor &tensor, double gain) {
  Fans fans = fans_of(tensor);
  return gain * std::sqrt(2 / (fans.in + fans.out));
}

/// The cumulative distribution function of the standard normal distribution.
double below(double x) { return (1 + std::erf(x / std::sqrt(2.0))) / 2; }

} // namespace

double calculate_gain(std::string_view nonlinearity, double param) {
  if (nonlinearity == "linear" || nonlinearity == "sigmoid" ||
      nonlinearity.starts_with("conv"))
    return 1;
  if (nonlinearity == "tanh")
    return 5.0 / 3;
  if (nonlinearity == "relu")
    return std::sqrt(2.0);
  if (nonlinearity == "leaky_relu")
    return std::sqrt(2 / (1 + param * param));
  if (nonlinearity == "selu")
    return 3.0 / 4;
  raise<ValueError>("Unsupported nonlinearity " + std::string(nonlinearity));
}

Tensor uniform_(Tensor tensor, double a, double b) {
  NoGradGuard guard;
  return tensor.uniform_(a, b);
}

Tensor normal_(Tensor tensor, double mean, double std) {
  NoGradGuard guard;
  return tensor.normal_(mean, std);
}

Tensor constant_(Tensor tensor, double value) {
  NoGradGuard guard;
  return tensor.fill_(value);
}

Tensor ones_(Tensor tensor) { return constant_(std::move(tensor), 1); }
Tensor zeros_(Tensor tensor) { return constant_(std::move(tensor), 0); }

Tensor eye_(Tensor tensor) {
  XLAC_CALL("eye_");
  NoGradGuard guard;
  if (tensor.dim() != 2)
    raise<ValueError>("Only tensors with 2 dimensions are supported");
  TensorOptions whole(kInt64);
  Tensor rows = arange(tensor.size(0), whole.device(tensor.device()));
  Tensor columns = arange(tensor.size(1), whole.device(tensor.device()));
  return tensor.copy_(rows.unsqueeze(1).eq(columns).to(tensor.dtype()));
}

Tensor xavier_uniform_(Tensor tensor, double gain) {
  XLAC_CALL("xavier_uniform_");
  double bound = std::sqrt(3.0) * xavier_deviation(tensor, gain);
  return uniform_(std::move(tensor), -bound, bound);
}

Tensor xavier_normal_(Tensor tensor, double gain) {
  XLAC_CALL("xavier_normal_");
  double deviation = xavier_deviation(tensor, gain);
  return normal_(std::move(tensor), 0, deviation);
}

Tensor kaiming_uniform_(Tensor tensor, double a, std::string_view mode,
                        std::string_view nonlinearity) {
  XLAC_CALL("kaiming_uniform_");
  double bound =
      std::sqrt(3.0) * kaiming_deviation(tensor, a, mode, nonlinearity);
  return uniform_(std::move(tensor), -bound, bound);
}

Tensor kaiming_normal_(Tensor tensor, double a, std::string_view mode,
                       std::string_view nonlinearity) {
  XLAC_CALL("kaiming_normal_");
  double deviation = kaiming_deviation(tensor, a, mode, nonlinearity);
  return normal_(std::move(tensor), 0, deviation);
}

Tensor trunc_normal_(Tensor tensor, double mean, double std, double a,
                     double b) {
  XLAC_CALL("trunc_normal_");
  NoGradGuard guard;
  // Inverse transform sampling: uniform numbers between the values of the
  // distribution function at a and b.
  double low = 2 * below((a - mean) / std) - 1;
  double high = 2 * below((b - mean) / std) - 1;
  tensor.uniform_(low, high);
  Device device = tensor.device();
  Dtype dtype = tensor.dtype();
  Tensor quantiles = frontend::finish(
      build::unary(ops::OpKind::ChloErfInv, frontend::value_on(tensor, device)),
      device, dtype);
  Tensor drawn = quantiles * (std * std::sqrt(2.0)) + mean;
  Tensor bounded =
      maximum(minimum(drawn, full_like(drawn, b)), full_like(drawn, a));
  return tensor.copy_(bounded);
}

Tensor orthogonal_(Tensor tensor, double gain) {
  XLAC_CALL("orthogonal_");
  NoGradGuard guard;
  if (tensor.dim() < 2)
    raise<ValueError>("Only tensors with 2 or more dimensions are supported");
  if (tensor.numel() == 0)
    return tensor;
  int64_t rows = tensor.size(0), columns = tensor.numel() / rows;
  bool wide = rows < columns;
  Tensor drawn = randn({std::max(rows, columns), std::min(rows, columns)},
                       tensor.options());
  auto [q, r] = linalg::qr(drawn);
  // Makes the distribution uniform over orthogonal matrices:
  // arXiv:math-ph/0609050.
  q = q * r.diagonal().sign();
  return tensor.copy_((wide ? q.t() : q).reshape(tensor.sizes()) * gain);
}

} // namespace xlac::nn::init
