// Trigonometric functions. The angle is reduced with about twice the precision
// of its type, and its low part is used as well. Large angles of f32 are
// reduced in f64.
#include "VectorMathDoubleDouble.h"

namespace xlac::codegen {

/// Approximate (1 - sin(x) / x) / x^2, (cos(x) - 1 + x^2 / 2) / x^4 and (tan(x)
/// / x - 1) / x^2 as polynomials in x^2 for |x| <= 0.79, for f32. Errors 4e-9,
/// 1e-10 and 1e-9.
static constexpr double kSine[] = {0.166666538f, -0.00833210628f,
                                   0.000195078828f};
static constexpr double kCosine[] = {0.0416666456f, -0.00138873036f,
                                     2.44312014e-05f};
static constexpr double kTangent[] = {
    0.333333522f,  0.13332577f,      0.0540698655f, 0.021230109f,
    0.0109722316f, -8.48057316e-05f, 0.00446282746f};
/// Approximate (sin(x) / x - 1) / x^2 and (cos(x) - 1 + x^2 / 2) / x^4 as
/// polynomials in x^2 for |x| <= pi / 4, for f64. Errors 7e-20 and 2e-20.
static constexpr double kSineWide[] = {
    -0.16666666666666666666,    0.008333333333333331491,
    -0.00019841269841265062561, 2.7557319219337310344e-6,
    -2.5052106231802837884e-8,  1.6058531516797759169e-10,
    -7.5866910941979583589e-13};
static constexpr double kCosineWide[] = {
    0.041666666666666666666,  -0.0013888888888888887865,
    2.4801587301584645102e-5, -2.7557319221401792411e-7,
    2.087675579072196362e-9,  -1.1470460830795304115e-11,
    4.7458685530816657964e-14};

namespace {
/// Sine and cosine of the reduced angle, before the quadrant's sign. Without
/// low parts for f32.
struct Quadrant {
  DoubleDouble sine, cosine;
  Num number; ///< integer lanes, of which the low two bits matter
};
} // namespace

/// `near`, and in the lanes of `far` the result of `reduce`, which is computed
/// only if there are such lanes.
static ReducedAngle reducedUnless(Num far, const ReducedAngle &near,
                                  llvm::function_ref<ReducedAngle()> reduce) {
  Nums angle = unlessAny(far, {near.angle, near.lost, near.quadrant}, [&] {
    ReducedAngle other = reduce();
    return Nums{select(far, other.angle, near.angle),
                select(far, other.lost, near.lost),
                select(far, other.quadrant, near.quadrant)};
  });
  return {angle[0], angle[1], angle[2]};
}

/// Subtracts whole quadrants from an f64 angle of any magnitude. Without
/// `fullPrecision`, the rounding error is not computed.
static ReducedAngle reduceDouble(Num x, bool fullPrecision) {
  Num shifted = fma(x, x.like(0x1.45f306dc9c883p-1), x.like(0x1.8p52));
  Num n = shifted - 0x1.8p52;
  // Pi / 2 in three parts. The first two have 33 bits, so products are exact
  // for |n| up to 2^20.
  constexpr double second = -0x1.0b4611a600000p-34;
  constexpr double third = -0x1.3198a2e037073p-69;
  Num first = fma(n, x.like(-0x1.921fb54400000p+0), x);
  Num coarse = fma(n, x.like(second), first);
  Num r = fma(n, x.like(third), coarse);
  Num lost = r.like(0.0);
  if (fullPrecision) {
    lost = fma(n, x.like(second), first - coarse);
    lost = fma(n, x.like(third), lost + (coarse - r));
  }
  return reducedUnless(!(abs(x) <= 0x1p20), {r, lost, toBits(shifted)},
                       [&] { return reduceLargeAngle(x); });
}

/// Reduces f32 angles of any magnitude in f64.
static ReducedAngle reduceSingleWidely(Num x) {
  auto [angle, lost, quadrant] = reduceDouble(widen(x), false);
  Num r = narrow(angle);
  return {r, -narrow(widen(r) - angle), lowHalf(quadrant)};
}

static ReducedAngle reduceSingle(Num x) {
  if (!hasFusedMultiply(x))
    return reduceSingleWidely(x);
  Num shifted = fma(x, x.like(0x1.45f306dc9c883p-1), x.like(0x1.8p23));
  Num n = shifted - 0x1.8p23;
  // Pi / 2 in three parts. The first difference is exact. The second keeps its
  // whole rounding error, because the first part may cancel the result.
  Num first = fma(n, x.like(-0x1.921fb4p+0), x);
  Num part = n * 0x1.4442d2p-24;
  Num partLost = fma(n, x.like(0x1.4442d2p-24), -part);
  partLost = fma(n, x.like(-0x1.ee59dap-50), partLost);
  Num r = first - part;
  // Negating twice gives the low part of -0 the correct sign.
  Num lost = -((part - (first - r)) + partLost);
  return reducedUnless(!(abs(x) <= 0x1p17), {r, lost, toBits(shifted)},
                       [&] { return reduceSingleWidely(x); });
}

static ReducedAngle reduceAngle(Num x) {
  return x.isDouble() ? reduceDouble(x, true) : reduceSingle(x);
}

/// Error 2^-56 in f64, 0.9 ULP in f32.
static Quadrant sineAndCosine(ReducedAngle reduced) {
  auto [r, lost, number] = reduced;
  Num square = r * r;
  Num half = square * 0.5;
  Num top = 1.0 - half;
  Num topLost = (1.0 - top) - half;
  if (!r.isDouble()) {
    // Subtracting in this order preserves -0.
    Num sine = r - fma(r, square * polynomial(square, kSine), -lost);
    Num rest = fma(square * square, polynomial(square, kCosine),
                   fma(-r, lost, topLost));
    return {doubleDoubleOf(sine), doubleDoubleOf(top + rest), number};
  }
  Num squareLost = twoProduct(r, r).low;
  Num sineRest = fma(r * square, polynomial(square, kSineWide), lost * top);
  Num cosineRest = fma(square * square, polynomial(square, kCosineWide),
                       -fma(r, lost, squareLost * 0.5));
  return {fastTwoSum(r, sineRest), fastTwoSum(top, topLost + cosineRest),
          number};
}

static Num isOdd(Num number) {
  Num one = number.likeInt(1);
  return equalInt(number & one, one);
}

/// Returns the sine of x plus `turns` quadrants.
static Num sineOrCosine(Num x, unsigned turns) {
  Quadrant q = sineAndCosine(reduceAngle(x));
  Num number = addInt(q.number, q.number.likeInt(turns));
  Num value = select(isOdd(number), q.cosine.high, q.sine.high);
  // The second bit of the number is the sign.
  Num sign = shiftLeft(number & number.likeInt(2), x.isDouble() ? 62 : 30);
  Num result = fromBits(toBits(value) ^ sign, x.isDouble());
  // The sum with the magic number loses the sign of -0.
  return turns == 0 && x.isDouble() ? select(x == 0.0, x, result) : result;
}

/// Rotates sine and cosine by the quadrant's number.
static SineAndCosine rotateToQuadrant(const Quadrant &q) {
  Num two = q.number.likeInt(2), odd = isOdd(q.number);
  Num back = equalInt(q.number & two, two);
  DoubleDouble sine = select(odd, q.cosine, q.sine);
  DoubleDouble cosine = select(odd, -q.sine, q.cosine);
  return {select(back, -sine, sine), select(back, -cosine, cosine)};
}

SineAndCosine sineAndCosineDoubleDouble(DoubleDouble angle) {
  ReducedAngle reduced = reduceAngle(angle.high);
  reduced.lost = reduced.lost + angle.low;
  return rotateToQuadrant(sineAndCosine(reduced));
}

SineAndCosine halfTurns(Num x) {
  x = x - roundEven(x * 0.5) * 2.0;
  Num quarters = roundEven(x * 2.0);
  DoubleDouble angle =
      doubleDoubleLike(x, kPiDoubleDouble) * (x - quarters * 0.5);
  Num number = toBits(quarters + 0x1.8p52);
  return rotateToQuadrant(sineAndCosine({angle.high, angle.low, number}));
}

Num sin(Num x) { return sineOrCosine(x, 0); }
Num cos(Num x) { return sineOrCosine(x, 1); }

static Num singleTan(Num x) {
  auto [r, lost, number] = reduceSingle(x);
  Num square = r * r;
  Num rest =
      fma(r * square, polynomial(square, kTangent), fma(lost, square, lost));
  Num tangent = r + rest;
  // In odd quadrants the result is -1 / tangent, corrected for the rounding
  // errors of the sum and the quotient.
  Num tangentLost = (r - tangent) + rest;
  Num inverse = -1.0 / tangent;
  Num missing = fma(inverse, tangent, x.like(1.0));
  missing = fma(inverse, tangentLost, missing);
  return select(isOdd(number), fma(inverse, missing, inverse), tangent);
}

Num tan(Num x) {
  if (!x.isDouble())
    return singleTan(x);
  Quadrant q = sineAndCosine(reduceAngle(x));
  Num odd = isOdd(q.number);
  DoubleDouble top = select(odd, -q.cosine, q.sine);
  DoubleDouble bottom = select(odd, q.sine, q.cosine);
  return select(x == 0.0, x, (top / bottom).high);
}

} // namespace xlac::codegen
