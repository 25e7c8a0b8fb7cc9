// Products of cells of narrow integers.
#ifndef XLAC_LIB_CODEGEN_CELLPRODUCTS_H
#define XLAC_LIB_CODEGEN_CELLPRODUCTS_H

#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace xlac::codegen {

/// Products of cells of narrow integers, which are elements of 32 bits (see
/// CellKind).
struct CellProducts {
  enum Kind : uint8_t {
    None,       ///< elements are not cells
    Bytes,      ///< four bytes, of which one side's are unsigned
    Words,      ///< two signed words
    FusedWords, ///< the same, added to the sum by one instruction
  };
  Kind kind = None;
  bool unsignedB = false; ///< of Bytes: B's are unsigned instead of A's
  /// The first row of B is the sums from which the products start.
  bool startsFromB = false;
};

/// Returns `sum` plus the products of the cells in each lane of `a` and `b`,
/// modulo 2^32. All are vectors of 32-bit integers that fill a register.
llvm::Value *emitCellProducts(llvm::IRBuilder<> &ir,
                              const CellProducts &products, llvm::Value *sum,
                              llvm::Value *a, llvm::Value *b);

} // namespace xlac::codegen

#endif
