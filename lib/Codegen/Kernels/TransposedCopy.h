// Rows become columns: in registers, or from memory by a function that all
// copies of a kind in the module share, for turning a square in registers takes
// LLVM longer to compile than most kernels.
#ifndef XLAC_LIB_CODEGEN_TRANSPOSEDCOPY_H
#define XLAC_LIB_CODEGEN_TRANSPOSEDCOPY_H

#include "Contraction/Widening.h"

#include "llvm/IR/IRBuilder.h"

namespace xlac::codegen {

/// Rows become columns; as many rows as lanes, a power of two.
llvm::SmallVector<llvm::Value *>
emitTransposed(llvm::IRBuilder<> &ir, llvm::ArrayRef<llvm::Value *> rows);

/// What is copied: as many rows as a register has lanes, a power of two.
struct TransposedCopy {
  llvm::FixedVectorType *vector = nullptr; ///< one column, as it is written
  Widening widening;                       ///< how rows hold narrower elements

  llvm::Type *memory() const {
    return widening ? widening.memory : vector->getElementType();
  }
};

/// True for elements of a byte, or two, four or eight.
bool canCopyTransposed(llvm::FixedVectorType *vector);

/// Memory in the function's frame for the addresses of the rows, set to
/// `starts` where `ir` stands.
llvm::Value *emitRowTable(llvm::IRBuilder<> &ir,
                          llvm::ArrayRef<llvm::Value *> starts);

/// Element i, for i < count, of each row that `table` names, counted from
/// `offset` bytes behind the row's start, becomes the column at `to` + i *
/// `toStride` bytes. Columns are written whole and in order.
void emitTransposedCopy(llvm::IRBuilder<> &ir, const TransposedCopy &copy,
                        llvm::Value *table, llvm::Value *offset,
                        llvm::Value *to, llvm::Value *toStride,
                        llvm::Value *count);

/// The name of the function that does it, which says all about it unless rows
/// are widened, and the function.
std::string copyFunctionName(const TransposedCopy &copy);
llvm::Function *createCopyFunction(llvm::Module &module,
                                   const TransposedCopy &copy);

} // namespace xlac::codegen

#endif
