#include "VectorMath.h"

#include "VectorMathAvx512.h"

#include "llvm/IR/Constants.h"

#include <optional>
#include <utility>

namespace xlac::codegen {

/// Returns whether LLVM generates better code by itself: for scalars and
/// constants.
static bool isBestByIntrinsic(Num a, Num b) {
  bool isWide = a.scalar()->isFloatTy() || a.scalar()->isDoubleTy();
  return !isWide || !a.type()->isVectorTy() ||
         llvm::isa<llvm::Constant>(a.value) ||
         llvm::isa<llvm::Constant>(b.value);
}

/// Returns the number that all lanes of a constant have, if it is not NaN.
static std::optional<llvm::APFloat> numberOf(Num a) {
  auto *constant = llvm::dyn_cast<llvm::Constant>(a.value);
  if (constant && a.type()->isVectorTy())
    constant = constant->getSplatValue();
  auto *number = llvm::dyn_cast_or_null<llvm::ConstantFP>(constant);
  if (!number || number->getValue().isNaN())
    return std::nullopt;
  return number->getValue();
}

static Num withIntrinsic(llvm::Intrinsic::ID id, Num a, Num b) {
  return {a.emitter, a.ir().CreateBinaryIntrinsic(id, a.value, b.value)};
}

/// Returns `number`, or NaN if a or b is NaN.
static Num orNan(Num number, Num a, Num b) {
  Num unordered = {a.emitter, a.ir().CreateFCmpUNO(a.value, b.value)};
  return select(unordered, a + b, number);
}

// The instructions for the maximum and minimum of two zeros return the second
// one. Both orders together give both zeros, whose signs are combined.

static Num maximumByOrder(Num a, Num b) {
  Num one = select(a > b, a, b), other = select(b > a, b, a);
  return fromBits(toBits(one) & toBits(other), a.isDouble());
}

static Num minimumByOrder(Num a, Num b) {
  Num one = select(a < b, a, b), other = select(b < a, b, a);
  return fromBits(toBits(one) | toBits(other), a.isDouble());
}

// The instructions also return the second operand if one is NaN. With a
// constant number first, one instruction therefore gives the maximum or
// minimum, except for the sign of a zero.

Num maximum(Num a, Num b) {
  for (auto [number, x] : {std::pair(a, b), std::pair(b, a)})
    if (std::optional<llvm::APFloat> value = numberOf(number)) {
      Num result = select(number > x, number, x);
      // -0 + 0 is 0.
      return value->isPosZero() ? result + 0.0 : result;
    }
  if (isBestByIntrinsic(a, b))
    return withIntrinsic(llvm::Intrinsic::maximum, a, b);
  return orNan(hasAvx512(a) ? maximumByRange(a, b) : maximumByOrder(a, b), a,
               b);
}
Num minimum(Num a, Num b) {
  for (auto [number, x] : {std::pair(a, b), std::pair(b, a)})
    if (std::optional<llvm::APFloat> value = numberOf(number);
        value && !value->isNegZero())
      return select(number < x, number, x);
  if (isBestByIntrinsic(a, b))
    return withIntrinsic(llvm::Intrinsic::minimum, a, b);
  return orNan(hasAvx512(a) ? minimumByRange(a, b) : minimumByOrder(a, b), a,
               b);
}

} // namespace xlac::codegen
