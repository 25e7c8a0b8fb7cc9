// Integers and booleans. All operations wrap, and none traps. A division by
// zero gives all ones, and its remainder is the dividend. Shifting by the width
// or more gives zero or sign bits.
#include "ScalarOps.h"
#include "ScalarOpsInternal.h"

#include "llvm/ADT/StringSwitch.h"
#include "llvm/IR/Constants.h"

namespace xlac::codegen {

using llvm::Value;

Num compareIntegers(Comparison direction, bool isUnsigned, Num a, Num b) {
  using P = llvm::CmpInst::Predicate;
  P predicate = P::ICMP_EQ;
  switch (direction) {
  case Comparison::EQ:
    predicate = P::ICMP_EQ;
    break;
  case Comparison::NE:
    predicate = P::ICMP_NE;
    break;
  case Comparison::GE:
    predicate = isUnsigned ? P::ICMP_UGE : P::ICMP_SGE;
    break;
  case Comparison::GT:
    predicate = isUnsigned ? P::ICMP_UGT : P::ICMP_SGT;
    break;
  case Comparison::LE:
    predicate = isUnsigned ? P::ICMP_ULE : P::ICMP_SLE;
    break;
  case Comparison::LT:
    predicate = isUnsigned ? P::ICMP_ULT : P::ICMP_SLT;
    break;
  }
  return {a.emitter, a.ir().CreateICmp(predicate, a.value, b.value)};
}

static Num equals(Num a, Num b) {
  return compareIntegers(Comparison::EQ, true, a, b);
}

static Num isZero(Num a) { return equals(a, a.likeInt(0)); }

namespace {
/// A divisor that cannot trap, and whether the original divisor was zero.
struct SafeDivision {
  Num divisor;
  Num byZero;
};
} // namespace

/// Returns whether the value is a constant without elements of 0 and -1.
static bool dividesSafely(Value *divisor) {
  auto isSafe = [](llvm::Constant *element) {
    auto *number = dyn_cast_or_null<llvm::ConstantInt>(element);
    return number && !number->isZero() && !number->isMinusOne();
  };
  auto *constant = dyn_cast<llvm::Constant>(divisor);
  if (!constant)
    return false;
  auto *type = dyn_cast<llvm::FixedVectorType>(constant->getType());
  if (!type)
    return isSafe(constant);
  for (unsigned lane = 0; lane < type->getNumElements(); ++lane)
    if (!isSafe(constant->getAggregateElement(lane)))
      return false;
  return true;
}

static SafeDivision makeSafe(Num a, Num b, bool isUnsigned) {
  Num zero = isZero(b);
  Num harmful = zero;
  if (!isUnsigned) {
    unsigned bits = a.scalar()->getIntegerBitWidth();
    Num lowest = {
        a.emitter,
        llvm::ConstantInt::get(a.type(), llvm::APInt::getSignedMinValue(bits))};
    // The lowest integer divided by -1 overflows. Dividing it by 1 gives the
    // wrapped result.
    harmful = harmful | (equals(a, lowest) & equals(b, b.likeInt(~0ull)));
  }
  return {select(harmful, b.likeInt(1), b), zero};
}

static Num multiplyIntegers(Num a, Num b) {
  return {a.emitter, a.ir().CreateMul(a.value, b.value)};
}

/// Returns whether floats divide faster: integers have no vector instructions
/// for it.
static bool dividesInFloats(Num a) {
  return a.type()->isVectorTy() && a.type()->getScalarSizeInBits() <= 32;
}

/// Returns the quotient, rounded toward zero, of integers of at most 32 bits.
/// A quotient that is not an integer is at least 1 / b from the next one. f32
/// for 16 bits and f64 for 32 round it by less, because a + b is far below the
/// 2^24 and 2^53 to which they count.
static Num quotientInFloats(Num a, Num b, bool isUnsigned) {
  llvm::IRBuilder<> &ir = a.ir();
  llvm::Type *type = a.type();
  unsigned bits = type->getScalarSizeInBits();
  llvm::Type *real =
      type->getWithNewType(bits <= 16 ? ir.getFloatTy() : ir.getDoubleTy());
  llvm::Type *whole = type->getWithNewType(ir.getInt32Ty());
  auto toReal = [&](Num x) {
    return isUnsigned ? ir.CreateUIToFP(x.value, real)
                      : ir.CreateSIToFP(x.value, real);
  };
  Value *quotient = ir.CreateFDiv(toReal(a), toReal(b));
  quotient = isUnsigned && bits == 32 ? ir.CreateFPToUI(quotient, whole)
                                      : ir.CreateFPToSI(quotient, whole);
  return {a.emitter, ir.CreateTrunc(quotient, type)};
}

static Num divideIntegers(Num a, Num b, bool isUnsigned) {
  llvm::IRBuilder<> &ir = a.ir();
  // LLVM makes divisions by constants multiplications.
  if (dividesSafely(b.value))
    return {a.emitter, isUnsigned ? ir.CreateUDiv(a.value, b.value)
                                  : ir.CreateSDiv(a.value, b.value)};
  SafeDivision safe = makeSafe(a, b, isUnsigned);
  Value *divisor = safe.divisor.value;
  Num quotient{a.emitter};
  if (dividesInFloats(a))
    quotient = quotientInFloats(a, safe.divisor, isUnsigned);
  else
    quotient.value = isUnsigned ? ir.CreateUDiv(a.value, divisor)
                                : ir.CreateSDiv(a.value, divisor);
  return select(safe.byZero, a.likeInt(~0ull), quotient);
}

static Num remainderOfIntegers(Num a, Num b, bool isUnsigned) {
  llvm::IRBuilder<> &ir = a.ir();
  if (dividesSafely(b.value))
    return {a.emitter, isUnsigned ? ir.CreateURem(a.value, b.value)
                                  : ir.CreateSRem(a.value, b.value)};
  SafeDivision safe = makeSafe(a, b, isUnsigned);
  Value *divisor = safe.divisor.value;
  Num remainder{a.emitter};
  if (dividesInFloats(a))
    remainder = subInt(
        a, multiplyIntegers(quotientInFloats(a, safe.divisor, isUnsigned),
                            safe.divisor));
  else
    remainder.value = isUnsigned ? ir.CreateURem(a.value, divisor)
                                 : ir.CreateSRem(a.value, divisor);
  return select(safe.byZero, a, remainder);
}

/// Computes a power by squaring, bit by bit of the exponent.
static Num powerOfIntegers(Num base, Num exponent, bool isUnsigned,
                           unsigned bits) {
  Num one = base.likeInt(1);
  Num result = one, square = base;
  unsigned steps = isUnsigned ? bits : bits - 1;
  for (unsigned bit = 0; bit < steps; ++bit) {
    Num set = !isZero(exponent & exponent.likeInt(1ull << bit));
    result = select(set, multiplyIntegers(result, square), result);
    square = multiplyIntegers(square, square);
  }
  if (isUnsigned)
    return result;
  // A negative power of any number except 1 and -1 is truncated to 0.
  Num minusOne = base.likeInt(~0ull);
  Num odd = !isZero(exponent & one);
  Num ofMinusOne = select(odd, minusOne, one);
  Num inverse = select(equals(base, one), one, base.likeInt(0));
  inverse = select(equals(base, minusOne), ofMinusOne, inverse);
  Num negative =
      compareIntegers(Comparison::LT, false, exponent, exponent.likeInt(0));
  return select(negative, inverse, result);
}

/// Clears the bits above the type's width.
static Num lowBits(Num a, unsigned bits) {
  if (bits >= 8)
    return a;
  return a & a.likeInt((1u << bits) - 1);
}

static Num shift(llvm::StringRef name, Num a, Num amount, unsigned bits) {
  llvm::IRBuilder<> &ir = a.ir();
  Num within = compareIntegers(Comparison::LT, true, lowBits(amount, bits),
                               amount.likeInt(bits));
  Num safe = select(within, amount, amount.likeInt(0));
  Num zero = a.likeInt(0);
  if (name == "shift_left")
    return select(within, Num{a.emitter, ir.CreateShl(a.value, safe.value)},
                  zero);
  if (name == "shift_right_logical")
    return select(
        within,
        Num{a.emitter, ir.CreateLShr(lowBits(a, bits).value, safe.value)},
        zero);
  // As in XLA, an arithmetic shift extends the top bit of unsigned types too.
  unsigned spare = a.scalar()->getIntegerBitWidth() - bits;
  Num wide = shiftRightArithmetic(shiftLeft(a, spare), spare);
  Num capped = select(within, amount, amount.likeInt(bits - 1));
  return {a.emitter, ir.CreateAShr(wide.value, capped.value)};
}

static Num highProduct(Num a, Num b, bool isUnsigned, unsigned bits) {
  llvm::IRBuilder<> &ir = a.ir();
  llvm::Type *wide = a.type()->getWithNewBitWidth(2 * std::max(bits, 8u));
  auto extend = [&](Num x) {
    return isUnsigned ? ir.CreateZExt(x.value, wide)
                      : ir.CreateSExt(x.value, wide);
  };
  Value *product = ir.CreateMul(extend(a), extend(b));
  Value *high =
      isUnsigned ? ir.CreateLShr(product, bits) : ir.CreateAShr(product, bits);
  return {a.emitter, ir.CreateTrunc(high, a.type())};
}

static Num countBits(llvm::StringRef name, Num a, unsigned bits) {
  llvm::IRBuilder<> &ir = a.ir();
  Num own = lowBits(a, bits);
  if (name == "popcnt")
    return {a.emitter,
            ir.CreateUnaryIntrinsic(llvm::Intrinsic::ctpop, own.value)};
  Num zeros = {a.emitter, ir.CreateBinaryIntrinsic(llvm::Intrinsic::ctlz,
                                                   own.value, ir.getFalse())};
  unsigned spare = a.scalar()->getIntegerBitWidth() - bits;
  return subInt(zeros, zeros.likeInt(spare));
}

/// Emits boolean ops: sums are or, products are and.
static std::optional<Num> emitBooleanOp(const ScalarCall &call) {
  llvm::StringRef name = call.name;
  if (call.operands.size() == 1) {
    if (name == "not")
      return !call.real(0);
    return std::nullopt;
  }
  Num a = call.real(0), b = call.real(1);
  if (name == "add" || name == "or" || name == "maximum")
    return a | b;
  if (name == "multiply" || name == "and" || name == "minimum")
    return a & b;
  if (name == "xor" || name == "subtract")
    return a ^ b;
  if (name == "clamp")
    return (a | b) & call.real(2);
  return std::nullopt;
}

static Num extremum(Num a, Num b, bool isUnsigned, bool largest) {
  llvm::Intrinsic::ID id =
      largest ? (isUnsigned ? llvm::Intrinsic::umax : llvm::Intrinsic::smax)
              : (isUnsigned ? llvm::Intrinsic::umin : llvm::Intrinsic::smin);
  return {a.emitter, a.ir().CreateBinaryIntrinsic(id, a.value, b.value)};
}

static std::optional<Num> emitUnary(const ScalarCall &call, bool isUnsigned) {
  llvm::StringRef name = call.name;
  Num a = call.real(0);
  Num zero = a.likeInt(0);
  if (name == "negate")
    return subInt(zero, a);
  if (name == "not")
    return !a;
  if (name == "abs")
    return isUnsigned ? a : extremum(a, subInt(zero, a), false, true);
  if (name == "popcnt" || name == "count_leading_zeros")
    return countBits(name, a, bitWidth(call.type));
  if (name == "square")
    return multiplyIntegers(a, a);
  if (name == "sign") {
    Num one = a.likeInt(1);
    if (isUnsigned)
      return extremum(a, one, true, false);
    return extremum(extremum(a, one, false, false), a.likeInt(~0ull), false,
                    true);
  }
  return std::nullopt;
}

static std::optional<Num> emitBinary(const ScalarCall &call, bool isUnsigned) {
  llvm::StringRef name = call.name;
  unsigned bits = bitWidth(call.type);
  Num a = call.real(0), b = call.real(1);
  if (name == "add")
    return addInt(a, b);
  if (name == "subtract")
    return subInt(a, b);
  if (name == "multiply")
    return multiplyIntegers(a, b);
  if (name == "divide")
    return divideIntegers(a, b, isUnsigned);
  if (name == "remainder")
    return remainderOfIntegers(a, b, isUnsigned);
  if (name == "maximum" || name == "minimum")
    return extremum(a, b, isUnsigned, name == "maximum");
  if (name == "and")
    return a & b;
  if (name == "or")
    return a | b;
  if (name == "xor")
    return a ^ b;
  if (name == "power")
    return powerOfIntegers(a, b, isUnsigned, bits);
  if (name.starts_with("shift_"))
    return shift(name, a, b, bits);
  if (name == "mulhi")
    return highProduct(a, b, isUnsigned, bits);
  return std::nullopt;
}

std::optional<Element> emitIntegerOp(const ScalarCall &call) {
  bool isUnsigned = isUnsignedInteger(call.type);
  std::optional<Num> result;
  if (call.name == "compare") {
    std::optional<CompareAttributes> how = compareAttributes(call.op);
    if (how)
      result = compareIntegers(how->direction, isUnsigned, call.real(0),
                               call.real(1));
  } else if (call.type.isInteger(1)) {
    result = emitBooleanOp(call);
  } else if (call.name == "clamp") {
    Num raised = extremum(call.real(1), call.real(0), isUnsigned, true);
    result = extremum(raised, call.real(2), isUnsigned, false);
  } else if (call.operands.size() == 1) {
    result = emitUnary(call, isUnsigned);
  } else if (call.operands.size() == 2) {
    result = emitBinary(call, isUnsigned);
  }
  if (!result)
    return std::nullopt;
  return Element{result->value};
}

} // namespace xlac::codegen
