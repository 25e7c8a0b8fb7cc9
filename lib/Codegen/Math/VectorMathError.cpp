// The error function, its complement and its inverse.
#include "VectorMathAvx512.h"
#include "VectorMathDoubleDouble.h"

namespace xlac::codegen {

/// Approximates erf(x) / x - 1 as a polynomial in x^2 for |x| <= 1, for f32.
/// Error 1e-9 of erf.
static constexpr double kErfRatio[] = {
    0.128379166f,  -0.37612626f,    0.112835787f,   -0.0268533472f,
    0.0051871622f, -0.00079978531f, 7.80690316e-05f};
/// Approximates erf piecewise; pieces begin at 0 and 2^-1. Relative error 2e-8,
/// in f32 0.8 ULP.
static constexpr float kErfTable[] = {
    0.0f,           0.6267867f,    0.8743111f,     1.2523481f,
    1.7524081f,     2.515959f,     3.4570737f,     0.0f,
    0.6246035f,     0.78371334f,   0.92345387f,    0.9867982f,
    0.99962646f,    0.999999f,     0.12837918f,    0.7617938f,
    0.5253778f,     0.23513547f,   0.052331746f,   0.002010782f,
    7.279662e-6f,   -2.397685e-6f, -0.47748226f,   -0.45934364f,
    -0.29447165f,   -0.09170656f,  -0.005058122f,  -2.5248506e-5f,
    -0.37605703f,   -0.054399688f, 0.09261182f,    0.16747633f,
    0.08969448f,    0.0078114294f, 5.551657e-5f,   -7.50143e-4f,
    0.17621899f,    0.1126276f,    -0.0066898176f, -0.048024245f,
    -0.008162573f,  -8.534194e-5f, 0.11663614f,    -0.029265676f,
    -0.06695334f,   -0.046912204f, 0.0067464234f,  0.0058957436f,
    1.04741026e-4f, -0.009426205f, -0.041441455f,  -0.01045226f,
    0.020713769f,   0.008941477f,  -0.0026169443f, -1.1491332e-4f,
    -0.016984288f,  0.061769135f,  0.01065878f,    0.00387956f,
    -0.0059173135f, 3.9081046e-4f, 7.452787e-5f};
static constexpr OddFunctionTable kErf = {-1, 3.95f, 7, kErfTable};
/// Approximates the binary logarithm of erfc(x) for 7/8 <= x <= 3.95. Error
/// 2e-9 of erf.
static constexpr double kErfcLog2[] = {
    -0.000192720065f, -1.62726784f,   -0.918617606f,  -0.150512889f,
    0.0323456451f,    -0.0044612796f, 0.000289983407f};
/// Approximates (x + 3/2) e^(x^2) erfc(x) for 13/16 <= x <= 10.06, with an
/// error of 1e-8: kErfcFront plus a polynomial in t = 1 / (x + 3/2) -
/// kErfcCenter, times t.
static constexpr double kErfcFront = 0.898750305f;
static constexpr double kErfcCenter = 0.2890625;
static constexpr double kErfcTail[] = {1.45597851f,  0.842153251f, -1.12782133f,
                                       -1.17325103f, 2.27229691f,  1.10628164f,
                                       -5.50375414f, -1.5285362f};

/// The slope of erf at 0, 2 / sqrt(pi).
static constexpr DoubleDoubleConstant kSlope = {0x1.20dd750429b6dp+0,
                                                0x1.1ae3a914fed80p-56};
/// Approximates (erf(x) / x - 2 / sqrt(pi)) / x^2 as a polynomial in x^2 for
/// |x| <= 1. Error 2e-18.
static constexpr double kErfWide[] = {
    -0.37612638903183752409,    0.11283791670955110207,
    -0.026866170645123839488,   0.0052239776253035178947,
    -0.00085483270100333279946, 0.00012055332214716275726,
    -1.492562250448984131e-5,   1.646144665692856114e-6,
    -1.6355118610877705691e-7,  1.4692484859133263156e-8,
    -1.1500357159785294822e-9,  6.1740972213053012543e-11};
/// Approximates (1 + 2 x) e^(x^2) erfc(x), minus the constant term, as a
/// polynomial in (x - 3.75) / (x + 3.75) for 0 <= x <= 27.5. Error 2e-18.
static constexpr DoubleDoubleConstant kErfcConstant = {0x1.3ccda0b5d5dc2p+0,
                                                       0x1.e65b158f28ce5p-54};
static constexpr double kErfcWide[] = {
    -0.14024059858554702505,    0.0035854154854629567992,
    0.082276738490151488131,    -0.10880393014166092384,
    0.092304321160200984362,    -0.05869339859170241833,
    0.028362277421013131852,    -0.0097465795329221677591,
    0.001755625842858460076,    0.00029371348620148634192,
    -0.00029015408195359149154, 5.1649901513378140571e-5,
    2.2384493540989034332e-5,   -1.1446447909647177541e-5,
    -9.7488291688477825062e-7,  1.7558124970699528704e-6,
    -5.3794593807020392603e-8,  -2.6313889641213283965e-7,
    1.8264316849114230902e-8,   4.0911325427462632471e-8,
    1.915860509365668736e-10,   -5.0552144682211980156e-9,
    -9.9213477949144672127e-10};

/// Returns erfc for x >= 0 with a relative error of 2^-55.
static DoubleDoubleExp fineErfc(Num x) {
  x = select(x > 27.5, 27.5, x);
  Num t = (x - 3.75) / (x + 3.75);
  DoubleDouble series =
      doubleDoubleLike(x, kErfcConstant) + t * polynomial(t, kErfcWide);
  DoubleDoubleExp result = expDoubleDouble(-twoProduct(x, x));
  DoubleDouble divisor = twoSum(x * 2.0, x.like(1.0));
  result.mantissa = result.mantissa * series / divisor;
  return result;
}

/// Returns erf for |x| <= 1.
static DoubleDouble nearErf(Num x) {
  Num square = x * x;
  Num rest = x * square * polynomial(square, kErfWide);
  return doubleDoubleLike(x, kSlope) * x + rest;
}

static Num singleErf(Num x) {
  if (hasAvx512(x))
    return oddByTable(x, kErf);
  Num near = fma(x, polynomial(x * x, kErfRatio), x);
  // 1 - 2^y, in which the error of y has little effect. Beyond 3.95 it is 1.
  Num size = abs(x);
  Num y = polynomial(select(size > 3.95, 3.95, size), kErfcLog2);
  auto [scale, power] = binaryPower(y, 1);
  Num far = fma(-power, scale, x.like(1.0));
  return select(size < 1.0, near, copysign(far, x));
}

/// Returns erfc for x >= 13/16.
static Num singleErfcTail(Num x) {
  // Beyond 10.06 the result is 0, even as a denormal; see exp.
  x = select(x > 10.06, 13.25, x);
  Num divisor = x + 1.5;
  Num inverse = 1.0 / divisor;
  // Rounding errors of the sum and the quotient, and the approximate change of
  // e^(x^2) erfc(x) that they cause.
  Num lost = productResidual(x.like(1.0), inverse, divisor);
  lost = fma(inverse, (divisor - 1.5) - x, lost);
  Num gain = fma(inverse * lost, x.like(3.7), lost * 0.56);
  Num t = inverse - kErfcCenter;
  DoubleDouble front = twoProduct(inverse, x.like(kErfcFront));
  Num rest = fma(inverse * t, polynomial(t, kErfcTail),
                 fma(front.high, gain, front.low));
  DoubleDouble square = -twoProduct(x, x);
  ReducedExp decay = reduceExp(square.high, square.low);
  rest = fma(front.high + rest, decay.part, rest);
  return scaledByReduced(front.high + rest, decay);
}

static Num singleErfc(Num x) {
  Num size = abs(x);
  Num tail = singleErfcTail(size);
  Num far = select(x < 0.0, 2.0 - tail, tail);
  Num rest = 1.0 - x;
  Num near = fma(-x, polynomial(x * x, kErfRatio), rest);
  return select(size < 0.8125, near, far);
}

Num erf(Num x) {
  if (!x.isDouble())
    return singleErf(x);
  Num size = abs(x);
  // The value subtracted from 1 is small, so it does not need full precision.
  Num bounded = select(size > 6.0, 6.0, size);
  Num t = (bounded - 3.75) / (bounded + 3.75);
  Num series = fma(t, polynomial(t, kErfcWide), x.like(kErfcConstant.high));
  DoubleDouble square = twoProduct(bounded, bounded);
  Num tail =
      exp(-square.high) * series / fma(bounded, x.like(2.0), x.like(1.0));
  tail = fma(tail, -square.low, tail);
  Num result = select(size < 1.0, nearErf(x).high, 1.0 - tail);
  return copysign(select(isNan(x), x, result), x);
}

Num erfc(Num x) {
  if (!x.isDouble())
    return singleErfc(x);
  Num tail = fineErfc(abs(x)).rounded();
  Num result = select(x < 0.0, 2.0 - tail, tail);
  DoubleDouble near = doubleDoubleOf(x.like(1.0)) - nearErf(x);
  result = select(abs(x) < 0.5, near.high, result);
  return select(isNan(x), x, result);
}

/// Approximates erf_inv(x) / x for w = -log(1 - x^2): as a polynomial in w -
/// 2.75 for w <= 5.5, in sqrt(w) - 3.125 for w <= 16, and in sqrt(w) - 5
/// beyond. Errors 1e-17, 5e-17 and 2e-17.
static constexpr double kInverseNear[] = {
    1.5627896112343588692,      0.24433025901507633201,
    -0.005035975749999907503,   -0.0010385819182135646455,
    0.00020906626774582009268,  -9.4860528814117054058e-6,
    -2.5688350028287223152e-6,  4.8295300090931044545e-7,
    -8.2193065976251186856e-9,  -8.2851771868952561712e-9,
    1.1138664427140703418e-9,   3.3375903317817074802e-11,
    -2.564545743941591612e-11,  2.2778702435863175272e-12,
    2.4708903305569576241e-13,  -7.3584745846553039663e-14,
    3.4976392394250448474e-15,  1.0753671088179709921e-15,
    -1.9477907287320693041e-16, 3.778672054665617952e-19,
    4.044530514511884763e-18,   -4.3796256798332385311e-19,
    -4.3737625357223365024e-20, 1.1250298363539980644e-20,
    1.4613094246803999911e-22,  -1.228760682114589957e-22};
static constexpr double kInverseMiddle[] = {
    2.9583201502404620633,     1.003718691797923889,
    0.0070478844177817474173,  -0.0053010106083681167257,
    0.0037944200163888519893,  -0.0025198826955381558399,
    0.0012606698611410770561,  -0.00032866211596702835462,
    -8.9553064078861709249e-5, 0.00013610442076347697645,
    -5.8853776131167914382e-5, 2.1867178016400521117e-6,
    1.1405574862231754435e-5,  -6.2792182629216542643e-6,
    8.9033331204853116454e-7,  7.6439142633880982256e-7,
    -5.4003434279553977048e-7, 1.156246578126040132e-7,
    4.1416353664518691113e-8,  -3.2913005425078623809e-8,
    6.5027083771650253537e-9};
static constexpr double kInverseFar[] = {
    4.8499064014085842867,      1.0103004648645453278,
    -0.00013871931837135879366, -0.00021503011982550223385,
    7.5995277866564294798e-5,   -1.9681770751069751519e-5,
    4.52605484245627383e-6,     -9.9302897038137002891e-7,
    2.2904116076716745437e-7,   -6.7557835623469861993e-8,
    2.9051574447258705735e-8,   -1.5251568393166664111e-8,
    7.7668165661964075982e-9,   -3.4754601913774167929e-9,
    1.3688210410493931913e-9,   -4.3502142234640186073e-10,
    4.1991122782522208203e-11,  4.2232980682350061882e-11,
    -1.4386446242363291043e-11};

/// Approximates erf_inv(x) / x in f32 for w = -log(1 - x^2): as a polynomial in
/// w - 1.03125 for w <= 5, error 6e-9, and in sqrt(w) - 3.125 beyond, error
/// 1e-8.
static constexpr double kInverseNearF32[] = {
    1.13512325f,     0.248091608f,    0.00402846746f,   -0.00236354163f,
    0.000106171756f, 3.74011361e-05f, -4.50810694e-06f, -4.93249274e-07f,
    1.40328225e-07f, -8.86284113e-09f};
static constexpr double kInverseFarF32[] = {
    2.95832014f,      1.00371861f,     0.00704920059f, -0.00529919006f,
    0.00377964694f,   -0.00253105792f, 0.0013161106f,  -0.000303564564f,
    -0.000177855734f, 0.000116886731f};

static Num singleErfInv(Num x) {
  Num size = abs(x);
  // Without fused multiply-add, rounding the square would lose precision near
  // 1.
  Num rest = hasFusedMultiply(x) ? fma(-x, x, x.like(1.0))
                                 : (1.0 - size) * (1.0 + size);
  Num w = -singleLogOfNormal(rest);
  // Add the ratio's largest term last, rounded once together with the product.
  auto series = [&](Num t, llvm::ArrayRef<double> terms) {
    Num rest = t * polynomial(t, terms.drop_front());
    return fma(x, x.like(terms[0]), x * rest);
  };
  Num near = series(w - 1.03125, kInverseNearF32);
  Num far = w > 5.0;
  Num inside = unlessAny(far, near, [&] {
    return select(far, series(sqrt(w) - 3.125, kInverseFarF32), near);
  });
  Num result = select(size == 1.0, kInf, inside);
  return select(size <= 1.0, copysign(result, x), kNan);
}

Num erfInv(Num x) {
  if (!x.isDouble())
    return singleErfInv(x);
  Num size = abs(x);
  Num inside = size < 1.0;
  DoubleDouble rest = doubleDoubleOf(x.like(1.0)) - twoProduct(x, x);
  DoubleDouble w = -logDoubleDouble(
      select(inside, rest, doubleDoubleOf(x.like(1.0))), x.like(0.0));
  auto series = [&](DoubleDouble t, double center,
                    llvm::ArrayRef<double> terms) {
    return (polynomialDoubleDouble(t + x.like(-center), terms, 3) * x).high;
  };
  Num near = series(w, 2.75, kInverseNear);
  Num far = w.high > 5.5;
  Num result = unlessAny(far, near, [&] {
    DoubleDouble root = sqrt(select(far, w, doubleDoubleOf(x.like(8.0))));
    Num middle = series(root, 3.125, kInverseMiddle);
    Num end = series(root, 5.0, kInverseFar);
    return select(far, select(w.high > 16.0, end, middle), near);
  });
  result = select(size == 1.0, kInf, result);
  return select(size <= 1.0, copysign(result, x), kNan);
}

} // namespace xlac::codegen
