// Rounding to bf16 in four or five integer instructions. vcvtneps2bf16 flushes
// denormal numbers to zero, and takes longer on Zen 4 if f32 lanes must follow.
#include "Bfloat16.h"

#include "Math/VectorMathAvx512.h"

#include "llvm/ADT/SmallPtrSet.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/IntrinsicsX86.h"
#include "llvm/IR/PatternMatch.h"

namespace xlac::codegen {

using namespace llvm;

/// Bits of an f32 that bf16 does not have.
static constexpr unsigned kDropped = 16;

namespace {
/// Follows a float value to what it is computed from.
class Origin {
public:
  explicit Origin(Num x) : root(x.value) {}

  /// Returns whether all lanes are known to be bf16 numbers.
  bool isRounded() {
    return every([&](Value *value) { return roundedPart(value); });
  }

  /// Returns whether each NaN among the lanes is known to have a low half of
  /// zero: it is a constant or comes from such a NaN. Arithmetic makes its
  /// operand's NaN quiet, or makes a NaN without payload.
  bool hasBfloatNans() {
    return every([&](Value *value) { return arithmeticPart(value); });
  }

private:
  /// Values to look at before giving up. The longest functions have about 150.
  static constexpr size_t kMost = 256;

  /// Returns whether `accepts` accepts all values that it asks for, starting
  /// from the root.
  bool every(function_ref<bool(Value *)> accepts) {
    pending = {root};
    SmallPtrSet<Value *, 32> seen;
    while (!pending.empty()) {
      Value *value = pending.pop_back_val();
      if (!seen.insert(value).second)
        continue;
      if (seen.size() > kMost || !accepts(value))
        return false;
    }
    return true;
  }

  bool follow(ArrayRef<Value *> values) {
    pending.append(values.begin(), values.end());
    return true;
  }

  /// Low bits that are zero in the f32 or f64 of a bf16.
  static unsigned zeroBits(Value *value) {
    return value->getType()->getScalarSizeInBits() == 64 ? 29 + kDropped
                                                         : kDropped;
  }

  /// Returns whether `accepts` accepts the bits of all elements.
  static bool everyElement(Constant *constant,
                           function_ref<bool(const APInt &)> accepts) {
    auto *vector = dyn_cast<FixedVectorType>(constant->getType());
    unsigned count = vector ? vector->getNumElements() : 1;
    for (unsigned i = 0; i < count; ++i) {
      Constant *element = vector ? constant->getAggregateElement(i) : constant;
      if (element && isa<PoisonValue>(element))
        continue;
      std::optional<APInt> bits;
      if (auto *number = dyn_cast_or_null<ConstantFP>(element))
        bits = number->getValueAPF().bitcastToAPInt();
      else if (auto *integer = dyn_cast_or_null<ConstantInt>(element))
        bits = integer->getValue();
      if (!bits || !accepts(*bits))
        return false;
    }
    return true;
  }

  /// Accepts numbers with low bits of zero, and ops that return one of their
  /// operands, perhaps with another sign.
  bool roundedPart(Value *value) {
    unsigned zeros = zeroBits(value);
    if (auto *constant = dyn_cast<Constant>(value))
      return everyElement(constant, [&](const APInt &bits) {
        return bits.countr_zero() >= zeros;
      });
    if (auto *cast = dyn_cast<BitCastInst>(value)) {
      Value *from = cast->getOperand(0);
      return from->getType()->getScalarSizeInBits() ==
                 value->getType()->getScalarSizeInBits() &&
             follow({from});
    }
    return value->getType()->isIntOrIntVectorTy() ? integerPart(value, zeros)
                                                  : chosenPart(value);
  }

  /// Accepts integers with `zeros` low bits of zero. LLVM's analysis of known
  /// bits would trust a PHI node of a loop whose end is not emitted yet.
  bool integerPart(Value *value, unsigned zeros) {
    using namespace PatternMatch;
    const APInt *constant = nullptr;
    if (match(value, m_Shl(m_Value(), m_APInt(constant))))
      return constant->uge(zeros);
    if (match(value, m_And(m_Value(), m_APInt(constant))))
      return constant->countr_zero() >= zeros;
    auto *op = dyn_cast<BinaryOperator>(value);
    if (!op)
      return isa<SelectInst>(value) && chosenPart(value);
    switch (op->getOpcode()) {
    case Instruction::Add:
    case Instruction::Sub:
    case Instruction::And:
    case Instruction::Or:
    case Instruction::Xor:
      return follow({op->getOperand(0), op->getOperand(1)});
    default:
      return false;
    }
  }

  /// Accepts ops that return one of their operands, perhaps with another sign.
  bool chosenPart(Value *value) {
    if (auto *select = dyn_cast<SelectInst>(value))
      return follow({select->getTrueValue(), select->getFalseValue()});
    if (isa<ShuffleVectorInst, InsertElementInst>(value)) {
      auto *both = cast<Instruction>(value);
      return follow({both->getOperand(0), both->getOperand(1)});
    }
    if (auto *extract = dyn_cast<ExtractElementInst>(value))
      return follow({extract->getVectorOperand()});
    if (auto *op = dyn_cast<UnaryOperator>(value))
      return op->getOpcode() == Instruction::FNeg &&
             follow({op->getOperand(0)});
    auto *call = dyn_cast<IntrinsicInst>(value);
    if (!call)
      return false;
    switch (call->getIntrinsicID()) {
    case Intrinsic::fabs:
    case Intrinsic::copysign:
    case Intrinsic::arithmetic_fence:
    case Intrinsic::x86_avx512_permvar_sf_512:
      return follow({call->getArgOperand(0)});
    default:
      return false;
    }
  }

  bool arithmeticPart(Value *value) {
    unsigned zeros = zeroBits(value);
    Type *type = value->getType()->getScalarType();
    if (auto *constant = dyn_cast<Constant>(value);
        constant && type->isFloatingPointTy())
      return everyElement(constant, [&](const APInt &bits) {
        return !APFloat(type->getFltSemantics(), bits).isNaN() ||
               bits.countr_zero() >= zeros;
      });
    if (isa<SIToFPInst, UIToFPInst>(value) || roundedPart(value))
      return true;
    if (isa<FPExtInst, FPTruncInst>(value)) {
      Value *operand = cast<CastInst>(value)->getOperand(0);
      Type *from = operand->getType()->getScalarType();
      return (from->isFloatTy() || from->isDoubleTy()) && follow({operand});
    }
    if (auto *op = dyn_cast<BinaryOperator>(value))
      return op->getOpcode() != Instruction::FRem &&
             follow({op->getOperand(0), op->getOperand(1)});
    auto *call = dyn_cast<IntrinsicInst>(value);
    if (!call)
      return false;
    switch (call->getIntrinsicID()) {
    case Intrinsic::sqrt:
    case Intrinsic::floor:
    case Intrinsic::ceil:
    case Intrinsic::trunc:
    case Intrinsic::roundeven:
      return follow({call->getArgOperand(0)});
    case Intrinsic::maximum:
    case Intrinsic::minimum:
    case Intrinsic::x86_avx512_mask_scalef_ps_512:
    case Intrinsic::x86_avx512_mask_scalef_pd_512:
    case Intrinsic::x86_avx512_mask_range_ps_512:
    case Intrinsic::x86_avx512_mask_range_pd_512:
      return follow({call->getArgOperand(0), call->getArgOperand(1)});
    case Intrinsic::fma:
      return follow({call->getArgOperand(0), call->getArgOperand(1),
                     call->getArgOperand(2)});
    default:
      return false;
    }
  }

  Value *root;
  SmallVector<Value *> pending;
};
} // namespace

/// Rounds the bits of numbers, and of NaNs with a low half of zero, which stay
/// the same. The low halves of the result are unspecified.
static Num roundBits(Num bits) {
  constexpr uint32_t even = (1u << (kDropped - 1)) - 1, odd = even + 1;
  Num upper = shiftRightLogical(bits, kDropped);
  if (hasAvx512(bits) && bits.type()->isVectorTy())
    return addInt(bits, byParity(upper, even, odd));
  Num bias = addInt(bits, bits.likeInt(even));
  return addInt(bias, upper & upper.likeInt(1));
}

static Num upperHalf(Num bits) { return bits & bits.likeInt(0xffff0000u); }

/// Returns the upper halves as i16 lanes. One shuffle of two registers takes
/// both's, where a shift would need a truncation of each.
static Value *upperWords(Num bits) {
  IRBuilder<> &ir = bits.ir();
  auto *vector = dyn_cast<FixedVectorType>(bits.type());
  if (!vector)
    return ir.CreateTrunc(shiftRightLogical(bits, kDropped).value,
                          ir.getInt16Ty());
  SmallVector<int> odd;
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane)
    odd.push_back(int(2 * lane + 1));
  auto *words =
      FixedVectorType::get(ir.getInt16Ty(), 2 * vector->getNumElements());
  return ir.CreateShuffleVector(ir.CreateBitCast(bits.value, words), odd);
}

Num roundToBfloat(Num x) {
  assert(x.scalar()->isFloatTy() && "bf16 is represented as f32");
  if (Origin(x).isRounded())
    return x;
  Num bits = toBits(x);
  Num rounded = upperHalf(roundBits(bits));
  if (!Origin(x).hasBfloatNans()) {
    // Without the quiet bit, the upper half could be an infinity's.
    Num quiet = upperHalf(bits | bits.likeInt(0x400000));
    rounded = select(isNan(x), quiet, rounded);
  }
  return fromBits(rounded, false);
}

Value *bfloatCode(Num x) {
  assert(x.scalar()->isFloatTy() && "bf16 is represented as f32");
  Num bits = toBits(x), code = bits;
  if (!Origin(x).isRounded()) {
    code = roundBits(bits);
    if (!Origin(x).hasBfloatNans()) {
      // Preserve the payload, for bitcast_convert.
      Num sign = bits & bits.likeInt(0x80000000u);
      Num least = bits.likeInt(0x7f810000u);
      Num payload = {x.emitter,
                     x.ir().CreateBinaryIntrinsic(
                         Intrinsic::umax,
                         (bits & bits.likeInt(0x7fffffff)).value, least.value)};
      code = select(isNan(x), payload | sign, code);
    }
  }
  return upperWords(code);
}

} // namespace xlac::codegen
