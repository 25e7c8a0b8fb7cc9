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

/// Rows and depths of bf16 that a tile register holds.
inline constexpr int64_t kTileRows = 16, kTileK = 32;
/// Rows of C that vectors of pairs are multiplied for at once.
inline constexpr int64_t kPairRows = 8;

/// One dimension of the product's index space with its stride, in elements, in
/// A (the rows' side), B (the columns' side) and C (the result).
struct GemmDim {
  int64_t size = 1;
  int64_t a = 0, b = 0, c = 0;
};

/// How an operand's elements lie in memory.
enum class NumberFormat : uint8_t {
  Plain, ///< in the accumulators' type
  BF16,
  F16,
  F8, ///< one of those
  I8,
  I16,
  I32, ///< of either sign
};

/// C[batch, row, column] = sum over depth of A[batch, row, depth] *
/// B[batch, depth, column]. All sizes are at least 1; strides may overlap, be
/// zero or negative. Within a list the outermost dimension comes first.
struct Gemm {
  llvm::SmallVector<GemmDim> batch, m, n, k;
  bool isDouble = false;  ///< accumulators have 64 bits, else 32
  bool isInteger = false; ///< sums are exact up to a power of two
  NumberFormat a = NumberFormat::Plain, b = NumberFormat::Plain;
  /// Denormal numbers may count as zero, as they do where pairs are multiplied.
  bool mayUsePairs = false;
  /// C is memory of the accumulators' type that may hold partial sums.
  bool plainResult = false;

  int64_t mSize() const;
  int64_t nSize() const;
  int64_t kSize() const;
  int64_t batchCount() const;
};

/// Product of the sizes of `dims`.
int64_t countOf(llvm::ArrayRef<GemmDim> dims);

/// How a side is brought into the order that tile registers want.
enum class PairPacking : uint8_t {
  Runs,   ///< the depth lies in runs of memory: copied as it is, or by pairs
  Lines,  ///< each depth is one line of rows or columns, a stride apart
  Staged, ///< made lines in scratch first
};

/// How a product runs. Rows are cut into tiles of `tileRows` rows (the first
/// `bigTiles`) or one row fewer, columns into panels of `vectors` registers of
/// `lanes` columns, depth into blocks: `blockSize` indices of dimension
/// `blockDim` and all of what is inside of it. A task is a block of tiles and
/// panels over the whole depth.
///
/// Products of bf16 are sums over pairs of depths, on tile registers or, by
/// `pairVectors`, on vectors. A tile is then up to two tile registers of 16
/// rows high; the last one may have fewer rows. Packed B holds pairs of depths
/// in 32-bit cells, rows of packed A run along the depth, and both end in zeros
/// up to kTileK.
///
/// Integers of 8 bits are packed as bf16, which holds them all; the sum of a
/// block is exact in f32 and added to C as an integer.
///
/// Blocks of the depth start from zero and are added up in place,
/// `blocksPerSum` of them; where there are more, such sums meet in a binary
/// tree. Rounding errors then grow with the logarithm of the depth.
///
/// A product may be turned, so that the image of a convolution, whose pixels
/// make the result's columns, becomes the side that is read element by element,
/// in place. Results are turned back panel by panel.
struct ContractionPlan {
  Gemm gemm; ///< as it runs: if turned, with its sides exchanged
  bool swapped = false;
  bool usesPairs = false, pairVectors = false;
  PairPacking pairsA = PairPacking::Staged, pairsB = PairPacking::Staged;
  unsigned lanes = 1, vectors = 1;
  int64_t tileRows = 1, tiles = 1, bigTiles = 1;
  int64_t panels = 1, lastColumns = 1; ///< columns of the last panel
  int64_t tilesPerBlock = 1, rowBlocks = 1;
  int64_t panelsPerBlock = 1, columnBlocks = 1;
  unsigned blockDim = 0;
  int64_t blockSize = 1, blocks = 1; ///< of dimension blockDim
  int64_t innerK = 1;                ///< product of the dimensions inside it
  int64_t outerK = 1;                ///< and of those outside
  int64_t blocksPerSum = 1;          ///< at least kBlocks() of integers
  bool packA = false, packB = false;
  /// Packed A keeps its rows, `packedRowStride()` elements each, and is packed
  /// tile by tile: its depth lies in runs that are narrow, or that crowd the
  /// cache.
  bool rowMajorA = false;
  /// Masked loads of what lies in memory are instructions.
  bool masks = true;
  /// One stride leads through a whole block of the depth.
  bool linearA = false, linearB = false;
  /// A is read in place by a table of where each depth of a block lies; one
  /// stride leads through the rows of every tile.
  bool indirectA = false;
  int64_t nextTile = 0; ///< elements to where the next tile mostly lies
  /// B is packed once, in a phase of its own, into `sharedBytes` of workspace.
  bool shareB = false;
  bool oneB = false; ///< all batches have the same B
  int64_t sharedBytes = 0;
  /// Tiles accumulate in C itself; else, if the depth has several blocks, in
  /// scratch.
  bool directC = false;
  int64_t scratchB = 0, scratchA = 0, scratchC = 0; ///< bytes of scratch a task
  int64_t scratchSums = 0;  ///< the same: levels of the tree, scratchC each
  int64_t scratchStage = 0; ///< the same, of tasks that pack too
  int64_t scratchTable = 0, scratchSwapped = 0; ///< the same

  int64_t panelColumns() const { return int64_t(lanes) * vectors; }
  int64_t blockK() const { return blockSize * innerK; }
  int64_t kBlocks() const { return outerK * blocks; }
  int64_t sums() const { return (kBlocks() + blocksPerSum - 1) / blocksPerSum; }
  /// Elements of a packed panel of B: copies may run over its end by a vector.
  int64_t panelElements() const {
    int64_t k = usesPairs ? tileK() / 2 : blockK();
    return (k + lanes) * panelColumns();
  }
  /// Depth of a block in whole tile registers.
  int64_t tileK() const { return (blockK() + kTileK - 1) / kTileK * kTileK; }
  int64_t packedRowStride() const { return blockK() + lanes; }
  /// Elements of a packed tile of A: copies may run over its end by a vector.
  int64_t tileElements() const {
    return tileRows * (rowMajorA ? packedRowStride() : blockK()) + lanes;
  }
  /// Bytes from row to row of A packed for tile registers.
  int64_t tileRowBytes() const { return 2 * (tileK() + kTileK); }
  int64_t elementSize() const { return gemm.isDouble ? 8 : 4; }
  int64_t tasks() const { return gemm.batchCount() * rowBlocks * columnBlocks; }
  int64_t scratchBytes() const {
    return scratchA + scratchB + scratchC + scratchSums + scratchStage +
           scratchTable + scratchSwapped;
  }
  int64_t packedBatches() const { return oneB ? 1 : gemm.batchCount(); }
  int64_t packTasks() const {
    return shareB ? packedBatches() * kBlocks() * columnBlocks : 0;
  }
  /// Rows of a task of a GEMM with swapped operands; all tasks have as many.
  int64_t swappedRows() const { return tilesPerBlock * tileRows; }
  /// Elements from row to row of a panel that was turned back.
  int64_t swappedStride() const {
    return (swappedRows() + lanes - 1) / lanes * lanes;
  }
};

/// Merges neighbouring dimensions that are one in A, B and C, and drops those
/// of size 1.
void mergeDims(llvm::SmallVector<GemmDim> &dims);

/// Cuts `product`, whose dimensions need not have been merged.
ContractionPlan planContraction(Gemm gemm, const TargetProfile &profile);

} // namespace xlac::codegen

#endif
