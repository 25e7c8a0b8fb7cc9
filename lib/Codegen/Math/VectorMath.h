// Elementary and special functions on f32 and f64 lanes of any width, as own
// polynomials: at most 2 ULP (exp, log, powers, roots, sine and cosine at most
// 1; docs/generated/accuracy.md has the figures). Nothing calls a libm symbol.
#ifndef XLAC_LIB_CODEGEN_VECTORMATH_H
#define XLAC_LIB_CODEGEN_VECTORMATH_H

#include "Num.h"

namespace xlac::codegen {

/// IEEE maximum and minimum: NaN wins, -0 is below +0.
Num maximum(Num a, Num b);
Num minimum(Num a, Num b);

// The functions that the op table names: `Num cbrt(Num x);`. lgamma, digamma
// and erfInv are those of the C library and of statistics; zeta is Hurwitz'
// function: the sum of (q + k)^-x over k, for x > 1 (of q < 0 it is known where
// x is whole; poles at whole q are infinite where x is even); polygamma is the
// derivative of order n of digamma, NaN for n that is no natural number;
// besselI1e is exp(-|x|) I1(x).
#define XLAC_REAL_LANES_1(kind, function) Num function(Num x);
#define XLAC_REAL_LANES_2(kind, function) Num function(Num x, Num y);
#include "xlac/ops/elementwise_functions.inc"

Num hypot(Num x, Num y);

/// An angle less a whole number of quadrants.
struct ReducedAngle {
  Num angle, lost; ///< within pi / 4, and what it lost by rounding
  Num quadrant;    ///< integer lanes; the low two bits count
};

/// Of f64 lanes of any size from 1 on, right to 2^-60, one by one; NaN for
/// infinity and NaN, 0 below 1.
ReducedAngle reduceLargeAngle(Num x);

/// The float next to x in the direction of y, in f32 or f64.
Num nextAfter(Num x, Num y);

} // namespace xlac::codegen

#endif
