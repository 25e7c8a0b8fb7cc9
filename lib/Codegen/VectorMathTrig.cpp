// Circular functions. f32 is computed in f64 throughout, so that argument
// reduction needs no care up to a million; beyond, and in f64, the angle is
// reduced in more digits.
#include "VectorMathPair.h"

namespace xlac::codegen {

/// (sin(x) / x - 1) / x^2 and (cos(x) - 1 + x^2 / 2) / x^4 against x^2 for
/// |x| <= pi / 4, for f32: 1e-16 and 3e-17.
static constexpr double kSine[] = {
    -0.16666666666666664621,    0.0083333333333309461029,
    -0.00019841269836754970014, 2.755731610068302914e-6,
    -2.5051131455427947391e-8,  1.5918101230274120348e-10};
static constexpr double kCosine[] = {
    0.041666666666666665387,    -0.0013888888888887395746,
    0.000024801587298763433164, -2.7557317270560324065e-7,
    2.0876146024689746601e-9,   -1.1382614868556324576e-11};
/// The same for f64: 7e-20 and 2e-20.
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
/// Sine and cosine of the angle within its quadrant, both before signs; of f32
/// without low parts.
struct Quadrant {
  Pair sine, cosine;
  Num number; ///< integer lanes; the low two bits count
};
} // namespace

/// Subtracts whole quadrants; the angle may be as large as f64 goes.
static ReducedAngle reduceAngle(Num x, bool fullPrecision) {
  Num shifted = fma(x, x.like(0x1.45f306dc9c883p-1), x.like(0x1.8p52));
  Num n = shifted - 0x1.8p52;
  // Pi / 2 in three parts, the first two of 33 bits: exact products for |n|
  // up to 2^20.
  constexpr double second = -0x1.0b4611a600000p-34;
  constexpr double third = -0x1.3198a2e037073p-69;
  Num first = fma(n, x.like(-0x1.921fb54400000p+0), x);
  Num coarse = fma(n, x.like(second), first);
  Num r = fma(n, x.like(third), coarse);
  // What the sums lost.
  Num lost = r.like(0.0);
  if (fullPrecision) {
    lost = fma(n, x.like(second), first - coarse);
    lost = fma(n, x.like(third), lost + (coarse - r));
  }
  Num far = !(abs(x) <= 0x1p20);
  Nums angle = unlessAny(far, {r, lost, toBits(shifted)}, [&] {
    ReducedAngle large = reduceLargeAngle(x);
    return Nums{select(far, large.angle, r), select(far, large.lost, lost),
                select(far, large.quadrant, toBits(shifted))};
  });
  return {angle[0], angle[1], angle[2]};
}

/// Both to 1e-16, or with `fullPrecision` to 2^-56.
static Quadrant sineAndCosine(ReducedAngle reduced, bool fullPrecision) {
  auto [r, lost, number] = reduced;
  Num square = r * r;
  if (!fullPrecision) {
    Num sine = fma(r * square, polynomial(square, kSine), r);
    Num cosine = fma(square * square, polynomial(square, kCosine),
                     fma(square, r.like(-0.5), r.like(1.0)));
    return {{sine, r.like(0.0)}, {cosine, r.like(0.0)}, number};
  }
  Num half = square * 0.5;
  Num top = 1.0 - half;
  Num squareLost = twoProduct(r, r).low;
  Num sineRest = fma(r * square, polynomial(square, kSineWide), lost * top);
  Num cosineRest = fma(square * square, polynomial(square, kCosineWide),
                       -fma(r, lost, squareLost * 0.5));
  return {fastSum(r, sineRest), fastSum(top, ((1.0 - top) - half) + cosineRest),
          number};
}

static Num isOdd(Num number) {
  Num one = number.likeInt(1);
  return equalInt(number & one, one);
}

/// The sine of x and `turns` quadrants more.
static Num sineOrCosine(Num x, unsigned turns) {
  Num wide = x.isDouble() ? x : widen(x);
  Quadrant q = sineAndCosine(reduceAngle(wide, x.isDouble()), x.isDouble());
  Num number = addInt(q.number, q.number.likeInt(turns));
  Num value = select(isOdd(number), q.cosine.high, q.sine.high);
  Num sign = shiftLeft(number & number.likeInt(2), 62);
  Num result = fromBits(toBits(value) ^ sign, true);
  // -0 comes out as +0 when the sum with the magic number has rounded it away.
  if (turns == 0)
    result = select(wide == 0.0, wide, result);
  return x.isDouble() ? result : narrow(result);
}

/// Turned by the quadrant's number.
static SineAndCosine turned(const Quadrant &q) {
  Num two = q.number.likeInt(2), odd = isOdd(q.number);
  Num back = equalInt(q.number & two, two);
  Pair sine = select(odd, q.cosine, q.sine);
  Pair cosine = select(odd, -q.sine, q.cosine);
  return {select(back, -sine, sine), select(back, -cosine, cosine)};
}

SineAndCosine sineAndCosineWide(Pair angle) {
  ReducedAngle reduced = reduceAngle(angle.high, true);
  reduced.lost = reduced.lost + angle.low;
  return turned(sineAndCosine(reduced, true));
}

SineAndCosine halfTurns(Num x) {
  x = x - roundEven(x * 0.5) * 2.0;
  Num quarters = roundEven(x * 2.0);
  Pair angle = wideLike(x, kPiWide) * (x - quarters * 0.5);
  Num number = toBits(quarters + 0x1.8p52);
  return turned(sineAndCosine({angle.high, angle.low, number}, true));
}

Num sin(Num x) { return sineOrCosine(x, 0); }
Num cos(Num x) { return sineOrCosine(x, 1); }

Num tan(Num x) {
  Num wide = x.isDouble() ? x : widen(x);
  Quadrant q = sineAndCosine(reduceAngle(wide, x.isDouble()), x.isDouble());
  Num odd = isOdd(q.number);
  Pair top = select(odd, -q.cosine, q.sine);
  Pair bottom = select(odd, q.sine, q.cosine);
  Num result = x.isDouble() ? (top / bottom).high : top.high / bottom.high;
  result = select(wide == 0.0, wide, result);
  return x.isDouble() ? result : narrow(result);
}

} // namespace xlac::codegen
