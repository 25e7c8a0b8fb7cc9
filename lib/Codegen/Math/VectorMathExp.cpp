// Exponentials and logarithms, tanh and the logistic function.
//
// The f32 functions that models use most are evaluated in f32. The others widen
// to f64, where a plain formula is accurate enough, and round once. The minimax
// coefficients were computed for this project; comments give their relative
// errors.
#include "VectorMathAvx512.h"
#include "VectorMathDoubleDouble.h"

#include <cmath>

namespace xlac::codegen {

static constexpr double kLog2E = 0x1.71547652b82fep+0;

/// Approximates (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2. Error 2e-10 of e^r.
static constexpr double kExpF32[] = {
    0.50000000135105987437,   0.16666666681672973404,
    0.041666464478050265214,  0.008333310875814181554,
    0.0013933699610442548874, 0.00019891045921387787459};
/// Approximates 2^r for |r| <= 1/2. Error 3e-9.
static constexpr double kExp2[] = {1.0,
                                   0.693147182f,
                                   0.240226477f,
                                   0.0555035993f,
                                   0.00961850584f,
                                   0.00133908063f,
                                   0.000153264715f};
/// Approximates (log(1 + f) - f + f^2 / 2) / f^3 for 1 + f in [sqrt 1/2, sqrt
/// 2]. Error 3e-8.
static constexpr double kLogF32[] = {
    0.33333331180030048052,  -0.24999996957950882045, 0.20000715748892101743,
    -0.16667802319501254074, 0.14249057645697480404,  -0.12425687331451106113,
    0.11685419923486739308,  -0.11479733846637635556, 0.069716114714511778317};
/// Approximates (2 atanh(s) / s - 2) / s^2 as a polynomial in s^2 for |s| <=
/// 0.1716. Error 3e-16.
static constexpr double kLogF64[] = {
    0.66666666666666696862, 0.3999999999989950449, 0.28571428625975484921,
    0.22222211134795079855, 0.1818288912526172208, 0.15331721600556041269,
    0.1461644968504340586};
/// Approximates the binary logarithm of 1 + f, divided by f, for 1 + f in [sqrt
/// 1/2, sqrt 2]. Error 2e-11.
static constexpr double kCoarseLog2[] = {
    1.4426950408687114,   -0.72134752086858767, 0.48089836139248854,
    -0.36067367486681579, 0.28853729371895209,  -0.24045316362514754,
    0.20617535104519544,  -0.18030063592952492, 0.15876993483054938,
    -0.14315625191087278, 0.14474757729445648,  -0.14283947285195667,
    0.077371745198505398};
/// Approximates (tanh(x) / x - 1) / x^2 as a polynomial in x^2 for |x| <=
/// 0.625. Errors 5e-9 and 4e-18.
static constexpr double kTanhF32[] = {
    -0.333332807f, 0.133314058f, -0.0537365153f, 0.0206281673f, -0.0056922962f};
static constexpr double kTanhF64[] = {
    -0.33333333333333332924,     0.1333333333333303198,
    -0.053968253967886391229,    0.021869488518555200434,
    -0.008863235093353297763163, 0.0035921216257880605057,
    -0.0014557744246177977722,   0.00058965567898686945303,
    -0.00023757456918828698363,  0.000092538994762959442055,
    -0.000031164823912889707152, 6.4675330209773721243e-6};

/// Approximates tanh piecewise; pieces begin at 0 and 2^-2. Relative error
/// 4e-8, in f32 1.23 ULP.
static constexpr float kTanhTable[] = {
    0.0f,           0.31370842f,    0.4374406f,     0.6266792f,
    0.87062764f,    1.2509878f,     1.7553838f,     2.515369f,
    3.5008652f,     4.99977f,       6.963741f,      8.572f,
    0.0f,           0.30380702f,    0.41152072f,    0.55576134f,
    0.7016929f,     0.8485604f,     0.9419852f,     0.98701686f,
    0.99818105f,    0.99990916f,    0.9999982f,     0.99999994f,
    5.330476e-9f,   0.9077013f,     0.8306507f,     0.6911293f,
    0.5076271f,     0.27994514f,    0.11266386f,    0.02579783f,
    0.0036346694f,  1.819207e-4f,   3.581574e-6f,   1.4333689e-7f,
    -1.5570608e-6f, -0.27576596f,   -0.34183f,      -0.38410303f,
    -0.3561983f,    -0.23755048f,   -0.10612757f,   -0.025462717f,
    -0.0036280379f, -1.8184162e-4f, -3.576351e-6f,  -7.837639e-7f,
    -0.33325955f,   -0.21880707f,   -0.13620321f,   -0.016908394f,
    0.080724545f,   0.10827643f,    0.06242229f,    0.0165293f,
    0.002407624f,   1.18952776e-4f, 2.3418959e-6f,  9.6966644e-8f,
    -0.0012828478f, 0.15831062f,    0.1700132f,     0.13744804f,
    0.06208342f,    -0.012680004f,  -0.023429975f,  -0.007832577f,
    -0.0011952333f, -5.959276e-5f,  -1.1880194e-6f, 5.130987e-6f,
    0.14348562f,    0.049042165f,   -0.008093072f,  -0.054805987f,
    -0.05857478f,   -0.019603636f,  0.0035540953f,  0.002822983f,
    4.894486e-4f,   2.8440747e-5f,  5.6055467e-7f,  1.3927469e-8f,
    -0.037565842f,  -0.053740095f,  -0.06498791f,   -0.024584487f,
    0.012609858f,   0.01507495f,    0.0021021042f,  -6.958709e-4f,
    -1.5764136e-4f, -9.3789085e-6f, -1.7331804e-7f, -1.0525581e-5f};
static constexpr OddFunctionTable kTanh = {-2, 9.1f, 12, kTanhTable};

/// Low bits of the representation that hold the mantissa.
static unsigned mantissaBits(bool isDouble) { return isDouble ? 52 : 23; }
/// The biased exponent of 1.
static unsigned exponentBias(bool isDouble) { return isDouble ? 1023 : 127; }

ReducedExponent reduceExponent(Num x, std::optional<Num> more) {
  bool isDouble = x.isDouble();
  // Adding 1.5 * 2^(mantissa bits) and a small integer leaves the sum of the
  // nearest integer and the small one in the low bits. NaN gives an arbitrary,
  // harmless integer.
  double magic =
      (isDouble ? 0x1.8p52 : 0x1.8p23) + 2.0 * exponentBias(isDouble);
  Num shifted = fma(x, x.like(kLog2E), x.like(magic));
  Num n = shifted - magic;
  // The products of the high parts with n are exact.
  Num r = fma(n, x.like(isDouble ? -0x1.62e42fee00000p-1 : -0.693359375), x);
  Num low = x.like(isDouble ? -0x1.a39ef35793c76p-33 : 2.1219444005469058e-4);
  r = more ? r + fma(n, low, *more) : fma(n, low, r);
  Num biased = toBits(shifted);
  return {subInt(biased, toBits(x.like(magic))), n, r, biased};
}

ReducedExp reduceExp(Num x, std::optional<Num> more) {
  ReducedExponent reduced = reduceExponent(x, more);
  Num r = reduced.rest;
  Num q = x.isDouble() ? polynomial(r, kExpTail) : polynomial(r, kExpF32);
  return {reduced, fma(r * r, q, r)};
}

Num powerOfTwo(Num n, bool isDouble) {
  return fromBits(shiftLeft(addInt(n, n.likeInt(exponentBias(isDouble))),
                            mantissaBits(isDouble)),
                  isDouble);
}

Num scaledByReduced(Num x, const ReducedExponent &reduced) {
  // Multiply by two factors, so that neither overflows and denormal results are
  // possible. Shifting drops the bits above the exponent.
  auto factor = [&](Num biased) {
    return fromBits(shiftLeft(biased, mantissaBits(x.isDouble())),
                    x.isDouble());
  };
  Num first = shiftRightLogical(reduced.biased, 1);
  Num second = subInt(reduced.biased, first);
  return x * factor(first) * factor(second);
}

BinaryPower binaryPower(Num x, double factor) {
  Num scaled = x.like(factor);
  Num shifted = fma(x, scaled, x.like(0x1.8p23));
  // The integer's low bits become exponent bits.
  Num bits = shiftLeft(toBits(shifted), 23);
  return {fromBits(addInt(bits, bits.likeInt(127u << 23)), false),
          polynomial(fma(x, scaled, 0x1.8p23 - shifted), kExp2)};
}

/// NaN passes both comparisons unchanged.
static Num clampOrdered(Num x, double low, double high) {
  x = select(x < low, low, x);
  return select(x > high, high, x);
}

Num exp(Num x) {
  // A product that is rounded to 0 takes a hundred times as long on some
  // processors. Lanes whose result is 0 are therefore left out, or both halves
  // of their exponents give factors of 0. The bits are the same.
  Num high = x.like(x.isDouble() ? 710 : 89);
  if (hasAvx512(x)) {
    Num isZero = x < (x.isDouble() ? -746.0 : -104.0);
    ReducedExp reduced = reduceExp(select(x > high, high, x));
    return scaledByWhole(1.0 + reduced.part, reduced.whole, !isZero);
  }
  ReducedExp reduced = reduceExp(x.isDouble() ? clampOrdered(x, -1418, 710)
                                              : clampOrdered(x, -176, 89));
  return scaledByReduced(1.0 + reduced.part, reduced);
}

Num expm1(Num x) {
  bool isDouble = x.isDouble();
  Num clamped = isDouble ? clampOrdered(x, -40, 710) : clampOrdered(x, -20, 89);
  // Compute half of 2^n (1 + part) - 1, so that 2^n itself cannot overflow.
  Num result = x;
  if (isDouble) {
    DoubleDoubleExp e = expm1DoubleDouble(doubleDoubleOf(clamped));
    Num scale = powerOfTwo(subInt(e.exponent, e.exponent.likeInt(1)), isDouble);
    DoubleDouble sum = twoSum(scale, x.like(-0.5)) + e.mantissa.high * scale;
    result = (sum.high + fma(e.mantissa.low, scale, sum.low)) * 2.0;
    result = select(isNan(x), x, result);
  } else {
    ReducedExp reduced = reduceExp(clamped);
    Num scale = powerOfTwo(
        addInt(reduced.exponent, reduced.exponent.likeInt(~0ull)), isDouble);
    result = fma(scale, reduced.part, scale - 0.5) * 2.0;
  }
  return select(abs(x) < (isDouble ? 0x1p-55 : 0x1p-26), x, result);
}

ScaledToOne scaledToOne(Num u) {
  unsigned places = mantissaBits(u.isDouble());
  uint64_t rootHalf = u.isDouble() ? 0x3fe6a09e667f3bcdull : 0x3f3504f3ull;
  Num bits = toBits(u);
  Num offset = subInt(bits, bits.likeInt(rootHalf));
  Num mantissa = fromBits(addInt(offset & offset.likeInt((1ull << places) - 1),
                                 offset.likeInt(rootHalf)),
                          u.isDouble());
  return {shiftRightArithmetic(offset, places), mantissa - 1.0};
}

Num coarseLog2(Num exponent, Num part) {
  return fma(part, polynomial(part, kCoarseLog2), exponent);
}

/// Returns e log 2 + log(1 + f) in f32 lanes.
static Num singleLog(Num e, Num f) {
  Num z = f * f;
  Num y = z * f * polynomial(f, kLogF32);
  y = fma(e, f.like(-2.1219444005469058e-4), y);
  y = fma(z, f.like(-0.5), y);
  return fma(e, f.like(0.693359375), f + y);
}

Num singleLogOfNormal(Num u) {
  auto [exponent, f] = scaledToOne(u);
  return singleLog(intToFloat(exponent, false), f);
}

/// Returns log(u + correction), where the correction is at most half an ULP of
/// u. u must be positive, finite and, with a correction, normal.
static Num logPositive(Num u, std::optional<Num> correction) {
  bool isDouble = u.isDouble();
  Num scaled = u, bias = u.like(0);
  if (!correction) {
    Num tiny = u < (isDouble ? 0x1p-1022 : 0x1p-126);
    scaled = select(tiny, u * (isDouble ? 0x1p52 : 0x1p23), u);
    bias = select(tiny, isDouble ? -52.0 : -23.0, u.like(0));
  }
  auto [exponent, f] = scaledToOne(scaled);
  if (correction) {
    // Large numbers need no correction, and 2^-128 is not normal.
    Num down = subInt(exponent.likeInt(0), exponent);
    down = select(u > 0x1p64, down.likeInt(0), down);
    f = fma(*correction, powerOfTwo(down, isDouble), f);
  }
  if (!isDouble)
    return singleLog(intToFloat(exponent, false) + bias, f);
  // AVX2 cannot convert i64 lanes to f64.
  Num e = smallIntToDouble(exponent) + bias;
  Num s = f / (f + 2.0);
  Num z = s * s;
  Num half = f * f * 0.5;
  Num r = z * polynomial(z, kLogF64);
  Num low = fma(s, half + r, e * 0x1.a39ef35793c76p-33);
  return fma(e, u.like(0x1.62e42fee00000p-1), f - (half - low));
}

Num log(Num x) {
  Num result = logPositive(x, std::nullopt);
  result = select(x == kInf, x, result);
  result = select(x == 0.0, -kInf, result);
  return select(!(x >= 0.0), kNan, result);
}

Num log1p(Num x) {
  Num u = 1.0 + x;
  Num correction = x - (u - 1.0);
  // For x far above 1, the rounding error is 1 - (u - x).
  correction = select(x > 1.0, 1.0 - (u - x), correction);
  correction = select(x > 0x1p64, 0.0, correction);
  Num result = logPositive(u, correction);
  result = select(x == kInf, x, result);
  result = select(x == -1.0, -kInf, result);
  result = select(!(x >= -1.0), kNan, result);
  return select(abs(x) < (x.isDouble() ? 0x1p-55 : 0x1p-26), x, result);
}

static Num singleTanh(Num x) {
  if (hasAvx512(x))
    return oddByTable(x, kTanh);
  Num size = abs(x);
  Num square = x * x;
  Num near = fma(size * square, polynomial(square, kTanhF32), size);
  // 1 - 2 / (2^y + 1), in which the error of y has little effect. From 9.02 on
  // it is 1.
  auto [scale, power] =
      binaryPower(select(size > 9.02, 9.02, size), 2 * kLog2E);
  Num far = 1.0 - 2.0 / fma(power, scale, x.like(1.0));
  // Neither is negative, so that its sign bit need not be cleared.
  Num sign = toBits(x) & toBits(x.like(-0.0));
  return fromBits(toBits(select(size < 0.625, near, far)) | sign, false);
}

Num tanh(Num x) {
  if (!x.isDouble())
    return singleTanh(x);
  Num size = abs(x);
  Num square = x * x;
  Num small = fma(size * square, polynomial(square, kTanhF64), size);
  Num large = 1.0 - 2.0 / (exp(size * 2.0) + 1.0);
  return copysign(select(size < 0.625, small, large), x);
}

Num logistic(Num x) {
  // e^-|x| never overflows, and preserves denormal results.
  Num e = exp(-abs(x));
  Num numerator = select(x < 0.0, e, x.like(1.0));
  Num denominator = e + 1.0;
  Num quotient = numerator / denominator;
  // The rounding errors of the sum and the quotient. 1 / (1 + e) is one of two
  // quotients.
  Num lost = e - (denominator - 1.0);
  Num rest = fma(-quotient, denominator, numerator) - quotient * lost;
  Num inverse = select(x < 0.0, 1.0 - quotient, quotient);
  return fma(rest, inverse, quotient);
}

} // namespace xlac::codegen
