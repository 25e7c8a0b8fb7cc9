#include "xlac/Jit/Jit.h"

#include "Target.h"

#include "llvm/IR/IRBuilder.h"

using namespace llvm;

namespace xlac::jit {

/// Emits a vector loop like those of kernels: to[i] += to[i] * to[i].
static void emitLoop(Module &module, unsigned lanes) {
  LLVMContext &context = module.getContext();
  IRBuilder<> ir(context);
  auto *type = FunctionType::get(ir.getVoidTy(),
                                 {ir.getPtrTy(), ir.getInt64Ty()}, false);
  Function *function =
      Function::Create(type, GlobalValue::ExternalLinkage, "loop", module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  BasicBlock *entry = BasicBlock::Create(context, "entry", function);
  BasicBlock *loop = BasicBlock::Create(context, "loop", function);
  BasicBlock *done = BasicBlock::Create(context, "done", function);
  ir.SetInsertPoint(entry);
  ir.CreateBr(loop);
  ir.SetInsertPoint(loop);
  auto *vector = FixedVectorType::get(ir.getFloatTy(), lanes);
  PHINode *index = ir.CreatePHI(ir.getInt64Ty(), 2);
  Value *place = ir.CreateGEP(ir.getFloatTy(), function->getArg(0), index);
  Value *value = ir.CreateAlignedLoad(vector, place, Align(4));
  Value *sum =
      ir.CreateIntrinsic(Intrinsic::fmuladd, {vector}, {value, value, value});
  ir.CreateAlignedStore(sum, place, Align(4));
  Value *next = ir.CreateAdd(index, ir.getInt64(lanes));
  index->addIncoming(ir.getInt64(0), entry);
  index->addIncoming(next, loop);
  ir.CreateCondBr(ir.CreateICmpSLT(next, function->getArg(1)), loop, done);
  ir.SetInsertPoint(done);
  ir.CreateRetVoid();
}

void warmUp(const TargetProfile &profile) {
  LLVMContext context;
  Module module("warm-up", context);
  if (Error error = prepareModule(module, profile)) {
    consumeError(std::move(error)); // the next compilation reports it, too
    return;
  }
  emitLoop(module, std::max<unsigned>(4, profile.vector_bits / 32));
  Expected<runtime::Blob> blob = compileToBlob(module, profile);
  if (!blob)
    consumeError(blob.takeError());
  // The thread waits for further work, which may not come.
  releaseTargetMachine();
}

} // namespace xlac::jit
