// Pointwise functions of one operand: roots, powers, rounding, angles, tests.
#include "xlac/tensor/terms.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace xlac {

using namespace frontend;

namespace {

/// Returns a copy: the result of rounding integers.
Tensor same_values(const Tensor &self) {
  Joined joined = join({self});
  return finish(joined, joined[0]);
}

/// For ceil, floor and the like: true for integers, which do not change.
/// Rejects complex numbers and booleans.
bool is_integral(const Tensor &self) {
  reject_complex(self);
  reject_bool(self);
  return lazy::category(impl_of(self).dtype) == 1;
}

Tensor rounded(const Tensor &self, Term (*formula)(const Term &)) {
  if (is_integral(self))
    return same_values(self);
  Joined joined = join({self});
  return finish(joined, formula(joined[0]));
}

/// A test of floats; its result for integers is `otherwise`.
Tensor float_test(const Tensor &self, bool otherwise,
                  Term (*formula)(const Term &)) {
  Joined joined = join({self});
  Dtype dtype = impl_of(self).dtype;
  if (lazy::category(dtype) < 2)
    return finish(joined, joined[0].to(ElementType::I1).like(otherwise), kBool);
  if (!is_complex(dtype))
    return finish(joined, formula(joined[0]), kBool);
  Term real = formula(apply(OpKind::Real, joined[0]));
  Term imaginary = formula(apply(OpKind::Imag, joined[0]));
  return finish(joined, otherwise ? real & imaginary : real | imaginary, kBool);
}

Tensor scaled_by(const Tensor &self, double factor) {
  reject_complex(self);
  Joined joined = join_wide({self});
  return finish(joined, joined[0] * factor);
}

/// A logarithm to another base.
Tensor scaled_log(const Tensor &self, double factor) {
  Joined joined = join_wide({self});
  return finish(joined, log(joined[0]) * factor);
}

} // namespace

//===- Powers and roots ---------------------------------------------------===//

Tensor square(const Tensor &self) {
  XLAC_CALL("square");
  Dtype dtype = impl_of(self).dtype == kBool ? kInt64 : impl_of(self).dtype;
  Joined joined = join_as({self}, dtype);
  return finish(joined, joined[0] * joined[0]);
}

Tensor reciprocal(const Tensor &self) {
  XLAC_CALL("reciprocal");
  Joined joined = join_floats({self});
  return finish(joined, 1 / joined[0]);
}

Tensor cbrt(const Tensor &self) {
  XLAC_CALL("cbrt");
  reject_complex(self);
  Joined joined = join_floats({self});
  return finish(joined, apply(OpKind::Cbrt, joined[0]));
}

Tensor log2(const Tensor &self) {
  XLAC_CALL("log2");
  return scaled_log(self, std::numbers::log2e);
}

Tensor log10(const Tensor &self) {
  XLAC_CALL("log10");
  return scaled_log(self, std::numbers::log10e);
}

Tensor exp2(const Tensor &self) {
  XLAC_CALL("exp2");
  Joined joined = join_floats({self});
  return finish(joined, apply(OpKind::Power, joined[0].like(2), joined[0]));
}

//===- Signs --------------------------------------------------------------===//

Tensor sgn(const Tensor &self) {
  XLAC_CALL("sgn");
  Joined joined = join({self});
  if (joined.dtype == kBool)
    return finish(joined, joined[0]);
  if (!is_signed(joined.dtype))
    return finish(joined, joined[0] != 0);
  if (is_complex(joined.dtype)) {
    Term size = abs(joined[0]);
    Term other = size > 0;
    Term unit =
        joined[0] / select(other, size, size.like(1)).to(joined[0].type());
    return finish(joined, select(other, unit, unit.like(0)));
  }
  Term sign = apply(OpKind::Sign, joined[0]);
  // The sign of NaN and of -0 is 0, as in PyTorch.
  if (is_floating_point(joined.dtype))
    sign = select(apply(OpKind::Abs, joined[0]) > 0, sign, sign.like(0));
  return finish(joined, sign);
}

Tensor sign(const Tensor &self) {
  XLAC_CALL("sign");
  if (is_complex(impl_of(self).dtype))
    raise<DtypeError>("Unlike NumPy, sign is not intended to support complex "
                      "numbers. Please use sgn instead.");
  return sgn(self);
}

Tensor signbit(const Tensor &self) {
  XLAC_CALL("signbit");
  reject_complex(self);
  Joined joined = join({self});
  if (is_floating_point(joined.dtype))
    return finish(joined, has_sign_bit(joined[0]), kBool);
  return finish(joined,
                is_signed(joined.dtype)
                    ? joined[0] < 0
                    : joined[0].to(ElementType::I1).like(false),
                kBool);
}

Tensor positive(const Tensor &self) {
  XLAC_CALL("positive");
  if (impl_of(self).dtype == kBool)
    raise<DtypeError>("The `+` operator, on a bool tensor is not supported.");
  return self;
}

Tensor angle(const Tensor &self) {
  XLAC_CALL("angle");
  Joined joined = join_floats({self});
  const Term &x = joined[0];
  if (!is_complex(joined.dtype))
    return finish(joined,
                  select(is_nan(x), x,
                         select(x < 0, x.like(std::numbers::pi), x.like(0))));
  Dtype dtype = joined.dtype == kComplex128 ? kFloat64 : kFloat32;
  Term real = apply(OpKind::Real, x), imag = apply(OpKind::Imag, x);
  // At 0 the signs of the parts determine the angle, and no gradient flows.
  Term at_zero = (real == 0) & (imag == 0);
  Term side = select(has_sign_bit(real), real.like(-1), real.like(1));
  return finish(joined,
                apply(OpKind::Atan2, select(at_zero, held(imag), imag),
                      select(at_zero, side, real)),
                dtype);
}

//===- Rounding -----------------------------------------------------------===//

Tensor ceil(const Tensor &self) {
  XLAC_CALL("ceil");
  return rounded(self, frontend::ceil);
}

Tensor floor(const Tensor &self) {
  XLAC_CALL("floor");
  return rounded(self, frontend::floor);
}

Tensor trunc(const Tensor &self) {
  XLAC_CALL("trunc");
  return rounded(self, truncated);
}

Tensor frac(const Tensor &self) {
  XLAC_CALL("frac");
  need_real_float(self);
  Joined joined = join({self});
  return finish(joined, joined[0] - truncated(joined[0]));
}

Tensor round(const Tensor &self, int64_t decimals) {
  XLAC_CALL("round");
  if (decimals == 0)
    return rounded(self, round_even);
  if (is_integral(self))
    raise<DtypeError>("decimals are for floating point tensors, got torch." +
                      std::string(name(impl_of(self).dtype)));
  Joined joined = join_wide({self});
  double tens =
      std::pow(10.0, static_cast<double>(decimals < 0 ? -decimals : decimals));
  const Term &x = joined[0];
  return finish(joined, decimals > 0 ? round_even(x * tens) / tens
                                     : round_even(x / tens) * tens);
}

//===- Tests --------------------------------------------------------------===//

Tensor isnan(const Tensor &self) {
  XLAC_CALL("isnan");
  return float_test(self, false, is_nan);
}

Tensor isinf(const Tensor &self) {
  XLAC_CALL("isinf");
  return float_test(self, false,
                    [](const Term &x) { return apply(OpKind::ChloIsInf, x); });
}

Tensor isfinite(const Tensor &self) {
  XLAC_CALL("isfinite");
  return float_test(self, true,
                    [](const Term &x) { return apply(OpKind::IsFinite, x); });
}

Tensor isposinf(const Tensor &self) {
  XLAC_CALL("isposinf");
  reject_complex(self);
  return float_test(self, false, [](const Term &x) {
    return apply(OpKind::ChloIsPosInf, x);
  });
}

Tensor isneginf(const Tensor &self) {
  XLAC_CALL("isneginf");
  reject_complex(self);
  return float_test(self, false, [](const Term &x) {
    return apply(OpKind::ChloIsNegInf, x);
  });
}

/// Replaces NaN and infinities of a real term.
static Term without_specials(const Term &x, double nan, double posinf,
                             double neginf) {
  Term result = select(is_nan(x), x.like(nan), x);
  result = select(apply(OpKind::ChloIsPosInf, x), x.like(posinf), result);
  return select(apply(OpKind::ChloIsNegInf, x), x.like(neginf), result);
}

Tensor nan_to_num(const Tensor &self, std::optional<double> nan,
                  std::optional<double> posinf, std::optional<double> neginf) {
  XLAC_CALL("nan_to_num");
  Dtype dtype = impl_of(self).dtype;
  if (lazy::category(dtype) < 2)
    return same_values(self);
  Joined joined = join({self});
  finfo limits(dtype);
  double high = posinf.value_or(limits.max), low = neginf.value_or(limits.min);
  auto replaced = [&](const Term &x) {
    return without_specials(x, nan.value_or(0), high, low);
  };
  if (!is_complex(dtype))
    return finish(joined, replaced(joined[0]));
  return finish(joined,
                apply(OpKind::Complex, replaced(apply(OpKind::Real, joined[0])),
                      replaced(apply(OpKind::Imag, joined[0]))));
}

//===- Bits and degrees ---------------------------------------------------===//

Tensor logical_not(const Tensor &self) {
  XLAC_CALL("logical_not");
  Joined joined = join({self});
  return finish(joined, !joined[0].to(ElementType::I1), kBool);
}

Tensor bitwise_not(const Tensor &self) {
  XLAC_CALL("bitwise_not");
  if (lazy::category(impl_of(self).dtype) > 1)
    raise<DtypeError>("not implemented for '" +
                      lazy::legacy_name(impl_of(self).dtype) + "'");
  Joined joined = join({self});
  return finish(joined, !joined[0]);
}

Tensor deg2rad(const Tensor &self) {
  XLAC_CALL("deg2rad");
  return scaled_by(self, std::numbers::pi / 180);
}

Tensor rad2deg(const Tensor &self) {
  XLAC_CALL("rad2deg");
  return scaled_by(self, 180 / std::numbers::pi);
}

} // namespace xlac
