// The loops of a planned contraction in plain LLVM IR: what a task does, from
// strided operands to finished tiles. Independent of kernels and dialects.
#ifndef XLAC_LIB_CODEGEN_CONTRACTIONLOOPS_H
#define XLAC_LIB_CODEGEN_CONTRACTIONLOOPS_H

#include "ContractionPlan.h"
#include "GemmOperands.h"

namespace xlac::codegen {

/// Emits tasks [begin, end) of the GEMM. `finish` emits the code that consumes
/// a finished tile. It is not called if the plan is directC, nor for the whole
/// tiles of directTiles, nor if the operands are swapped and the plain result
/// is transposed directly into C.
void emitGemm(llvm::IRBuilder<> &ir, const ContractionPlan &plan,
              const GemmPointers &pointers, llvm::Value *begin,
              llvm::Value *end, const TileEpilogue &finish);

/// Emits tasks [begin, end) of sumTasks(), which add up the parts of K and call
/// `finish` for each tile. Only for plans that divide K, whose tasks do not
/// call it.
void emitPartSums(llvm::IRBuilder<> &ir, const ContractionPlan &plan,
                  const GemmPointers &pointers, llvm::Value *begin,
                  llvm::Value *end, const TileEpilogue &finish);

/// Emits tasks [begin, end) of a phase that packs shared operands: first, if
/// `packsB`, packTasks() that pack B into `pointers.shared`, then packTasksA()
/// that pack A into `pointers.sharedA`, unless that is null.
void emitSharedPack(llvm::IRBuilder<> &ir, const ContractionPlan &plan,
                    const GemmPointers &pointers, bool packsB,
                    llvm::Value *begin, llvm::Value *end);

} // namespace xlac::codegen

#endif
