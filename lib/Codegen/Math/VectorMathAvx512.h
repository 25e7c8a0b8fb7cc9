// Operations that AVX512 does in one instruction and other targets in many:
// lookups in a table that fits in a register, and scaling by powers of two.
// Callers must check hasAvx512 first.
#ifndef XLAC_LIB_CODEGEN_VECTORMATHAVX512_H
#define XLAC_LIB_CODEGEN_VECTORMATHAVX512_H

#include "Num.h"

namespace xlac::codegen {

bool hasAvx512(Num a);

/// Returns x * 2^n for an integer n, given as a float, rounded once. Lanes with
/// NaN stay NaN. Lanes that are not set in the mask `lanes` are 0.
Num scaledByWhole(Num x, Num n, Num lanes);

/// Return the larger and the smaller number, where -0 is less than +0. If one
/// operand is NaN, they return the other one.
Num maximumByRange(Num a, Num b);
Num minimumByRange(Num a, Num b);

/// Returns `even` or `odd` in each lane, depending on the lowest bit of the
/// 32-bit integer lanes `number`.
Num byParity(Num number, uint32_t even, uint32_t odd);

/// An odd f32 function that grows from 0 with a slope near 1 and equals 1 from
/// `last` on. Each piece of the positive axis has a polynomial. Pieces begin at
/// 0, at 2^firstExponent, at each greater power of two, and halfway between
/// powers. `rows` has a value for each of the `pieces` (at most 16), one row
/// after another: the center c of the polynomial, then its coefficients,
/// starting with the constant. The first piece has no constant, and the
/// identity is added to its polynomial.
struct OddFunctionTable {
  int firstExponent;
  float last;
  unsigned pieces;
  llvm::ArrayRef<float> rows;
};

/// Evaluates the function for f32 lanes.
Num oddByTable(Num x, const OddFunctionTable &table);

} // namespace xlac::codegen

#endif
