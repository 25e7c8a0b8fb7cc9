// Circular functions and their inverses. f32 is computed in f64 throughout, so
// that argument reduction needs no care up to a million; beyond, and in f64,
// the C library is called.
#include "VectorMath.h"

#include <cmath>

namespace xlac::codegen {

static constexpr double kHalfPi = 0x1.921fb54442d18p+0;
static constexpr double kQuarterPi = 0x1.921fb54442d18p-1;
static constexpr double kPi = 0x1.921fb54442d18p+1;

/// (sin(x) / x - 1) / x^2 and (cos(x) - 1 + x^2 / 2) / x^4 against x^2 for
/// |x| <= pi / 4: 2e-17.
static constexpr double kSine[] = {
    -0.16666666666666664621,    0.0083333333333309461029,
    -0.00019841269836754970014, 2.755731610068302914e-6,
    -2.5051131455427947391e-8,  1.5918101230274120348e-10};
static constexpr double kCosine[] = {
    0.041666666666666665387,    -0.0013888888888887395746,
    0.000024801587298763433164, -2.7557317270560324065e-7,
    2.0876146024689746601e-9,   -1.1382614868556324576e-11};
/// (atan(x) / x - 1) / x^2 against x^2 for |x| <= tan(pi / 8): 2e-11.
static constexpr double kArcTangent[] = {
    -0.33333333331438261469, 0.19999998916092216563,   -0.14285612419143023092,
    0.11107492570710824034,  -0.090289516200012780875, 0.071351441597153826528,
    -0.040428425583640864699};

namespace {
/// Sine and cosine of the angle within its quadrant, both before signs.
struct Quadrant {
  Num sine, cosine;
  Num number; ///< integer lanes; the low two bits count
  Num far;    ///< mask: the angle is too large for this reduction
};
} // namespace

/// Both to 1e-16, or with `fullPrecision` to less than an ULP of f64.
static Quadrant reduceAngle(Num x, bool fullPrecision) {
  Num shifted = fma(x, x.like(0x1.45f306dc9c883p-1), x.like(0x1.8p52));
  Num n = shifted - 0x1.8p52;
  // Pi / 2 in three parts, the first two of 33 bits: exact products for |n|
  // up to 2^20.
  constexpr double second = -0x1.0b4611a600000p-34;
  constexpr double third = -0x1.3198a2e037073p-69;
  Num first = fma(n, x.like(-0x1.921fb54400000p+0), x);
  Num coarse = fma(n, x.like(second), first);
  Num r = fma(n, x.like(third), coarse);
  Num square = r * r;
  Num far = !(abs(x) <= 0x1p20);
  Num sineTail = polynomial(square, kSine);
  Num cosineTail = polynomial(square, kCosine);
  if (!fullPrecision) {
    Num sine = fma(r * square, sineTail, r);
    Num cosine = fma(square * square, cosineTail,
                     fma(square, x.like(-0.5), x.like(1.0)));
    return {sine, cosine, toBits(shifted), far};
  }
  // What `r` and the cosine's leading terms lost by rounding, added last.
  Num lost = fma(n, x.like(second), first - coarse);
  lost = fma(n, x.like(third), lost + (coarse - r));
  Num half = square * 0.5;
  Num top = 1.0 - half;
  Num sine = r + fma(r * square, sineTail, lost * top);
  Num rest = fma(square * square, cosineTail, -(r * lost));
  Num cosine = top + (((1.0 - top) - half) + rest);
  return {sine, cosine, toBits(shifted), far};
}

/// The sine of `turns` quadrants more than the reduced angle.
static Num sineOfQuadrant(const Quadrant &q, unsigned turns) {
  Num number = addInt(q.number, q.number.likeInt(turns));
  Num one = number.likeInt(1);
  Num odd = {number.emitter,
             number.ir().CreateICmpEQ((number & one).value, one.value)};
  Num value = select(odd, q.cosine, q.sine);
  Num sign = shiftLeft(number & number.likeInt(2), 62);
  return fromBits(toBits(value) ^ sign, true);
}

static Num sineOrCosine(Num x, unsigned turns, xlac_math_function service) {
  Num wide = x.isDouble() ? x : widen(x);
  Quadrant q = reduceAngle(wide, x.isDouble());
  Num fast = sineOfQuadrant(q, turns);
  // -0 comes out as +0 when the sum with the magic number has rounded it away.
  if (turns == 0)
    fast = select(wide == 0.0, wide, fast);
  return unlessAny(q.far, x.isDouble() ? fast : narrow(fast),
                   [&] { return callService(x, service); });
}

Num sin(Num x) { return sineOrCosine(x, 0, XLAC_MATH_SIN); }
Num cos(Num x) { return sineOrCosine(x, 1, XLAC_MATH_COS); }

Num tan(Num x) {
  if (x.isDouble())
    return callService(x, XLAC_MATH_TAN);
  Num wide = widen(x);
  Quadrant q = reduceAngle(wide, false);
  Num fast = sineOfQuadrant(q, 0) / sineOfQuadrant(q, 1);
  fast = select(wide == 0.0, wide, fast);
  return unlessAny(q.far, narrow(fast),
                   [&] { return callService(x, XLAC_MATH_TAN); });
}

/// atan2 of f64 lanes to about 1e-11: enough for one rounding to f32.
static Num wideAtan2(Num y, Num x) {
  Num up = abs(y), right = abs(x);
  Num bothInfinite = isInf(up) & isInf(right);
  Num steep = up > right;
  Num high = select(steep, up, right);
  Num low = select(steep, right, up);
  // Two infinities meet at the diagonal, two zeros at angle zero.
  low = select(bothInfinite, 1.0, low);
  high = select(bothInfinite | (high == 0.0), 1.0, high);
  // Above tan(pi / 8) the angle is taken from the diagonal.
  Num far = low > high * 0x1.a827999fcef32p-2;
  Num t = select(far, low - high, low) / select(far, low + high, high);
  t = select(isInf(high), 0.0, t);
  Num square = t * t;
  Num angle = fma(t * square, polynomial(square, kArcTangent), t);
  angle = select(far, angle + kQuarterPi, angle);
  angle = select(steep, kHalfPi - angle, angle);
  Num signBit = toBits(x);
  Num left = {x.emitter,
              x.ir().CreateICmpSLT(signBit.value, signBit.likeInt(0).value)};
  angle = select(left, kPi - angle, angle);
  angle = copysign(angle, y);
  return select(isNan(x) | isNan(y), x + y, angle);
}

Num atan2(Num y, Num x) {
  if (x.isDouble())
    return callService(y, x, XLAC_MATH2_ATAN2);
  return narrow(wideAtan2(widen(y), widen(x)));
}

Num atan(Num x) {
  if (x.isDouble())
    return callService(x, XLAC_MATH_ATAN);
  Num wide = widen(x);
  return narrow(wideAtan2(wide, wide.like(1.0)));
}

Num asin(Num x) {
  if (x.isDouble())
    return callService(x, XLAC_MATH_ASIN);
  Num wide = widen(x);
  return narrow(wideAtan2(wide, sqrt((1.0 - wide) * (1.0 + wide))));
}

Num acos(Num x) {
  if (x.isDouble())
    return callService(x, XLAC_MATH_ACOS);
  Num wide = widen(x);
  return narrow(wideAtan2(sqrt((1.0 - wide) * (1.0 + wide)), wide));
}

} // namespace xlac::codegen
