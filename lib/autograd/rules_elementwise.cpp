// Gradient rules of elementwise ops. For complex functions the gradient is the
// conjugate of the derivative times the incoming gradient, as in PyTorch.
#include "rules.h"

#include "xlac/tensor/bessel.h"

#include <numbers>

namespace xlac::autograd {

using ops::ComparisonDirection;

namespace {

/// grad * conj(derivative).
Value chain(const Step &step, const Value &derivative) {
  return mul(step.grad(), conj(derivative));
}

Value select(const Value &predicate, const Value &a, const Value &b) {
  return build::select(predicate, a, b);
}

//===- One operand --------------------------------------------------------===//

Grads abs_rule(const Step &step) {
  const Value &x = step.operand(0);
  if (!is_complex(element_of(x))) {
    // 0 at 0, and for NaN too.
    Value zero = number_like(x, 0);
    Value sign = select(compare(ComparisonDirection::GT, step.result(), zero),
                        unary(OpKind::Sign, x), zero);
    return {mul(step.grad(), sign)};
  }
  // x / |x|, and 0 at 0.
  Value zero = compare(ComparisonDirection::EQ, step.result(),
                       number_like(step.result(), 0));
  Value size = select(zero, number_like(step.result(), 1), step.result());
  Value scaled = div(step.grad(), size);
  Value wide = binary(OpKind::Complex, scaled, number_like(scaled, 0));
  return {mul(wide, x)};
}

Grads negate_rule(const Step &step) { return {neg(step.grad())}; }
Grads exp_rule(const Step &step) { return {chain(step, step.result())}; }
Grads expm1_rule(const Step &step) {
  return {chain(step, add(step.result(), 1))};
}
Grads log_rule(const Step &step) {
  return {div(step.grad(), conj(step.operand(0)))};
}
Grads log1p_rule(const Step &step) {
  return {div(step.grad(), conj(add(step.operand(0), 1)))};
}
Grads logistic_rule(const Step &step) {
  Value y = step.result();
  return {chain(step, mul(y, sub(1, y)))};
}
Grads tanh_rule(const Step &step) {
  Value y = step.result();
  return {chain(step, sub(1, mul(y, y)))};
}
Grads tan_rule(const Step &step) {
  Value y = step.result();
  return {chain(step, add(mul(y, y), 1))};
}
Grads sine_rule(const Step &step) {
  return {chain(step, unary(OpKind::Cosine, step.operand(0)))};
}
Grads cosine_rule(const Step &step) {
  return {chain(step, neg(unary(OpKind::Sine, step.operand(0))))};
}
Grads sqrt_rule(const Step &step) {
  return {div(step.grad(), conj(mul(step.result(), 2)))};
}
Grads rsqrt_rule(const Step &step) {
  Value y = step.result();
  return {chain(step, mul(mul(y, mul(y, y)), -0.5))};
}
Grads cbrt_rule(const Step &step) {
  Value y = step.result();
  return {div(step.grad(), mul(mul(y, y), 3))};
}
Grads real_rule(const Step &step) {
  if (!is_complex(element_of(step.operand(0))))
    return {step.grad()};
  return {binary(OpKind::Complex, step.grad(), number_like(step.grad(), 0))};
}
Grads imag_rule(const Step &step) {
  if (!is_complex(element_of(step.operand(0))))
    return {};
  return {binary(OpKind::Complex, number_like(step.grad(), 0), step.grad())};
}
Grads conj_rule(const Step &step) { return {conj(step.grad())}; }
/// For integers, booleans and step functions, through which no gradient flows.
Grads zero_rule(const Step &) { return {}; }
Grads same_rule(const Step &step) { return {step.grad()}; }
Grads square_rule(const Step &step) {
  return {chain(step, mul(step.operand(0), 2))};
}

Grads convert_rule(const Step &step) {
  ElementType to = element_of(step.operand(0));
  if (!is_complex(to) && is_complex(element_of(step.grad())))
    return {build::convert(unary(OpKind::Real, step.grad()), to)};
  return {build::convert(step.grad(), to)};
}

//===- CHLO ops -----------------------------------------------------------===//

/// 1 - x^2, 1 + x^2, x^2 - 1.
Value one_minus_square(const Value &x) { return sub(1, mul(x, x)); }
Value one_plus_square(const Value &x) { return add(mul(x, x), 1); }

Grads asin_rule(const Step &step) {
  return {chain(step, unary(OpKind::Rsqrt, one_minus_square(step.operand(0))))};
}
Grads acos_rule(const Step &step) {
  return {neg(
      chain(step, unary(OpKind::Rsqrt, one_minus_square(step.operand(0)))))};
}
Grads atan_rule(const Step &step) {
  return {div(step.grad(), conj(one_plus_square(step.operand(0))))};
}
Grads asinh_rule(const Step &step) {
  return {chain(step, unary(OpKind::Rsqrt, one_plus_square(step.operand(0))))};
}
Grads acosh_rule(const Step &step) {
  const Value &x = step.operand(0);
  Value a = unary(OpKind::Rsqrt, add(x, -1));
  Value b = unary(OpKind::Rsqrt, add(x, 1));
  return {chain(step, mul(a, b))};
}
Grads atanh_rule(const Step &step) {
  return {div(step.grad(), conj(one_minus_square(step.operand(0))))};
}
Grads sinh_rule(const Step &step) {
  return {chain(step, unary(OpKind::ChloCosh, step.operand(0)))};
}
Grads cosh_rule(const Step &step) {
  return {chain(step, unary(OpKind::ChloSinh, step.operand(0)))};
}
/// 2 / sqrt(pi) * exp(-x^2).
Value gauss(const Value &x) {
  return mul(unary(OpKind::Exponential, neg(mul(x, x))),
             2 * std::numbers::inv_sqrtpi);
}
Grads erf_rule(const Step &step) {
  return {mul(step.grad(), gauss(step.operand(0)))};
}
Grads erfc_rule(const Step &step) {
  return {neg(mul(step.grad(), gauss(step.operand(0))))};
}
Grads erf_inv_rule(const Step &step) {
  Value y = step.result();
  return {mul(step.grad(), mul(unary(OpKind::Exponential, mul(y, y)),
                               1 / (2 * std::numbers::inv_sqrtpi)))};
}
Grads lgamma_rule(const Step &step) {
  return {mul(step.grad(), unary(OpKind::ChloDigamma, step.operand(0)))};
}
Grads digamma_rule(const Step &step) {
  const Value &x = step.operand(0);
  return {
      mul(step.grad(), binary(OpKind::ChloPolygamma, number_like(x, 1), x))};
}
Grads polygamma_rule(const Step &step) {
  const Value &n = step.operand(0), &x = step.operand(1);
  return {Value(),
          mul(step.grad(), binary(OpKind::ChloPolygamma, add(n, 1), x))};
}
Grads zeta_rule(const Step &step) {
  const Value &s = step.operand(0), &q = step.operand(1);
  return {Value(), neg(mul(step.grad(),
                           mul(s, binary(OpKind::ChloZeta, add(s, 1), q))))};
}
/// I0e - I1e (sgn x + 1 / x), with the limit 1/2 at 0; computed in f32 at
/// least.
Grads bessel_i1e_rule(const Step &step) {
  ElementType type = element_of(step.operand(0));
  ElementType wide = type == ElementType::F64 ? type : ElementType::F32;
  Value x = build::convert(step.operand(0), wide);
  Value zero = compare(ComparisonDirection::EQ, x, number_like(x, 0));
  // Where x is 0 the division uses 1 instead, so that the quotient is finite.
  Value safe = select(zero, number_like(x, 1), x);
  Value factor = add(unary(OpKind::Sign, x), div(number_like(x, 1), safe));
  Value slope = sub(frontend::bessel_i0e(x),
                    mul(unary(OpKind::ChloBesselI1e, x), factor));
  slope = select(zero, number_like(x, 0.5), slope);
  return {mul(step.grad(), build::convert(slope, type))};
}
Grads next_after_rule(const Step &step) { return {step.grad()}; }

//===- Two operands -------------------------------------------------------===//

Grads add_rule(const Step &step) { return {step.grad(), step.grad()}; }
Grads subtract_rule(const Step &step) {
  return {step.grad(), step.wanted[1] ? neg(step.grad()) : Value()};
}
Grads multiply_rule(const Step &step) {
  Grads grads(2);
  if (step.wanted[0])
    grads[0] = mul(step.grad(), conj(step.operand(1)));
  if (step.wanted[1])
    grads[1] = mul(step.grad(), conj(step.operand(0)));
  return grads;
}
Grads divide_rule(const Step &step) {
  Value b = conj(step.operand(1));
  Grads grads(2);
  Value over = div(step.grad(), b);
  if (step.wanted[0])
    grads[0] = over;
  if (step.wanted[1])
    grads[1] = neg(mul(over, conj(div(step.operand(0), step.operand(1)))));
  return grads;
}

/// Equal operands share the gradient; where one is NaN, both get all of it.
Grads extreme_rule(const Step &step, ComparisonDirection loses,
                   ComparisonDirection wins) {
  const Value &a = step.operand(0), &b = step.operand(1);
  Value half = mul(step.grad(), 0.5);
  Value equal = compare(ComparisonDirection::EQ, a, b);
  Value zero = number_like(step.grad(), 0);
  Grads grads(2);
  if (step.wanted[0])
    grads[0] =
        select(equal, half, select(compare(loses, a, b), zero, step.grad()));
  if (step.wanted[1])
    grads[1] =
        select(equal, half, select(compare(wins, a, b), zero, step.grad()));
  return grads;
}
Grads maximum_rule(const Step &step) {
  return extreme_rule(step, ComparisonDirection::LT, ComparisonDirection::GT);
}
Grads minimum_rule(const Step &step) {
  return extreme_rule(step, ComparisonDirection::GT, ComparisonDirection::LT);
}

Grads power_rule(const Step &step) {
  const Value &x = step.operand(0), &n = step.operand(1);
  Grads grads(2);
  Value zero = number_like(x, 0);
  if (step.wanted[0]) {
    // n * x^(n-1), and 0 for n = 0 and any x. There it computes x^1 instead,
    // whose derivative is finite.
    Value constant = compare(ComparisonDirection::EQ, n, zero);
    Value less = select(constant, number_like(n, 1), add(n, -1));
    Value slope = mul(n, binary(OpKind::Power, x, less));
    grads[0] = select(constant, zero, mul(step.grad(), conj(slope)));
  }
  if (step.wanted[1]) {
    // y * log x, but 0 where x is 0 and the exponent is not negative.
    Value slope = mul(step.result(), unary(OpKind::Log, x));
    Value at_zero = compare(ComparisonDirection::EQ, x, zero);
    if (!is_complex(element_of(x)))
      at_zero = binary(OpKind::And, at_zero,
                       compare(ComparisonDirection::GE, n, zero));
    grads[1] = select(at_zero, zero, mul(step.grad(), conj(slope)));
  }
  return grads;
}

Grads atan2_rule(const Step &step) {
  const Value &y = step.operand(0), &x = step.operand(1);
  Value size = add(mul(x, x), mul(y, y));
  // NaN where both are 0, as in PyTorch.
  Value over = div(step.grad(), size);
  return {mul(over, x), neg(mul(over, y))};
}

Grads remainder_rule(const Step &step) {
  Grads grads{step.grad(), Value()};
  if (step.wanted[1]) {
    Value quotient = div(step.operand(0), step.operand(1));
    Value whole = mul(unary(OpKind::Sign, quotient),
                      unary(OpKind::Floor, unary(OpKind::Abs, quotient)));
    grads[1] = neg(mul(step.grad(), whole));
  }
  return grads;
}

Grads complex_rule(const Step &step) {
  return {unary(OpKind::Real, step.grad()), unary(OpKind::Imag, step.grad())};
}

//===- Three operands -----------------------------------------------------===//

/// Broadcasts a predicate or bound of rank 0 to the shape.
Value like(const Value &value, const Value &shape) {
  return rank_of(value) == rank_of(shape)
             ? value
             : build::broadcast_in_dim(value, dims_of(shape), {});
}
Value folded(const Value &grad, const Value &operand) {
  return rank_of(grad) == rank_of(operand) ? grad : sum(grad, all_dims(grad));
}

Grads select_rule(const Step &step) {
  Value zero = number_like(step.grad(), 0);
  return {Value(), build::select(step.operand(0), step.grad(), zero),
          build::select(step.operand(0), zero, step.grad())};
}

Grads clamp_rule(const Step &step) {
  const Value &x = step.operand(1);
  Value low = like(step.operand(0), x), high = like(step.operand(2), x);
  Value under = compare(ComparisonDirection::LT, x, low);
  Value over = compare(ComparisonDirection::GT, x, high);
  Value outside = binary(OpKind::Or, under, over);
  Value zero = number_like(step.grad(), 0);
  return {folded(where(under, step.grad()), step.operand(0)),
          build::select(outside, zero, step.grad()),
          folded(where(over, step.grad()), step.operand(2))};
}

} // namespace

void add_elementwise_rules(RuleTable &table) {
#define XLAC_GRADIENT_RULE(kind, rule) table.set(OpKind::kind, rule);
#include "xlac/ops/elementwise_functions.inc"
}

} // namespace xlac::autograd
