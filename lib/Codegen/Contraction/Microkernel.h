// The microkernel of contractions in plain LLVM IR, which multiplies a register
// tile.
#ifndef XLAC_LIB_CODEGEN_MICROKERNEL_H
#define XLAC_LIB_CODEGEN_MICROKERNEL_H

#include "CellProducts.h"
#include "Loops.h"
#include "Widening.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>
#include <string>

namespace xlac::codegen {

/// A register tile of C: `rows` rows of `vectors` registers. The last register
/// of a row may have fewer columns than lanes, in the memory of B or C.
struct TileShape {
  llvm::FixedVectorType *vector = nullptr; ///< one register
  unsigned rows = 1, vectors = 1;
  unsigned validColumnsB = 0; ///< columns that may be read; 0 means all
  unsigned validColumnsC =
      0; ///< columns that may be read and written; 0 means all
  /// The columns that may be read in B, or read and written in C, are known
  /// only at run time, for all registers.
  bool anyColumnsB = false, anyColumnsC = false;
  Widening widenB;            ///< of B, if it is read in place
  int64_t indirectStride = 0; ///< elements between rows of A, with a table
  /// A table has the addresses of A's rows, which are contiguous along K.
  bool addressedRows = false;
  CellProducts cells; ///< if elements of A and B are cells
  /// If not 0, registers of A and B hold neighbouring indices of K, and C has
  /// so many columns. A is read by a table, and its indices of K are contiguous
  /// in each register. B has a register of each column in turn.
  unsigned columnsAlongK = 0;
};

/// Memory that a tile prefetches into the second-level cache while it runs: one
/// cache line for each index of K, `step` bytes after the previous one. Steps
/// shorter than a line spread few lines over many indices.
struct Stream {
  llvm::Value *start = nullptr, *step = nullptr;
};

/// Operands of a tile. Strides are in elements.
struct TileOperands {
  /// Each row of A at index 0 of K, or only the first row if a stride separates
  /// the rows.
  llvm::SmallVector<llvm::Value *> aRows;
  llvm::Value *aRowStride = nullptr;
  llvm::Value *aStride = nullptr; ///< between indices of K
  /// Byte offsets of the indices of K in A, as i32. Used instead of aStride.
  llvm::Value *aTable = nullptr;
  llvm::Value *aPrefetch = nullptr; ///< distance in elements, for aTable
  llvm::Value *b = nullptr;         ///< row of B at index 0 of K
  llvm::Value *bStride = nullptr;
  llvm::Value *k = nullptr; ///< whole registers, for columnsAlongK
  /// If set, K consists of so many runs of `k` indices, each `aRunStride`
  /// elements after the previous one in A. The rows of A have addresses.
  llvm::Value *runs = nullptr, *aRunStride = nullptr;
  llvm::Value *rowTable = nullptr; ///< for addressedRows
  llvm::SmallVector<llvm::Value *> cRows;
  llvm::Value *accumulate = nullptr; ///< add to C instead of replacing it
  llvm::Value *maskC =
      nullptr; ///< columns of C's last register, for validColumnsC
  llvm::Value *columns = nullptr; ///< for anyColumnsB and anyColumnsC
  Stream later;                   ///< of data that a later tile reads
};

/// Emits C = A * B or C += A * B for one tile, in place.
void emitTile(llvm::IRBuilder<> &ir, const TileShape &shape,
              const TileOperands &operands);

/// The same through a function that all tiles of the shape in the module share.
/// The rows of A and C are `aRow` and `cRow` elements apart and start at
/// `operands.aRows[0]` and `operands.cRows[0]`. With a table, `aRow` is not
/// used.
void emitTileCall(llvm::IRBuilder<> &ir, const TileShape &shape,
                  const TileOperands &operands, llvm::Value *aRow,
                  llvm::Value *cRow);

/// Returns the name of that function, and defines it with internal linkage. The
/// name determines its body unless B is widened.
std::string tileFunctionName(const TileShape &shape);
llvm::Function *createTileFunction(llvm::Module &module,
                                   const TileShape &shape);

} // namespace xlac::codegen

#endif
