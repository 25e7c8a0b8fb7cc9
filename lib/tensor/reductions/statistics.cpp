// Variances, norms and logarithms of sums.
#include "statistics.h"

#include <cmath>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace frontend {

Value power_value(const Value &base, double exponent, Device device) {
  double whole = std::nearbyint(exponent);
  Dtype dtype = *lazy::dtype_of_element(base.tensor().element);
  Value number = whole == exponent && std::abs(whole) < 64
                     ? build::constant(base.tensor().element, {}, exponent)
                     : number_value(exponent, dtype, device);
  return build::binary(OpKind::Power, base,
                       build::broadcast_to(number, base.tensor().dims));
}

Value norm_value(const Value &value, double p, const Shape &dims,
                 Device device) {
  bool complex = is_complex(value.tensor().element);
  if (p == 2)
    return safe_sqrt(sum_value(squared_magnitude(value), dims));
  if (p == 0) {
    Value present =
        build::compare(ComparisonDirection::NE, value, constant_like(value, 0));
    ElementType type = real_part_type(value.tensor().element);
    return sum_value(build::convert(present, type), dims);
  }
  Value sizes = complex ? safe_sqrt(squared_magnitude(value))
                        : build::unary(OpKind::Abs, value);
  if (p == 1)
    return sum_value(sizes, dims);
  if (std::isinf(p))
    return p > 0 ? max_value(sizes, dims) : min_value(sizes, dims);
  Value powers = power_value(sizes, p, device);
  if (p < 1) {
    // Elements that are 0 get no derivative, since the power has an infinite
    // one.
    Value absent =
        build::compare(ComparisonDirection::EQ, sizes, constant_like(sizes, 0));
    Value safe = build::select(absent, constant_like(sizes, 1), sizes);
    powers = build::select(absent, constant_like(sizes, p > 0 ? 0 : INFINITY),
                           power_value(safe, p, device));
  }
  Value total = sum_value(powers, dims);
  Value zero = constant_like(total, 0);
  Value none = build::compare(ComparisonDirection::EQ, total, zero);
  Value safe = build::select(none, constant_like(total, 1), total);
  // For p < 0 a total of 0 means that an element is infinite.
  Value root = power_value(safe, 1 / p, device);
  Value at_zero = p > 0 ? zero : constant_like(total, INFINITY);
  return build::select(none, at_zero, root);
}

} // namespace frontend

namespace {

/// The mean, and the sum of squared deviations divided by N - correction.
struct Moments {
  Reduction reduction;
  Value mean, variance;
  Dtype dtype, real;
};

Moments moments_of(const Tensor &self, IntArrayRef dims, Scalar correction) {
  Dtype dtype = impl_of(self).dtype;
  if (lazy::category(dtype) < 2)
    raise<DtypeError>("only support floating point and complex dtypes");
  Moments moments{prepare(self, dims, dtype), {}, {}, dtype, real_dtype(dtype)};
  const Reduction &r = moments.reduction;
  moments.mean = mean_value(r.value, r.dims);
  Value center = broadcast_along(moments.mean, r.sizes, r.dims);
  Value distance = build::binary(OpKind::Subtract, r.value, center);
  Value total = sum_value(squared_magnitude(distance), r.dims);
  auto count = static_cast<double>(count_along(r.sizes, r.dims));
  double divisor = std::max(0.0, count - correction.to<double>());
  moments.variance =
      build::binary(OpKind::Divide, total, constant_like(total, divisor));
  return moments;
}

std::tuple<Tensor, Tensor> with_mean(const Moments &m, const Value &spread_of,
                                     bool keepdim) {
  Value values[] = {spread_of, m.mean};
  Dtype dtypes[] = {m.real, m.dtype};
  for (int i = 0; i < 2; ++i) {
    if (keepdim)
      values[i] = keep_dims(values[i], m.reduction.sizes, m.reduction.dims);
    values[i] = build::convert(values[i], lazy::element_type(dtypes[i]));
  }
  std::vector<Tensor> results = finish_all(
      {values[0], values[1]}, m.reduction.device, {dtypes[0], dtypes[1]});
  return {results[0], results[1]};
}

Tensor norm_over(const Tensor &self, Scalar p, IntArrayRef dims, bool keepdim) {
  Dtype dtype = impl_of(self).dtype;
  expect_floating(dtype, true);
  return norm_of(self, p.to<double>(), dims, keepdim, dtype);
}

} // namespace

Tensor frontend::norm_of(const Tensor &self, double p, IntArrayRef dims,
                         bool keepdim, Dtype dtype) {
  Reduction r = prepare(self, dims, dtype);
  if (count_along(r.sizes, r.dims) == 0 && (p < 0 || std::isinf(p)))
    reject_empty(r.sizes, r.dims);
  return conclude(r, norm_value(r.value, p, r.dims, r.device), keepdim,
                  real_dtype(dtype));
}

//===- Variances ----------------------------------------------------------===//

Tensor var(const Tensor &self, IntArrayRef dims, Scalar correction,
           bool keepdim) {
  XLAC_CALL("var");
  Moments m = moments_of(self, dims, correction);
  return conclude(m.reduction, m.variance, keepdim, m.real);
}
Tensor std(const Tensor &self, IntArrayRef dims, Scalar correction,
           bool keepdim) {
  XLAC_CALL("std");
  Moments m = moments_of(self, dims, correction);
  return conclude(m.reduction, safe_sqrt(m.variance), keepdim, m.real);
}
std::tuple<Tensor, Tensor> var_mean(const Tensor &self, IntArrayRef dims,
                                    Scalar correction, bool keepdim) {
  XLAC_CALL("var_mean");
  Moments m = moments_of(self, dims, correction);
  return with_mean(m, m.variance, keepdim);
}
std::tuple<Tensor, Tensor> std_mean(const Tensor &self, IntArrayRef dims,
                                    Scalar correction, bool keepdim) {
  XLAC_CALL("std_mean");
  Moments m = moments_of(self, dims, correction);
  return with_mean(m, safe_sqrt(m.variance), keepdim);
}

//===- Log-sum-exp, norms -------------------------------------------------===//

Tensor logsumexp(const Tensor &self, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("logsumexp");
  Dtype dtype = floating_dtype(impl_of(self).dtype);
  expect_floating(dtype);
  Reduction r = prepare(self, dims, dtype);
  Value top = max_value(r.value, r.dims);
  // An infinite maximum would give NaN where the sum is ±infinity.
  Value size = build::unary(OpKind::Abs, top);
  Value infinite = build::compare(ComparisonDirection::EQ, size,
                                  constant_like(size, INFINITY));
  Value shift = build::select(infinite, constant_like(top, 0), top);
  Value low = build::binary(OpKind::Subtract, r.value,
                            broadcast_along(shift, r.sizes, r.dims));
  Value total = sum_value(build::unary(OpKind::Exponential, low), r.dims);
  Value result =
      build::binary(OpKind::Add, shift, build::unary(OpKind::Log, total));
  return conclude(r, result, keepdim, dtype);
}

Tensor norm(const Tensor &self, Scalar p) {
  XLAC_CALL("norm");
  return norm_over(self, p, Shape(), false);
}
Tensor norm(const Tensor &self, Scalar p, IntArrayRef dims, bool keepdim) {
  XLAC_CALL("norm");
  return norm_over(self, p, dims, keepdim);
}

Tensor dist(const Tensor &self, const Tensor &other, Scalar p) {
  XLAC_CALL("dist");
  return norm_over(xlac::sub(self, other), p, Shape(), false);
}

} // namespace xlac
