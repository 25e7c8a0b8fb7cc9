// A contraction as a strided matrix product, and how it is cut into tiles,
// panels, blocks and tasks. Plain numbers: depends on sizes, strides and target
// profile alone, so that equal programs are always cut the same way.
#ifndef XLAC_LIB_CODEGEN_CONTRACTIONPLAN_H
#define XLAC_LIB_CODEGEN_CONTRACTIONPLAN_H

#include "xlac/support/target_profile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <cstdint>

namespace xlac::codegen {

/// One dimension of the product's index space with its stride, in elements, in
/// A (the rows' side), B (the columns' side) and C (the result).
struct ProductDim {
  int64_t size = 1;
  int64_t a = 0, b = 0, c = 0;
};

/// C[batch, row, column] = sum over depth of A[batch, row, depth] *
/// B[batch, depth, column]. All sizes are at least 1; strides may overlap, be
/// zero or negative. Within a list the outermost dimension comes first.
struct Product {
  llvm::SmallVector<ProductDim> batch, rows, columns, depth;
  bool isDouble = false;
  /// C is memory of the accumulators' type that may hold partial sums.
  bool plainResult = false;

  int64_t rowCount() const;
  int64_t columnCount() const;
  int64_t depthCount() const;
  int64_t batchCount() const;
};

/// Product of the sizes of `dims`.
int64_t countOf(llvm::ArrayRef<ProductDim> dims);

/// How a product runs. Rows are cut into tiles of `tileRows` rows (the first
/// `bigTiles`) or one row fewer, columns into panels of `vectors` registers of
/// `lanes` columns, depth into blocks: `blockSize` indices of dimension
/// `blockDim` and all of what is inside of it. A task is a block of tiles and
/// panels over the whole depth.
struct ContractionPlan {
  Product product;
  unsigned lanes = 1, vectors = 1;
  int64_t tileRows = 1, tiles = 1, bigTiles = 1;
  int64_t panels = 1, lastColumns = 1; ///< columns of the last panel
  int64_t tilesPerBlock = 1, rowBlocks = 1;
  int64_t panelsPerBlock = 1, columnBlocks = 1;
  unsigned blockDim = 0;
  int64_t blockSize = 1, blocks = 1; ///< of dimension blockDim
  int64_t innerDepth = 1;            ///< product of the dimensions inside it
  int64_t outerDepth = 1;            ///< and of those outside
  bool packA = false, packB = false;
  /// B is packed once, in a phase of its own, into `sharedBytes` of workspace.
  bool shareB = false;
  int64_t sharedBytes = 0;
  /// Tiles accumulate in C itself; else, if the depth has several blocks, in
  /// scratch.
  bool directC = false;
  int64_t scratchB = 0, scratchA = 0, scratchC = 0; ///< bytes of scratch a task

  int64_t panelColumns() const { return int64_t(lanes) * vectors; }
  int64_t blockDepth() const { return blockSize * innerDepth; }
  int64_t depthBlocks() const { return outerDepth * blocks; }
  /// Elements of a packed panel of B: copies may run over its end by a vector.
  int64_t panelElements() const {
    return (blockDepth() + lanes) * panelColumns();
  }
  int64_t elementSize() const { return product.isDouble ? 8 : 4; }
  int64_t tasks() const {
    return product.batchCount() * rowBlocks * columnBlocks;
  }
  int64_t scratchBytes() const { return scratchA + scratchB + scratchC; }
  int64_t packTasks() const {
    return shareB ? product.batchCount() * depthBlocks() * columnBlocks : 0;
  }
};

/// Merges neighbouring dimensions that are one in A, B and C, and drops those
/// of size 1.
void mergeDims(llvm::SmallVector<ProductDim> &dims);

/// Cuts `product`, whose dimensions need not have been merged.
ContractionPlan planContraction(Product product, const TargetProfile &profile);

} // namespace xlac::codegen

#endif
