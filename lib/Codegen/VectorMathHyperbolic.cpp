// Hyperbolic functions and their inverses; tanh lies beside exp.
#include "VectorMathPair.h"

namespace xlac::codegen {

/// (sinh(x) / x - 1) / x^2 against x^2 for |x| <= 1: 2e-21.
static constexpr double kSinh[] = {
    0.16666666666666666667,    0.0083333333333333333658,
    0.00019841269841269773197, 2.7557319224040338598e-6,
    2.5052108364058040751e-8,  1.605904839635056164e-10,
    7.6466253616566576563e-13, 2.8445264169895285633e-15};

/// (e^x + sign e^-x) / 2 for x >= 0.
static Num halfSum(Num x, double sign) {
  WideExponential e = expWide({x, x.like(0.0)});
  // e^-x in units of 2^exponent; past 2^-80 it is nothing.
  Num n = e.exponent;
  Num twice = addInt(n, n);
  Num small = lessInt(n, n.likeInt(40));
  Num unit = powerOfTwo(
      select(small, subInt(n.likeInt(0), twice), n.likeInt(0)), true);
  unit = select(small, unit * sign, 0.0);
  Num inverse = unit / e.mantissa.high;
  // The quotient is off by its rounding and by the mantissa's low part.
  Num rest = fma(-inverse, e.mantissa.high, unit) - inverse * e.mantissa.low;
  rest = rest / e.mantissa.high;
  Pair sum = fastSum(e.mantissa.high, inverse);
  e.mantissa = fastSum(sum.high, sum.low + (e.mantissa.low + rest));
  e.exponent = subInt(n, n.likeInt(1));
  return select(x == kInf, kInf, e.rounded());
}

Num sinh(Num x) {
  if (x.isDouble()) {
    Num size = abs(x);
    Num square = x * x;
    Num near = fma(size * square, polynomial(square, kSinh), size);
    Num result = select(size < 1.0, near, halfSum(size, -1.0));
    return select(isNan(x), x, copysign(result, x));
  }
  Num wide = widen(x);
  Num e = exp(abs(wide));
  Num square = wide * wide;
  Num series =
      abs(wide) * fma(square,
                      fma(square, wide.like(1.0 / 120), wide.like(1.0 / 6)),
                      wide.like(1.0));
  Num result = select(abs(wide) < 0x1p-6, series, (e - 1.0 / e) * 0.5);
  return narrow(copysign(result, wide));
}

Num cosh(Num x) {
  if (x.isDouble())
    return select(isNan(x), x, halfSum(abs(x), 1.0));
  Num e = exp(abs(widen(x)));
  return narrow((e + 1.0 / e) * 0.5);
}

/// log(x + root) where x^2 and 1 make the root's square; x from 0 on. Where
/// squares would overflow the root is x.
static Num logOfSum(Num x, double one) {
  Num large = x > 0x1p60;
  Num bounded = select(large, 1.0, x);
  Pair root = sqrt(twoProduct(bounded, bounded) + x.like(one));
  Pair zero = {x.like(0.0), x.like(0.0)};
  root = select(root.high > 0.0, root, zero);
  Pair sum = select(large, Pair{x, zero.high}, root + bounded);
  return logWide(sum, select(large, 1.0, x.like(0.0))).high;
}

Num asinh(Num x) {
  if (x.isDouble()) {
    Num size = abs(x);
    Num near = fma(size * x * x, x.like(-1.0 / 6), size);
    Num result = select(size < 0x1p-28, near, logOfSum(size, 1.0));
    return select(size < kInf, copysign(result, x), x);
  }
  Num wide = widen(x);
  Num size = abs(wide);
  Num square = wide * wide;
  Num series =
      size * fma(square, fma(square, wide.like(3.0 / 40), wide.like(-1.0 / 6)),
                 wide.like(1.0));
  Num result = log(size + sqrt(square + 1.0));
  return narrow(copysign(select(size < 0x1p-7, series, result), wide));
}

Num acosh(Num x) {
  if (x.isDouble()) {
    Num result = select(x > 1.0, logOfSum(x, -1.0), 0.0);
    result = select(x >= 1.0, result, kNan);
    return select(x == kInf, x, result);
  }
  Num t = widen(x) - 1.0;
  // Infinity less than nothing lost: t (t + 2) is infinite with x.
  Num result = log(1.0 + (t + sqrt(t * (t + 2.0))));
  return narrow(select(t < 0.0, kNan, result));
}

Num atanh(Num x) {
  Num wide = x.isDouble() ? x : widen(x);
  Num size = abs(wide);
  Num one = wide.like(1.0);
  if (x.isDouble()) {
    Pair ratio = twoSum(one, size) / twoSum(one, -size);
    Num result = logWide(ratio, wide.like(0.0)).high * 0.5;
    Num near = fma(size * x * x, x.like(1.0 / 3), size);
    result = select(size < 0x1p-28, near, result);
    result = select(size == 1.0, kInf, result);
    return select(size <= 1.0, copysign(result, x), kNan);
  }
  Num square = wide * wide;
  Num series =
      size * fma(square, fma(square, wide.like(0.2), wide.like(1.0 / 3)), one);
  Num result = log((1.0 + size) / (1.0 - size)) * 0.5;
  return narrow(copysign(select(size < 0x1p-7, series, result), wide));
}

} // namespace xlac::codegen
