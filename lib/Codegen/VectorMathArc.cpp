// Inverse circular functions, all from one angle of two coordinates.
#include "VectorMathPair.h"

namespace xlac::codegen {

/// (atan(x) / x - 1) / x^2 against x^2 for |x| <= tan(pi / 8): 2e-11.
static constexpr double kArcTangent[] = {
    -0.33333333331438261469, 0.19999998916092216563,   -0.14285612419143023092,
    0.11107492570710824034,  -0.090289516200012780875, 0.071351441597153826528,
    -0.040428425583640864699};
/// The same for |x| <= 1 / 8: 5e-18.
static constexpr double kArcTangentWide[] = {
    -0.33333333333333333173, 0.19999999999998996278,   -0.14285714284690633046,
    0.11111110719333885672,  -0.090908376101051100913, 0.076855988845505953818,
    -0.063528550965198292058};
/// atan(k / 4) for k = 1 to 4.
static constexpr WideConstant kArcTangents[] = {
    {0x1.f5b75f92c80ddp-3, 0x1.8ab6e3cf7afbdp-57},
    {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
    {0x1.4978fa3269ee1p-1, 0x1.2419a87f2a458p-56},
    {0x1.921fb54442d18p-1, 0x1.1a62633145c07p-55}};

/// atan(low / high) for 0 <= low <= high, high > 0, to about 1e-11: enough for
/// one rounding to f32.
static Num coarseOctant(Num low, Num high) {
  // Above tan(pi / 8) the angle is taken from the diagonal.
  Num far = low > high * 0x1.a827999fcef32p-2;
  Num t = select(far, low - high, low) / select(far, low + high, high);
  Num square = t * t;
  Num angle = fma(t * square, polynomial(square, kArcTangent), t);
  return select(far, angle + kHalfPiWide.high * 0.5, angle);
}

/// The same to 2^-60; low and high at 2^-900 to 2^900.
static Pair fineOctant(Pair low, Pair high) {
  // The tangent's nearest quarter c leaves atan((low - c high) /
  // (high + c low)).
  Num number = roundEven(low.high / high.high * 4.0);
  Num c = number * 0.25;
  Pair rest = (low - high * c) / (high + low * c);
  Pair start = {c.like(0.0), c.like(0.0)};
  for (unsigned k = 1; k <= 4; ++k)
    start =
        select(number == double(k), wideLike(c, kArcTangents[k - 1]), start);
  Num square = rest.high * rest.high;
  Num tail = rest.high * square * polynomial(square, kArcTangentWide);
  Pair sum = twoSum(start.high, rest.high);
  return fastSum(sum.high, sum.low + ((start.low + rest.low) + tail));
}

namespace {
/// Two coordinates, sorted and freed of infinities and of zero by zero.
struct Octant {
  Pair low, high;
  Num steep; ///< mask: low is the first coordinate's
};
} // namespace

/// Of coordinates that are not negative.
static Octant octantOf(Pair up, Pair right) {
  Num steep = up.high > right.high;
  Pair high = select(steep, up, right), low = select(steep, right, up);
  Num infinite = isInf(high.high);
  // Two infinities meet at the diagonal, two zeros at angle zero.
  Num one = high.high.like(1.0), zero = high.high.like(0.0);
  Num both = infinite & isInf(low.high);
  low = select(both, Pair{one, zero}, low);
  low = select(infinite & !both, Pair{zero, zero}, low);
  high = select(infinite | (high.high == 0.0), Pair{one, zero}, high);
  return {low, high, steep};
}

/// The angle with the axis of a point in the upper half plane; `left` mirrors
/// it. f32 needs no low parts.
static Pair halfPlaneAngle(Pair up, Pair right, Num left, bool fine) {
  Octant octant = octantOf(up, right);
  auto [low, high, steep] = octant;
  if (!fine) {
    Num angle = coarseOctant(low.high, high.high);
    angle = select(steep, kHalfPiWide.high - angle, angle);
    return pairOf(select(left, kPiWide.high - angle, angle));
  }
  Num huge = high.high > 0x1p500, little = high.high < 0x1p-500;
  Num factor = select(huge, high.high.like(0x1p-600),
                      select(little, 0x1p600, high.high.like(1.0)));
  Pair angle = fineOctant({low.high * factor, low.low * factor},
                          {high.high * factor, high.low * factor});
  angle = select(steep, wideLike(factor, kHalfPiWide) - angle, angle);
  angle = select(left, wideLike(factor, kPiWide) - angle, angle);
  // A small quotient is its own angle; the division rounds also denormals.
  Num quotient = low.high / high.high;
  Num small = (quotient < 0x1p-30) & !(steep | left);
  return select(small, pairOf(quotient), angle);
}

/// The angle of a point on `up`'s side of the axis.
static Pair angleOf(Num up, Num right, bool fine) {
  Pair angle = halfPlaneAngle(pairOf(abs(up)), pairOf(abs(right)),
                              isNegative(right), fine);
  Num nan = isNan(up) | isNan(right);
  angle = select(isNegative(up), -angle, angle);
  return select(nan, pairOf(up + right), angle);
}

Pair atan2Wide(Num y, Num x) { return angleOf(y, x, true); }

Num atan2(Num y, Num x) {
  if (x.isDouble())
    return angleOf(y, x, true).high;
  return narrow(angleOf(widen(y), widen(x), false).high);
}

Num atan(Num x) { return atan2(x, x.like(1.0)); }

/// sqrt(1 - x^2) for |x| <= 1; in f32 1e-16 is enough.
static Pair otherSide(Num x, bool fine) {
  if (!fine)
    return pairOf(sqrt((1.0 - x) * (1.0 + x)));
  Pair rest = pairOf(x.like(1.0)) - twoProduct(x, x);
  return select(rest.high > 0.0, sqrt(rest), pairOf(x.like(0.0)));
}

static Num wideAsin(Num x, bool fine) {
  Num size = abs(x);
  Num angle =
      halfPlaneAngle(pairOf(size), otherSide(size, fine), size < 0.0, fine)
          .high;
  return select(size <= 1.0, copysign(angle, x), kNan);
}

Num asin(Num x) {
  return x.isDouble() ? wideAsin(x, true) : narrow(wideAsin(widen(x), false));
}

static Num wideAcos(Num x, bool fine) {
  Num size = abs(x);
  Num angle =
      halfPlaneAngle(otherSide(size, fine), pairOf(size), x < 0.0, fine).high;
  return select(size <= 1.0, angle, kNan);
}

Num acos(Num x) {
  return x.isDouble() ? wideAcos(x, true) : narrow(wideAcos(widen(x), false));
}

} // namespace xlac::codegen
