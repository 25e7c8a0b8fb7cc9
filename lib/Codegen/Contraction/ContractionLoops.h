// The loops of a planned contraction in plain LLVM IR: what a task does, from
// strided operands to finished tiles. Knows nothing of kernels and dialects.
#ifndef XLAC_LIB_CODEGEN_CONTRACTIONLOOPS_H
#define XLAC_LIB_CODEGEN_CONTRACTIONLOOPS_H

#include "ContractionPlan.h"
#include "GemmOperands.h"

namespace xlac::codegen {

/// Tasks [begin, end) of the product. `finish` is called for code that takes
/// finished tiles away; not at all when the plan is directC, nor when it turns
/// a plain result back into C.
void emitGemm(llvm::IRBuilder<> &ir, const ContractionPlan &plan,
              const GemmPointers &pointers, llvm::Value *begin,
              llvm::Value *end, const TileEpilogue &finish);

/// Tasks [begin, end) of packTasks(): fills `pointers.shared` from B.
void emitSharedPack(llvm::IRBuilder<> &ir, const ContractionPlan &plan,
                    const GemmPointers &pointers, llvm::Value *begin,
                    llvm::Value *end);

} // namespace xlac::codegen

#endif
