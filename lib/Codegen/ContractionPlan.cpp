#include "ContractionPlan.h"

#include <algorithm>

using namespace llvm;

namespace xlac::codegen {

/// Depth of a block: a panel of B stays in the first-level cache.
static constexpr int64_t kBlockDepth = 384;
/// B is packed ahead of all tasks if it is not larger than this.
static constexpr int64_t kSharedBytes = int64_t(64) << 20;
/// Work worth a task of its own, in multiplications.
static constexpr int64_t kTaskWork = int64_t(2) << 20;

/// The same for tile registers; and the least work that is worth setting them
/// up.
static constexpr double kTileTaskWork = double(8 << 20);
static constexpr double kLeastTileWork = 1024;
/// Depth of a block for tile registers: a panel of B and the rows of A that
/// meet it are in the first-level cache together. With twice as much the
/// registers get a quarter less done.
static constexpr int64_t kTileBlockDepth = 256;
/// A block's sum of products of 8-bit integers is exact in f32, even where the
/// block is a quarter deeper: 250 * 255 * 255 < 2^24.
static constexpr int64_t kExactDepth = 200;
/// Packed B of a task's block, and tiles of its rows.
static constexpr int64_t kTileBlockBytes = 320 << 10;
static constexpr int64_t kMostTiles = 8, kFewTileRows = 4;

/// Tiles that a task may have without regard for others, and tasks that keep
/// the cores of a common machine busy.
static constexpr int64_t kFewTiles = 16;
static constexpr int64_t kFewTasks = 8;

static int64_t ceilDiv(int64_t a, int64_t b) { return (a + b - 1) / b; }
static int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

int64_t countOf(ArrayRef<ProductDim> dims) {
  int64_t count = 1;
  for (const ProductDim &dim : dims)
    count *= dim.size;
  return count;
}

int64_t Product::rowCount() const { return countOf(rows); }
int64_t Product::columnCount() const { return countOf(columns); }
int64_t Product::depthCount() const { return countOf(depth); }
int64_t Product::batchCount() const { return countOf(batch); }

void mergeDims(SmallVector<ProductDim> &dims) {
  SmallVector<ProductDim> merged;
  for (const ProductDim &dim : dims) {
    if (dim.size == 1)
      continue;
    if (!merged.empty()) {
      ProductDim &outer = merged.back();
      if (outer.a == dim.a * dim.size && outer.b == dim.b * dim.size &&
          outer.c == dim.c * dim.size) {
        outer = {outer.size * dim.size, dim.a, dim.b, dim.c};
        continue;
      }
    }
    merged.push_back(dim);
  }
  if (merged.empty())
    merged.push_back({1, 0, 0, 0});
  dims = merged;
}

/// True if tile registers multiply bf16 on `profile`, and a product of so many
/// rows, columns and depths is worth filling them.
static bool tilesPay(const TargetProfile &profile, int64_t rows,
                     int64_t columns, int64_t depth) {
  constexpr uint64_t needed =
      kFeatureAvx512 | kFeatureAmxTile | kFeatureAmxBf16;
  return (profile.features & needed) == needed && depth >= 4 &&
         double(rows) * double(columns) * double(depth) >= kLeastTileWork;
}

/// Two by two registers: each one that is loaded is multiplied twice.
static void chooseTileRegisters(ContractionPlan &plan) {
  int64_t rows = plan.product.rowCount();
  int64_t columns = plan.product.columnCount();
  plan.lanes = kTileRows;
  plan.vectors = columns > kTileRows ? 2 : 1;
  plan.tileRows = rows > kTileRows ? 2 * kTileRows : kTileRows;
  plan.tiles = plan.bigTiles = ceilDiv(rows, plan.tileRows);
  plan.panels = ceilDiv(columns, plan.panelColumns());
  plan.lastColumns = columns - (plan.panels - 1) * plan.panelColumns();
}

/// Rows and vectors of a tile: as many accumulators as the registers hold
/// beside one row of B and a broadcast.
static void chooseTile(ContractionPlan &plan, const TargetProfile &profile) {
  if (plan.usesTiles) {
    chooseTileRegisters(plan);
    return;
  }
  bool wide = profile.vector_bits >= 512;
  unsigned accumulators = wide ? 28 : 12;
  int64_t bits = plan.product.isDouble ? 64 : 32;
  plan.lanes = std::max<int64_t>(2, profile.vector_bits / bits);
  int64_t rows = plan.product.rowCount();
  int64_t columns = plan.product.columnCount();
  unsigned vectors = 2;
  if (rows < 6) // few rows: more columns at once hide the latency
    vectors = std::min<int64_t>(accumulators / std::max<int64_t>(rows, 2), 6);
  vectors = std::min<int64_t>(vectors, ceilDiv(columns, plan.lanes));
  plan.vectors = vectors;
  int64_t most = std::min<int64_t>(accumulators / vectors, wide ? 14 : 6);
  plan.tiles = ceilDiv(rows, most);
  plan.tileRows = ceilDiv(rows, plan.tiles);
  plan.bigTiles = rows - plan.tiles * (plan.tileRows - 1);
  plan.panels = ceilDiv(columns, plan.panelColumns());
  plan.lastColumns = columns - (plan.panels - 1) * plan.panelColumns();
}

/// Cuts the depth so that a block has at most kBlockDepth indices.
static void chooseDepth(ContractionPlan &plan) {
  ArrayRef<ProductDim> depth = plan.product.depth;
  int64_t limit =
      plan.usesTiles ? kTileBlockDepth : kBlockDepth * 4 / plan.elementSize();
  if (plan.usesTiles && plan.product.isInteger)
    limit = kExactDepth;
  plan.innerDepth = 1;
  plan.blockDim = depth.size() - 1;
  while (plan.blockDim > 0 &&
         plan.innerDepth * depth[plan.blockDim].size <= limit)
    plan.innerDepth *= depth[plan.blockDim--].size;
  int64_t size = depth[plan.blockDim].size;
  int64_t most = std::max<int64_t>(1, limit / plan.innerDepth);
  // A little more than the limit is better than two half blocks.
  plan.blocks = size * 4 <= most * 5 ? 1 : ceilDiv(size, most);
  plan.blockSize = ceilDiv(size, plan.blocks);
  if (plan.innerDepth == 1 && plan.blocks > 1)
    plan.blockSize = roundUp(plan.blockSize, plan.usesTiles ? kTileDepth : 8);
  plan.blocks = ceilDiv(size, plan.blockSize);
  plan.outerDepth = countOf(depth.take_front(plan.blockDim));
}

/// True if one stride leads through a whole block of the depth.
template <class Stride>
static bool isLinear(const ContractionPlan &plan, Stride stride) {
  ArrayRef<ProductDim> depth = plan.product.depth;
  int64_t expected = stride(depth.back());
  for (const ProductDim &dim : reverse(depth.drop_front(plan.blockDim))) {
    if (stride(dim) != expected)
      return false;
    expected *= dim.size;
  }
  return true;
}

/// A is read in place where whole registers of it lie in memory and are read a
/// few times only: their rows, far from each other, crowd the cache.
static void choosePairs(ContractionPlan &plan) {
  const Product &product = plan.product;
  plan.packA = plan.packB = true;
  if (product.isInteger) // staged, where they become bf16
    return;
  const ProductDim &inner = product.depth.back();
  const ProductDim &block = product.depth[plan.blockDim];
  if (inner.a == 1 &&
      (product.depth.size() == 1 || inner.size >= 8 || plan.linearA))
    plan.pairsA = PairPacking::Runs;
  else if (plan.linearA && product.rows.size() == 1 && product.rows[0].a == 1)
    plan.pairsA = PairPacking::Lines;
  bool wholeRegisters =
      (plan.blockDepth() % kTileDepth == 0 || plan.depthBlocks() == 1) &&
      block.size * plan.innerDepth % kTileDepth == 0;
  bool wholeRows =
      product.rows.size() == 1 && product.rows[0].size % kTileRows == 0;
  plan.packA = !(plan.linearA && inner.a == 1 && wholeRegisters && wholeRows) ||
               plan.panels > 4;
  bool even = plan.innerDepth % 2 == 0 ||
              (plan.blockSize % 2 == 0 && block.size % 2 == 0);
  if (plan.linearB && product.columns.size() == 1 && product.columns[0].b == 1)
    plan.pairsB = PairPacking::Lines;
  else if (plan.linearB && inner.b == 1 && even)
    plan.pairsB = PairPacking::Runs;
}

static void choosePacking(ContractionPlan &plan) {
  plan.linearA = isLinear(plan, [](const ProductDim &d) { return d.a; });
  plan.linearB = isLinear(plan, [](const ProductDim &d) { return d.b; });
  if (plan.usesTiles) {
    choosePairs(plan);
    return;
  }
  const Product &product = plan.product;
  int64_t aStride = product.depth.back().a;
  // Rows of A are read in place where they run along the depth, or where they
  // are read so often or rarely that a copy costs more than it saves.
  bool few = plan.panels <= 2 || product.depthCount() <= 32;
  plan.packA = !plan.linearA || (aStride != 1 && !few && plan.tiles > 1);
  bool columnsRun =
      product.columns.size() == 1 && product.columns[0].b == 1 && plan.linearB;
  int64_t step = product.depth.back().b;
  bool small = product.columns[0].size <= 2 * plan.panelColumns() ||
               product.depthCount() * step <= 4096;
  plan.packB = !columnsRun || (plan.tiles > 3 && !(small && plan.tiles <= 12));
  // What is narrow is widened once: while packing, or where one tile reads it.
  if (product.a != NumberFormat::Plain)
    plan.packA = true;
  plan.keepRowsA =
      product.a != NumberFormat::Plain && plan.linearA && aStride == 1;
  if (product.b != NumberFormat::Plain)
    plan.packB = !columnsRun || plan.tiles > 1;
}

/// B is packed for all tasks, or by each for itself if it has all the rows.
static void shareOrKeepB(ContractionPlan &plan) {
  int64_t element = plan.elementSize();
  int64_t bytes = plan.product.batchCount() * plan.depthBlocks() * plan.panels *
                  plan.panelElements() * element;
  plan.shareB = plan.packB && plan.rowBlocks > 1 && bytes <= kSharedBytes;
  if (plan.shareB)
    plan.sharedBytes = roundUp(bytes, 64);
  else if (plan.packB)
    plan.scratchB =
        roundUp(element * plan.panelsPerBlock * plan.panelElements(), 64);
}

/// Blocks for tile registers: packed B of a task and its part of C take a part
/// of the second-level cache, and A goes over them tile by tile.
static void chooseTileBlocks(ContractionPlan &plan) {
  const Product &product = plan.product;
  int64_t most = std::max<int64_t>(
      1, kTileBlockBytes / (plan.elementSize() * plan.panelElements()));
  double work = double(product.batchCount()) * double(product.rowCount()) *
                double(product.columnCount()) * double(product.depthCount());
  int64_t tasks = int64_t(
      std::clamp<double>(work / kTileTaskWork, 1, double(2 * kFewTasks)));
  plan.panelsPerBlock = std::min(plan.panels, most);
  // With few rows the columns alone are dealt out, and no task waits for B.
  if (plan.tiles <= kFewTileRows) {
    int64_t each = product.batchCount() * plan.panels / tasks;
    plan.panelsPerBlock = std::clamp<int64_t>(each, 1, plan.panelsPerBlock);
  }
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  plan.panelsPerBlock = ceilDiv(plan.panels, plan.columnBlocks);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  int64_t columnTasks = product.batchCount() * plan.columnBlocks;
  plan.tilesPerBlock =
      std::clamp<int64_t>(plan.tiles * columnTasks / tasks, 1, kMostTiles);
  plan.tilesPerBlock = std::min(plan.tilesPerBlock, plan.tiles);
  plan.rowBlocks = ceilDiv(plan.tiles, plan.tilesPerBlock);
  plan.tilesPerBlock = ceilDiv(plan.tiles, plan.rowBlocks);
  plan.rowBlocks = ceilDiv(plan.tiles, plan.tilesPerBlock);
  shareOrKeepB(plan);
  if (plan.packA)
    plan.scratchA = plan.tilesPerBlock * plan.tileRows * plan.tileRowBytes();
  bool staged = plan.pairsB == PairPacking::Staged ||
                (plan.packA && plan.pairsA == PairPacking::Staged);
  if (staged)
    plan.scratchStage =
        roundUp(2 * (plan.tileDepth() * plan.panelColumns() +
                     plan.lanes * (plan.lanes + plan.panelColumns())),
                64);
}

static void chooseBlocks(ContractionPlan &plan) {
  if (plan.usesTiles) {
    chooseTileBlocks(plan);
    return;
  }
  const Product &product = plan.product;
  int64_t element = plan.elementSize();
  int64_t work = product.rowCount() * product.depthCount();
  int64_t columns = plan.panelColumns();
  // Columns of a task: its packed block of B fits the second-level cache. More
  // of them where each column block packs A anew; processors with registers of
  // 512 bits have a megabyte at least.
  bool packsOften = plan.packA && element * plan.lanes == 64;
  int64_t cache = packsOften ? 512 << 10 : 192 << 10;
  int64_t most =
      std::max<int64_t>(1, cache / (element * columns * plan.blockDepth()));
  if (!plan.packB)
    most = std::max<int64_t>(most, 8);
  int64_t wanted =
      std::clamp<int64_t>(ceilDiv(kTaskWork, work * columns), 1, plan.panels);
  plan.panelsPerBlock =
      std::clamp<int64_t>(wanted, std::min<int64_t>(most, packsOften ? 8 : 4),
                          std::max<int64_t>(most, 1));
  plan.panelsPerBlock = std::min(plan.panelsPerBlock, plan.panels);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  plan.panelsPerBlock = ceilDiv(plan.panels, plan.columnBlocks);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  // A task with all rows packs its columns for itself, and nothing of that
  // leaves the cache; worth it where the columns alone make tasks enough.
  bool allRows = false;
  if (plan.packB && plan.tiles <= kFewTiles) {
    int64_t even = product.batchCount() * plan.panels / (2 * kFewTasks);
    int64_t least = std::min(wanted, plan.panelsPerBlock);
    int64_t panels = std::clamp(even, least, plan.panelsPerBlock);
    int64_t blocks = ceilDiv(plan.panels, panels);
    allRows = product.batchCount() * blocks >= kFewTasks;
    if (allRows) {
      plan.columnBlocks = blocks;
      plan.panelsPerBlock = panels;
    }
  }
  // Rows of a task: enough to be worth one, and C's block stays near.
  int64_t tileWork =
      plan.tileRows * product.depthCount() * columns * plan.panelsPerBlock;
  int64_t tiles = std::max<int64_t>(ceilDiv(kTaskWork, tileWork), 4);
  int64_t cap = std::max<int64_t>(1, 192 / plan.tileRows);
  tiles = std::min({tiles, std::max<int64_t>(cap, 4), plan.tiles});
  int64_t bytesB = product.batchCount() * plan.depthBlocks() * plan.panels *
                   plan.panelElements() * element;
  if (plan.packB && bytesB > kSharedBytes) // each task packs its own
    tiles = std::min<int64_t>(plan.tiles,
                              std::max<int64_t>(1, 960 / plan.tileRows));
  if (allRows)
    tiles = plan.tiles;
  plan.rowBlocks = ceilDiv(plan.tiles, tiles);
  plan.tilesPerBlock = ceilDiv(plan.tiles, plan.rowBlocks);
  plan.rowBlocks = ceilDiv(plan.tiles, plan.tilesPerBlock);
  shareOrKeepB(plan);
}

ContractionPlan planContraction(Product product, const TargetProfile &profile) {
  mergeDims(product.batch);
  mergeDims(product.rows);
  mergeDims(product.columns);
  mergeDims(product.depth);
  ContractionPlan plan;
  plan.product = std::move(product);
  NumberFormat wanted =
      plan.product.isInteger ? NumberFormat::I8 : NumberFormat::BF16;
  plan.usesTiles =
      plan.product.mayUseTiles && plan.product.a == wanted &&
      plan.product.b == wanted &&
      tilesPay(profile, plan.product.rowCount(), plan.product.columnCount(),
               plan.product.depthCount());
  bool isNarrow = plan.product.a != NumberFormat::Plain ||
                  plan.product.b != NumberFormat::Plain;
  plan.masks = !isNarrow || (profile.features & kFeatureAvx512);
  chooseTile(plan, profile);
  chooseDepth(plan);
  choosePacking(plan);
  chooseBlocks(plan);
  const Product &p = plan.product;
  int64_t element = plan.elementSize();
  if (plan.packA && !plan.usesTiles)
    plan.scratchA =
        roundUp(element * (plan.tilesPerBlock * plan.tileRows *
                               (plan.keepRowsA ? plan.widenedRow()
                                               : plan.blockDepth()) +
                           plan.lanes * (plan.lanes + plan.tileRows)),
                64);
  plan.directC = p.plainResult && !plan.usesTiles && p.columns.size() == 1 &&
                 (p.columns[0].c == 1 || p.columns[0].size == 1);
  bool addsBlocks = plan.usesTiles && p.isInteger;
  if (!plan.directC && (plan.depthBlocks() > 1 || addsBlocks))
    plan.scratchC = roundUp(element * plan.tilesPerBlock * plan.tileRows *
                                plan.panelsPerBlock * plan.panelColumns(),
                            64);
  return plan;
}

} // namespace xlac::codegen
