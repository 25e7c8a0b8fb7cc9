// Transposes rows to columns: in registers, or from memory through a function
// that all copies of a kind in the module share. LLVM needs longer to compile a
// transposition in registers than most kernels.
#ifndef XLAC_LIB_CODEGEN_TRANSPOSEDCOPY_H
#define XLAC_LIB_CODEGEN_TRANSPOSEDCOPY_H

#include "Contraction/Widening.h"

#include "llvm/IR/IRBuilder.h"

namespace xlac::codegen {

/// Transposes rows to columns. The number of rows equals the number of lanes, a
/// power of two.
llvm::SmallVector<llvm::Value *>
emitTransposed(llvm::IRBuilder<> &ir, llvm::ArrayRef<llvm::Value *> rows);

/// A transposed copy of as many rows as a register has lanes, a power of two.
struct TransposedCopy {
  llvm::FixedVectorType *vector = nullptr; ///< one column as it is written
  Widening widening;                       ///< if rows hold narrower elements

  llvm::Type *memory() const {
    return widening ? widening.memory : vector->getElementType();
  }
};

/// Returns true for elements of one, two, four or eight bytes.
bool canCopyTransposed(llvm::FixedVectorType *vector);

/// Reserves memory in the function's frame for the addresses of the rows, and
/// stores `starts` at the insertion point of `ir`.
llvm::Value *emitRowTable(llvm::IRBuilder<> &ir,
                          llvm::ArrayRef<llvm::Value *> starts);

/// Copies rows to columns. Element i < count of each row in `table`, counted
/// from `offset` bytes after the row's start, goes to the column at `to` + i *
/// `toStride` bytes. Columns are written whole and in order.
void emitTransposedCopy(llvm::IRBuilder<> &ir, const TransposedCopy &copy,
                        llvm::Value *table, llvm::Value *offset,
                        llvm::Value *to, llvm::Value *toStride,
                        llvm::Value *count);

/// Returns the name of the shared function, and defines it with internal
/// linkage. The name determines its body unless rows are widened.
std::string copyFunctionName(const TransposedCopy &copy);
llvm::Function *createCopyFunction(llvm::Module &module,
                                   const TransposedCopy &copy);

} // namespace xlac::codegen

#endif
