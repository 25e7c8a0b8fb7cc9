// A contraction as a strided GEMM, and its division into tiles, panels, blocks
// and tasks. It depends only on sizes, strides and the target profile, so that
// equal programs are always divided in the same way.
#ifndef XLAC_LIB_CODEGEN_CONTRACTIONPLAN_H
#define XLAC_LIB_CODEGEN_CONTRACTIONPLAN_H

#include "xlac/support/target_profile.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <algorithm>
#include <cstdint>
#include <memory>

namespace xlac::codegen {

/// Rows of a tile register, and bytes of each row.
inline constexpr int64_t kTileRows = 16, kTileRowBytes = 64;
/// Rows of C that the vector version of the pair GEMM computes together.
inline constexpr int64_t kPairRows = 8;

/// One dimension of the GEMM's index space with its stride, in elements, in A
/// (the M side), B (the N side) and C (the result).
struct GemmDim {
  int64_t size = 1;
  int64_t a = 0, b = 0, c = 0;
};

/// Format of an operand's elements in memory.
enum class NumberFormat : uint8_t {
  Plain, ///< the accumulators' type
  BF16,
  F16,
  F8, ///< one of the 8-bit float types
  I8,
  I16,
  I32, ///< signed or unsigned
};

/// C[batch, m, n] = sum over k of A[batch, m, k] * B[batch, k, n]. All sizes
/// are at least 1. Strides may overlap, be zero or negative. Each list starts
/// with the outermost dimension.
struct Gemm {
  llvm::SmallVector<GemmDim> batch, m, n, k;
  bool isDouble = false;  ///< 64-bit accumulators instead of 32-bit ones
  bool isInteger = false; ///< sums are exact modulo a power of two
  NumberFormat a = NumberFormat::Plain, b = NumberFormat::Plain;
  bool unsignedA = false, unsignedB = false; ///< of narrow integers
  /// Allows VNNI pairs, which treat denormal numbers as zero.
  bool mayUsePairs = false;
  /// C is memory of the accumulators' type that may hold partial sums.
  bool plainResult = false;
  /// If the plan packs B, an earlier kernel has packed it.
  bool prepacked = false;

  int64_t mSize() const;
  int64_t nSize() const;
  int64_t kSize() const;
  int64_t batchCount() const;
};

/// Returns the product of the sizes of `dims`.
int64_t countOf(llvm::ArrayRef<GemmDim> dims);

/// Returns whether one stride, `first`, covers all dimensions.
bool isRun(llvm::ArrayRef<GemmDim> dims, int64_t first,
           int64_t GemmDim::*stride);

/// How a side is packed as pairs or cells.
enum class PairPacking : uint8_t {
  Runs,   ///< contiguous along K: copied as it is, by pairs or by cells
  Lines,  ///< contiguous along M or N, one line for each index of K, a stride
          ///< apart
  Staged, ///< first converted to lines in scratch
};

/// Cells of 32 bits with neighbours along K, whose products one instruction
/// adds to a 32-bit integer. The sums are exact modulo 2^32.
enum class CellKind : uint8_t {
  None,
  Bytes, ///< four bytes, of which one side's are unsigned (vpdpbusd), or, on
         ///< tile registers, of any signs (tdpbssd and others)
  Words, ///< two signed words (vpmaddwd, or vpdpwssd)
};

/// How a GEMM runs. M is divided into tiles of `tileRows` rows (the first
/// `bigTiles`) or one row fewer. N is divided into panels of `vectors`
/// registers of `lanes` columns. K is divided into blocks: `blockSize` indices
/// of dimension `blockDim` and all dimensions inside it. A task is a block of
/// tiles and panels over the whole K.
///
/// GEMMs of bf16 sum over VNNI pairs, on tile registers or, with `pairVectors`,
/// on vectors. A tile is then up to two tile registers of 16 rows high, and the
/// last one may have fewer rows. Packed B holds VNNI pairs in 32-bit cells.
/// Rows of packed A are contiguous along K. Both are padded with zeros to a
/// multiple of registerK().
///
/// On tile registers, 8-bit integers of any signs are multiplied in the same
/// way, with four bytes in a cell of B (`cells`). A is padded with zeros to a
/// multiple of registerK(), B only to whole cells.
///
/// A small C with a large K has few tiles and panels. K is then divided into
/// `parts`, each of them one sum of blocks. A task computes the sums of a part
/// for all of C and stores them in the workspace. The tasks of a further phase
/// add up the parts of one tile and panel. The parts depend on sizes alone, so
/// that results have the same bits for any number of cores.
///
/// Other GEMMs of narrow integers multiply cells. Both sides are packed with
/// cells in place of elements, and the last cell of a block is padded with
/// zeros. If `flipsA`, the signs of A's bytes are flipped, because both sides
/// have signed or both have unsigned elements. Sums then start from a row
/// before the cells of each panel of B, which corrects them.
///
/// Blocks of K start from zero, and `blocksPerSum` of them are accumulated in
/// place. If there are more blocks, a binary tree adds up these sums. Rounding
/// errors then grow with the logarithm of K.
///
/// A GEMM of few rows whose operands are contiguous along K reads B in place
/// (`dots`). An accumulator then is a register of partial sums along K, and a
/// tile of the same panels has fewer rows.
///
/// A GEMM may have swapped operands. The image of a convolution, whose pixels
/// are the result's columns, is then the side that is read element by element,
/// in place. The result is transposed panel by panel.
///
/// With few columns, most lanes of a register would be empty. If `lanesAlongK`,
/// a register therefore holds neighbouring indices of K: a tile has one sum for
/// each row and column, whose lanes are added at the end of a block. A packed
/// panel of B has `lanes` indices of K of each column in turn.
///
/// A plan for any size is such that GEMMs of other sizes mostly have a plan of
/// the same structure. Tiles then have `bigRows` rows or one row fewer, for any
/// `bigRows` up to `tileRows`.
struct ContractionPlan {
  Gemm gemm; ///< as it runs: with its sides exchanged if swapped
  bool anySize = false;
  /// Another plan for any size, which reads B in place, with `dots` if B is
  /// contiguous along K. It is used if there are few rows.
  std::shared_ptr<const ContractionPlan> forFewRows;
  bool hasFewRows = false;
  bool swapped = false;
  /// Sums run along vectors of K, and B is read in place (see DotTile.h).
  bool dots = false;
  /// B is read in place, and its rows are at least a page apart. Blocks of K
  /// have few rows of B, which a task reads from one end to the other.
  bool farLines = false;
  bool usesPairs = false, pairVectors = false;
  CellKind cells = CellKind::None;
  bool hasVnni = false; ///< of cells: the instruction also adds to the sum
  bool flipsA = false;
  PairPacking pairsA = PairPacking::Staged, pairsB = PairPacking::Staged;
  unsigned lanes = 1, vectors = 1;
  int64_t tileRows = 1, tiles = 1, bigTiles = 1;
  int64_t bigRows = 1;                 ///< of a plan for any size
  int64_t panels = 1, lastColumns = 1; ///< columns of the last panel
  int64_t tilesPerBlock = 1, rowBlocks = 1;
  int64_t panelsPerBlock = 1, columnBlocks = 1;
  int64_t packPanels = 1; ///< of a task that packs B for all
  unsigned blockDim = 0;
  int64_t blockSize = 1, blocks = 1; ///< of dimension blockDim
  int64_t innerK = 1;                ///< product of the dimensions inside it
  int64_t outerK = 1;                ///< product of the dimensions outside it
  int64_t blocksPerSum = 1;          ///< kBlocks() for integers in one part
  int64_t parts = 1;                 ///< of K, each with its own tasks
  int64_t sumTiles =
      1; ///< tiles of a task that adds up parts, 1 if not swapped
  bool packA = false, packB = false;
  /// Packed A is row-major, with `packedRowStride()` elements for each row, and
  /// is packed tile by tile. It is used if A is contiguous along K and either
  /// narrow or subject to cache-set conflicts.
  bool rowMajorA = false;
  /// The target has masked loads of elements as stored in memory.
  bool masks = true;
  /// One stride covers a whole block of K.
  bool linearA = false, linearB = false;
  /// A is read in place, and a block of K is several runs: indices of the
  /// innermost dimension of K, which are contiguous in A.
  bool runsA = false;
  /// A is read in place through an indirection buffer with the offset of each
  /// index of K in a block. One stride separates the rows of every tile.
  bool indirectA = false;
  int64_t nextTile = 0; ///< distance in elements to the usual next tile
  /// Each register of A and B has neighbouring indices of K.
  bool lanesAlongK = false;
  /// A is packed once, in a separate phase, into `sharedBytesA` of workspace,
  /// because all batches and many panels read it.
  bool shareA = false;
  int64_t sharedBytesA = 0;
  /// The same for B, into `sharedBytes`.
  bool shareB = false;
  bool oneB = false; ///< all batches have the same B
  int64_t sharedBytes = 0;
  /// Tiles accumulate in C itself. Otherwise they accumulate in scratch if K
  /// has several blocks.
  bool directC = false;
  /// The same for whole tiles of tile registers. Other tiles use scratch.
  bool directTiles = false;
  /// Bytes of a task's scratch.
  int64_t scratchB = 0, scratchA = 0, scratchC = 0;
  int64_t scratchSums = 0;  ///< levels of the summation tree, scratchC each
  int64_t scratchStage = 0; ///< also for tasks that pack
  int64_t scratchTable = 0, scratchSwapped = 0;

  int64_t panelColumns() const { return int64_t(lanes) * vectors; }
  int64_t blockK() const { return blockSize * innerK; }
  int64_t kBlocks() const { return outerK * blocks; }
  int64_t sums() const { return (kBlocks() + blocksPerSum - 1) / blocksPerSum; }
  bool dividesK() const { return parts > 1; }
  /// Elements between two parts. An additional cache line keeps parts from
  /// being a multiple of a page apart (cache-set conflicts).
  int64_t partElements() const {
    int64_t line = 64 / elementSize();
    int64_t elements = tiles * tileRows * panels * panelColumns();
    return (elements + line - 1) / line * line + line;
  }
  /// Bytes of the workspace that hold the sums of all parts.
  int64_t partBytes() const {
    return dividesK()
               ? gemm.batchCount() * parts * partElements() * elementSize()
               : 0;
  }
  /// Elements of a packed panel of B. Copies may write up to a vector beyond
  /// the end.
  int64_t panelElements() const { return (packedK() + lanes) * panelColumns(); }
  /// Indices of K in a cell.
  int64_t cellSize() const {
    return cells == CellKind::Bytes ? 4 : cells == CellKind::Words ? 2 : 1;
  }
  /// Elements or cells that hold `k` indices of K.
  int64_t cellsOf(int64_t k) const { return (k + cellSize() - 1) / cellSize(); }
  /// Rows of a packed panel of B.
  int64_t packedK() const {
    return usesPairs ? tileK() / pairSize()
                     : cellsOf(blockK()) + (flipsA ? 1 : 0);
  }
  /// Indices of K in 32 bits of a tile register: two of bf16, or four bytes.
  int64_t pairSize() const { return std::max<int64_t>(2, cellSize()); }
  /// Bytes of a packed element of pairs.
  int64_t pairBytes() const { return 4 / pairSize(); }
  /// Indices of K in a row of a tile register.
  int64_t registerK() const { return kTileRowBytes / pairBytes(); }
  /// K of a block, rounded up to whole tile registers.
  int64_t tileK() const {
    return (blockK() + registerK() - 1) / registerK() * registerK();
  }
  int64_t packedRowStride() const { return cellsOf(blockK()) + lanes; }
  /// Elements of a packed tile of A. Copies may write up to a vector beyond the
  /// end.
  int64_t tileElements() const {
    return tileRows * (rowMajorA ? packedRowStride() : cellsOf(blockK())) +
           lanes;
  }
  /// Bytes between rows of A that is packed for tile registers.
  int64_t tileRowBytes() const { return pairBytes() * tileK() + kTileRowBytes; }
  int64_t elementSize() const { return gemm.isDouble ? 8 : 4; }
  /// Tasks of this plan, not of the one for few rows.
  int64_t tasks() const {
    return gemm.batchCount() * rowBlocks * columnBlocks * parts;
  }
  /// Tasks that add up the parts of `sumTiles` tiles of a panel.
  int64_t sumTasks() const {
    return dividesK() ? gemm.batchCount() * tiles / sumTiles * panels : 0;
  }
  int64_t scratchBytes() const {
    return scratchA + scratchB + scratchC + scratchSums + scratchStage +
           scratchTable + scratchSwapped;
  }
  /// Returns whether tasks pack A, each its own tiles.
  bool packsAInTasks() const { return packA && !shareA; }
  /// Elements of packed A in all blocks of K.
  int64_t packedElementsA() const { return kBlocks() * tiles * tileElements(); }
  int64_t packedBatches() const { return oneB ? 1 : gemm.batchCount(); }
  /// Bytes of all of B if it is packed at once.
  int64_t packedBytes() const {
    int64_t bytes =
        packedBatches() * kBlocks() * panels * panelElements() * elementSize();
    return (bytes + 63) / 64 * 64;
  }
  int64_t packBlocks() const { return (panels + packPanels - 1) / packPanels; }
  /// Tasks that pack B.
  int64_t packTasks() const {
    return shareB ? packedBatches() * kBlocks() * packBlocks() : 0;
  }
  /// Tasks that pack A: the tiles of a row block in one block of K.
  int64_t packTasksA() const { return shareA ? kBlocks() * rowBlocks : 0; }
  /// Rows of a task of a GEMM with swapped operands. All tasks have the same
  /// number.
  int64_t swappedRows() const { return tilesPerBlock * tileRows; }
  /// Elements between rows of a transposed panel.
  int64_t swappedStride() const {
    return (swappedRows() + lanes - 1) / lanes * lanes;
  }
};

/// The number of tasks that keep the cores of a common machine busy.
constexpr int64_t kFewTasks = 8;

/// Returns a size for pieces of `count`, from half of `size` to `size` and at
/// least `least`. If there are few tasks (pieces times `others`), it is the
/// size with which two cores finish together. Smaller sizes must save a few
/// percent. The last item takes the part `last` of the others' time.
int64_t evenSize(int64_t count, int64_t size, int64_t least, int64_t others,
                 double last = 1);

/// Divides K into parts if C is small, K is large and there are few tasks.
/// A task then has all tiles and panels.
void divideK(ContractionPlan &plan);

/// Returns the panels of a task that packs B for all, if the others have
/// `panels`. Tasks for tile registers have many, and packing is divided among
/// the cores too.
int64_t panelsOfPacking(const ContractionPlan &plan, int64_t panels,
                        int64_t cores);

/// Makes the blocks of tiles and panels smaller if the target has more cores
/// than the least. B is packed once if it has at most `mostShared` bytes.
void divideForCores(ContractionPlan &plan, int cores, int64_t mostShared);

// Parts of planContraction, in CellPlan.cpp.

/// Chooses cells for products of narrow integers, unless tile registers
/// multiply them. A single row reads contiguous columns in place, since packing
/// B takes longer than its products. With `anySize`, the choice does not depend
/// on the number of rows.
void chooseCells(ContractionPlan &plan, const TargetProfile &profile,
                 bool anySize);

/// Chooses packing for cells, after the blocks of K. Both sides are packed,
/// since their elements are combined or widened.
void chooseCellPacking(ContractionPlan &plan);

/// Chooses the packing of B alone, for tile registers too.
void chooseCellPackingOfB(ContractionPlan &plan);

/// Returns the bytes of scratch for a side's elements before they form cells. A
/// partial panel is staged, since its lines may not be read as whole registers.
int64_t cellStage(const ContractionPlan &plan);

/// Chooses pairs, their tiles, their packing and the blocks of their tasks.
void choosePairGemm(ContractionPlan &plan, const TargetProfile &profile);
void chooseTileRegisters(ContractionPlan &plan);
void choosePairs(ContractionPlan &plan);
void chooseTileBlocks(ContractionPlan &plan, int cores);

/// Divides the blocks further for many cores. Chooses whether B is packed once
/// for all tasks or by each task. It is packed once if several tasks or batches
/// read it and it is small enough, or by an earlier kernel.
void shareOrKeepB(ContractionPlan &plan, int cores);

/// Chooses sums along K if both sides are contiguous there and packing B would
/// take longer, in FewRowsPlan.cpp. A plan for any size has another plan for
/// few rows.
void chooseDots(ContractionPlan &plan, bool anySize, bool fewRows);

/// Chooses `farLines` for few rows, in FewRowsPlan.cpp. `wide`: registers have
/// 512 bits. A plan for any size has another plan for few rows.
void chooseFarLines(ContractionPlan &plan, bool wide, bool anySize,
                    bool fewRows);

#ifndef NDEBUG
/// Asserts that a plan is consistent: tiles cover M, panels cover N and blocks
/// cover K exactly. Blocks of tiles and panels cover their task's range.
/// Defined in VerifyPlan.cpp.
void verifyPlan(const ContractionPlan &plan);
#endif

/// Collapses neighbouring dimensions that can be collapsed in A, B and C, and
/// removes dimensions of size 1 unless `keepOnes` is set.
void mergeDims(llvm::SmallVector<GemmDim> &dims, bool keepOnes = false);

/// Plans `gemm`, whose dimensions need not be collapsed. With `anySize`, makes
/// a plan for any size if there is one for this kind of GEMM.
ContractionPlan planContraction(Gemm gemm, const TargetProfile &profile,
                                bool anySize = false);

} // namespace xlac::codegen

#endif
