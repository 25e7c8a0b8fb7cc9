// Inverse trigonometric functions. The f64 versions all compute the angle of a
// point.
#include "VectorMathDoubleDouble.h"

#include <optional>

namespace xlac::codegen {

/// Approximates (atan(x) / x - 1) / x^2 as a polynomial in x^2 for |x| <= 1,
/// for f32. Error 3e-9.
static constexpr double kArcTangent[] = {
    -0.333332986f,  0.199985296f,   -0.142640159f,
    0.109508805f,   -0.0839930624f, 0.0578813814f,
    -0.0310969613f, 0.0108686602f,  -0.00178281229f};
/// Approximates (asin(x) / x - 1) / x^2 as a polynomial in x^2 for |x| <= 1/2,
/// for f32. Error 5e-9.
static constexpr double kArcSine[] = {
    0.166667521f, 0.0749530941f, 0.0454691537f, 0.0241847411f, 0.0421583988f};
/// Pi as the sum of two f32 numbers.
static constexpr double kPiF32 = 0x1.921fb6p+1;
static constexpr double kPiRest = -0x1.777a5cp-24;
/// Approximates (atan(x) / x - 1) / x^2 as a polynomial in x^2 for |x| <= 1 /
/// 8, for f64. Error 5e-18.
static constexpr double kArcTangentWide[] = {
    -0.33333333333333333173, 0.19999999999998996278,   -0.14285714284690633046,
    0.11111110719333885672,  -0.090908376101051100913, 0.076855988845505953818,
    -0.063528550965198292058};
/// atan(k / 4) for k = 1 to 4.
static constexpr DoubleDoubleConstant kArcTangents[] = {
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/// Returns the angle between the x axis and a point in the upper half plane, in
/// f32. `left` mirrors the point. Without `left`, x must not be zero.
static Num singleAngle(Num up, Num right, std::optional<Num> left) {
  Num steep = up > right;
  Num high = select(steep, up, right), low = select(steep, right, up);
  Num t = low / high;
  // Two infinities count as the diagonal, and two zeros as angle zero.
  if (left)
    t = select(low == high, select(high == 0.0, high, 1.0), t);
  Num square = t * t;
  Num angle = fma(t * square, polynomial(square, kArcTangent), t);
  Num start = up.like(0.0), back = steep;
  if (left) {
    start = select(*left, up.like(kPiF32), start);
    back = back ^ *left;
  }
  start = select(steep, kPiF32 / 2, start);
  // The low part of pi is the same fraction of each start.
  Num rest = select(back, -angle, angle);
  return start + fma(start, up.like(kPiRest / kPiF32), rest);
}

/// Returns atan(low / high) for 0 <= low <= high, high > 0, with an error of
/// 2^-60. low and high must be between 2^-900 and 2^900.
static DoubleDouble fineOctant(DoubleDouble low, DoubleDouble high) {
  // If c is the nearest quarter to the tangent, the remaining angle is
  // atan((low - c high) / (high + c low)).
  Num number = roundEven(low.high / high.high * 4.0);
  Num c = number * 0.25;
  DoubleDouble rest = (low - high * c) / (high + low * c);
  DoubleDouble start = {c.like(0.0), c.like(0.0)};
  for (unsigned k = 1; k <= 4; ++k)
    start = select(number == double(k),
                   doubleDoubleLike(c, kArcTangents[k - 1]), start);
  Num square = rest.high * rest.high;
  Num tail = rest.high * square * polynomial(square, kArcTangentWide);
  DoubleDouble sum = twoSum(start.high, rest.high);
  return fastTwoSum(sum.high, sum.low + ((start.low + rest.low) + tail));
}

namespace {
/// Two sorted coordinates without infinities, and not both zero.
struct Octant {
  DoubleDouble low, high;
  Num steep; ///< mask: `low` is the second argument of octantOf
};
} // namespace

/// The coordinates must not be negative.
static Octant octantOf(DoubleDouble up, DoubleDouble right) {
  Num steep = up.high > right.high;
  DoubleDouble high = select(steep, up, right), low = select(steep, right, up);
  Num infinite = isInf(high.high);
  // Two infinities count as the diagonal, and two zeros as angle zero.
  Num one = high.high.like(1.0), zero = high.high.like(0.0);
  Num both = infinite & isInf(low.high);
  low = select(both, DoubleDouble{one, zero}, low);
  low = select(infinite & !both, DoubleDouble{zero, zero}, low);
  high = select(infinite | (high.high == 0.0), DoubleDouble{one, zero}, high);
  return {low, high, steep};
}

/// Returns the angle between the x axis and a point in the upper half plane.
/// `left` mirrors the point.
static DoubleDouble halfPlaneAngle(DoubleDouble up, DoubleDouble right,
                                   Num left) {
  Octant octant = octantOf(up, right);
  auto [low, high, steep] = octant;
  Num huge = high.high > 0x1p500, little = high.high < 0x1p-500;
  Num factor = select(huge, high.high.like(0x1p-600),
                      select(little, 0x1p600, high.high.like(1.0)));
  DoubleDouble angle = fineOctant({low.high * factor, low.low * factor},
                                  {high.high * factor, high.low * factor});
  angle = select(steep, doubleDoubleLike(factor, kHalfPiDoubleDouble) - angle,
                 angle);
  angle =
      select(left, doubleDoubleLike(factor, kPiDoubleDouble) - angle, angle);
  // A small quotient equals its angle. The division also rounds denormal
  // results correctly.
  Num quotient = low.high / high.high;
  Num small = (quotient < 0x1p-30) & !(steep | left);
  return select(small, doubleDoubleOf(quotient), angle);
}

DoubleDouble atan2DoubleDouble(Num y, Num x) {
  DoubleDouble angle = halfPlaneAngle(doubleDoubleOf(abs(y)),
                                      doubleDoubleOf(abs(x)), isNegative(x));
  Num nan = isNan(y) | isNan(x);
  angle = select(isNegative(y), -angle, angle);
  return select(nan, doubleDoubleOf(y + x), angle);
}

Num atan2(Num y, Num x) {
  if (x.isDouble())
    return atan2DoubleDouble(y, x).high;
  return copysign(singleAngle(abs(y), abs(x), isNegative(x)), y);
}

Num atan(Num x) {
  if (x.isDouble())
    return atan2DoubleDouble(x, x.like(1.0)).high;
  return copysign(singleAngle(abs(x), x.like(1.0), std::nullopt), x);
}

/// Returns sqrt(1 - x^2) for |x| <= 1.
static DoubleDouble otherSide(Num x) {
  DoubleDouble rest = doubleDoubleOf(x.like(1.0)) - twoProduct(x, x);
  return select(rest.high > 0.0, sqrt(rest), doubleDoubleOf(x.like(0.0)));
}

namespace {
/// Parts of asin for f32. Up to 1/2, asin is root + rest. Beyond, it is pi / 2
/// minus twice that sum.
struct HalfArc {
  Num root, rest;
  Num far; ///< mask: |x| is greater than 1/2
};
} // namespace

/// Returns NaN if |x| is greater than 1.
static HalfArc halfArc(Num size) {
  Num far = size > 0.5;
  Num square =
      select(far, fma(size, size.like(-0.5), size.like(0.5)), size * size);
  Num root = select(far, sqrt(square), size);
  return {root, root * square * polynomial(square, kArcSine), far};
}

static Num singleAsin(Num x) {
  auto [root, rest, far] = halfArc(abs(x));
  Num twice = root + root;
  Num angle = kPiF32 / 2 - twice;
  Num lost = ((kPiF32 / 2 - angle) - twice) + kPiRest / 2;
  angle = angle + fma(rest, x.like(-2.0), lost);
  return copysign(select(far, angle, root + rest), x);
}

Num asin(Num x) {
  if (!x.isDouble())
    return singleAsin(x);
  Num size = abs(x);
  Num angle =
      halfPlaneAngle(doubleDoubleOf(size), otherSide(size), size < 0.0).high;
  return select(size <= 1.0, copysign(angle, x), kNan);
}

static Num singleAcos(Num x) {
  auto [root, rest, far] = halfArc(abs(x));
  Num arc = root + rest;
  Num near = kPiF32 / 2 - (copysign(arc, x) - kPiRest / 2);
  Num twice = arc + arc;
  twice = select(x < 0.0, kPiF32 - (twice - kPiRest), twice);
  return select(far, twice, near);
}

Num acos(Num x) {
  if (!x.isDouble())
    return singleAcos(x);
  Num size = abs(x);
  Num angle =
      halfPlaneAngle(otherSide(size), doubleDoubleOf(size), x < 0.0).high;
  return select(size <= 1.0, angle, kNan);
}

} // namespace xlac::codegen
