// Tiles of C whose sums run along vectors of K. They read B in place if its
// columns are contiguous, which pays for few rows: packing B would take longer
// than multiplying it.
#ifndef XLAC_LIB_CODEGEN_DOTTILE_H
#define XLAC_LIB_CODEGEN_DOTTILE_H

#include "Widening.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <string>

namespace xlac::codegen {

/// A tile of `rows` rows. Each element of C has one accumulator, a register
/// whose lanes are added pairwise at the end. Neither `rows` nor the number of
/// columns changes the order of these additions.
struct DotShape {
  llvm::FixedVectorType *vector = nullptr; ///< one register
  unsigned rows = 1;
  unsigned columns = 1; ///< summed together, a power of two
  Widening widenB;      ///< of B's elements
};

/// Operands of a tile. Strides are in elements. A and B are contiguous along K.
struct DotOperands {
  llvm::Value *a = nullptr, *aRow = nullptr;    ///< row 0; from row to row
  llvm::Value *b = nullptr, *bColumn = nullptr; ///< column 0; to the next one
  llvm::Value *k = nullptr;
  llvm::Value *c = nullptr, *cRow = nullptr; ///< row 0; from row to row
  llvm::Value *count = nullptr;              ///< columns that exist
  llvm::Value *accumulate = nullptr; ///< add to C instead of replacing it
};

/// Returns the largest number of rows of a tile.
inline unsigned mostDotRows(bool isWide) { return isWide ? 6 : 3; }

/// Returns the columns of a panel: whole registers of `lanes`, at least eight
/// columns.
inline unsigned dotPanelColumns(unsigned lanes) {
  return lanes < 8 ? 8 : lanes;
}

/// Returns the columns to sum together, so that the accumulators of `rows` rows
/// fit in the registers: at most `width`, a power of two.
unsigned dotColumns(unsigned rows, unsigned width, bool isWide);

/// Emits a call of the function that all tiles of the shape in the module
/// share: C = A * B or C += A * B.
void emitDotCall(llvm::IRBuilder<> &ir, const DotShape &shape,
                 const DotOperands &operands);

/// Returns the name of that function, and defines it with internal linkage. The
/// name determines its body unless B is widened.
std::string dotFunctionName(const DotShape &shape);
llvm::Function *createDotFunction(llvm::Module &module, const DotShape &shape);

} // namespace xlac::codegen

#endif
