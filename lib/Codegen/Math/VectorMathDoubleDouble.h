// Numbers of f64 lanes with twice the digits: the unevaluated sum of a rounded
// value and what it lost. The formulas assume finite values; callers put NaN
// and infinities in place afterwards.
#ifndef XLAC_LIB_CODEGEN_VECTORMATHPAIR_H
#define XLAC_LIB_CODEGEN_VECTORMATHPAIR_H

#include "VectorMath.h"

#include <optional>

namespace xlac::codegen {

/// high + low, |low| being at most half an ULP of high unless stated otherwise.
struct DoubleDouble {
  Num high, low;
};

/// A constant of more than 53 bits.
struct DoubleDoubleConstant {
  double high, low;
};

inline constexpr DoubleDoubleConstant kPiDoubleDouble = {0x1.921fb54442d18p+1,
                                                         0x1.1a62633145c07p-53};
inline constexpr DoubleDoubleConstant kHalfPiDoubleDouble = {
    0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54};

/// (e^r - 1 - r) / r^2 for |r| <= ln 2 / 2: 2e-21.
inline constexpr double kExpTail[] = {
    0.49999999999999999998,     0.16666666666666666667,
    0.04166666666666667683,     0.0083333333333333340108,
    0.0013888888888879030455,   0.00019841269841263270109,
    0.000024801587336558147317, 2.7557319247295986961e-6,
    2.7557263155108164625e-7,   2.5052071011658114879e-8,
    2.0918183579084771369e-9,   1.608665851099081306e-10};

/// The constant in all lanes of `like`.
DoubleDouble doubleDoubleLike(Num like, DoubleDoubleConstant constant);

/// A number without a low part.
inline DoubleDouble doubleDoubleOf(Num a) { return {a, a.like(0.0)}; }

/// a + b without loss.
DoubleDouble twoSum(Num a, Num b);
/// The same for |a| >= |b|, or a being 0.
DoubleDouble fastTwoSum(Num a, Num b);
/// The leading 26 bits of a; the rest has 27. In f32 both have 12.
Num veltkampSplit(Num a);
/// a * b; without fused multiply-add its low part is right to 27 bits, in f32
/// to all.
DoubleDouble twoProduct(Num a, Num b);
/// a - b * c, where b * c is within rounding of a.
Num productResidual(Num a, Num b, Num c);

/// Right to about 2^-100 of the larger operand.
DoubleDouble operator+(DoubleDouble a, DoubleDouble b);
DoubleDouble operator+(DoubleDouble a, Num b);
DoubleDouble operator-(DoubleDouble a);
inline DoubleDouble operator-(DoubleDouble a, DoubleDouble b) { return a + -b; }
DoubleDouble operator*(DoubleDouble a, DoubleDouble b);
DoubleDouble operator*(DoubleDouble a, Num b);
DoubleDouble operator/(DoubleDouble a, DoubleDouble b);
/// Of a positive number.
DoubleDouble sqrt(DoubleDouble a);
DoubleDouble select(Num mask, DoubleDouble a, DoubleDouble b);
/// c[0] + c[1] x + … as a pair, of which the first `wide` terms are also added
/// as pairs.
DoubleDouble polynomialDoubleDouble(DoubleDouble x,
                                    llvm::ArrayRef<double> coefficients,
                                    unsigned wide);
/// Both parts times a power of two.
DoubleDouble scaled(DoubleDouble a, double power);
/// Normalized; |a.low| may be as large as |a.high|.
inline DoubleDouble normalized(DoubleDouble a) {
  return fastTwoSum(a.high, a.low);
}

/// log(x) + bias log 2 to 2^-65 of it, for positive finite x; the low part of
/// an x from 2^1023 on counts for nothing.
DoubleDouble logDoubleDouble(DoubleDouble x, Num bias);
DoubleDouble logDoubleDouble(Num x);

/// e^x as mantissa times 2^exponent, the mantissa near 1 and right to 2^-56.
struct DoubleDoubleExp {
  DoubleDouble mantissa;
  Num exponent; ///< integer lanes

  /// The value rounded once, or twice where it is denormal.
  Num rounded() const;
};

/// x.high beyond the finite results is clamped; NaN gives no NaN.
DoubleDoubleExp expDoubleDouble(DoubleDouble x);
/// The same with 1 taken away from the mantissa.
DoubleDoubleExp expm1DoubleDouble(DoubleDouble x);

/// The angle of the point (x, y), with atan2's edges.
DoubleDouble atan2DoubleDouble(Num y, Num x);

struct SineAndCosine {
  DoubleDouble sine, cosine;
};

/// To 2^-56, for finite angles.
SineAndCosine sineAndCosineDoubleDouble(DoubleDouble angle);

/// Of pi x, to 2^-56, for finite x.
SineAndCosine halfTurns(Num x);

/// 2^n for integer lanes of normal exponents.
Num powerOfTwo(Num n, bool isDouble);
/// x * 2^n, rounded once more where it is denormal; n in integer lanes, twice
/// as large as exponents may be.
Num scaledByPowerOfTwo(Num x, Num n);

/// x less a multiple of log 2.
struct ReducedExponent {
  Num exponent; ///< integer lanes: how many
  Num whole;    ///< the same as a float
  Num rest;     ///< at most log 2 / 2 in size
};

/// Of x plus a little `more`; x must be clamped so that the exponent fits, or
/// be NaN.
ReducedExponent reduceExponent(Num x, std::optional<Num> more = std::nullopt);

/// 2^y as scale * power, to 3e-9 of it.
struct BinaryPower {
  Num scale; ///< a power of two
  Num power; ///< from sqrt 1/2 to sqrt 2
};

/// Of f32 lanes within the normal exponents, or NaN.
BinaryPower binaryPower(Num y);

/// e^x as 2^exponent * (1 + part), without a pair.
struct ReducedExp {
  Num exponent; ///< integer lanes
  Num whole;    ///< the same as a float
  Num part;     ///< e^r - 1 for |r| <= ln 2 / 2
};

ReducedExp reduceExp(Num x, std::optional<Num> more = std::nullopt);
/// A positive normal number as 2^exponent (1 + part), which is within
/// [sqrt 1/2, sqrt 2].
struct ScaledToOne {
  Num exponent; ///< integer lanes
  Num part;
};
ScaledToOne scaledToOne(Num x);

/// The binary logarithm of 2^exponent (1 + part) in f64 lanes, exponent too, to
/// 2e-11 of it: enough for one rounding to f32.
Num coarseLog2(Num exponent, Num part);

/// log(x) for positive normal f32 numbers.
Num singleLogOfNormal(Num x);

} // namespace xlac::codegen

#endif
