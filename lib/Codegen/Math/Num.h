// Arithmetic on f32, f64 and integer lanes of any width, written as formulas.
#ifndef XLAC_LIB_CODEGEN_NUM_H
#define XLAC_LIB_CODEGEN_NUM_H

#include "Scalar/ScalarEmitter.h"

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Intrinsics.h"

#include <limits>

namespace xlac::codegen {

inline constexpr double kInf = std::numeric_limits<double>::infinity();
inline constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

/// A value in all lanes (float, integer, or i1 as a mask) with the builder that
/// makes more of it, so that formulas read as formulas. Operators are IEEE
/// operations without fast-math flags.
struct Num {
  ScalarEmitter *emitter = nullptr;
  llvm::Value *value = nullptr;

  llvm::IRBuilder<> &ir() const { return emitter->ir; }
  llvm::Type *type() const { return value->getType(); }
  /// The type of one lane.
  llvm::Type *scalar() const { return type()->getScalarType(); }
  bool isDouble() const { return scalar()->isDoubleTy(); }
  /// The same float constant in all lanes, of this value's type.
  Num like(double constant) const;
  /// The same integer constant in all lanes, of this value's type.
  Num likeInt(uint64_t constant) const;
};

Num operator+(Num a, Num b);
Num operator-(Num a, Num b);
Num operator*(Num a, Num b);
Num operator/(Num a, Num b);
Num operator-(Num a);
inline Num operator+(Num a, double b) { return a + a.like(b); }
inline Num operator-(Num a, double b) { return a - a.like(b); }
inline Num operator*(Num a, double b) { return a * a.like(b); }
inline Num operator/(Num a, double b) { return a / a.like(b); }
inline Num operator+(double a, Num b) { return b.like(a) + b; }
inline Num operator-(double a, Num b) { return b.like(a) - b; }
inline Num operator*(double a, Num b) { return b.like(a) * b; }
inline Num operator/(double a, Num b) { return b.like(a) / b; }

/// Masks: ordered comparisons are false for NaN; `!=` is true for it.
Num operator<(Num a, Num b);
Num operator<=(Num a, Num b);
Num operator>(Num a, Num b);
Num operator>=(Num a, Num b);
Num operator==(Num a, Num b);
Num operator!=(Num a, Num b);
inline Num operator<(Num a, double b) { return a < a.like(b); }
inline Num operator<=(Num a, double b) { return a <= a.like(b); }
inline Num operator>(Num a, double b) { return a > a.like(b); }
inline Num operator>=(Num a, double b) { return a >= a.like(b); }
inline Num operator==(Num a, double b) { return a == a.like(b); }
inline Num operator!=(Num a, double b) { return a != a.like(b); }
Num isNan(Num a);
Num isInf(Num a);
/// The sign bit, that of -0 and NaN too.
Num isNegative(Num a);

/// Bitwise on masks and integers.
Num operator&(Num a, Num b);
Num operator|(Num a, Num b);
Num operator^(Num a, Num b);
Num operator!(Num mask);

Num select(Num mask, Num a, Num b);
inline Num select(Num mask, Num a, double b) {
  return select(mask, a, a.like(b));
}
inline Num select(Num mask, double a, Num b) {
  return select(mask, b.like(a), b);
}

/// Integer arithmetic, wrapping, on values made by `toBits`.
Num addInt(Num a, Num b);
Num subInt(Num a, Num b);
Num shiftLeft(Num a, unsigned bits);
Num shiftRightArithmetic(Num a, unsigned bits);
Num shiftRightLogical(Num a, unsigned bits);
/// Masks; `lessInt` compares signed integers.
Num lessInt(Num a, Num b);
Num equalInt(Num a, Num b);

/// Reinterpretation between floats and integers of the same width.
Num toBits(Num a);
Num fromBits(Num a, bool asDouble);
/// Signed integer lanes as floats (exact where they fit).
Num intToFloat(Num a, bool asDouble);
/// The same for 64-bit lanes below 2^51 in size, which AVX2 cannot convert.
Num smallIntToDouble(Num a);
/// The low 32 bits of 64-bit lanes.
Num lowHalf(Num a);

/// True if the target has fused multiply-add; it then also rounds to integers
/// in one instruction.
bool hasFusedMultiply(Num a);
/// a * b + c, fused where the target has it, else rounded twice.
Num fma(Num a, Num b, Num c);
Num abs(Num a);
Num copysign(Num magnitude, Num sign);
Num sqrt(Num a);
Num floor(Num a);
Num ceil(Num a);
Num trunc(Num a);
/// To the nearest integer, ties to even.
Num roundEven(Num a);
/// To the nearest integer, ties away from zero.
Num roundAway(Num a);
Num widen(Num a);  ///< f32 to f64
Num narrow(Num a); ///< f64 to f32, rounded to nearest

/// c[0] + c[1] x + c[2] x^2 + …, by Horner's rule.
Num polynomial(Num x, llvm::ArrayRef<double> coefficients);

/// True if mask is set in any lane (a scalar i1).
llvm::Value *anyLane(Num mask);

using Nums = llvm::SmallVector<Num, 4>;

/// `fast` unless `mask` is set in some lane; then what `slow` emits, in a block
/// of its own that is rarely entered.
Num unlessAny(Num mask, Num fast, llvm::function_ref<Num()> slow);
Nums unlessAny(Num mask, llvm::ArrayRef<Num> fast,
               llvm::function_ref<Nums()> slow);

/// A loop that replaces `values` by what `step` makes of them while `condition`
/// holds in any lane.
Nums loopWhileAny(llvm::ArrayRef<Num> values,
                  llvm::function_ref<Num(llvm::ArrayRef<Num>)> condition,
                  llvm::function_ref<Nums(llvm::ArrayRef<Num>)> step);

/// `function` of f64 lanes, rounded once if x is f32.
Num throughDouble(Num x, llvm::function_ref<Num(Num)> function);
Num throughDouble(Num x, Num y, llvm::function_ref<Num(Num, Num)> function);

} // namespace xlac::codegen

#endif
