// Double-doubles: the unevaluated sum of an f64 value and its rounding error,
// with twice the precision. The formulas assume finite values; callers set NaN
// and infinities afterwards.
#ifndef XLAC_LIB_CODEGEN_VECTORMATHPAIR_H
#define XLAC_LIB_CODEGEN_VECTORMATHPAIR_H

#include "VectorMath.h"

#include <optional>

namespace xlac::codegen {

/// high + low. |low| is at most half an ULP of high unless stated otherwise.
struct DoubleDouble {
  Num high, low;
};

/// A constant with more than 53 bits.
struct DoubleDoubleConstant {
  double high, low;
};

inline constexpr DoubleDoubleConstant kPiDoubleDouble = {0x1.921fb54442d18p+1,
                                                         0x1.1a62633145c07p-53};
inline constexpr DoubleDoubleConstant kHalfPiDoubleDouble = {
    0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// Approximates (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2. Error 2e-21.
inline constexpr double kExpTail[] = {
    0.49999999999999999998,     0.16666666666666666667,
    0.04166666666666667683,     0.0083333333333333340108,
    0.0013888888888879030455,   0.00019841269841263270109,
    0.000024801587336558147317, 2.7557319247295986961e-6,
    2.7557263155108164625e-7,   2.5052071011658114879e-8,
    2.0918183579084771369e-9,   1.608665851099081306e-10};

/// Returns the constant in all lanes of `like`.
DoubleDouble doubleDoubleLike(Num like, DoubleDoubleConstant constant);

/// Returns the number with a low part of zero.
inline DoubleDouble doubleDoubleOf(Num a) { return {a, a.like(0.0)}; }

/// Returns a + b exactly.
DoubleDouble twoSum(Num a, Num b);
/// The same for |a| >= |b|, or a = 0.
DoubleDouble fastTwoSum(Num a, Num b);
/// Returns the leading 26 bits of a, so that the rest has 27. In f32 both have
/// 12 bits.
Num veltkampSplit(Num a);
/// Returns a * b. Without fused multiply-add, the low part is accurate to 27
/// bits in f64; it is exact in f32.
DoubleDouble twoProduct(Num a, Num b);
/// Returns a - b * c, where b * c equals a except for rounding.
Num productResidual(Num a, Num b, Num c);

/// The error is about 2^-100 of the larger operand.
DoubleDouble operator+(DoubleDouble a, DoubleDouble b);
DoubleDouble operator+(DoubleDouble a, Num b);
DoubleDouble operator-(DoubleDouble a);
inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
DoubleDouble operator*(DoubleDouble a, DoubleDouble b);
DoubleDouble operator*(DoubleDouble a, Num b);
DoubleDouble operator/(DoubleDouble a, DoubleDouble b);
/// Requires a positive number.
DoubleDouble sqrt(DoubleDouble a);
DoubleDouble select(Num mask, DoubleDouble a, DoubleDouble b);
/// Returns c[0] + c[1] x + … as a double-double. The first `wide` terms are
/// also added as double-doubles.
DoubleDouble polynomialDoubleDouble(DoubleDouble x,
                                    llvm::ArrayRef<double> coefficients,
                                    unsigned wide);
/// Multiplies both parts by a power of two.
DoubleDouble scaled(DoubleDouble a, double power);
/// Normalizes `a`, whose low part may be as large as its high part.
inline DoubleDouble normalized(DoubleDouble a) {
  return fastTwoSum(a.high, a.low);
}

/// Returns log(x) + bias log 2 with a relative error of 2^-65, for positive
/// finite x. The low part of x is ignored from 2^1023 on.
DoubleDouble logDoubleDouble(DoubleDouble x, Num bias);
DoubleDouble logDoubleDouble(Num x);

/// e^x as mantissa times 2^exponent. The mantissa is near 1 and accurate to
/// 2^-56.
struct DoubleDoubleExp {
  DoubleDouble mantissa;
  Num exponent; ///< integer lanes

  /// Returns the value rounded once, or twice if it is denormal.
  Num rounded() const;
};

/// Returns e^x. x.high is clamped to the range with finite results; NaN does
/// not give NaN.
DoubleDoubleExp expDoubleDouble(DoubleDouble x);
/// The same with 1 subtracted from the mantissa.
DoubleDoubleExp expm1DoubleDouble(DoubleDouble x);

/// Returns the angle of the point (x, y), with the special cases of atan2.
DoubleDouble atan2DoubleDouble(Num y, Num x);

struct SineAndCosine {
  DoubleDouble sine, cosine;
};

/// Error 2^-56, for finite angles.
SineAndCosine sineAndCosineDoubleDouble(DoubleDouble angle);

/// Returns sine and cosine of pi x with an error of 2^-56, for finite x.
SineAndCosine halfTurns(Num x);

/// Returns 2^n for integer lanes in the range of normal exponents.
Num powerOfTwo(Num n, bool isDouble);

/// x minus an integer multiple of log 2.
struct ReducedExponent {
  Num exponent; ///< the multiple, in integer lanes
  Num whole;    ///< the multiple as a float
  Num rest;     ///< at most log 2 / 2 in magnitude
  /// The multiple plus twice the exponent bias, in the low bits of integer
  /// lanes. Half of it is a biased exponent.
  Num biased;
};

/// Returns x * 2^exponent, rounded once more if denormal. The exponent may be
/// twice as large as those of normal numbers.
Num scaledByReduced(Num x, const ReducedExponent &reduced);

/// Reduces x + `more`, where `more` is small. x must be clamped to the range of
/// exponents, or be NaN.
ReducedExponent reduceExponent(Num x, std::optional<Num> more = std::nullopt);

/// A power of two as scale * power, with a relative error of 3e-9.
struct BinaryPower {
  Num scale; ///< a power of two
  Num power; ///< from sqrt 1/2 to sqrt 2
};

/// Returns 2^(factor * x). With fused multiply-add, the product is not rounded.
/// Requires f32 lanes and products in the range of normal exponents, or NaN.
BinaryPower binaryPower(Num x, double factor);

/// e^x as 2^exponent * (1 + part), without double-doubles.
struct ReducedExp : ReducedExponent {
  Num part; ///< e^rest - 1
};

ReducedExp reduceExp(Num x, std::optional<Num> more = std::nullopt);
/// A positive normal number as 2^exponent (1 + part), where 1 + part is in
/// [sqrt 1/2, sqrt 2].
struct ScaledToOne {
  Num exponent; ///< integer lanes
  Num part;
};
ScaledToOne scaledToOne(Num x);

/// Returns the binary logarithm of 2^exponent (1 + part). All lanes are f64,
/// also the exponent's. The relative error of 2e-11 suffices for one rounding
/// to f32.
Num coarseLog2(Num exponent, Num part);

/// Returns log(x) for positive normal f32 numbers.
Num singleLogOfNormal(Num x);

} // namespace xlac::codegen

#endif
