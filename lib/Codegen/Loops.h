// Loops and branches in LLVM IR: rotated, so that what is invariant can be
// hoisted, and folded away where the trip count is known to be none or one. And
// memory in the frame of the function around them.
#ifndef XLAC_LIB_CODEGEN_LOOPS_H
#define XLAC_LIB_CODEGEN_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace xlac::codegen {

using LoopValues = llvm::SmallVector<llvm::Value *, 4>;

/// for (index = begin; index < end; index += step), with values carried from
/// trip to trip; returns them as the last trip left them. `ir` stands behind
/// the loop afterwards. The body may make blocks of its own.
LoopValues emitFor(llvm::IRBuilder<> &ir, llvm::Value *begin, llvm::Value *end,
                   llvm::Value *step, llvm::ArrayRef<llvm::Value *> initial,
                   llvm::function_ref<LoopValues(llvm::Value *index,
                                                 llvm::ArrayRef<llvm::Value *>)>
                       body);

/// The same without carried values.
void emitFor(llvm::IRBuilder<> &ir, llvm::Value *begin, llvm::Value *end,
             int64_t step, llvm::function_ref<void(llvm::Value *index)> body);

/// if (condition) then();
void emitIf(llvm::IRBuilder<> &ir, llvm::Value *condition,
            llvm::function_ref<void()> then);

/// Memory for a `type` in the function's frame: reserved once, not each time
/// that the place of `ir` is passed.
llvm::AllocaInst *emitFrameMemory(llvm::IRBuilder<> &ir, llvm::Type *type,
                                  llvm::Align align,
                                  const llvm::Twine &name = "");

} // namespace xlac::codegen

#endif
