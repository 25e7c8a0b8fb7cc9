// The innermost loops of contractions in plain LLVM IR: the microkernel, which
// multiplies a register tile, and the packing of its operands.
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
/// `operands.aRows[0]` and `operands.cRows[0]`.
void emitTileCall(llvm::IRBuilder<> &ir, const TileShape &shape,
                  const TileOperands &operands, llvm::Value *aRow,
                  llvm::Value *cRow);

/// Returns the name of that function, and defines it with internal linkage. The
/// name determines its body unless B is widened.
std::string tileFunctionName(const TileShape &shape);
llvm::Function *createTileFunction(llvm::Module &module,
                                   const TileShape &shape);

/// Size and stride, in elements, of one dimension of a strided read.
struct StridedDim {
  int64_t size = 1, stride = 0;
};

/// Source of a panel's elements: element (lane, k) is at base + offset of the
/// flattened lane + offset of the flattened k.
struct PanelSource {
  llvm::Type *element = nullptr;
  llvm::Type *unit = nullptr; ///< unit of the strides; null means elements
  Widening widening; ///< strides then count elements as stored in memory
  bool masks = true; ///< the target has masked loads of elements in memory
  unsigned vectorLanes = 1; ///< lanes of the registers to use
  /// The first lane of every panel is a multiple of its width.
  bool startsAtMultiple = false;
  llvm::Value *base = nullptr;
  llvm::SmallVector<StridedDim> lanes, k;
  int64_t laneCount() const;
  /// Returns whether all lanes are contiguous.
  bool lanesAreContiguous() const {
    return lanes.size() == 1 && lanes[0].stride == 1 && !unit;
  }
};

/// The lanes of a panel that have elements: at most `most`, and `count` if it
/// is known only at run time. There is at least one.
struct ValidLanes {
  unsigned most;
  llvm::Value *count = nullptr;
};

/// Packs a panel: target[k * width + lane] for lanes first + [0, width). Covers
/// `count` indices of the outermost dimension of K and all indices of the inner
/// ones. Lanes that are not valid get unspecified values. May write up to
/// vectorLanes elements beyond the end.
void emitPackPanel(llvm::IRBuilder<> &ir, const PanelSource &source,
                   llvm::Value *first, unsigned width, ValidLanes valid,
                   llvm::Value *count, llvm::Value *target);

/// The same for `panels` full panels, whose targets are `stride` elements
/// apart. Their lanes must be contiguous. The lanes of all panels are read in
/// one pass, so that rows far from each other are visited once.
void emitPackLines(llvm::IRBuilder<> &ir, const PanelSource &source,
                   llvm::Value *first, unsigned width, llvm::Value *panels,
                   llvm::Value *count, llvm::Value *target, int64_t stride);

/// Copies `count` contiguous elements, widened to `vector`'s type if `widening`
/// is set. With `masks`, which states that the target has masked loads, it may
/// write up to a vector beyond the end.
void emitPackRun(llvm::IRBuilder<> &ir, const Widening &widening,
                 llvm::FixedVectorType *vector, bool masks, llvm::Value *from,
                 llvm::Value *count, llvm::Value *target);

/// Returns the offset of the flattened `index`. The outermost index is not
/// reduced modulo its size.
llvm::Value *emitOffset(llvm::IRBuilder<> &ir, llvm::ArrayRef<StridedDim> dims,
                        llvm::Value *index);

} // namespace xlac::codegen

#endif
