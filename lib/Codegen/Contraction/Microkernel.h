// The innermost loops of contractions in plain LLVM IR: the register tile that
// multiplies, and the panel copies that put its operands in order.
#ifndef XLAC_LIB_CODEGEN_MICROKERNEL_H
#define XLAC_LIB_CODEGEN_MICROKERNEL_H

#include "Widening.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>
#include <string>

namespace xlac::codegen {

/// A register tile of C: `rows` rows of `vectors` registers. The last register
/// of a row may have fewer columns than lanes, in B's memory or in C's.
struct TileShape {
  llvm::FixedVectorType *vector = nullptr; ///< one register
  unsigned rows = 1, vectors = 1;
  unsigned validColumnsB = 0; ///< columns that may be read; 0 for all
  unsigned validColumnsC =
      0;           ///< columns that may be read and written; 0 for all
  Widening widenB; ///< of B, where it is read in place
  int64_t indirectStride = 0; ///< elements from row to row of A, for a table
};

/// What a tile works on. Strides are in elements.
struct TileOperands {
  llvm::SmallVector<llvm::Value *> aRows; ///< each row of A at depth 0; or the
                                          ///< first one, where a stride leads
                                          ///< from row to row
  llvm::Value *aRowStride = nullptr;
  llvm::Value *aStride = nullptr; ///< from one depth to the next
  /// Bytes from depth 0 of A to each, as i32; then used instead of aStride.
  llvm::Value *aTable = nullptr;
  llvm::Value *aPrefetch = nullptr; ///< elements to what is then fetched ahead
  llvm::Value *b = nullptr;         ///< row of B at depth 0
  llvm::Value *bStride = nullptr;
  llvm::Value *k = nullptr;
  llvm::SmallVector<llvm::Value *> cRows;
  llvm::Value *accumulate = nullptr; ///< add to C instead of replacing it
  llvm::Value *maskC =
      nullptr; ///< columns of C's last register, for validColumnsC
};

/// Asks for the line of memory at `address`, for the second-level cache.
void emitPrefetch(llvm::IRBuilder<> &ir, llvm::Value *address);

/// C (+)= A * B for one tile, in place.
void emitTile(llvm::IRBuilder<> &ir, const TileShape &shape,
              const TileOperands &operands);

/// The same through a function that all tiles of the shape in the module
/// share; rows of A and C lie `aRow` and `cRow` behind one another, the first
/// ones at `operands.aRows[0]` and `operands.cRows[0]`.
void emitTileCall(llvm::IRBuilder<> &ir, const TileShape &shape,
                  const TileOperands &operands, llvm::Value *aRow,
                  llvm::Value *cRow);

/// The name of that function, which says all about it unless B is widened, and
/// the function.
std::string tileFunctionName(const TileShape &shape);
llvm::Function *createTileFunction(llvm::Module &module,
                                   const TileShape &shape);

/// <lanes x i1> with the first `count` set.
llvm::Constant *leadingMask(llvm::LLVMContext &context, unsigned lanes,
                            int64_t count);
/// The same for a count known at run time.
llvm::Value *leadingMask(llvm::IRBuilder<> &ir, unsigned lanes,
                         llvm::Value *count);

/// Size and stride, in elements, of one dimension of a strided read.
struct StridedDim {
  int64_t size = 1, stride = 0;
};

/// Where the elements of a panel come from: element (lane, depth) lies at base
/// + offset of the flattened lane + offset of the flattened depth.
struct PanelSource {
  llvm::Type *element = nullptr;
  llvm::Type *unit = nullptr; ///< what strides count; null for elements
  Widening widening;          ///< strides then count what lies in memory
  bool masks = true; ///< masked loads of what lies in memory are instructions
  unsigned vectorLanes = 1; ///< of the registers to use
  llvm::Value *base = nullptr;
  llvm::SmallVector<StridedDim> lanes, k;
  int64_t laneCount() const;
  /// True if all lanes are one run of memory.
  bool lanesAreContiguous() const {
    return lanes.size() == 1 && lanes[0].stride == 1 && !unit;
  }
};

/// Copies a panel: target[depth * width + lane] for lanes first + [0, width),
/// over `count` indices of the outermost dimension of the depth and all of the
/// inner ones. Lanes at or beyond `valid` get any value. May write up to
/// vectorLanes elements too many behind the end.
void emitPackPanel(llvm::IRBuilder<> &ir, const PanelSource &source,
                   llvm::Value *first, unsigned width, unsigned valid,
                   llvm::Value *count, llvm::Value *target);

/// The same for `panels` whole panels, the target of each `stride` elements
/// behind the last one's. Their lanes must be one run of memory, which is read
/// along that run, for all panels at once: rows that lie far from each other
/// are each visited once.
void emitPackLines(llvm::IRBuilder<> &ir, const PanelSource &source,
                   llvm::Value *first, unsigned width, llvm::Value *panels,
                   llvm::Value *count, llvm::Value *target, int64_t stride);

/// Copies `count` elements that lie behind one another, widened to `vector`'s
/// type if `widening` says how. May write up to a vector too much behind the
/// end if `masks` is set, which says that masked loads are instructions.
void emitPackRun(llvm::IRBuilder<> &ir, const Widening &widening,
                 llvm::FixedVectorType *vector, bool masks, llvm::Value *from,
                 llvm::Value *count, llvm::Value *target);

/// Offset of the flattened `index`; the outermost index is not reduced.
llvm::Value *emitOffset(llvm::IRBuilder<> &ir, llvm::ArrayRef<StridedDim> dims,
                        llvm::Value *index);

} // namespace xlac::codegen

#endif
