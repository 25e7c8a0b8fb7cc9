// The operations that formulas are made of, and the calls through xlac_ctx.
#include "VectorMath.h"

#include "llvm/IR/Constants.h"

#include <cmath>
#include <cstddef>

namespace xlac::codegen {

using llvm::Type;
using llvm::Value;

static Type *withLanesOf(Type *scalar, Type *like) {
  if (auto *vector = llvm::dyn_cast<llvm::VectorType>(like))
    return llvm::VectorType::get(scalar, vector->getElementCount());
  return scalar;
}

static bool hasFusedMultiply(const ScalarEmitter &emitter) {
  return emitter.profile.features & kFeatureAvx2;
}

static Num unary(llvm::Intrinsic::ID id, Num a) {
  return {a.emitter, a.ir().CreateUnaryIntrinsic(id, a.value)};
}

static Num binary(llvm::Intrinsic::ID id, Num a, Num b) {
  return {a.emitter, a.ir().CreateBinaryIntrinsic(id, a.value, b.value)};
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
  return {a.emitter, a.ir().CreateSelect(mask.value, a.value, b.value)};
}

Num addInt(Num a, Num b) {
  return {a.emitter, a.ir().CreateAdd(a.value, b.value)};
}
Num subInt(Num a, Num b) {
  return {a.emitter, a.ir().CreateSub(a.value, b.value)};
}
Num shiftLeft(Num a, unsigned bits) {
  return {a.emitter, a.ir().CreateShl(a.value, bits)};
}
Num shiftRightArithmetic(Num a, unsigned bits) {
  return {a.emitter, a.ir().CreateAShr(a.value, bits)};
}
Num shiftRightLogical(Num a, unsigned bits) {
  return {a.emitter, a.ir().CreateLShr(a.value, bits)};
}

Num toBits(Num a) {
  unsigned bits = a.scalar()->getPrimitiveSizeInBits();
  Type *integer = withLanesOf(a.ir().getIntNTy(bits), a.type());
  return {a.emitter, a.ir().CreateBitCast(a.value, integer)};
}

Num fromBits(Num a, bool asDouble) {
  Type *scalar = asDouble ? a.ir().getDoubleTy() : a.ir().getFloatTy();
  return {a.emitter,
          a.ir().CreateBitCast(a.value, withLanesOf(scalar, a.type()))};
}

Num intToFloat(Num a, bool asDouble) {
  Type *scalar = asDouble ? a.ir().getDoubleTy() : a.ir().getFloatTy();
  return {a.emitter,
          a.ir().CreateSIToFP(a.value, withLanesOf(scalar, a.type()))};
}

Num fma(Num a, Num b, Num c) {
  if (!hasFusedMultiply(*a.emitter))
    return a * b + c;
  return {a.emitter, a.ir().CreateIntrinsic(llvm::Intrinsic::fma, {a.type()},
                                            {a.value, b.value, c.value})};
}

Num abs(Num a) { return unary(llvm::Intrinsic::fabs, a); }
Num copysign(Num magnitude, Num sign) {
  return binary(llvm::Intrinsic::copysign, magnitude, sign);
}
Num sqrt(Num a) { return unary(llvm::Intrinsic::sqrt, a); }

/// Without SSE4.1 LLVM would call libm for the rounding intrinsics. Adding and
/// taking away a number whose last bit counts ones rounds small values; larger
/// ones are integers already.
static Num roundByAdding(Num a) {
  double magic = a.isDouble() ? 0x1p52 : 0x1p23;
  Num big = copysign(a.like(magic), a);
  Num rounded = copysign((a + big) - big, a);
  return select(abs(a) < magic, rounded, a);
}

Num roundEven(Num a) {
  if (!hasFusedMultiply(*a.emitter))
    return roundByAdding(a);
  return unary(llvm::Intrinsic::roundeven, a);
}

Num floor(Num a) {
  if (hasFusedMultiply(*a.emitter))
    return unary(llvm::Intrinsic::floor, a);
  Num rounded = roundByAdding(a);
  return copysign(select(rounded > a, rounded - 1.0, rounded), a);
}

Num ceil(Num a) {
  if (hasFusedMultiply(*a.emitter))
    return unary(llvm::Intrinsic::ceil, a);
  return -floor(-a);
}

Num trunc(Num a) {
  if (hasFusedMultiply(*a.emitter))
    return unary(llvm::Intrinsic::trunc, a);
  return copysign(floor(abs(a)), a);
}

Num roundAway(Num a) {
  // The largest number below one half, so that it does not round up itself.
  double half = a.isDouble() ? 0x1.fffffffffffffp-2 : 0x1.fffffep-2;
  return trunc(a + copysign(a.like(half), a));
}

Num maximum(Num a, Num b) { return binary(llvm::Intrinsic::maximum, a, b); }
Num minimum(Num a, Num b) { return binary(llvm::Intrinsic::minimum, a, b); }

Num widen(Num a) {
  return {a.emitter, a.ir().CreateFPExt(
                         a.value, withLanesOf(a.ir().getDoubleTy(), a.type()))};
}

Num narrow(Num a) {
  return {a.emitter, a.ir().CreateFPTrunc(
                         a.value, withLanesOf(a.ir().getFloatTy(), a.type()))};
}

Num polynomial(Num x, llvm::ArrayRef<double> coefficients) {
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

Num unlessAny(Num mask, Num fast, llvm::function_ref<Num()> slow) {
  llvm::IRBuilder<> &ir = fast.ir();
  Value *any = anyLane(mask);
  llvm::BasicBlock *before = ir.GetInsertBlock();
  llvm::Function *function = before->getParent();
  llvm::LLVMContext &context = ir.getContext();
  llvm::BasicBlock *after = llvm::BasicBlock::Create(
      context, "common", function, before->getNextNode());
  llvm::BasicBlock *rare =
      llvm::BasicBlock::Create(context, "rare", function, after);
  // What stood behind the insertion point, a terminator included, follows.
  after->splice(after->end(), before, ir.GetInsertPoint(), before->end());
  if (after->getTerminator())
    after->replaceSuccessorsPhiUsesWith(before, after);
  ir.SetInsertPoint(before);
  ir.CreateCondBr(any, rare, after);
  ir.SetInsertPoint(rare);
  Num slowValue = slow();
  llvm::BasicBlock *rareEnd = ir.GetInsertBlock();
  ir.CreateBr(after);
  ir.SetInsertPoint(after, after->begin());
  llvm::PHINode *result = ir.CreatePHI(fast.type(), 2);
  result->addIncoming(fast.value, before);
  result->addIncoming(slowValue.value, rareEnd);
  return {fast.emitter, result};
}

/// Loads function pointer number `number` of the table at `offset` of services.
static Value *loadService(ScalarEmitter &emitter, size_t offset,
                          unsigned number) {
  llvm::IRBuilder<> &ir = emitter.ir;
  Value *services = ir.CreateLoad(
      ir.getPtrTy(),
      ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), emitter.context,
                                    offsetof(xlac_ctx, services)));
  return ir.CreateLoad(ir.getPtrTy(), ir.CreateConstInBoundsGEP1_64(
                                          ir.getInt8Ty(), services,
                                          offset + number * sizeof(void *)));
}

/// Calls `callee` (double(double…)) on the lanes of f64 `operands` one by one.
static Value *callByLane(ScalarEmitter &emitter, Value *callee,
                         llvm::ArrayRef<Value *> operands) {
  llvm::IRBuilder<> &ir = emitter.ir;
  llvm::SmallVector<Type *> types(operands.size(), ir.getDoubleTy());
  auto *signature = llvm::FunctionType::get(ir.getDoubleTy(), types, false);
  auto call = [&](llvm::ArrayRef<Value *> arguments) {
    llvm::CallInst *result = ir.CreateCall(signature, callee, arguments);
    result->setDoesNotThrow();
    result->setDoesNotAccessMemory();
    return result;
  };
  auto *vector =
      llvm::dyn_cast<llvm::FixedVectorType>(operands.front()->getType());
  if (!vector)
    return call(operands);
  Value *result = llvm::PoisonValue::get(vector);
  for (unsigned lane = 0; lane < vector->getNumElements(); ++lane) {
    llvm::SmallVector<Value *> arguments;
    for (Value *operand : operands)
      arguments.push_back(ir.CreateExtractElement(operand, lane));
    result = ir.CreateInsertElement(result, call(arguments), lane);
  }
  return result;
}

Num callService(Num x, xlac_math_function function) {
  if (!x.isDouble())
    return narrow(callService(widen(x), function));
  Value *callee =
      loadService(*x.emitter, offsetof(xlac_services, math), function);
  return {x.emitter, callByLane(*x.emitter, callee, {x.value})};
}

Num callService(Num x, Num y, xlac_math2_function function) {
  if (!x.isDouble())
    return narrow(callService(widen(x), widen(y), function));
  Value *callee =
      loadService(*x.emitter, offsetof(xlac_services, math2), function);
  return {x.emitter, callByLane(*x.emitter, callee, {x.value, y.value})};
}

} // namespace xlac::codegen
