// Elementary and special functions on f32 and f64 lanes of any width, as
// polynomials. Errors are at most 2 ULP; exp, log, powers, roots, sine and
// cosine have at most 1 (docs/generated/accuracy.md has the figures). They do
// not call libm.
#ifndef XLAC_LIB_CODEGEN_VECTORMATH_H
#define XLAC_LIB_CODEGEN_VECTORMATH_H

#include "Num.h"

namespace xlac::codegen {

/// IEEE maximum and minimum: NaN propagates, and -0 is less than +0.
Num maximum(Num a, Num b);
Num minimum(Num a, Num b);

// The functions of the op table, such as `Num cbrt(Num x);`. lgamma and digamma
// follow the C library's conventions, and erfInv is the inverse error function.
// zeta is the Hurwitz zeta function: the sum of (q + k)^-x over k, for x > 1.
// For q < 0 it is defined for integer x; poles at integer q are infinite if x
// is even. polygamma is the derivative of order n of digamma, and NaN unless n
// is a natural number. besselI1e is exp(-|x|) I1(x).
#define XLAC_REAL_LANES_1(kind, function) Num function(Num x);
#define XLAC_REAL_LANES_2(kind, function) Num function(Num x, Num y);
#include "xlac/ops/elementwise_functions.inc"

Num hypot(Num x, Num y);

/// An angle after subtraction of an integer number of quadrants.
struct ReducedAngle {
  Num angle, lost; ///< within pi / 4, and its rounding error
  Num quadrant;    ///< integer lanes, of which the low two bits matter
};

/// Reduces f64 lanes of any magnitude from 1 on to an accuracy of 2^-60, lane
/// by lane. NaN for infinity and NaN, 0 below 1.
ReducedAngle reduceLargeAngle(Num x);

/// Returns the float next to x in the direction of y, for f32 or f64.
Num nextAfter(Num x, Num y);

} // namespace xlac::codegen

#endif
