// Loops, branches and masks of lanes in LLVM IR. Loops are rotated, so that
// invariant code can be hoisted, and folded if the trip count is known to be
// zero or one. Also reserves memory in the frame of the current function, and
// prefetches memory.
#ifndef XLAC_LIB_CODEGEN_LOOPS_H
#define XLAC_LIB_CODEGEN_LOOPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

namespace xlac::codegen {

using LoopValues = llvm::SmallVector<llvm::Value *, 4>;

/// Emits for (index = begin; index < end; index += step) with loop-carried
/// values, and returns their final values. Afterwards `ir` inserts after the
/// loop. The body may create basic blocks.
LoopValues emitFor(llvm::IRBuilder<> &ir, llvm::Value *begin, llvm::Value *end,
                   llvm::Value *step, llvm::ArrayRef<llvm::Value *> initial,
                   llvm::function_ref<LoopValues(llvm::Value *index,
                                                 llvm::ArrayRef<llvm::Value *>)>
                       body);

/// The same without loop-carried values.
void emitFor(llvm::IRBuilder<> &ir, llvm::Value *begin, llvm::Value *end,
             int64_t step, llvm::function_ref<void(llvm::Value *index)> body);

/// Emits if (condition) then().
void emitIf(llvm::IRBuilder<> &ir, llvm::Value *condition,
            llvm::function_ref<void()> then);

/// Returns a <lanes x i1> mask with the first `count` lanes set.
llvm::Constant *leadingMask(llvm::LLVMContext &context, unsigned lanes,
                            int64_t count);
/// The same for a count that is known only at run time.
llvm::Value *leadingMask(llvm::IRBuilder<> &ir, unsigned lanes,
                         llvm::Value *count);

/// Reserves memory for a `type` in the function's frame. It is reserved once,
/// even if `ir` inserts into a loop.
llvm::AllocaInst *emitFrameMemory(llvm::IRBuilder<> &ir, llvm::Type *type,
                                  llvm::Align align,
                                  const llvm::Twine &name = "");

/// Levels of caches, with the numbers that llvm.prefetch has for them.
enum class CacheLevel : unsigned { Second = 2, First = 3 };

/// Prefetches the cache line at `address` into the cache of that level.
void emitPrefetch(llvm::IRBuilder<> &ir, llvm::Value *address,
                  CacheLevel level = CacheLevel::Second);

} // namespace xlac::codegen

#endif
