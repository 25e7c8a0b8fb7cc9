// Plans GEMMs of cells of narrow integers (see CellKind), and those of pairs or
// bytes for tile registers or vectors of pairs.
#include "ContractionPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace xlac::codegen {

// Two products of words fit in 32 bits, except for the square of -2^15 twice,
// which wraps.
void chooseCells(ContractionPlan &plan, const TargetProfile &profile,
                 bool anySize) {
  const Gemm &gemm = plan.gemm;
  bool columnsRun =
      gemm.n.size() == 1 && gemm.n[0].b == 1 && gemm.k.size() == 1;
  if (gemm.mSize() == 1 && columnsRun && !anySize)
    return;
  if (!gemm.isInteger || gemm.isDouble || plan.usesPairs || gemm.kSize() < 4)
    return;
  auto fitsWord = [](NumberFormat format, bool isUnsigned) {
    return format == NumberFormat::I8 ||
           (format == NumberFormat::I16 && !isUnsigned);
  };
  if (!fitsWord(gemm.a, gemm.unsignedA) || !fitsWord(gemm.b, gemm.unsignedB))
    return;
  bool areBytes = gemm.a == NumberFormat::I8 && gemm.b == NumberFormat::I8;
  bool isWide = profile.vector_bits == 512;
  plan.hasVnni =
      profile.features & (kFeatureAvx512Vnni | (isWide ? 0 : kFeatureAvxVnni));
  plan.cells = areBytes && plan.hasVnni ? CellKind::Bytes : CellKind::Words;
  plan.flipsA =
      plan.cells == CellKind::Bytes && gemm.unsignedA == gemm.unsignedB;
}

/// Returns whether cells of the innermost dimension are whole, and other
/// dimensions have strides of their own.
static bool hasWholeCells(const ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  return !plan.anySize && gemm.k.back().size % plan.cellSize() == 0 &&
         plan.blockDim + 1 < gemm.k.size();
}

void chooseCellPackingOfB(ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  if (plan.linearB && gemm.n.size() == 1 && gemm.n[0].b == 1)
    plan.pairsB = PairPacking::Lines;
  else if (gemm.k.back().b == 1 && (plan.linearB || hasWholeCells(plan)))
    plan.pairsB = PairPacking::Runs;
}

void chooseCellPacking(ContractionPlan &plan) {
  bool alongK = plan.gemm.k.back().a == 1;
  plan.packA = plan.packB = true;
  if (alongK && (plan.linearA || hasWholeCells(plan)))
    plan.pairsA = PairPacking::Runs;
  plan.rowMajorA = alongK && plan.linearA;
  chooseCellPackingOfB(plan);
}

int64_t cellStage(const ContractionPlan &plan) {
  if (plan.pairsA == PairPacking::Runs && plan.pairsB == PairPacking::Runs)
    return 0;
  int64_t element = plan.cells == CellKind::Bytes ? 1 : 2;
  int64_t width = std::max<int64_t>(plan.panelColumns(), plan.tileRows);
  return alignTo(
      element * (plan.blockK() * width + plan.lanes * (plan.lanes + width)),
      64);
}

//===- Pairs --------------------------------------------------------------===//

/// Multiplications that are worth a task for tile registers, and the least that
/// are worth their setup.
static constexpr double kTileTaskWork = double(8 << 20);
static constexpr double kLeastTileWork = 1024;
/// Bytes of packed B in a task's block of vectors of pairs. For tile registers,
/// bytes of packed B and of C: processors that have them have a second-level
/// cache of at least 2 MB. Limits on the tiles of a task's rows.
static constexpr int64_t kPairBlockBytes = 320 << 10,
                         kTileBlockBytes = 1280 << 10;
static constexpr int64_t kMostTiles = 8, kFewTileRows = 4;

/// Chooses VNNI pairs of bf16, or groups of four bytes on tile registers, if
/// `profile` supports them and the GEMM is large enough for its operands to be
/// worth packing.
void choosePairGemm(ContractionPlan &plan, const TargetProfile &profile) {
  constexpr uint64_t vectors = kFeatureAvx512 | kFeatureAvx512Bf16;
  const Gemm &gemm = plan.gemm;
  uint64_t tiles = kFeatureAvx512 | kFeatureAmxTile |
                   (gemm.isInteger ? kFeatureAmxInt8 : kFeatureAmxBf16);
  NumberFormat wanted = gemm.isInteger ? NumberFormat::I8 : NumberFormat::BF16;
  double rows = double(gemm.mSize()), k = double(gemm.kSize());
  if (!gemm.mayUsePairs || gemm.a != wanted || gemm.b != wanted || k < 4 ||
      rows * double(gemm.nSize()) * k < kLeastTileWork)
    return;
  bool hasTiles = (profile.features & tiles) == tiles;
  // Fewer rows than a vector block has read contiguous columns in place.
  // Columns that are contiguous along K are packed in any case, which takes
  // less time as pairs.
  bool alongK = gemm.k.back().b == 1 && gemm.nSize() >= kTileRows;
  int64_t leastRows = alongK ? 2 : kPairRows;
  plan.pairVectors = !hasTiles && !gemm.isInteger &&
                     (profile.features & vectors) == vectors &&
                     rows >= double(leastRows);
  plan.usesPairs = hasTiles || plan.pairVectors;
  if (plan.usesPairs && gemm.isInteger)
    plan.cells = CellKind::Bytes;
}

/// Two by two registers: each loaded register is used twice.
void chooseTileRegisters(ContractionPlan &plan) {
  int64_t rows = plan.gemm.mSize();
  int64_t columns = plan.gemm.nSize();
  plan.lanes = kTileRows;
  plan.vectors = columns > kTileRows ? 2 : 1;
  plan.tileRows = plan.bigRows = rows > kTileRows ? 2 * kTileRows : kTileRows;
  plan.tiles = plan.bigTiles = divideCeilSigned(rows, plan.tileRows);
  plan.panels = divideCeilSigned(columns, plan.panelColumns());
  plan.lastColumns = columns - (plan.panels - 1) * plan.panelColumns();
}

/// Chooses packing for VNNI pairs. A is read in place only if it is stored as
/// whole registers and is read a few times, because its distant rows cause
/// cache-set conflicts.
void choosePairs(ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  plan.packA = plan.packB = true;
  const GemmDim &inner = gemm.k.back();
  const GemmDim &block = gemm.k[plan.blockDim];
  if (inner.a == 1 && (gemm.k.size() == 1 || inner.size >= 8 || plan.linearA))
    plan.pairsA = PairPacking::Runs;
  else if (plan.linearA && gemm.m.size() == 1 && gemm.m[0].a == 1)
    plan.pairsA = PairPacking::Lines;
  int64_t whole = plan.registerK();
  bool wholeRegisters = (plan.blockK() % whole == 0 || plan.kBlocks() == 1) &&
                        block.size * plan.innerK % whole == 0;
  bool wholeRows = gemm.m.size() == 1 && gemm.m[0].size % kTileRows == 0;
  plan.packA = !(plan.linearA && inner.a == 1 && wholeRegisters && wholeRows) ||
               plan.panels > 4;
  if (plan.cells != CellKind::None) {
    chooseCellPackingOfB(plan);
    return;
  }
  bool even =
      plan.innerK % 2 == 0 || (plan.blockSize % 2 == 0 && block.size % 2 == 0);
  if (plan.linearB && gemm.n.size() == 1 && gemm.n[0].b == 1)
    plan.pairsB = PairPacking::Lines;
  else if (plan.linearB && inner.b == 1 && even)
    plan.pairsB = PairPacking::Runs;
}

/// Returns the panels of a task for tile registers or vectors of pairs.
static int64_t mostPanels(const ContractionPlan &plan) {
  int64_t panel = plan.elementSize() * plan.panelElements();
  if (plan.pairVectors)
    return std::max<int64_t>(1, kPairBlockBytes / panel);
  if (plan.kBlocks() > 1) // C stays in the cache between them
    panel +=
        kMostTiles * plan.tileRows * plan.panelColumns() * plan.elementSize();
  return std::max<int64_t>(1, kTileBlockBytes / panel);
}

/// Blocks for tile registers: packed B of a task and its part of C fit in a
/// part of the second-level cache. The task traverses A tile by tile.
void chooseTileBlocks(ContractionPlan &plan, int cores) {
  const Gemm &gemm = plan.gemm;
  int64_t most = mostPanels(plan);
  double work = double(gemm.batchCount()) * double(gemm.mSize()) *
                double(gemm.nSize()) * double(gemm.kSize());
  int64_t tasks = int64_t(
      std::clamp<double>(work / kTileTaskWork, 1, double(2 * kFewTasks)));
  plan.panelsPerBlock = std::min(plan.panels, most);
  // With few rows, only the columns are divided among tasks, and no task waits
  // for packed B.
  if (plan.tiles <= kFewTileRows) {
    int64_t each = gemm.batchCount() * plan.panels / tasks;
    plan.panelsPerBlock = std::clamp<int64_t>(each, 1, plan.panelsPerBlock);
  }
  plan.columnBlocks = divideCeilSigned(plan.panels, plan.panelsPerBlock);
  plan.panelsPerBlock = divideCeilSigned(plan.panels, plan.columnBlocks);
  plan.columnBlocks = divideCeilSigned(plan.panels, plan.panelsPerBlock);
  int64_t columnTasks = gemm.batchCount() * plan.columnBlocks;
  plan.tilesPerBlock =
      std::clamp<int64_t>(plan.tiles * columnTasks / tasks, 1, kMostTiles);
  plan.tilesPerBlock = std::min(plan.tilesPerBlock, plan.tiles);
  plan.rowBlocks = divideCeilSigned(plan.tiles, plan.tilesPerBlock);
  plan.tilesPerBlock = divideCeilSigned(plan.tiles, plan.rowBlocks);
  plan.rowBlocks = divideCeilSigned(plan.tiles, plan.tilesPerBlock);
  shareOrKeepB(plan, cores);
  if (plan.packA)
    plan.scratchA = plan.tilesPerBlock * plan.tileRows * plan.tileRowBytes();
  bool staged = plan.pairsB == PairPacking::Staged ||
                (plan.packA && plan.pairsA == PairPacking::Staged);
  if (staged)
    plan.scratchStage =
        alignTo(2 * (plan.tileK() * plan.panelColumns() +
                     plan.lanes * (plan.lanes + plan.panelColumns())),
                64);
}

} // namespace xlac::codegen
