// Activation functions. Softmax and log_softmax are with the reductions.
#include "xlac/tensor/terms.h"

#include <numbers>

namespace xlac {

using namespace frontend;

namespace {

/// Operands of a function that is defined for floats only.
Joined join_activation(const Tensor &self) {
  need_real_float(self);
  return join_wide({self});
}

/// Operands of a function that is also defined for integers.
Joined join_ordered(const Tensor &self) {
  reject_bool(self);
  reject_complex(self);
  return widened(join({self}));
}

/// log(1 + exp(x)). Above 40 it is x in every dtype, and exp would overflow.
Term log_one_plus_exp(const Term &x) {
  Term large = x > 40;
  return select(large, x, log1p(exp(select(large, x.like(0), x))));
}

/// expm1(x) where x <= 0, else 0.
Term expm1_below_zero(const Term &x) {
  return expm1(select(x <= 0, x, x.like(0)));
}

/// Clamps x to [low, high]; at the bounds the derivative is 0.
Term between(const Term &x, const Term &low, const Term &high) {
  return select(x <= low, low, select(x >= high, high, x));
}

Tensor elu_like(const Tensor &self, const Scalar &alpha, double scale,
                bool scaled_inside) {
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  Term factor = joined.number(alpha);
  Term below = factor * expm1_below_zero(scaled_inside ? x / factor : x);
  Term result = select(x <= 0, below, x);
  return finish(joined, scale == 1 ? result : result * scale);
}

} // namespace

//===- Piecewise ----------------------------------------------------------===//

Tensor relu(const Tensor &self) {
  XLAC_CALL("relu");
  reject_bool(self);
  reject_complex(self);
  Joined joined = join({self});
  const Term &x = joined[0];
  // Not a maximum: the derivative at 0 must be 0, and NaN is kept.
  return finish(joined, select(x <= 0, x.like(0), x));
}

Tensor relu6(const Tensor &self) {
  XLAC_CALL("relu6");
  return hardtanh(self, 0, 6);
}

Tensor hardtanh(const Tensor &self, Scalar min_val, Scalar max_val) {
  XLAC_CALL("hardtanh");
  Joined joined = join_ordered(self);
  if (min_val.to<double>() > max_val.to<double>())
    raise<ValueError>("min_val cannot be greater than max_val");
  return finish(joined, between(joined[0], joined.number(min_val),
                                joined.number(max_val)));
}

Tensor leaky_relu(const Tensor &self, Scalar negative_slope) {
  XLAC_CALL("leaky_relu");
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  return finish(joined, select(x > 0, x, x * joined.number(negative_slope)));
}

Tensor prelu(const Tensor &self, const Tensor &weight) {
  XLAC_CALL("prelu");
  need_real_float(self);
  const Shape &sizes = impl_of(self).sizes, &given = impl_of(weight).sizes;
  if (impl_of(self).dtype != impl_of(weight).dtype)
    raise<DtypeError>("Type promoting not supported. Got torch." +
                      std::string(name(impl_of(self).dtype)) + " and torch." +
                      std::string(name(impl_of(weight).dtype)));
  if (given.size() > 1)
    raise<ShapeError>("Expected `weight` to be a scalar or 1D tensor, but got: "
                      "ndim = " +
                      std::to_string(given.size()));
  int64_t channels = sizes.size() > 1 ? sizes[1] : 1;
  int64_t count = weight.numel();
  if (count != 1 && (sizes.empty() || count != channels))
    raise<ShapeError>("Mismatch of parameter numbers and input channel size. "
                      "Found parameter numbers = " +
                      std::to_string(count) +
                      ", and channel size = " + std::to_string(channels));
  Joined joined = join_wide({self});
  const Term &x = joined[0];
  Shape lined(std::min<size_t>(sizes.size(), 2), 1);
  lined.resize(std::max<size_t>(sizes.size(), 1), 1);
  if (sizes.size() > 1)
    lined[1] = count;
  Value slopes = value_on(weight, joined.device, joined.dtype);
  Term slope{build::broadcast_to(
      build::reshape(slopes, sizes.empty() ? Shape() : lined), x.dims())};
  return finish(joined, select(x > 0, x, slope.to(x.type()) * x));
}

Tensor threshold(const Tensor &self, Scalar threshold, Scalar value) {
  XLAC_CALL("threshold");
  Joined joined = join_ordered(self);
  const Term &x = joined[0];
  return finish(joined,
                select(x <= joined.number(threshold), joined.number(value), x));
}

Tensor hardsigmoid(const Tensor &self) {
  XLAC_CALL("hardsigmoid");
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  return finish(joined, between(x + 3, x.like(0), x.like(6)) / 6);
}

Tensor hardswish(const Tensor &self) {
  XLAC_CALL("hardswish");
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  Term curve = x * (x + 3) / 6;
  return finish(joined, select(x <= -3, x.like(0), select(x >= 3, x, curve)));
}

Tensor hardshrink(const Tensor &self, Scalar lambd) {
  XLAC_CALL("hardshrink");
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  Term bound = joined.number(lambd);
  return finish(joined, select((x >= -bound) & (x <= bound), x.like(0), x));
}

Tensor softshrink(const Tensor &self, Scalar lambd) {
  XLAC_CALL("softshrink");
  Joined joined = join_activation(self);
  if (lambd.to<double>() < 0)
    raise<ValueError>("lambda must be greater or equal to 0, but found to be " +
                      std::to_string(lambd.to<double>()) + ".");
  const Term &x = joined[0];
  Term bound = joined.number(lambd);
  Term inside = select(is_nan(x), x, x.like(0));
  return finish(joined, select(x > bound, x - bound,
                               select(x < -bound, x + bound, inside)));
}

//===- Smooth -------------------------------------------------------------===//

Tensor tanhshrink(const Tensor &self) {
  XLAC_CALL("tanhshrink");
  reject_bool(self);
  Joined joined = join_wide({self});
  return finish(joined, joined[0] - tanh(joined[0]));
}

Tensor softsign(const Tensor &self) {
  XLAC_CALL("softsign");
  reject_bool(self);
  reject_complex(self);
  Joined joined = join_wide({self});
  return finish(joined, joined[0] / (abs(joined[0]) + 1));
}

Tensor elu(const Tensor &self, Scalar alpha) {
  XLAC_CALL("elu");
  return elu_like(self, alpha, 1, false);
}

Tensor selu(const Tensor &self) {
  XLAC_CALL("selu");
  // The constants for the fixed point of mean 0 and variance 1 (Klambauer et
  // al., 2017).
  constexpr double kAlpha = 1.6732632423543772848170429916717;
  constexpr double kScale = 1.0507009873554804934193349852946;
  return elu_like(self, kAlpha, kScale, false);
}

Tensor celu(const Tensor &self, Scalar alpha) {
  XLAC_CALL("celu");
  if (alpha.to<double>() == 0)
    raise<ValueError>("ZeroDivisionError: alpha cannot be 0 for CELU");
  return elu_like(self, alpha, 1, true);
}

Tensor gelu(const Tensor &self, std::string approximate) {
  XLAC_CALL("gelu");
  if (approximate != "none" && approximate != "tanh")
    raise<ValueError>("approximate argument must be either none or tanh.");
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  if (approximate == "none")
    return finish(
        joined,
        x * 0.5 * (apply(OpKind::ChloErf, x * (std::numbers::sqrt2 / 2)) + 1));
  double factor = std::numbers::sqrt2 * std::numbers::inv_sqrtpi;
  Term inner = (x + x * x * x * 0.044715) * factor;
  return finish(joined, x * 0.5 * (tanh(inner) + 1));
}

Tensor silu(const Tensor &self) {
  XLAC_CALL("silu");
  need_float(self);
  Joined joined = join_wide({self});
  return finish(joined, joined[0] * logistic(joined[0]));
}

Tensor softplus(const Tensor &self, Scalar beta, Scalar threshold) {
  XLAC_CALL("softplus");
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  Term factor = joined.number(beta);
  Term scaled = x * factor;
  Term linear = scaled > joined.number(threshold);
  Term curve = log1p(exp(select(linear, x.like(0), scaled))) / factor;
  return finish(joined, select(linear, x, curve));
}

Tensor mish(const Tensor &self) {
  XLAC_CALL("mish");
  Joined joined = join_activation(self);
  const Term &x = joined[0];
  return finish(joined, x * tanh(log_one_plus_exp(x)));
}

Tensor logsigmoid(const Tensor &self) {
  XLAC_CALL("logsigmoid");
  Joined joined = join_activation(self);
  return finish(joined, -log_one_plus_exp(-joined[0]));
}

Tensor glu(const Tensor &self, int64_t dim) {
  XLAC_CALL("glu");
  need_float(self);
  const Shape &sizes = impl_of(self).sizes;
  if (sizes.empty())
    raise<ShapeError>("glu does not support 0-dimensional tensors");
  dim = wrap_dim(dim, static_cast<int64_t>(sizes.size()));
  if (sizes[dim] % 2 != 0)
    raise<ShapeError>("Halving dimension must be even, but dimension " +
                      std::to_string(dim) + " is size " +
                      std::to_string(sizes[dim]));
  Joined joined = join_wide({self});
  Shape starts(sizes.size(), 0), middle = sizes, steps(sizes.size(), 1);
  middle[dim] = sizes[dim] / 2;
  Term first{build::slice(joined[0].value, starts, middle, steps)};
  starts[dim] = middle[dim];
  Term second{build::slice(joined[0].value, starts, sizes, steps)};
  return finish(joined, first * logistic(second));
}

Tensor softmin(const Tensor &self, int64_t dim, std::optional<Dtype> dtype) {
  XLAC_CALL("softmin");
  return softmax(neg(self), dim, dtype);
}

} // namespace xlac
