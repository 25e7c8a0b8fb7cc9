#include "ContractionPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace xlac::codegen {

/// Depth of a block: a panel of B stays in the first-level cache.
static constexpr int64_t kBlockDepth = 384;
/// B is packed ahead of all tasks if it is not larger than this.
static constexpr int64_t kSharedBytes = int64_t(64) << 20;
/// Pixels in a task of a turned product.
static constexpr int64_t kMostTurnedRows = 512;
/// Bytes of a line of the caches.
static constexpr double kLine = 64;
/// Bytes from line to line of B up to which few tiles read it in place.
static constexpr int64_t kShortLine = 512;
/// What stays in a second-level cache of a megabyte beside other things.
static constexpr int64_t kNearBytes = 512 << 10;
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
/// Blocks that are added up in place: as many as let products of ordinary
/// depths do without the tree, and fewer on tile registers, where blocks go on
/// from what the last one left.
static constexpr int64_t kBlocksPerSum = 16, kTileBlocksPerSum = 8;
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

/// Decides whether pairs of bf16 are multiplied at once: where `profile` can,
/// and a product of so many rows, columns and depths is worth packing them.
static void choosePairProducts(ContractionPlan &plan,
                               const TargetProfile &profile) {
  constexpr uint64_t tiles = kFeatureAvx512 | kFeatureAmxTile | kFeatureAmxBf16;
  constexpr uint64_t vectors = kFeatureAvx512 | kFeatureAvx512Bf16;
  const Product &product = plan.product;
  NumberFormat wanted =
      product.isInteger ? NumberFormat::I8 : NumberFormat::BF16;
  double rows = double(product.rowCount()),
         depth = double(product.depthCount());
  if (!product.mayUsePairs || product.a != wanted || product.b != wanted ||
      depth < 4 ||
      rows * double(product.columnCount()) * depth < kLeastTileWork)
    return;
  bool hasTiles = (profile.features & tiles) == tiles;
  plan.pairVectors =
      !hasTiles && (profile.features & vectors) == vectors && rows >= kPairRows;
  plan.usesPairs = hasTiles || plan.pairVectors;
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

//===- Walks --------------------------------------------------------------===//

static int64_t largestDivisor(int64_t number, int64_t most) {
  int64_t divisor = std::min(number, std::max<int64_t>(most, 1));
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

namespace {
/// A tile for a walk, and how long its rows take for each depth, in multiply-
/// adds of vectors.
struct WalkTile {
  int64_t rows = 1, vectors = 1;
  double cost = 1e30;
};
} // namespace

static WalkTile chooseWalk(ArrayRef<ProductDim> rows, int64_t columns,
                           int64_t lanes, bool wide) {
  int64_t registers = wide ? 32 : 16, most = wide ? 14 : 6;
  int64_t all = ceilDiv(columns, lanes);
  // Loads go as fast as sums; ten of these hide how long each takes.
  auto cost = [](int64_t height, int64_t vectors) {
    if (vectors == 0)
      return 0.0;
    return double(std::max<int64_t>({height * vectors, height + vectors, 10})) +
           1.5;
  };
  WalkTile best;
  for (int64_t vectors = 1; vectors <= std::min<int64_t>(all, 4); ++vectors) {
    int64_t height = largestDivisor(
        rows.back().size, std::min((registers - 1 - vectors) / vectors, most));
    double time = double(all / vectors) * cost(height, vectors) +
                  cost(height, all % vectors);
    // A last panel of its own takes code of its own.
    if (all % vectors != 0)
      time *= 1.06;
    if (time / double(height) < best.cost)
      best = {height, vectors, time / double(height)};
  }
  return best;
}

/// Lines of memory that a tile's rows need for each depth, if neighbours in
/// `inner`, the innermost dimension of the depth, share them.
static double linesOfTile(int64_t tileRows, int64_t stride,
                          const ProductDim &inner, int64_t element) {
  double step = double(std::abs(stride) * element) / kLine;
  double lines = 1 + double(tileRows - 1) * std::min(step, 1.0);
  double sharing =
      kLine / double(std::max<int64_t>(1, std::abs(inner.a)) * element);
  return lines / std::clamp(sharing, 1.0, double(inner.size));
}

static void useWalk(ContractionPlan &plan, const WalkTile &tile) {
  ArrayRef<ProductDim> rows = plan.product.rows;
  int64_t columns = plan.product.columnCount();
  plan.walkA = true;
  plan.tileRows = tile.rows;
  plan.vectors = tile.vectors;
  plan.tiles = plan.bigTiles = plan.product.rowCount() / tile.rows;
  plan.panels = ceilDiv(columns, plan.panelColumns());
  plan.lastColumns = columns - (plan.panels - 1) * plan.panelColumns();
  bool wholeLine = tile.rows == rows.back().size && rows.size() > 1;
  plan.nextTile =
      wholeLine ? rows[rows.size() - 2].a : tile.rows * rows.back().a;
}

/// True if the dimensions are one run of the given strides.
template <class Stride>
static bool isRun(ArrayRef<ProductDim> dims, int64_t first, Stride stride) {
  for (const ProductDim &dim : reverse(dims)) {
    if (dim.size > 1 && stride(dim) != first)
      return false;
    first *= dim.size;
  }
  return true;
}

/// Cycles to bring an element of a side into a panel: along its lines, by
/// turning runs of its depth, or one by one.
static double packingCost(ArrayRef<ProductDim> lanes,
                          ArrayRef<ProductDim> depth,
                          int64_t ProductDim::*stride, int64_t registerLanes) {
  if (lanes.back().*stride == 1 && lanes.size() == 1)
    return 0.15;
  if (lanes.back().*stride == 1 && lanes.back().size >= registerLanes - 1)
    return 0.4;
  auto of = [&](const ProductDim &dim) { return dim.*stride; };
  return isRun(depth, 1, of) ? 0.2 : 0.8;
}

/// True if sides that are exchanged take less time: the image of a convolution
/// need not be packed, and its pixels fill no vectors that channels fill
/// better.
static bool paysToTurn(const Product &product, int64_t lanes, bool wide) {
  if (product.isInteger || product.a != NumberFormat::Plain ||
      product.b != NumberFormat::Plain)
    return false;
  auto inC = [](const ProductDim &dim) { return dim.c; };
  int64_t rows = product.rowCount(), columns = product.columnCount();
  if (rows < lanes || columns < 16 || !isRun(product.columns, 1, inC))
    return false;
  SmallVector<ProductDim> pixels(product.columns);
  int64_t reach = 0;
  for (ProductDim &dim : pixels)
    std::swap(dim.a, dim.b);
  for (const ProductDim &dim : product.depth)
    reach += (dim.size - 1) * std::abs(dim.b);
  if (reach >= INT32_MAX / 8 || pixels.back().a == 0)
    return false;
  bool sameA = llvm::all_of(product.batch,
                            [](const ProductDim &dim) { return dim.a == 0; });
  // For each element of C, in cycles.
  double k = double(product.depthCount()), element = product.isDouble ? 8 : 4;
  double asIs =
      k * 0.53 * double(roundUp(columns, lanes)) / double(columns * lanes) +
      packingCost(product.columns, product.depth, &ProductDim::b, lanes) * k /
          double(rows);
  WalkTile tile = chooseWalk(pixels, rows, lanes, wide);
  ProductDim inner = product.depth.back();
  std::swap(inner.a, inner.b);
  double lines =
      linesOfTile(tile.rows, pixels.back().a, inner, int64_t(element));
  // Channels for which a line that was brought near is used.
  int64_t panel = tile.vectors * lanes;
  int64_t near = std::min(rows, columns > kMostTurnedRows ? 4 * panel : panel);
  double shared = double(columns * (sameA ? product.batchCount() : 1));
  double turned =
      k * 0.5 * tile.cost / double(rows) +
      k * 1.2 * lines / double(tile.rows * near) +
      packingCost(product.rows, product.depth, &ProductDim::a, lanes) * k /
          shared +
      0.35;
  // Rows of a large result that are written panel by panel are slow to reach
  // memory; turned back they are written as runs.
  bool isWindow = product.depth.size() > 1;
  double bytes =
      element * double(product.batchCount()) * double(rows) * double(columns);
  if (isWindow && bytes > double(1 << 20))
    asIs += 0.7;
  return turned < asIs;
}

static void turn(Product &product) {
  std::swap(product.rows, product.columns);
  std::swap(product.a, product.b);
  for (auto *dims :
       {&product.batch, &product.rows, &product.columns, &product.depth})
    for (ProductDim &dim : *dims)
      std::swap(dim.a, dim.b);
}

//===- Tiles and blocks ---------------------------------------------------===//

/// Rows and vectors of a tile: as many accumulators as the registers hold
/// beside one row of B and a broadcast.
static void chooseTile(ContractionPlan &plan, const TargetProfile &profile) {
  if (plan.usesPairs) {
    chooseTileRegisters(plan);
    return;
  }
  bool wide = profile.vector_bits >= 512;
  if (plan.turned) {
    useWalk(plan, chooseWalk(plan.product.rows, plan.product.columnCount(),
                             plan.lanes, wide));
    return;
  }
  unsigned accumulators = wide ? 28 : 12;
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

/// Depth of a block of a turned product: a panel of B and the lines of memory
/// in which a tile's pixels lie are in the first-level cache together.
static int64_t turnedDepth(const ContractionPlan &plan) {
  int64_t element = plan.elementSize();
  double bytes = double(element * plan.panelColumns()) +
                 kLine * linesOfTile(plan.tileRows, plan.product.rows.back().a,
                                     plan.product.depth.back(), element);
  double cache = element * plan.lanes == 64 ? 40 << 10 : 26 << 10;
  int64_t most = kBlockDepth * 4 / element;
  return std::clamp<int64_t>(int64_t(cache / bytes), most / 3, most);
}

/// True if panels of B are read in place: lines near each other, which the
/// first-level cache holds for half the usual depth wherever they lie.
static bool readsLinesOfB(const ContractionPlan &plan) {
  const Product &product = plan.product;
  int64_t bytes = product.depth.back().b * plan.elementSize();
  return plan.elementSize() * plan.lanes == 64 && !plan.usesPairs &&
         product.a == NumberFormat::Plain && product.b == NumberFormat::Plain &&
         product.depth.size() == 1 && product.columns.size() == 1 &&
         product.columns[0].b == 1 && product.depthCount() <= 256 &&
         bytes > 0 && bytes <= 4096 && bytes % 256 != 0;
}

/// Cuts the depth so that a block has at most kBlockDepth indices.
static void chooseDepth(ContractionPlan &plan) {
  ArrayRef<ProductDim> depth = plan.product.depth;
  int64_t limit =
      plan.usesPairs ? kTileBlockDepth : kBlockDepth * 4 / plan.elementSize();
  if (plan.turned)
    limit = turnedDepth(plan);
  else if (readsLinesOfB(plan))
    limit /= 2;
  if (plan.usesPairs && plan.product.isInteger)
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
    plan.blockSize = roundUp(plan.blockSize, plan.usesPairs ? kTileDepth : 8);
  plan.blocks = ceilDiv(size, plan.blockSize);
  plan.outerDepth = countOf(depth.take_front(plan.blockDim));
  plan.blocksPerSum =
      plan.usesPairs && !plan.pairVectors ? kTileBlocksPerSum : kBlocksPerSum;
  if (plan.product.isInteger)
    plan.blocksPerSum = plan.depthBlocks();
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

/// True if the lines of memory in which a tile's rows lie crowd so few sets of
/// the first-level cache that they drive each other out. A page of memory is
/// one way of that cache.
static bool rowsCrowd(const ContractionPlan &plan) {
  constexpr int64_t sets = 64, line = int64_t(kLine), most = 4;
  int64_t stride = plan.product.rows.back().a * plan.elementSize();
  int64_t rows = std::min(plan.tileRows, plan.product.rows.back().size);
  int64_t lines[sets] = {};
  for (int64_t row = 0; row < rows; ++row)
    if (++lines[(std::abs(stride) * row / line) % sets] > most)
      return plan.blockDepth() * plan.elementSize() > line;
  return false;
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

/// Reads A in place where its depth does not lie along one stride, if tiles of
/// equal rows are about as good as any.
static void chooseToWalk(ContractionPlan &plan, bool wide) {
  const Product &product = plan.product;
  if (plan.walkA || plan.linearA || product.a != NumberFormat::Plain)
    return;
  auto inC = [](const ProductDim &dim) { return dim.c; };
  int64_t reach = 0;
  for (const ProductDim &dim :
       ArrayRef(product.depth).drop_front(plan.blockDim))
    reach += (dim.size - 1) * std::abs(dim.a);
  if (reach >= INT32_MAX / 8 || product.rows.back().a == 0 ||
      !isRun(product.rows, product.rows.back().c, inC))
    return;
  WalkTile tile =
      chooseWalk(product.rows, product.columnCount(), plan.lanes, wide);
  double vectors = double(ceilDiv(product.columnCount(), plan.lanes));
  double packs = product.depth.back().a == 1 ? 0.4 : 1.6;
  if (tile.cost < vectors * 1.06 + packs)
    useWalk(plan, tile);
}

static void choosePacking(ContractionPlan &plan, bool wide) {
  plan.linearA = isLinear(plan, [](const ProductDim &d) { return d.a; });
  plan.linearB = isLinear(plan, [](const ProductDim &d) { return d.b; });
  if (plan.usesPairs) {
    choosePairs(plan);
    return;
  }
  chooseToWalk(plan, wide);
  const Product &product = plan.product;
  int64_t aStride = product.depth.back().a;
  // Rows of A are read in place where they run along the depth, or where they
  // are read so often or rarely that a copy costs more than it saves.
  bool few = plan.panels <= 2 || product.depthCount() <= 32;
  plan.packA = !plan.walkA &&
               (!plan.linearA || (aStride != 1 && !few && plan.tiles > 1));
  bool columnsRun =
      product.columns.size() == 1 && product.columns[0].b == 1 && plan.linearB;
  int64_t step = product.depth.back().b;
  // Short lines that lie close to each other are one run of memory.
  bool small = product.columns[0].size <= 2 * plan.panelColumns() ||
               std::abs(step) * plan.elementSize() <= kShortLine ||
               product.depthCount() * step <= 4096;
  plan.packB = !columnsRun || (plan.tiles > 3 && !(small && plan.tiles <= 12));
  plan.packB = (plan.packB && !readsLinesOfB(plan)) || plan.turned;
  // What is narrow is widened once: while packing, or where one tile reads it.
  if (product.a != NumberFormat::Plain)
    plan.packA = true;
  bool runsA = plan.linearA && !plan.walkA && aStride == 1;
  plan.keepRowsA = runsA && (product.a != NumberFormat::Plain ||
                             (!plan.turned && rowsCrowd(plan)));
  plan.packA |= plan.keepRowsA;
  if (product.b != NumberFormat::Plain)
    plan.packB = !columnsRun || plan.tiles > 1;
}

/// B is packed for all tasks, or by each for itself if it has all the rows.
static void shareOrKeepB(ContractionPlan &plan) {
  int64_t element = plan.elementSize();
  plan.oneB = llvm::all_of(plan.product.batch,
                           [](const ProductDim &dim) { return dim.b == 0; });
  int64_t bytes = plan.packedBatches() * plan.depthBlocks() * plan.panels *
                  plan.panelElements() * element;
  bool readTwice =
      plan.rowBlocks > 1 || (plan.oneB && plan.product.batchCount() > 1);
  plan.shareB = plan.packB && readTwice && bytes <= kSharedBytes;
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

/// Blocks of a turned product. Few pixels are all in one task, which packs its
/// channels for itself, so that weights are read once; many are dealt out, and
/// a task goes over all channels if they fit a part of the second-level cache.
static void chooseTurnedBlocks(ContractionPlan &plan) {
  const Product &product = plan.product;
  constexpr int64_t leastRows = 112;
  int64_t element = plan.elementSize(), columns = plan.panelColumns();
  int64_t batch = product.batchCount(), wanted = 2 * kFewTasks;
  int64_t cache = element * plan.lanes == 64 ? 256 << 10 : 96 << 10;
  int64_t most = std::clamp<int64_t>(
      cache / (element * columns * plan.blockDepth()), 1, plan.panels);
  bool allRows = product.rowCount() <= kMostTurnedRows;
  plan.tilesPerBlock = plan.tiles;
  plan.panelsPerBlock = most;
  if (!allRows) {
    int64_t even = plan.tiles * ceilDiv(plan.panels, most) * batch / wanted;
    plan.tilesPerBlock = largestDivisor(
        plan.tiles, std::clamp(even, ceilDiv(leastRows, plan.tileRows),
                               kMostTurnedRows / plan.tileRows));
  }
  plan.rowBlocks = plan.tiles / plan.tilesPerBlock;
  double work = double(plan.turnedRows()) * double(columns) *
                double(product.depthCount());
  int64_t least =
      int64_t(std::clamp<double>(double(kTaskWork) / work, 1, double(most)));
  int64_t even =
      plan.panels * plan.rowBlocks * batch / (allRows ? wanted : kFewTasks);
  plan.panelsPerBlock = std::clamp(even, least, most);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  plan.panelsPerBlock = ceilDiv(plan.panels, plan.columnBlocks);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  shareOrKeepB(plan);
  plan.scratchTurned =
      roundUp(element * (columns * plan.turnedStride() + plan.lanes), 64);
}

/// A size for pieces of `count`, from half of `size` to `size` and not below
/// `least`. Where they make few tasks, `others` times as many as pieces, the
/// one by which two cores end together.
static int64_t evenSize(int64_t count, int64_t size, int64_t least,
                        int64_t others) {
  if (ceilDiv(count, size) * others >= 2 * kFewTasks)
    return size;
  int64_t best = size, shortest = INT64_MAX;
  least = std::max(least, ceilDiv(size, 2));
  for (int64_t each = size; each >= least; --each) {
    int64_t time = each * ceilDiv(ceilDiv(count, each) * others, 2);
    if (time < shortest) {
      shortest = time;
      best = each;
    }
  }
  return best;
}

static void chooseBlocks(ContractionPlan &plan) {
  if (plan.usesPairs) {
    chooseTileBlocks(plan);
    return;
  }
  if (plan.turned) {
    chooseTurnedBlocks(plan);
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
  int64_t cache = packsOften ? kNearBytes : 192 << 10;
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
    // Rows that do not stay near are gone over as rarely as may be.
    int64_t bytesA = element * work;
    int64_t tasks = bytesA > kNearBytes ? kFewTasks : 2 * kFewTasks;
    int64_t even = product.batchCount() * plan.panels / tasks;
    int64_t least = std::min(wanted, plan.panelsPerBlock);
    int64_t panels = std::clamp(even, least, plan.panelsPerBlock);
    panels = evenSize(plan.panels, panels, least, product.batchCount());
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
  int64_t leastTiles = ceilDiv(kTaskWork, tileWork);
  int64_t tiles = std::max<int64_t>(leastTiles, 4);
  int64_t cap = std::max<int64_t>(1, 192 / plan.tileRows);
  tiles = std::min({tiles, std::max<int64_t>(cap, 4), plan.tiles});
  int64_t bytesB = product.batchCount() * plan.depthBlocks() * plan.panels *
                   plan.panelElements() * element;
  if (plan.packB && bytesB > kSharedBytes) // each task packs its own
    tiles = std::min<int64_t>(plan.tiles,
                              std::max<int64_t>(1, 960 / plan.tileRows));
  tiles = allRows ? plan.tiles
                  : evenSize(plan.tiles, tiles, leastTiles,
                             product.batchCount() * plan.columnBlocks);
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
  choosePairProducts(plan, profile);
  bool isNarrow = plan.product.a != NumberFormat::Plain ||
                  plan.product.b != NumberFormat::Plain;
  plan.masks = !isNarrow || (profile.features & kFeatureAvx512);
  int64_t bits = plan.product.isDouble ? 64 : 32;
  bool wide = profile.vector_bits >= 512;
  plan.lanes = std::max<int64_t>(2, profile.vector_bits / bits);
  plan.turned = !plan.usesPairs && paysToTurn(plan.product, plan.lanes, wide);
  if (plan.turned)
    turn(plan.product);
  chooseTile(plan, profile);
  chooseDepth(plan);
  choosePacking(plan, wide);
  chooseBlocks(plan);
  const Product &p = plan.product;
  int64_t element = plan.elementSize();
  if (plan.packA && !plan.usesPairs)
    plan.scratchA =
        roundUp(element * (plan.keepRowsA ? 1 : plan.tilesPerBlock) *
                    plan.tileElements(),
                64);
  if (plan.walkA)
    plan.scratchTable = roundUp(4 * plan.blockDepth(), 64);
  plan.directC = p.plainResult && !plan.usesPairs && !plan.turned &&
                 plan.sums() == 1 && p.columns.size() == 1 &&
                 (p.columns[0].c == 1 || p.columns[0].size == 1);
  bool addsBlocks = plan.usesPairs && p.isInteger;
  if (!plan.directC && (plan.depthBlocks() > 1 || addsBlocks || plan.turned))
    plan.scratchC = roundUp(element * plan.tilesPerBlock * plan.tileRows *
                                plan.panelsPerBlock * plan.panelColumns(),
                            64);
  if (plan.sums() > 1)
    plan.scratchSums = plan.scratchC * (Log2_64(plan.sums() - 1) + 1);
  return plan;
}

} // namespace xlac::codegen
