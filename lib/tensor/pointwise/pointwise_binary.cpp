// Pointwise functions of two and three operands beyond plain arithmetic.
#include "xlac/tensor/terms.h"

#include <cmath>
#include <limits>
#include <numbers>

namespace xlac {

using namespace frontend;

namespace {

//===- Division -----------------------------------------------------------===//

/// True where `rest` is not 0 and its sign differs from the divisor's.
Term needs_step_down(const Term &rest, const Term &divisor) {
  return (rest != 0) & ((rest < 0) ^ (divisor < 0));
}

bool is_integral(const Term &x) { return is_integer(x.type()); }

/// Integer division rounded towards minus infinity; x / 0 gives -1.
Term integer_floor_divide(const Term &x, const Term &y) {
  Term quotient = x / y;
  if (is_unsigned_integer(x.type()))
    return quotient;
  Term down = needs_step_down(x % y, y) & (y != 0);
  return select(down, quotient - 1, quotient);
}

/// Floor division by the exact remainder, as in Python: floor(x / y) alone is
/// off by one where x / y rounds up to an integer.
Term float_floor_divide(const Term &x, const Term &y) {
  Term rest = x % y;
  Term quotient = (x - rest) / y;
  quotient = select(needs_step_down(rest, y), quotient - 1, quotient);
  Term whole = floor(quotient);
  whole = select(quotient - whole > 0.5, whole + 1, whole);
  Term plain = x / y;
  Term zero = select(has_sign_bit(plain), x.like(-0.0), x.like(0.0));
  return select(y == 0, plain, select(quotient == 0, zero, whole));
}

Term floor_quotient(const Term &x, const Term &y) {
  return is_integral(x) ? integer_floor_divide(x, y) : float_floor_divide(x, y);
}

Term trunc_quotient(const Term &x, const Term &y) {
  return is_integral(x) ? x / y : truncated(x / y);
}

/// Joins operands; rejects booleans and complex numbers.
Joined join_real(std::initializer_list<Argument> operands) {
  Joined joined = join(operands);
  if (joined.dtype == kBool || is_complex(joined.dtype))
    raise<DtypeError>("not implemented for '" +
                      lazy::legacy_name(joined.dtype) + "'");
  return joined;
}

/// Division whose result is rounded to an integer.
Tensor divide(Argument self, Argument other, const std::string &rounding_mode) {
  if (rounding_mode != "trunc" && rounding_mode != "floor")
    raise<ValueError>("expected rounding_mode to be one of None, 'trunc', or "
                      "'floor' but found '" +
                      rounding_mode + "'");
  Joined joined = join_real({self, other});
  return finish(joined, rounding_mode == "floor"
                            ? floor_quotient(joined[0], joined[1])
                            : trunc_quotient(joined[0], joined[1]));
}

/// The remainder with the divisor's sign, as Python's %.
Tensor modulo(Argument self, Argument other) {
  Joined joined = join_real({self, other});
  Term rest = joined[0] % joined[1];
  if (is_unsigned_integer(rest.type()))
    return finish(joined, rest);
  return finish(
      joined, select(needs_step_down(rest, joined[1]), rest + joined[1], rest));
}

Tensor c_modulo(Argument self, Argument other) {
  Joined joined = join_real({self, other});
  return finish(joined, joined[0] % joined[1]);
}

//===- Powers -------------------------------------------------------------===//

/// Computes x to a small integer power by multiplications.
Term small_power(const Term &x, int exponent) {
  Term even = x * x;
  if (exponent == 2)
    return even;
  return exponent == 3 ? even * x : even * even;
}

/// Computes x ** exponent if a few operations suffice, else returns nothing.
std::optional<Term> easy_power(const Term &x, double exponent, bool whole) {
  if (exponent == 1)
    return x;
  if (exponent == 2 || exponent == 3 || exponent == 4)
    return small_power(x, static_cast<int>(exponent));
  if (whole)
    return std::nullopt;
  if (exponent == -1)
    return 1 / x;
  if (exponent == -2)
    return 1 / (x * x);
  if (exponent == 0.5)
    return sqrt(x);
  if (exponent == -0.5)
    return apply(OpKind::Rsqrt, x);
  return std::nullopt;
}

bool is_whole_number(const Scalar &number) {
  return lazy::category(lazy::dtype_of_number(number)) < 2;
}

Tensor power_of_number(const Tensor &self, const Scalar &exponent) {
  Joined joined = widened(join_as({self}, result_dtype({self, exponent})));
  const Term &x = joined[0];
  bool whole = lazy::category(joined.dtype) < 2;
  if (joined.dtype == kBool)
    raise<DtypeError>("not implemented for 'Bool'");
  auto number = exponent.to<std::complex<double>>();
  if (whole && number.real() < 0)
    raise<ValueError>("Integers to negative integer powers are not allowed.");
  bool real = number.imag() == 0;
  std::optional<Term> easy;
  if (real)
    easy = easy_power(x, number.real(), whole);
  if (easy)
    return finish(joined, *easy);
  // An integer exponent is a constant of the program.
  Term power = is_whole_number(exponent) || number == 0.0
                   ? x.like(exponent)
                   : joined.number(exponent);
  return finish(joined, apply(OpKind::Power, x, power));
}

Tensor power(Argument self, Argument exponent) {
  Joined joined = join({self, exponent});
  if (joined.dtype == kBool)
    raise<DtypeError>("not implemented for 'Bool'");
  return finish(joined, apply(OpKind::Power, joined[0], joined[1]));
}

Dtype doubled(const Tensor &self) {
  return is_complex(impl_of(self).dtype) ? kComplex128 : kFloat64;
}

/// Applies one op to two real floats.
Tensor float_binary(OpKind op, const Tensor &self, const Tensor &other) {
  reject_complex(self);
  reject_complex(other);
  Joined joined = join_floats({self, other});
  return finish(joined, apply(op, joined[0], joined[1]));
}

} // namespace

//===- Division -----------------------------------------------------------===//

Tensor div(const Tensor &self, const Tensor &other,
           std::optional<std::string> rounding_mode) {
  XLAC_CALL("div");
  return rounding_mode ? divide(self, other, *rounding_mode) : div(self, other);
}
Tensor div(const Tensor &self, Scalar other,
           std::optional<std::string> rounding_mode) {
  XLAC_CALL("div");
  return rounding_mode ? divide(self, other, *rounding_mode) : div(self, other);
}
Tensor floor_divide(const Tensor &self, const Tensor &other) {
  XLAC_CALL("floor_divide");
  return divide(self, other, "floor");
}
Tensor floor_divide(const Tensor &self, Scalar other) {
  XLAC_CALL("floor_divide");
  return divide(self, other, "floor");
}
Tensor remainder(const Tensor &self, const Tensor &other) {
  XLAC_CALL("remainder");
  return modulo(self, other);
}
Tensor remainder(const Tensor &self, Scalar other) {
  XLAC_CALL("remainder");
  return modulo(self, other);
}
Tensor remainder(Scalar self, const Tensor &other) {
  XLAC_CALL("remainder");
  return modulo(self, other);
}
Tensor fmod(const Tensor &self, const Tensor &other) {
  XLAC_CALL("fmod");
  return c_modulo(self, other);
}
Tensor fmod(const Tensor &self, Scalar other) {
  XLAC_CALL("fmod");
  return c_modulo(self, other);
}

//===- Powers -------------------------------------------------------------===//

Tensor pow(const Tensor &self, const Tensor &exponent) {
  XLAC_CALL("pow");
  return power(self, exponent);
}
Tensor pow(const Tensor &self, Scalar exponent) {
  XLAC_CALL("pow");
  return power_of_number(self, exponent);
}
Tensor pow(Scalar self, const Tensor &exponent) {
  XLAC_CALL("pow");
  return power(self, exponent);
}

Tensor float_power(const Tensor &self, const Tensor &exponent) {
  XLAC_CALL("float_power");
  return pow(self.to(doubled(self)), exponent.to(doubled(exponent)));
}
Tensor float_power(const Tensor &self, Scalar exponent) {
  XLAC_CALL("float_power");
  return power_of_number(self.to(doubled(self)), exponent);
}
Tensor float_power(Scalar self, const Tensor &exponent) {
  XLAC_CALL("float_power");
  return power(self, exponent.to(doubled(exponent)));
}

Tensor ldexp(const Tensor &self, const Tensor &other) {
  XLAC_CALL("ldexp");
  Tensor scale = power(Scalar(2.0), other);
  Joined joined = join({self, scale});
  return finish(joined, joined[0] * joined[1]);
}

//===- Angles and adjacent numbers ----------------------------------------===//

Tensor atan2(const Tensor &self, const Tensor &other) {
  XLAC_CALL("atan2");
  return float_binary(OpKind::Atan2, self, other);
}

Tensor nextafter(const Tensor &self, const Tensor &other) {
  XLAC_CALL("nextafter");
  need_real_float(self);
  need_real_float(other);
  return float_binary(OpKind::ChloNextAfter, self, other);
}

Tensor hypot(const Tensor &self, const Tensor &other) {
  XLAC_CALL("hypot");
  need_real_float(self);
  need_real_float(other);
  Joined joined = join_wide({self, other});
  const Term &a = joined[0], &b = joined[1];
  Term infinite = apply(OpKind::ChloIsInf, a) | apply(OpKind::ChloIsInf, b);
  // The greater magnitude is factored out, so that squares do not overflow. The
  // smaller operand keeps its sign: its magnitude would have no second
  // derivative at 0.
  Term swapped = (abs(a) < abs(b)) | is_nan(b);
  Term high = abs(select(swapped, b, a)), low = select(swapped, a, b);
  Term ratio = low / select(high == 0, high.like(1), high);
  Term size = high * sqrt(ratio * ratio + 1);
  // At 0 the derivative is 0 / 0, as in PyTorch.
  Term at_zero = high == 0;
  Term square = select(at_zero, a * a + b * b, high.like(1));
  size = select(at_zero, sqrt(square), size);
  return finish(
      joined,
      select(infinite, a.like(std::numeric_limits<double>::infinity()), size));
}

static Tensor with_sign_of(Argument self, Argument other) {
  Joined joined = join_floats({self, other});
  if (is_complex(joined.dtype))
    raise<DtypeError>("complex numbers have no sign");
  Term size = abs(joined[0]);
  return finish(joined, select(has_sign_bit(joined[1]), -size, size));
}

Tensor copysign(const Tensor &self, const Tensor &other) {
  XLAC_CALL("copysign");
  return with_sign_of(self, other);
}
Tensor copysign(const Tensor &self, Scalar other) {
  XLAC_CALL("copysign");
  return with_sign_of(self, other);
}

//===- Three operands -----------------------------------------------------===//

/// Computes each half from its own end, so that both ends are exact.
static Tensor interpolated(const Tensor &self, const Tensor &end,
                           Argument weight) {
  if (impl_of(self).dtype != impl_of(end).dtype)
    raise<DtypeError>(
        "expected dtype " + std::string(name(impl_of(self).dtype)) +
        " for `end` but got dtype " + std::string(name(impl_of(end).dtype)));
  need_float(self);
  Joined joined = join_wide({self, end, weight});
  const Term &x = joined[0], &y = joined[1], &w = joined[2];
  Term step = y - x;
  Term size = is_complex(joined.dtype) ? abs(w) : w;
  return finish(joined, select(size < 0.5, x + w * step, y - step * (1 - w)));
}

Tensor lerp(const Tensor &self, const Tensor &end, const Tensor &weight) {
  XLAC_CALL("lerp");
  return interpolated(self, end, weight);
}
Tensor lerp(const Tensor &self, const Tensor &end, Scalar weight) {
  XLAC_CALL("lerp");
  return interpolated(self, end, weight);
}

Tensor addcmul(const Tensor &self, const Tensor &tensor1, const Tensor &tensor2,
               Scalar value) {
  XLAC_CALL("addcmul");
  Joined joined = widened(join({self, tensor1, tensor2}));
  Term product = joined[1] * joined[2];
  return finish(joined, joined[0] + joined.number(value) * product);
}

Tensor addcdiv(const Tensor &self, const Tensor &tensor1, const Tensor &tensor2,
               Scalar value) {
  XLAC_CALL("addcdiv");
  if (lazy::category(impl_of(tensor1).dtype) < 2 &&
      lazy::category(impl_of(tensor2).dtype) < 2)
    raise<DtypeError>("Integer division with addcdiv is no longer supported");
  Joined joined = join_wide({self, tensor1, tensor2});
  return finish(joined,
                joined[0] + joined.number(value) * (joined[1] / joined[2]));
}

} // namespace xlac
