#include "Loops.h"

#include "llvm/IR/Constants.h"

using namespace llvm;

namespace xlac::codegen {

/// Number of iterations if all bounds are constants: 0, 1, or 2 for more.
static std::optional<int> knownTrips(Value *begin, Value *end, Value *step) {
  auto *from = dyn_cast<ConstantInt>(begin), *to = dyn_cast<ConstantInt>(end),
       *by = dyn_cast<ConstantInt>(step);
  if (!from || !to || !by)
    return std::nullopt;
  assert(by->getSExtValue() > 0 && "loops count up");
  int64_t length = to->getSExtValue() - from->getSExtValue();
  return length <= 0 ? 0 : length <= by->getSExtValue() ? 1 : 2;
}

LoopValues emitFor(IRBuilder<> &ir, Value *begin, Value *end, Value *step,
                   ArrayRef<Value *> initial,
                   function_ref<LoopValues(Value *, ArrayRef<Value *>)> body) {
  assert(begin->getType() == end->getType() &&
         begin->getType() == step->getType() && "bounds have one type");
  std::optional<int> trips = knownTrips(begin, end, step);
  if (trips == 0)
    return LoopValues(initial);
  if (trips == 1)
    return body(begin, initial);

  LLVMContext &context = ir.getContext();
  Function *function = ir.GetInsertBlock()->getParent();
  BasicBlock *before = ir.GetInsertBlock();
  BasicBlock *head = BasicBlock::Create(context, "loop", function);
  BasicBlock *done = BasicBlock::Create(context, "done", function);
  if (trips)
    ir.CreateBr(head);
  else
    ir.CreateCondBr(ir.CreateICmpSLT(begin, end), head, done);

  ir.SetInsertPoint(head);
  PHINode *index = ir.CreatePHI(begin->getType(), 2, "i");
  index->addIncoming(begin, before);
  SmallVector<PHINode *> carried;
  LoopValues now;
  for (Value *value : initial) {
    PHINode *phi = ir.CreatePHI(value->getType(), 2);
    phi->addIncoming(value, before);
    carried.push_back(phi);
    now.push_back(phi);
  }
  LoopValues next = body(index, now);
  assert(next.size() == initial.size() &&
         "a trip hands on all that it was given");
  Value *following = ir.CreateAdd(index, step, "", false, true);
  BasicBlock *latch = ir.GetInsertBlock();
  ir.CreateCondBr(ir.CreateICmpSLT(following, end), head, done);
  index->addIncoming(following, latch);

  ir.SetInsertPoint(done);
  LoopValues results;
  for (auto [number, phi] : llvm::enumerate(carried)) {
    assert(phi->getType() == next[number]->getType() &&
           "loop-carried values keep their type");
    phi->addIncoming(next[number], latch);
    if (trips) {
      results.push_back(next[number]);
      continue;
    }
    PHINode *result = ir.CreatePHI(phi->getType(), 2);
    result->addIncoming(initial[number], before);
    result->addIncoming(next[number], latch);
    results.push_back(result);
  }
  return results;
}

void emitFor(IRBuilder<> &ir, Value *begin, Value *end, int64_t step,
             function_ref<void(Value *)> body) {
  emitFor(ir, begin, end, ConstantInt::get(begin->getType(), step), {},
          [&](Value *index, ArrayRef<Value *>) {
            body(index);
            return LoopValues();
          });
}

void emitIf(IRBuilder<> &ir, Value *condition, function_ref<void()> then) {
  assert(condition->getType()->isIntegerTy(1) && "one condition for all lanes");
  LLVMContext &context = ir.getContext();
  Function *function = ir.GetInsertBlock()->getParent();
  BasicBlock *yes = BasicBlock::Create(context, "then", function);
  BasicBlock *after = BasicBlock::Create(context, "after", function);
  ir.CreateCondBr(condition, yes, after);
  ir.SetInsertPoint(yes);
  then();
  ir.CreateBr(after);
  ir.SetInsertPoint(after);
}

Constant *leadingMask(LLVMContext &context, unsigned lanes, int64_t count) {
  assert(0 <= count && count <= int64_t(lanes) && "lanes that there are");
  SmallVector<Constant *> bits;
  for (unsigned lane = 0; lane < lanes; ++lane)
    bits.push_back(ConstantInt::getBool(context, lane < count));
  return ConstantVector::get(bits);
}

static Constant *laneNumbers(LLVMContext &context, unsigned lanes) {
  SmallVector<Constant *> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers.push_back(ConstantInt::get(Type::getInt32Ty(context), lane));
  return ConstantVector::get(numbers);
}

Value *leadingMask(IRBuilder<> &ir, unsigned lanes, Value *count) {
  Value *limit =
      ir.CreateBinaryIntrinsic(Intrinsic::smin, count, ir.getInt64(lanes));
  limit = ir.CreateTrunc(limit, ir.getInt32Ty());
  return ir.CreateICmpSLT(laneNumbers(ir.getContext(), lanes),
                          ir.CreateVectorSplat(lanes, limit));
}

AllocaInst *emitFrameMemory(IRBuilder<> &ir, Type *type, Align align,
                            const Twine &name) {
  BasicBlock &entry = ir.GetInsertBlock()->getParent()->getEntryBlock();
  IRBuilder<> top(&entry, entry.begin());
  AllocaInst *memory = top.CreateAlloca(type, nullptr, name);
  memory->setAlignment(align);
  return memory;
}

void emitPrefetch(IRBuilder<> &ir, Value *address, CacheLevel level) {
  constexpr unsigned read = 0, data = 1;
  ir.CreateIntrinsic(Intrinsic::prefetch, {address->getType()},
                     {address, ir.getInt32(read), ir.getInt32(unsigned(level)),
                      ir.getInt32(data)});
}

} // namespace xlac::codegen
