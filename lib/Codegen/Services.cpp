#include "Services.h"

#include "Loops.h"

#include "xlac/abi/abi.h"

#include <cstddef>

using namespace llvm;

namespace xlac::codegen {

Value *loadService(KernelFunction &function, IRBuilder<> &ir, uint64_t offset) {
  Value *slot = ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), function.context,
                                              offsetof(xlac_ctx, services));
  Value *services = ir.CreateAlignedLoad(ir.getPtrTy(), slot, Align(8));
  Value *entry =
      ir.CreateConstInBoundsGEP1_64(ir.getInt8Ty(), services, offset);
  return ir.CreateAlignedLoad(ir.getPtrTy(), entry, Align(8));
}

void returnIfFailed(KernelFunction &function, IRBuilder<> &ir, Value *status) {
  BasicBlock *failed =
      BasicBlock::Create(ir.getContext(), "failed", function.function);
  BasicBlock *fine =
      BasicBlock::Create(ir.getContext(), "fine", function.function);
  ir.CreateCondBr(ir.CreateICmpNE(status, ir.getInt32(0)), failed, fine);
  ir.SetInsertPoint(failed);
  ir.CreateRet(status);
  ir.SetInsertPoint(fine);
}

Value *requestScratch(KernelFunction &function, IRBuilder<> &ir,
                      int64_t bytes) {
  function.needs.scratchBytes = std::max(function.needs.scratchBytes, bytes);
  Value *service = loadService(function, ir, offsetof(xlac_services, scratch));
  auto *type =
      FunctionType::get(ir.getPtrTy(), {ir.getPtrTy(), ir.getInt64Ty()}, false);
  Value *memory = ir.CreateCall(
      type, service, {function.context, function.decision(ir, bytes)});
  returnIfFailed(function, ir,
                 ir.CreateZExt(ir.CreateIsNull(memory), ir.getInt32Ty()));
  return memory;
}

void callLibrary(KernelFunction &function, IRBuilder<> &ir, int32_t routine,
                 ArrayRef<Value *> addresses, ArrayRef<Value *> parameters) {
  function.needs.routines |= uint32_t(1) << routine;
  // In the entry block, so that calls in loops do not grow the stack.
  auto store = [&](Type *element, ArrayRef<Value *> values) {
    auto *array = ArrayType::get(element, values.size());
    Value *memory = emitFrameMemory(ir, array, Align(8));
    for (auto [number, value] : llvm::enumerate(values))
      ir.CreateStore(value,
                     ir.CreateConstInBoundsGEP2_64(array, memory, 0, number));
    return memory;
  };
  Value *buffers = store(ir.getPtrTy(), addresses);
  Value *numbers = store(ir.getInt64Ty(), parameters);
  auto *type = FunctionType::get(
      ir.getInt32Ty(),
      {ir.getPtrTy(), ir.getInt32Ty(), ir.getPtrTy(), ir.getPtrTy()}, false);
  Value *service = loadService(function, ir, offsetof(xlac_services, library));
  Value *status =
      ir.CreateCall(type, service,
                    {function.context, ir.getInt32(routine), buffers, numbers});
  returnIfFailed(function, ir, status);
}

} // namespace xlac::codegen
