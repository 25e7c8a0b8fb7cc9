// Arithmetic on f32, f64 and integer lanes of any width, in formula notation.
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

/// A value in all lanes (float, integer, or i1 as a mask) and the builder for
/// further operations on it. Operators are IEEE operations without fast-math
/// flags.
struct Num {
  ScalarEmitter *emitter = nullptr;
  llvm::Value *value = nullptr;

  llvm::IRBuilder<> &ir() const { return emitter->ir; }
  llvm::Type *type() const { return value->getType(); }
  /// Returns the type of one lane.
  llvm::Type *scalar() const { return type()->getScalarType(); }
  bool isDouble() const { return scalar()->isDoubleTy(); }
  /// Returns a float constant of this value's type in all lanes.
  Num like(double constant) const;
  /// Returns an integer constant of this value's type in all lanes.
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

/// Comparisons, which return masks. For NaN, ordered comparisons are false and
/// `!=` is true.
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
/// Returns the sign bit, also of -0 and NaN.
Num isNegative(Num a);

/// Bitwise operations on masks and integers.
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

/// Wrapping integer arithmetic on values from `toBits`.
Num addInt(Num a, Num b);
Num subInt(Num a, Num b);
Num shiftLeft(Num a, unsigned bits);
Num shiftRightArithmetic(Num a, unsigned bits);
Num shiftRightLogical(Num a, unsigned bits);
/// Integer comparisons, which return masks; `lessInt` is signed.
Num lessInt(Num a, Num b);
Num equalInt(Num a, Num b);

/// Reinterprets floats as integers of the same width, and vice versa.
Num toBits(Num a);
Num fromBits(Num a, bool asDouble);
/// Converts signed integer lanes to floats.
Num intToFloat(Num a, bool asDouble);
/// The same for 64-bit lanes of magnitude below 2^51, for which AVX2 has no
/// instruction.
Num smallIntToDouble(Num a);
/// Returns the low 32 bits of 64-bit lanes.
Num lowHalf(Num a);

/// Returns whether the target has fused multiply-add. Such targets also round
/// to integers in one instruction.
bool hasFusedMultiply(Num a);
/// Returns a * b + c, fused if the target supports it, else rounded twice.
Num fma(Num a, Num b, Num c);
Num abs(Num a);
Num copysign(Num magnitude, Num sign);
Num sqrt(Num a);
Num floor(Num a);
Num ceil(Num a);
Num trunc(Num a);
/// Rounds to the nearest integer, ties to even.
Num roundEven(Num a);
/// Rounds to the nearest integer, ties away from zero.
Num roundAway(Num a);
Num widen(Num a);  ///< f32 to f64
Num narrow(Num a); ///< f64 to f32, rounded to nearest

/// Returns c[0] + c[1] x + c[2] x^2 + …, by Horner's rule.
Num polynomial(Num x, llvm::ArrayRef<double> coefficients);

/// Returns whether the mask is set in any lane, as a scalar i1.
llvm::Value *anyLane(Num mask);

using Nums = llvm::SmallVector<Num, 4>;

/// Returns `fast` if `mask` is clear in all lanes, else the result of `slow`.
/// `slow` is emitted in a separate, rarely executed block.
Num unlessAny(Num mask, Num fast, llvm::function_ref<Num()> slow);
Nums unlessAny(Num mask, llvm::ArrayRef<Num> fast,
               llvm::function_ref<Nums()> slow);

/// Emits a loop that replaces `values` by the result of `step` while
/// `condition` holds in any lane.
Nums loopWhileAny(llvm::ArrayRef<Num> values,
                  llvm::function_ref<Num(llvm::ArrayRef<Num>)> condition,
                  llvm::function_ref<Nums(llvm::ArrayRef<Num>)> step);

/// Applies `function` to f64 lanes. If x is f32, rounds the result once.
Num throughDouble(Num x, llvm::function_ref<Num(Num)> function);
Num throughDouble(Num x, Num y, llvm::function_ref<Num(Num, Num)> function);

} // namespace xlac::codegen

#endif
