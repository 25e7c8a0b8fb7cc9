// What AVX512 does in one instruction and other targets in many: taking entries
// of a table that a register holds, and scaling by powers of two. Ask
// hasAvx512 first.
#ifndef XLAC_LIB_CODEGEN_VECTORMATHAVX512_H
#define XLAC_LIB_CODEGEN_VECTORMATHAVX512_H

#include "Num.h"

namespace xlac::codegen {

bool hasAvx512(Num a);

/// x * 2^n for whole n, given as a float, rounded once; lanes of NaN stay NaN.
Num scaledByWhole(Num x, Num n);

/// maximum and minimum of VectorMath.h.
Num maximumByRange(Num a, Num b);
Num minimumByRange(Num a, Num b);

/// An odd function of f32 that grows from 0 with a slope near 1 and is 1 from
/// `last` on, by a polynomial for each piece of its axis. Pieces begin at 0, at
/// 2^firstExponent, and from there at each power of two and halfway to the next
/// one. `rows` has a value for each of the `pieces`, 16 at most, one row after
/// the other: the point c that the polynomial is about, and its coefficients,
/// the constant one first. About 0 the constant is left out, and the identity
/// is to be added.
struct OddFunctionTable {
  int firstExponent;
  float last;
  unsigned pieces;
  llvm::ArrayRef<float> rows;
};

/// Of f32 lanes.
Num oddByTable(Num x, const OddFunctionTable &table);

} // namespace xlac::codegen

#endif
