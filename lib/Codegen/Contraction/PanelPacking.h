// The packing of a microkernel's operands in plain LLVM IR.
#ifndef XLAC_LIB_CODEGEN_PANELPACKING_H
#define XLAC_LIB_CODEGEN_PANELPACKING_H

#include "Widening.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/IRBuilder.h"

#include <cstdint>

namespace xlac::codegen {

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
