// The operations that mathematical formulas are built from.
#include "Num.h"

#include "llvm/IR/Constants.h"

#include <cmath>

namespace xlac::codegen {

using llvm::Type;
using llvm::Value;

static Type *withLanesOf(Type *scalar, Type *like) {
  if (auto *vector = llvm::dyn_cast<llvm::VectorType>(like))
    return llvm::VectorType::get(scalar, vector->getElementCount());
  return scalar;
}

bool hasFusedMultiply(Num a) {
  return a.emitter->profile.features & kFeatureAvx2;
}

static Num unary(llvm::Intrinsic::ID id, Num a) {
  return {a.emitter, a.ir().CreateUnaryIntrinsic(id, a.value)};
}

Num Num::like(double constant) const {
  return {emitter, llvm::ConstantFP::get(type(), constant)};
}

Num Num::likeInt(uint64_t constant) const {
  return {emitter, llvm::ConstantInt::get(type(), constant)};
}

Num operator+(Num a, Num b) {
  return {a.emitter, a.ir().CreateFAdd(a.value, b.value)};
}
Num operator-(Num a, Num b) {
  return {a.emitter, a.ir().CreateFSub(a.value, b.value)};
}
Num operator*(Num a, Num b) {
  return {a.emitter, a.ir().CreateFMul(a.value, b.value)};
}
Num operator/(Num a, Num b) {
  return {a.emitter, a.ir().CreateFDiv(a.value, b.value)};
}
Num operator-(Num a) { return {a.emitter, a.ir().CreateFNeg(a.value)}; }

Num operator<(Num a, Num b) {
  return {a.emitter, a.ir().CreateFCmpOLT(a.value, b.value)};
}
Num operator<=(Num a, Num b) {
  return {a.emitter, a.ir().CreateFCmpOLE(a.value, b.value)};
}
Num operator>(Num a, Num b) {
  return {a.emitter, a.ir().CreateFCmpOGT(a.value, b.value)};
}
Num operator>=(Num a, Num b) {
  return {a.emitter, a.ir().CreateFCmpOGE(a.value, b.value)};
}
Num operator==(Num a, Num b) {
  return {a.emitter, a.ir().CreateFCmpOEQ(a.value, b.value)};
}
Num operator!=(Num a, Num b) {
  return {a.emitter, a.ir().CreateFCmpUNE(a.value, b.value)};
}
Num isNan(Num a) { return {a.emitter, a.ir().CreateFCmpUNO(a.value, a.value)}; }
Num isInf(Num a) { return abs(a) == HUGE_VAL; }

Num lessInt(Num a, Num b) {
  return {a.emitter, a.ir().CreateICmpSLT(a.value, b.value)};
}
Num equalInt(Num a, Num b) {
  return {a.emitter, a.ir().CreateICmpEQ(a.value, b.value)};
}
Num isNegative(Num a) {
  Num bits = toBits(a);
  return lessInt(bits, bits.likeInt(0));
}

Num operator&(Num a, Num b) {
  return {a.emitter, a.ir().CreateAnd(a.value, b.value)};
}
Num operator|(Num a, Num b) {
  return {a.emitter, a.ir().CreateOr(a.value, b.value)};
}
Num operator^(Num a, Num b) {
  return {a.emitter, a.ir().CreateXor(a.value, b.value)};
}
Num operator!(Num mask) {
  return {mask.emitter, mask.ir().CreateNot(mask.value)};
}

Num select(Num mask, Num a, Num b) {
  assert(mask.scalar()->isIntegerTy(1) && a.type() == b.type() &&
         "a mask picks from numbers of one type");
  return {a.emitter, a.ir().CreateSelect(mask.value, a.value, b.value)};
}

Num addInt(Num a, Num b) {
  return {a.emitter, a.ir().CreateAdd(a.value, b.value)};
}
Num subInt(Num a, Num b) {
  return {a.emitter, a.ir().CreateSub(a.value, b.value)};
}
Num shiftLeft(Num a, unsigned bits) {
  assert(bits < a.type()->getScalarSizeInBits() && "some bits stay");
  return {a.emitter, a.ir().CreateShl(a.value, bits)};
}
Num shiftRightArithmetic(Num a, unsigned bits) {
  assert(bits < a.type()->getScalarSizeInBits() && "some bits stay");
  return {a.emitter, a.ir().CreateAShr(a.value, bits)};
}
Num shiftRightLogical(Num a, unsigned bits) {
  assert(bits < a.type()->getScalarSizeInBits() && "some bits stay");
  return {a.emitter, a.ir().CreateLShr(a.value, bits)};
}

Num toBits(Num a) {
  unsigned bits = a.scalar()->getPrimitiveSizeInBits();
  Type *integer = withLanesOf(a.ir().getIntNTy(bits), a.type());
  return {a.emitter, a.ir().CreateBitCast(a.value, integer)};
}

Num fromBits(Num a, bool asDouble) {
  assert(a.scalar()->isIntegerTy(asDouble ? 64 : 32) &&
         "bits are as many as the number's");
  Type *scalar = asDouble ? a.ir().getDoubleTy() : a.ir().getFloatTy();
  return {a.emitter,
          a.ir().CreateBitCast(a.value, withLanesOf(scalar, a.type()))};
}

Num intToFloat(Num a, bool asDouble) {
  Type *scalar = asDouble ? a.ir().getDoubleTy() : a.ir().getFloatTy();
  return {a.emitter,
          a.ir().CreateSIToFP(a.value, withLanesOf(scalar, a.type()))};
}

Num smallIntToDouble(Num a) {
  // The low bits of 1.5 * 2^52 + n contain the integer n.
  Num magic = {a.emitter,
               llvm::ConstantFP::get(
                   withLanesOf(a.ir().getDoubleTy(), a.type()), 0x1.8p52)};
  return fromBits(addInt(a, toBits(magic)), true) - magic;
}

Num lowHalf(Num a) {
  return {a.emitter, a.ir().CreateTrunc(
                         a.value, withLanesOf(a.ir().getInt32Ty(), a.type()))};
}

Num fma(Num a, Num b, Num c) {
  if (!hasFusedMultiply(a))
    return a * b + c;
  return {a.emitter, a.ir().CreateIntrinsic(llvm::Intrinsic::fma, {a.type()},
                                            {a.value, b.value, c.value})};
}

Num abs(Num a) { return unary(llvm::Intrinsic::fabs, a); }

/// The arithmetic fence works around LLVM's rounding of copysign. LLVM narrows
/// a copysign to f16 by narrowing only its magnitude. If the sign operand was
/// itself rounded to f16, LLVM uses the unrounded f64 instead and narrows that
/// with a function of compiler-rt, which kernels cannot call. The fence keeps
/// the rounding outside.
Num copysign(Num magnitude, Num sign) {
  Value *result = magnitude.ir().CreateBinaryIntrinsic(
      llvm::Intrinsic::copysign, magnitude.value, sign.value);
  return {magnitude.emitter,
          magnitude.ir().CreateArithmeticFence(result, result->getType())};
}

Num sqrt(Num a) { return unary(llvm::Intrinsic::sqrt, a); }

/// Rounds without the rounding intrinsics, which call libm without SSE4.1.
/// Adding and subtracting a number whose last bit has the weight 1 rounds small
/// values. Larger values are integers already.
static Num roundByAdding(Num a) {
  double magic = a.isDouble() ? 0x1p52 : 0x1p23;
  Num big = copysign(a.like(magic), a);
  Num rounded = copysign((a + big) - big, a);
  return select(abs(a) < magic, rounded, a);
}

Num roundEven(Num a) {
  if (!hasFusedMultiply(a))
    return roundByAdding(a);
  return unary(llvm::Intrinsic::roundeven, a);
}

Num floor(Num a) {
  if (hasFusedMultiply(a))
    return unary(llvm::Intrinsic::floor, a);
  Num rounded = roundByAdding(a);
  return copysign(select(rounded > a, rounded - 1.0, rounded), a);
}

Num ceil(Num a) {
  if (hasFusedMultiply(a))
    return unary(llvm::Intrinsic::ceil, a);
  return -floor(-a);
}

Num trunc(Num a) {
  if (hasFusedMultiply(a))
    return unary(llvm::Intrinsic::trunc, a);
  return copysign(floor(abs(a)), a);
}

Num roundAway(Num a) {
  // The largest number below one half, because one half would round up numbers
  // just below it.
  double half = a.isDouble() ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2;
  return trunc(a + copysign(a.like(half), a));
}

Num widen(Num a) {
  assert(!a.isDouble() && "only f32 is widened");
  return {a.emitter, a.ir().CreateFPExt(
                         a.value, withLanesOf(a.ir().getDoubleTy(), a.type()))};
}

Num narrow(Num a) {
  assert(a.isDouble() && "only f64 is narrowed");
  return {a.emitter, a.ir().CreateFPTrunc(
                         a.value, withLanesOf(a.ir().getFloatTy(), a.type()))};
}

Num polynomial(Num x, llvm::ArrayRef<double> coefficients) {
  assert(!coefficients.empty() && "a polynomial has a coefficient");
  Num sum = x.like(coefficients.back());
  for (double coefficient : llvm::reverse(coefficients.drop_back()))
    sum = fma(sum, x, x.like(coefficient));
  return sum;
}

Value *anyLane(Num mask) {
  if (!mask.type()->isVectorTy())
    return mask.value;
  return mask.ir().CreateOrReduce(mask.value);
}

/// Splits the current block. Everything after the insertion point, including a
/// terminator, moves to a new block `name`, which is returned.
static llvm::BasicBlock *splitBlock(llvm::IRBuilder<> &ir, const char *name) {
  llvm::BasicBlock *before = ir.GetInsertBlock();
  llvm::BasicBlock *after = llvm::BasicBlock::Create(
      ir.getContext(), name, before->getParent(), before->getNextNode());
  after->splice(after->end(), before, ir.GetInsertPoint(), before->end());
  if (after->getTerminator())
    after->replaceSuccessorsPhiUsesWith(before, after);
  ir.SetInsertPoint(before);
  return after;
}

Nums unlessAny(Num mask, llvm::ArrayRef<Num> fast,
               llvm::function_ref<Nums()> slow) {
  llvm::IRBuilder<> &ir = mask.ir();
  Value *any = anyLane(mask);
  llvm::BasicBlock *before = ir.GetInsertBlock();
  llvm::BasicBlock *after = splitBlock(ir, "common");
  llvm::BasicBlock *rare = llvm::BasicBlock::Create(ir.getContext(), "rare",
                                                    before->getParent(), after);
  ir.CreateCondBr(any, rare, after);
  ir.SetInsertPoint(rare);
  Nums slowValues = slow();
  llvm::BasicBlock *rareEnd = ir.GetInsertBlock();
  ir.CreateBr(after);
  ir.SetInsertPoint(after, after->begin());
  Nums results;
  for (auto [usual, unusual] : llvm::zip_equal(fast, slowValues)) {
    llvm::PHINode *result = ir.CreatePHI(usual.type(), 2);
    result->addIncoming(usual.value, before);
    result->addIncoming(unusual.value, rareEnd);
    results.push_back({usual.emitter, result});
  }
  return results;
}

Num unlessAny(Num mask, Num fast, llvm::function_ref<Num()> slow) {
  return unlessAny(mask, llvm::ArrayRef(fast), [&] { return Nums{slow()}; })[0];
}

Nums loopWhileAny(llvm::ArrayRef<Num> values,
                  llvm::function_ref<Num(llvm::ArrayRef<Num>)> condition,
                  llvm::function_ref<Nums(llvm::ArrayRef<Num>)> step) {
  assert(!values.empty() && "a loop carries values");
  llvm::IRBuilder<> &ir = values[0].ir();
  llvm::BasicBlock *before = ir.GetInsertBlock();
  llvm::BasicBlock *after = splitBlock(ir, "done");
  auto newBlock = [&](const char *name) {
    return llvm::BasicBlock::Create(ir.getContext(), name, before->getParent(),
                                    after);
  };
  llvm::BasicBlock *test = newBlock("test"), *body = newBlock("body");
  ir.CreateBr(test);
  ir.SetInsertPoint(test);
  Nums current;
  for (Num value : values) {
    llvm::PHINode *phi = ir.CreatePHI(value.type(), 2);
    phi->addIncoming(value.value, before);
    current.push_back({value.emitter, phi});
  }
  ir.CreateCondBr(anyLane(condition(current)), body, after);
  ir.SetInsertPoint(body);
  Nums next = step(current);
  for (auto [value, replacement] : llvm::zip_equal(current, next))
    llvm::cast<llvm::PHINode>(value.value)
        ->addIncoming(replacement.value, ir.GetInsertBlock());
  ir.CreateBr(test);
  ir.SetInsertPoint(after, after->begin());
  return current;
}

Num throughDouble(Num x, llvm::function_ref<Num(Num)> function) {
  return x.isDouble() ? function(x) : narrow(function(widen(x)));
}

Num throughDouble(Num x, Num y, llvm::function_ref<Num(Num, Num)> function) {
  return x.isDouble() ? function(x, y) : narrow(function(widen(x), widen(y)));
}

} // namespace xlac::codegen
