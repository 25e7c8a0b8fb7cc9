// Hyperbolic functions and their inverses. tanh is in VectorMathExp.cpp.
#include "VectorMathDoubleDouble.h"

namespace xlac::codegen {

/// Approximates (sinh(x) / x - 1) / x^2 as a polynomial in x^2 for |x| <= 1,
/// for f64. Error 2e-21.
static constexpr double kSinh[] = {
    0.16666666666666666667,    0.0083333333333333333658,
    0.00019841269841269773197, 2.7557319224040338598e-6,
    2.5052108364058040751e-8,  1.605904839635056164e-10,
    7.6466253616566576563e-13, 2.8445264169895285633e-15};

/// Approximate (sinh(x) / x - 1) / x^2 and (cosh(x) - 1) / x^2 as polynomials
/// in x^2 for
/// x| <= 0.348. Errors 5e-11 and 1e-10.
static constexpr double kSinhF32[] = {0.166666672f, 0.00833317637f,
                                      0.0001997293f};
static constexpr double kCoshF32[] = {0.5f, 0.0416664556f, 0.00139358419f};

namespace {
struct SinhAndCosh {
  Num sinh, cosh;
};
} // namespace

/// Requires f32 lanes x >= 0, or NaN.
static SinhAndCosh singleSinhAndCosh(Num x) {
  // x = n log 2 + r. Beyond 89.5 both are infinite.
  ReducedExponent reduced = reduceExponent(select(x > 89.5, 89.5, x));
  Num n = reduced.exponent, r = reduced.rest;
  Num square = r * r;
  Num s = fma(r * square, polynomial(square, kSinhF32), r);
  Num c = square * polynomial(square, kCoshF32); // minus 1
  // A quarter of 2^n and 2^-n gives half of the results, so that the largest do
  // not overflow in between. For large n, 2^-n is negligible.
  Num up = powerOfTwo(subInt(n, n.likeInt(2)), false);
  Num least = n.likeInt(uint64_t(-127));
  Num down = subInt(n.likeInt(uint64_t(-2)), n);
  down = powerOfTwo(select(lessInt(down, least), least, down), false);
  Num sum = up + down, difference = up - down;
  Num differenceLost = (up - difference) - down;
  Num sinh = difference + (fma(c, difference, s * sum) + differenceLost);
  Num cosh = up + (fma(c, sum, s * difference) + down);
  return {sinh * 2.0, cosh * 2.0};
}

/// Returns (e^x + sign e^-x) / 2 for x >= 0.
static Num halfSum(Num x, double sign) {
  DoubleDoubleExp e = expDoubleDouble({x, x.like(0.0)});
  // e^-x in units of 2^exponent, negligible below 2^-80.
  Num n = e.exponent;
  Num twice = addInt(n, n);
  Num small = lessInt(n, n.likeInt(40));
  Num unit = powerOfTwo(
      select(small, subInt(n.likeInt(0), twice), n.likeInt(0)), true);
  unit = select(small, unit * sign, 0.0);
  Num inverse = unit / e.mantissa.high;
  // Correct the quotient for its rounding error and for the mantissa's low
  // part.
  Num rest = fma(-inverse, e.mantissa.high, unit) - inverse * e.mantissa.low;
  rest = rest / e.mantissa.high;
  DoubleDouble sum = fastTwoSum(e.mantissa.high, inverse);
  e.mantissa = fastTwoSum(sum.high, sum.low + (e.mantissa.low + rest));
  e.exponent = subInt(n, n.likeInt(1));
  return select(x == kInf, kInf, e.rounded());
}

Num sinh(Num x) {
  Num size = abs(x);
  if (!x.isDouble())
    return copysign(singleSinhAndCosh(size).sinh, x);
  Num square = x * x;
  Num near = fma(size * square, polynomial(square, kSinh), size);
  Num result = select(size < 1.0, near, halfSum(size, -1.0));
  return select(isNan(x), x, copysign(result, x));
}

Num cosh(Num x) {
  if (!x.isDouble())
    return singleSinhAndCosh(abs(x)).cosh;
  return select(isNan(x), x, halfSum(abs(x), 1.0));
}

/// Returns log(x + sqrt(x^2 + one)) for x >= 0. If squares would overflow, the
/// root is x.
static Num logOfSum(Num x, double one) {
  Num large = x > 0x1p60;
  Num bounded = select(large, 1.0, x);
  DoubleDouble root = sqrt(twoProduct(bounded, bounded) + x.like(one));
  DoubleDouble zero = {x.like(0.0), x.like(0.0)};
  root = select(root.high > 0.0, root, zero);
  DoubleDouble sum = select(large, DoubleDouble{x, zero.high}, root + bounded);
  return logDoubleDouble(sum, select(large, 1.0, x.like(0.0))).high;
}

/// Returns log(x) of f64 lanes x > 0, including infinity, accurate enough for
/// one rounding to f32.
static Num coarseLog(Num x) {
  auto [exponent, part] = scaledToOne(x);
  Num result = coarseLog2(smallIntToDouble(exponent), part);
  return select(x == kInf, x, result * 0x1.62e42fefa39efp-1);
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
  Num result = coarseLog(size + sqrt(square + 1.0));
  result = select(size < 0x1p-7, series, result);
  return narrow(select(isNan(wide), wide, copysign(result, wide)));
}

Num acosh(Num x) {
  if (x.isDouble()) {
    Num result = select(x > 1.0, logOfSum(x, -1.0), 0.0);
    result = select(x >= 1.0, result, kNan);
    return select(x == kInf, x, result);
  }
  Num t = widen(x) - 1.0;
  // If x is infinite, so is t (t + 2).
  Num result = coarseLog(1.0 + (t + sqrt(t * (t + 2.0))));
  return narrow(select(t >= 0.0, result, kNan));
}

Num atanh(Num x) {
  Num wide = x.isDouble() ? x : widen(x);
  Num size = abs(wide);
  Num one = wide.like(1.0);
  if (x.isDouble()) {
    DoubleDouble ratio = twoSum(one, size) / twoSum(one, -size);
    Num result = logDoubleDouble(ratio, wide.like(0.0)).high * 0.5;
    Num near = fma(size * x * x, x.like(1.0 / 3), size);
    result = select(size < 0x1p-28, near, result);
    result = select(size == 1.0, kInf, result);
    return select(size <= 1.0, copysign(result, x), kNan);
  }
  Num square = wide * wide;
  Num series =
      size * fma(square, fma(square, wide.like(0.2), wide.like(1.0 / 3)), one);
  Num result = coarseLog((1.0 + size) / (1.0 - size)) * 0.5;
  result = select(size < 0x1p-7, series, result);
  return narrow(select(size <= 1.0, copysign(result, wide), kNan));
}

} // namespace xlac::codegen
