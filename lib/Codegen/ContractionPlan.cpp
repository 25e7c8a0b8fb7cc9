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

/// Rows and vectors of a tile: as many accumulators as the registers hold
/// beside one row of B and a broadcast.
static void chooseTile(ContractionPlan &plan, const TargetProfile &profile) {
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
  int64_t limit = kBlockDepth * 4 / plan.elementSize();
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
    plan.blockSize = roundUp(plan.blockSize, 8);
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

static void choosePacking(ContractionPlan &plan) {
  const Product &product = plan.product;
  int64_t aStride = product.depth.back().a;
  bool aLinear = isLinear(plan, [](const ProductDim &d) { return d.a; });
  bool bLinear = isLinear(plan, [](const ProductDim &d) { return d.b; });
  // Rows of A are read in place where they run along the depth, or where they
  // are read so often or rarely that a copy costs more than it saves.
  bool few = plan.panels <= 2 || product.depthCount() <= 32;
  plan.packA = !aLinear || (aStride != 1 && !few && plan.tiles > 1);
  bool columnsRun =
      product.columns.size() == 1 && product.columns[0].b == 1 && bLinear;
  int64_t step = product.depth.back().b;
  bool small = product.columns[0].size <= 2 * plan.panelColumns() ||
               product.depthCount() * step <= 4096;
  plan.packB = !columnsRun || (plan.tiles > 3 && !(small && plan.tiles <= 12));
}

static void chooseBlocks(ContractionPlan &plan) {
  const Product &product = plan.product;
  int64_t element = plan.elementSize();
  int64_t work = product.rowCount() * product.depthCount();
  int64_t columns = plan.panelColumns();
  // Columns of a task: its packed block of B fits the second-level cache.
  int64_t most = std::max<int64_t>(
      1, (192 << 10) / (element * columns * plan.blockDepth()));
  if (!plan.packB)
    most = std::max<int64_t>(most, 8);
  int64_t wanted =
      std::clamp<int64_t>(ceilDiv(kTaskWork, work * columns), 1, plan.panels);
  plan.panelsPerBlock = std::clamp<int64_t>(wanted, std::min<int64_t>(most, 4),
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
  plan.shareB = plan.packB && plan.rowBlocks > 1 && bytesB <= kSharedBytes;
  if (plan.shareB)
    plan.sharedBytes = roundUp(bytesB, 64);
  else if (plan.packB)
    plan.scratchB =
        roundUp(element * plan.panelsPerBlock * plan.panelElements(), 64);
}

ContractionPlan planContraction(Product product, const TargetProfile &profile) {
  mergeDims(product.batch);
  mergeDims(product.rows);
  mergeDims(product.columns);
  mergeDims(product.depth);
  ContractionPlan plan;
  plan.product = std::move(product);
  chooseTile(plan, profile);
  chooseDepth(plan);
  choosePacking(plan);
  chooseBlocks(plan);
  const Product &p = plan.product;
  int64_t element = plan.elementSize();
  if (plan.packA)
    plan.scratchA = roundUp(
        element * (plan.tilesPerBlock * plan.tileRows * plan.blockDepth() +
                   plan.lanes * (plan.lanes + plan.tileRows)),
        64);
  plan.directC = p.plainResult && p.columns.size() == 1 &&
                 (p.columns[0].c == 1 || p.columns[0].size == 1);
  if (!plan.directC && plan.depthBlocks() > 1)
    plan.scratchC = roundUp(element * plan.tilesPerBlock * plan.tileRows *
                                plan.panelsPerBlock * plan.panelColumns(),
                            64);
  return plan;
}

} // namespace xlac::codegen
