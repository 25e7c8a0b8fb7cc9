#include "ContractionPlan.h"

#include "DotTile.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <utility>

using namespace llvm;

namespace xlac::codegen {

/// K of a block of 4-byte elements: a panel of B stays in the first-level
/// cache.
static constexpr int64_t kMaxBlockK = 384;
/// The same for registers of up to 256 bits and elements of any size. The panel
/// takes a third of a first-level cache of 32 KB, together with the rows of A a
/// half.
static constexpr int64_t kMaxNarrowBlockK = 192;
/// B is packed before all tasks if it is not larger than this.
static constexpr int64_t kSharedBytes = int64_t(64) << 20;
/// Largest number of pixels in a task of a GEMM with swapped operands.
static constexpr int64_t kMaxSwappedRows = 512;
/// Channels of a convolution of 1 x 1 that may read its image in place. Fewer
/// channels would give few tasks.
static constexpr int64_t kManyChannels = 256;
/// Bytes of a page, and the pages that a first-level TLB covers.
static constexpr int64_t kPageBytes = 4096, kMostPages = 80;
/// Ways of a first-level cache, and the rows of A that may share a set of it
/// while many panels of B are read.
static constexpr int64_t kWays = 8, kMostInSet = 4;
/// Panels for which rows of A are copied only if they do not fit in a set.
static constexpr int64_t kFewPanels = 4;
/// Bytes of a cache line.
static constexpr double kLine = 64;
/// Largest distance in bytes between rows of B at which few tiles read B in
/// place.
static constexpr int64_t kShortLine = 512;
/// Bytes that stay in a second-level cache of 1 MB in addition to other data.
static constexpr int64_t kNearBytes = 512 << 10;
/// Multiplications that are worth a task of their own.
static constexpr int64_t kTaskWork = int64_t(2) << 20;

/// Bytes along K of a block of bf16 for tile registers: a panel of B and the
/// matching rows of A fit in the first-level cache together. With twice as
/// many, throughput falls by a quarter. 8-bit elements take half the time per
/// byte, so that it pays more to read and write C rarely.
static constexpr int64_t kMaxTileBlockBytes = 512, kMaxByteBlockBytes = 1024;
/// The same for so few rows that packed B is read once. Longer pieces of its
/// columns are read faster from memory.
static constexpr int64_t kMaxFewRowsBlockK = 1024;
/// Blocks of K that are accumulated in place. GEMMs with a common K then need
/// no summation tree. Tile registers use fewer, since each block there
/// continues from the accumulators of the previous one.
static constexpr int64_t kBlocksPerSum = 16, kNarrowBlocksPerSum = 32,
                         kTileBlocksPerSum = 8;
/// Rows of B that few rows read together if they are far from each other, and
/// columns of a task, which then cross fewer pages.
static constexpr int64_t kFarBlockK = 32, kFarColumns = 512;
/// Most tiles with which a task may compute all rows.
static constexpr int64_t kFewTiles = 16;
/// Bytes of A that a task with packed windows reads.
static constexpr int64_t kWindowBytes = int64_t(3) << 20;

static int64_t ceilDiv(int64_t a, int64_t b) {
  assert(a >= 0 && b > 0 && "sizes are divided into pieces of positive size");
  return (a + b - 1) / b;
}
static int64_t roundUp(int64_t a, int64_t b) { return ceilDiv(a, b) * b; }

//===- Indirection buffer -------------------------------------------------===//

static int64_t largestDivisor(int64_t number, int64_t most) {
  assert(number >= 1 && "the dividend is at least 1");
  int64_t divisor = std::min(number, std::max<int64_t>(most, 1));
  while (number % divisor != 0)
    --divisor;
  return divisor;
}

namespace {
/// A tile for an indirection buffer, and the time of its rows for each index of
/// K, in multiply-adds of vectors.
struct IndirectTile {
  int64_t rows = 1, vectors = 1;
  double cost = 1e30;
};
} // namespace

static IndirectTile chooseIndirect(ArrayRef<GemmDim> rows, int64_t columns,
                                   int64_t lanes, bool wide) {
  int64_t registers = wide ? 32 : 16, most = wide ? 14 : 6;
  int64_t all = ceilDiv(columns, lanes);
  // A load takes as long as a multiply-add. Ten of them hide their latency.
  auto cost = [](int64_t height, int64_t vectors) {
    if (vectors == 0)
      return 0.0;
    return double(std::max<int64_t>({height * vectors, height + vectors, 10})) +
           1.5;
  };
  IndirectTile best;
  for (int64_t vectors = 1; vectors <= std::min<int64_t>(all, 4); ++vectors) {
    int64_t height = largestDivisor(
        rows.back().size, std::min((registers - 1 - vectors) / vectors, most));
    double time = double(all / vectors) * cost(height, vectors) +
                  cost(height, all % vectors);
    // A partial last panel needs separate code.
    if (all % vectors != 0)
      time *= 1.06;
    if (time / double(height) < best.cost)
      best = {height, vectors, time / double(height)};
  }
  return best;
}

/// Cache lines that a tile's rows need for each index of K, if neighbours in
/// `inner`, the innermost dimension of K, share them.
static double linesOfTile(int64_t tileRows, int64_t stride,
                          const GemmDim &inner, int64_t element) {
  double step = double(std::abs(stride) * element) / kLine;
  double lines = 1 + double(tileRows - 1) * std::min(step, 1.0);
  double sharing =
      kLine / double(std::max<int64_t>(1, std::abs(inner.a)) * element);
  return lines / std::clamp(sharing, 1.0, double(inner.size));
}

static void useIndirect(ContractionPlan &plan, const IndirectTile &tile) {
  plan.anySize = false;
  ArrayRef<GemmDim> rows = plan.gemm.m;
  int64_t columns = plan.gemm.nSize();
  plan.indirectA = true;
  plan.runsA = false;
  plan.tileRows = plan.bigRows = tile.rows;
  plan.vectors = tile.vectors;
  plan.tiles = plan.bigTiles = plan.gemm.mSize() / tile.rows;
  plan.panels = ceilDiv(columns, plan.panelColumns());
  plan.lastColumns = columns - (plan.panels - 1) * plan.panelColumns();
  bool wholeLine = tile.rows == rows.back().size && rows.size() > 1;
  plan.nextTile =
      wholeLine ? rows[rows.size() - 2].a : tile.rows * rows.back().a;
}

/// Cycles to pack an element of one side: copied along contiguous lanes,
/// transposed along contiguous K, or one by one.
static double packingCost(ArrayRef<GemmDim> lanes, ArrayRef<GemmDim> k,
                          int64_t GemmDim::*stride, int64_t registerLanes) {
  if (lanes.back().*stride == 1 && lanes.size() == 1)
    return 0.15;
  if (lanes.back().*stride == 1 && lanes.back().size >= registerLanes - 1)
    return 0.4;
  return isRun(k, 1, stride) ? 0.2 : 0.8;
}

/// Returns whether more than `most` of the rows, `stride` bytes apart, map to
/// the same set of the first-level cache, so that they evict each other
/// (cache-set conflicts). One way of that cache has the size of a page.
static bool rowsConflict(int64_t stride, int64_t rows, int64_t most) {
  constexpr int64_t sets = 64, line = int64_t(kLine);
  int64_t lines[sets] = {}, previous = -1;
  for (int64_t row = 0; row < rows; ++row) {
    int64_t own = std::abs(stride) * row / line;
    if (own != std::exchange(previous, own) && ++lines[own % sets] > most)
      return true;
  }
  return false;
}

/// Returns the pages in which a block of K has the pixels of one tile, if K has
/// one dimension.
static int64_t pagesOfPixels(const Gemm &gemm, int64_t element) {
  const GemmDim &k = gemm.k.back();
  int64_t bytes = std::min(std::abs(k.b) * element, kPageBytes);
  return std::min(k.size, kMaxBlockK * 4 / element) * bytes / kPageBytes;
}

/// Returns whether all batches have the same A.
static bool readsOneA(const Gemm &gemm) {
  return llvm::all_of(gemm.batch,
                      [](const GemmDim &dim) { return dim.a == 0; });
}

/// Returns whether the GEMM is faster with swapped operands. The image of a
/// convolution then need not be packed, and channels fill vectors better than
/// pixels.
static bool paysToSwap(const Gemm &gemm, int64_t lanes, bool wide) {
  if (gemm.isInteger || gemm.a != NumberFormat::Plain ||
      gemm.b != NumberFormat::Plain)
    return false;
  int64_t rows = gemm.mSize(), columns = gemm.nSize();
  if (rows < lanes || columns < 16 || !isRun(gemm.n, 1, &GemmDim::c))
    return false;
  SmallVector<GemmDim> pixels(gemm.n);
  int64_t reach = 0;
  for (GemmDim &dim : pixels)
    std::swap(dim.a, dim.b);
  for (const GemmDim &dim : gemm.k)
    reach += (dim.size - 1) * std::abs(dim.b);
  if (reach >= INT32_MAX / 8 || pixels.back().a == 0)
    return false;
  // Cycles for each element of C.
  double k = double(gemm.kSize()), element = gemm.isDouble ? 8 : 4;
  double asIs =
      k * 0.53 * double(roundUp(columns, lanes)) / double(columns * lanes) +
      packingCost(gemm.n, gemm.k, &GemmDim::b, lanes) * k / double(rows);
  IndirectTile tile = chooseIndirect(pixels, rows, lanes, wide);
  GemmDim inner = gemm.k.back();
  std::swap(inner.a, inner.b);
  double lines =
      linesOfTile(tile.rows, pixels.back().a, inner, int64_t(element));
  // Number of channels for which a cache line is used while it is cached.
  int64_t panel = tile.vectors * lanes;
  int64_t near = std::min(rows, columns > kMaxSwappedRows ? 4 * panel : panel);
  double shared = double(columns * (readsOneA(gemm) ? gemm.batchCount() : 1));
  double swapped =
      k * 0.5 * tile.cost / double(rows) +
      k * 1.2 * lines / double(tile.rows * near) +
      packingCost(gemm.m, gemm.k, &GemmDim::a, lanes) * k / shared + 0.35;
  // A large result leaves the cache before it is transposed and stored.
  bool isWindow = gemm.k.size() > 1;
  double bytes =
      element * double(gemm.batchCount()) * double(rows) * double(columns);
  if (isWindow && bytes > double(1 << 20))
    swapped += 0.25;
  if (rows >= kManyChannels && columns > 2 * lanes && !isWindow) {
    const GemmDim &row = gemm.m.back();
    bool runs = gemm.k.back().a == 1;
    if (runs &&
        rowsConflict(row.a * int64_t(element), wide ? 14 : 6, kMostInSet))
      asIs = 1.12 * asIs + 0.35 * k / double(columns);
    if (pagesOfPixels(gemm, int64_t(element)) > kMostPages)
      swapped += 5 * k * lines / double(tile.rows * near);
  }
  return swapped < asIs;
}

static void turn(Gemm &gemm) {
  std::swap(gemm.m, gemm.n);
  std::swap(gemm.a, gemm.b);
  std::swap(gemm.unsignedA, gemm.unsignedB);
  for (auto *dims : {&gemm.batch, &gemm.m, &gemm.n, &gemm.k})
    for (GemmDim &dim : *dims)
      std::swap(dim.a, dim.b);
}

//===- Tiles and blocks ---------------------------------------------------===//

/// Rows and vectors of a tile: as many accumulators as fit in the registers, in
/// addition to one row of B and a broadcast.
static void chooseTile(ContractionPlan &plan, const TargetProfile &profile) {
  if (plan.usesPairs) {
    chooseTileRegisters(plan);
    return;
  }
  bool wide = profile.vector_bits >= 512;
  if (plan.swapped) {
    useIndirect(
        plan, chooseIndirect(plan.gemm.m, plan.gemm.nSize(), plan.lanes, wide));
    return;
  }
  unsigned accumulators = wide ? 28 : 12;
  int64_t rows = plan.gemm.mSize();
  int64_t columns = plan.gemm.nSize();
  unsigned vectors = 2;
  int64_t most = wide ? 14 : 6;
  if (rows < 6 && !plan.anySize) // few rows: more columns hide the latency
    vectors = std::min<int64_t>(accumulators / std::max<int64_t>(rows, 2), 6);
  vectors = std::min<int64_t>(vectors, ceilDiv(columns, plan.lanes));
  most = std::min<int64_t>(accumulators / vectors, most);
  // Rows of a single panel are not copied.
  const GemmDim &row = plan.gemm.m.back();
  if (columns <= plan.lanes * vectors && !plan.anySize &&
      rowsConflict(row.a * plan.elementSize(), most, kWays))
    most = std::min(most, kWays);
  if (plan.dots) {
    vectors = dotPanelColumns(plan.lanes) / plan.lanes;
    most = mostDotRows(wide);
  }
  plan.vectors = vectors;
  plan.tiles = ceilDiv(rows, most);
  plan.bigRows = ceilDiv(rows, plan.tiles);
  plan.tileRows = plan.anySize ? most : plan.bigRows;
  plan.bigTiles = rows - plan.tiles * (plan.bigRows - 1);
  plan.panels = ceilDiv(columns, plan.panelColumns());
  plan.lastColumns = columns - (plan.panels - 1) * plan.panelColumns();
}

/// K of a block of a GEMM with swapped operands: a panel of B and the cache
/// lines of a tile's pixels fit in the first-level cache together.
static int64_t swappedK(const ContractionPlan &plan) {
  int64_t element = plan.elementSize();
  double bytes = double(element * plan.panelColumns()) +
                 kLine * linesOfTile(plan.tileRows, plan.gemm.m.back().a,
                                     plan.gemm.k.back(), element);
  double cache = element * plan.lanes == 64 ? 40 << 10 : 26 << 10;
  int64_t most = kMaxBlockK * 4 / element;
  return std::clamp<int64_t>(int64_t(cache / bytes), most / 3, most);
}

/// Returns whether panels of B are read in place. Their rows are close to each
/// other and, for half the usual K, stay in the first-level cache for any
/// alignment.
static bool readsLinesOfB(const ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  int64_t bytes = gemm.k.back().b * plan.elementSize();
  return plan.elementSize() * plan.lanes == 64 && !plan.usesPairs &&
         gemm.a == NumberFormat::Plain && gemm.b == NumberFormat::Plain &&
         gemm.k.size() == 1 && gemm.n.size() == 1 && gemm.n[0].b == 1 &&
         gemm.kSize() <= 256 && bytes > 0 && bytes <= 4096 && bytes % 256 != 0;
}

/// Splits K into blocks. Their limit depends on the element type and the
/// packing, and may be exceeded by a quarter.
static void chooseKBlocks(ContractionPlan &plan) {
  ArrayRef<GemmDim> k = plan.gemm.k;
  int64_t limit = kMaxBlockK * plan.cellSize() * 4 / plan.elementSize();
  bool isNarrow = plan.elementSize() * plan.lanes <= 32 && !plan.usesPairs &&
                  plan.cells == CellKind::None && !plan.swapped && !plan.dots &&
                  !plan.farLines;
  if (isNarrow)
    limit = kMaxNarrowBlockK;
  if (plan.usesPairs)
    limit = plan.gemm.isInteger ? kMaxByteBlockBytes
                                : kMaxTileBlockBytes / plan.pairBytes();
  if (plan.swapped)
    limit = swappedK(plan);
  else if (readsLinesOfB(plan))
    limit /= 2;
  if (plan.farLines)
    limit = kFarBlockK;
  if (plan.pairVectors && plan.gemm.mSize() <= kPairRows && k.back().b == 1)
    limit = kMaxFewRowsBlockK;
  if (plan.dots)
    limit = kMaxFewRowsBlockK * 4 / plan.elementSize();
  plan.innerK = 1;
  plan.blockDim = k.size() - 1;
  while (plan.blockDim > 0 && plan.innerK * k[plan.blockDim].size <= limit)
    plan.innerK *= k[plan.blockDim--].size;
  int64_t size = k[plan.blockDim].size;
  int64_t most = std::max<int64_t>(1, limit / plan.innerK);
  // A little more than the limit is better than two half blocks.
  plan.blocks = size * 4 <= most * 5 ? 1 : ceilDiv(size, most);
  plan.blockSize = ceilDiv(size, plan.blocks);
  if (plan.innerK == 1 && plan.blocks > 1)
    plan.blockSize =
        roundUp(plan.blockSize, plan.usesPairs ? plan.registerK() : 8);
  plan.blocks = ceilDiv(size, plan.blockSize);
  plan.outerK = countOf(k.take_front(plan.blockDim));
  plan.blocksPerSum = plan.usesPairs && !plan.pairVectors ? kTileBlocksPerSum
                      : isNarrow                          ? kNarrowBlocksPerSum
                                                          : kBlocksPerSum;
  if (plan.farLines)
    plan.blocksPerSum *= kMaxBlockK * 4 / plan.elementSize() / kFarBlockK;
  if (plan.gemm.isInteger)
    plan.blocksPerSum = plan.kBlocks();
}

/// Returns whether tiles may read rows of A at addresses of their own. Those of
/// a tile of 512-bit registers exceed the registers, which was not measured.
static bool mayAddressRows(const ContractionPlan &plan) {
  return plan.elementSize() * plan.lanes <= 32;
}

/// Returns whether one stride covers a whole block of K, which may have a
/// single index of its outermost dimension.
template <class Stride>
static bool isLinear(const ContractionPlan &plan, Stride stride) {
  ArrayRef<GemmDim> k = plan.gemm.k;
  int64_t expected = stride(k.back());
  ArrayRef<GemmDim> inBlock = k.drop_front(
      plan.blockDim + (plan.blockSize == 1 && mayAddressRows(plan)));
  for (const GemmDim &dim : reverse(inBlock)) {
    if (stride(dim) != expected)
      return false;
    expected *= dim.size;
  }
  return true;
}

/// Returns whether the rows of a tile conflict and are therefore copied. Few
/// panels do not make up for a copy, and a single one never does.
static bool rowsConflict(const ContractionPlan &plan) {
  if (plan.panels == 1 && !plan.anySize)
    return false;
  bool few = plan.panels <= kFewPanels && !plan.anySize;
  int64_t most = few ? kWays - 1 : kMostInSet;
  int64_t rows = plan.tileRows;
  if (!plan.anySize)
    rows = std::min(rows, plan.gemm.m.back().size);
  int64_t element = plan.elementSize();
  return plan.blockK() * element > int64_t(kLine) &&
         rowsConflict(plan.gemm.m.back().a * element, rows, most);
}

/// Returns whether A can be read in place through an indirection buffer, and no
/// single stride covers its K.
static bool mayUseIndirect(const ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  if (plan.linearA || gemm.a != NumberFormat::Plain)
    return false;
  int64_t reach = 0;
  for (const GemmDim &dim : ArrayRef(gemm.k).drop_front(plan.blockDim))
    reach += (dim.size - 1) * std::abs(dim.a);
  return reach < INT32_MAX / 8 && gemm.m.back().a != 0 &&
         isRun(gemm.m, gemm.m.back().c, &GemmDim::c);
}

/// Reads A in place through an indirection buffer if tiles of equal rows are
/// about as good as any.
static void chooseWhetherIndirect(ContractionPlan &plan, bool wide) {
  const Gemm &gemm = plan.gemm;
  if (plan.indirectA || !mayUseIndirect(plan))
    return;
  IndirectTile tile = chooseIndirect(gemm.m, gemm.nSize(), plan.lanes, wide);
  double vectors = double(ceilDiv(gemm.nSize(), plan.lanes));
  double packs = gemm.k.back().a == 1 ? 0.4 : 1.6;
  if (tile.cost < vectors * 1.06 + packs)
    useIndirect(plan, tile);
}

/// Returns whether A, if it is packed, is packed once for all tasks: it is read
/// so often that packing takes little time. Neighbouring rows of an image have
/// common elements, and packing would copy them. With 512-bit registers, tasks
/// have enough columns to pack the rows of a matrix themselves.
static bool paysToShareA(const ContractionPlan &plan, bool wide) {
  constexpr int64_t leastReads = 32;
  const Gemm &gemm = plan.gemm;
  if ((plan.linearA && wide) || plan.swapped || plan.anySize ||
      plan.indirectA || gemm.a != NumberFormat::Plain ||
      gemm.batchCount() * plan.panels < leastReads || !readsOneA(gemm))
    return false;
  double distinct = 1, elements = double(gemm.mSize()) * double(gemm.kSize());
  for (ArrayRef<GemmDim> dims : {ArrayRef(gemm.m), ArrayRef(gemm.k)})
    for (const GemmDim &dim : dims)
      distinct += double(dim.size - 1) * double(std::abs(dim.a));
  return elements <= distinct &&
         elements * double(plan.elementSize()) <= double(kSharedBytes);
}

/// Returns whether tiles read runs of A in place, as those of the windows of an
/// image with channels last.
static bool readsRuns(const ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  constexpr int64_t shortest = 3;
  return !plan.linearA && !plan.swapped && !plan.anySize &&
         mayAddressRows(plan) && gemm.a == NumberFormat::Plain &&
         plan.blockDim + 2 == gemm.k.size() && gemm.k.back().a == 1 &&
         gemm.k.back().size >= shortest && !rowsConflict(plan);
}

static void choosePacking(ContractionPlan &plan, bool wide) {
  plan.linearA = isLinear(plan, [](const GemmDim &d) { return d.a; });
  plan.linearB = isLinear(plan, [](const GemmDim &d) { return d.b; });
  if (plan.usesPairs) {
    choosePairs(plan);
    return;
  }
  if (plan.cells != CellKind::None) {
    chooseCellPacking(plan);
    return;
  }
  if (plan.dots) {
    plan.packA = plan.rowMajorA = plan.gemm.a != NumberFormat::Plain;
    return;
  }
  const Gemm &gemm = plan.gemm;
  int64_t aStride = gemm.k.back().a;
  // Rows of A are read in place if they are contiguous along K. They are also
  // read in place if packing costs more than it saves.
  bool few = plan.panels <= 2 || (gemm.kSize() <= 32 && !plan.anySize);
  bool one = plan.tiles == 1 && !plan.anySize;
  bool wantsPacked = !plan.linearA || (aStride != 1 && !few && !one);
  plan.shareA = wantsPacked && paysToShareA(plan, wide);
  plan.runsA = !plan.shareA && readsRuns(plan);
  wantsPacked &= !plan.runsA;
  if (!plan.shareA && !plan.runsA)
    chooseWhetherIndirect(plan, wide);
  plan.packA = !plan.indirectA && wantsPacked;
  assert((!plan.shareA || plan.packA) && "A is packed to be shared");
  bool columnsRun = gemm.n.size() == 1 && gemm.n[0].b == 1 && plan.linearB;
  int64_t step = gemm.k.back().b;
  // Short rows of B that are close to each other are nearly contiguous.
  bool small = gemm.n[0].size <= 2 * plan.panelColumns() ||
               std::abs(step) * plan.elementSize() <= kShortLine ||
               (gemm.kSize() * step <= 4096 && !plan.anySize);
  bool read = plan.tiles <= 3 || (small && plan.tiles <= 12);
  if (plan.anySize)
    read = small || plan.hasFewRows;
  plan.packB = !columnsRun || !read;
  plan.packB = (plan.packB && !readsLinesOfB(plan)) || plan.swapped;
  // Narrow elements are widened once: while packing, or by the only tile that
  // reads them.
  if (gemm.a != NumberFormat::Plain)
    plan.packA = true;
  bool runsA = plan.linearA && !plan.indirectA && aStride == 1;
  plan.rowMajorA = runsA && (gemm.a != NumberFormat::Plain ||
                             (!plan.swapped && rowsConflict(plan)));
  plan.packA |= plan.rowMajorA;
  if (gemm.b != NumberFormat::Plain)
    plan.packB = !columnsRun || !one;
}

/// Lets registers hold indices of K if few columns would leave most of their
/// lanes empty. The image of a convolution with channels last is then read in
/// place, by whole registers of channels.
static void chooseLanesAlongK(ContractionPlan &plan, bool wide) {
  const Gemm &gemm = plan.gemm;
  int64_t columns = gemm.nSize(), lanes = plan.lanes;
  if (plan.usesPairs || plan.swapped || plan.dots || gemm.isInteger ||
      gemm.b != NumberFormat::Plain || !mayUseIndirect(plan) ||
      gemm.k.back().a != 1 || gemm.k.back().size % lanes != 0)
    return;
  // Registers for the accumulators, a row of B and one of A.
  int64_t most = ((wide ? 31 : 15) - columns) / columns;
  if (most < 2)
    return;
  int64_t rows = largestDivisor(gemm.m.back().size, std::min<int64_t>(most, 8));
  // Multiply-adds and loads of each row, and additions of lanes.
  double k = double(plan.blockK());
  double along = k / double(lanes) *
                     std::max<double>(columns, 1 + double(columns) / rows) +
                 8 * double(columns);
  if (rows < std::min<int64_t>(most, 4) || along > 0.6 * k)
    return;
  useIndirect(plan, {rows, 1});
  if (plan.blockDim + 1 == gemm.k.size()) {
    plan.blockSize = roundUp(plan.blockSize, lanes);
    plan.blocks = ceilDiv(gemm.k.back().size, plan.blockSize);
  }
  plan.lanesAlongK = plan.packB = true;
  plan.packA = plan.shareA = plan.rowMajorA = false;
}

void shareOrKeepB(ContractionPlan &plan, int cores) {
  plan.oneB = llvm::all_of(plan.gemm.batch,
                           [](const GemmDim &dim) { return dim.b == 0; });
  divideK(plan);
  if (!plan.dividesK())
    divideForCores(plan, cores, kSharedBytes);
  int64_t bytes = plan.packedBytes();
  plan.packPanels = panelsOfPacking(plan, plan.panelsPerBlock, cores);
  bool readTwice =
      plan.anySize || plan.rowBlocks > 1 ||
      (plan.oneB && plan.gemm.batchCount() > 1 && !plan.dividesK());
  plan.shareB = plan.packB &&
                (plan.gemm.prepacked || (readTwice && bytes <= kSharedBytes));
  if (plan.shareB)
    plan.sharedBytes = bytes;
  else if (plan.packB)
    plan.scratchB = roundUp(
        plan.elementSize() * plan.panelsPerBlock * plan.panelElements(), 64);
}

/// Blocks of a GEMM with swapped operands. Few pixels form one task, which
/// packs its own channels, so that weights are read once. Many pixels are
/// divided among tasks. A task computes all channels if they fit in a part of
/// the second-level cache.
static void chooseSwappedBlocks(ContractionPlan &plan, int cores) {
  const Gemm &gemm = plan.gemm;
  constexpr int64_t leastRows = 112;
  int64_t element = plan.elementSize(), columns = plan.panelColumns();
  int64_t batch = gemm.batchCount(), wanted = 2 * kFewTasks;
  int64_t cache = element * plan.lanes == 64 ? 256 << 10 : 96 << 10;
  int64_t most = std::clamp<int64_t>(
      cache / (element * columns * plan.blockK()), 1, plan.panels);
  bool allRows = gemm.mSize() <= kMaxSwappedRows;
  plan.tilesPerBlock = plan.tiles;
  plan.panelsPerBlock = most;
  if (!allRows) {
    int64_t even = plan.tiles * ceilDiv(plan.panels, most) * batch / wanted;
    plan.tilesPerBlock = largestDivisor(
        plan.tiles, std::clamp(even, ceilDiv(leastRows, plan.tileRows),
                               kMaxSwappedRows / plan.tileRows));
  }
  plan.rowBlocks = plan.tiles / plan.tilesPerBlock;
  double work =
      double(plan.swappedRows()) * double(columns) * double(gemm.kSize());
  int64_t least =
      int64_t(std::clamp<double>(double(kTaskWork) / work, 1, double(most)));
  int64_t even =
      plan.panels * plan.rowBlocks * batch / (allRows ? wanted : kFewTasks);
  plan.panelsPerBlock = std::clamp(even, least, most);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  plan.panelsPerBlock = ceilDiv(plan.panels, plan.columnBlocks);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  shareOrKeepB(plan, cores);
  plan.scratchSwapped =
      roundUp(element * (columns * plan.swappedStride() + plan.lanes), 64);
}

/// Chooses the rows of a task: enough work for a task, and C's block stays in
/// the cache. With `allRows`, a task has all of them. `last` is the part of a
/// panel's time that the last panel takes.
static void chooseRowBlocks(ContractionPlan &plan, bool allRows, double last) {
  const Gemm &gemm = plan.gemm;
  int64_t columns = plan.panelColumns();
  int64_t tileWork = plan.tileRows * plan.cellsOf(gemm.kSize()) * columns *
                     plan.panelsPerBlock;
  int64_t leastTiles = ceilDiv(kTaskWork, tileWork);
  int64_t tiles = std::max<int64_t>(leastTiles, 4);
  int64_t cap = std::max<int64_t>(1, 192 / plan.tileRows);
  tiles = std::min({tiles, std::max<int64_t>(cap, 4), plan.tiles});
  int64_t bytesB = gemm.batchCount() * plan.kBlocks() * plan.panels *
                   plan.panelElements() * plan.elementSize();
  // Each task packs its own.
  if (plan.packB && bytesB > kSharedBytes && !gemm.prepacked)
    tiles = std::min<int64_t>(plan.tiles,
                              std::max<int64_t>(1, 960 / plan.tileRows));
  tiles = allRows ? plan.tiles
                  : evenSize(plan.tiles, tiles, ceilDiv(leastTiles, 2),
                             gemm.batchCount() * plan.columnBlocks);
  plan.rowBlocks = ceilDiv(plan.tiles, tiles);
  plan.tilesPerBlock = ceilDiv(plan.tiles, plan.rowBlocks);
  plan.rowBlocks = ceilDiv(plan.tiles, plan.tilesPerBlock);
  // More blocks of columns would pack A more often.
  if (allRows || plan.packsAInTasks())
    return;
  plan.panelsPerBlock = evenSize(plan.panels, plan.panelsPerBlock, 1,
                                 gemm.batchCount() * plan.rowBlocks, last);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
}

/// Lets a task have all rows if they are few, and chooses its columns. It packs
/// them itself, and they stay in its cache. This pays off if the columns alone
/// give enough tasks. `wanted` panels are worth a task, and `last` is the part
/// of a panel's time that the last panel takes.
static bool chooseColumnsOfAllRows(ContractionPlan &plan, int64_t wanted,
                                   double last) {
  const Gemm &gemm = plan.gemm;
  double bytesA = double(plan.elementSize()) * double(gemm.mSize()) *
                  double(plan.cellsOf(gemm.kSize()));
  // The packed windows of an image are several times as large. Storing them
  // for other tasks takes longer than reading many rows for each image.
  bool packsWindows = gemm.k.size() > 1 && gemm.batchCount() >= kFewTasks &&
                      readsOneA(gemm) && bytesA <= kWindowBytes;
  // With packed columns, tasks of few rows copy fewer rows that conflict.
  if (!plan.packB || (plan.tiles > kFewTiles && !packsWindows) ||
      (gemm.prepacked && plan.packA))
    return false;
  // Each task copies rows that conflict again, and reads rows that do not stay
  // in the cache.
  int64_t tasks = plan.packsAInTasks()  ? kFewTasks / 2
                  : bytesA > kNearBytes ? kFewTasks
                                        : 2 * kFewTasks;
  int64_t even = gemm.batchCount() * plan.panels / tasks;
  int64_t least = std::min(wanted, plan.panelsPerBlock);
  int64_t panels = std::clamp(even, least, plan.panelsPerBlock);
  panels = evenSize(plan.panels, panels, least, gemm.batchCount(), last);
  int64_t blocks = ceilDiv(plan.panels, panels);
  if (gemm.batchCount() * blocks < kFewTasks / 2)
    return false;
  plan.columnBlocks = blocks;
  plan.panelsPerBlock = panels;
  return true;
}

static void chooseBlocks(ContractionPlan &plan, int cores) {
  if (plan.usesPairs) {
    chooseTileBlocks(plan, cores);
    return;
  }
  if (plan.swapped) {
    chooseSwappedBlocks(plan, cores);
    return;
  }
  const Gemm &gemm = plan.gemm;
  int64_t element = plan.elementSize();
  int64_t depth = plan.cellsOf(gemm.kSize());
  int64_t work = gemm.mSize() * depth;
  int64_t columns = plan.panelColumns();
  // Columns of a task: its packed block of B fits in the second-level cache.
  // The block is larger if each column block packs A again. Processors with
  // 512-bit registers have at least 1 MB of that cache.
  bool packsOften = plan.packsAInTasks() && element * plan.lanes == 64;
  int64_t cache = packsOften ? kNearBytes : 192 << 10;
  int64_t most =
      std::max<int64_t>(1, cache / (element * columns * plan.packedK()));
  if (!plan.packB)
    most = std::max<int64_t>(most, 8);
  int64_t wanted =
      std::clamp<int64_t>(ceilDiv(kTaskWork, work * columns), 1, plan.panels);
  bool hasManyRows = plan.tiles >= 4 * kFewTasks;
  int64_t leastPanels = packsOften && !hasManyRows ? 8 : 16;
  if (plan.farLines)
    leastPanels =
        std::max(leastPanels, std::min(plan.panels / kFewTasks,
                                       ceilDiv(kFarColumns, columns)));
  plan.panelsPerBlock = std::clamp<int64_t>(
      wanted, std::min<int64_t>(most, leastPanels), std::max<int64_t>(most, 1));
  plan.panelsPerBlock = std::min(plan.panelsPerBlock, plan.panels);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  plan.panelsPerBlock = ceilDiv(plan.panels, plan.columnBlocks);
  plan.columnBlocks = ceilDiv(plan.panels, plan.panelsPerBlock);
  // The last panel may have fewer registers.
  double last = double(ceilDiv(plan.lastColumns, plan.lanes)) / plan.vectors;
  bool allRows = chooseColumnsOfAllRows(plan, wanted, last);
  bool readsOnce = (plan.dots || plan.farLines) && plan.tiles <= kFewTiles;
  chooseRowBlocks(plan, allRows || readsOnce, last);
  shareOrKeepB(plan, cores);
}

/// Makes a plan. With `fixed`, the plan for these sizes, makes one for any size
/// that divides K in the same way, so that sums have the same bits. With
/// `fewRows`, B is read in place if its columns are contiguous.
static ContractionPlan makePlan(Gemm gemm, const TargetProfile &profile,
                                const ContractionPlan *fixed, bool fewRows) {
  bool anySize = fixed != nullptr;
  for (auto *dims : {&gemm.batch, &gemm.m, &gemm.n, &gemm.k})
    mergeDims(*dims, anySize);
  ContractionPlan plan;
  plan.gemm = std::move(gemm);
  plan.hasFewRows = fewRows;
  choosePairGemm(plan, profile);
  chooseCells(plan, profile, anySize);
  bool isNarrow =
      plan.gemm.a != NumberFormat::Plain || plan.gemm.b != NumberFormat::Plain;
  plan.masks = !isNarrow || (profile.features & kFeatureAvx512);
  int64_t bits = plan.gemm.isDouble ? 64 : 32;
  bool wide = profile.vector_bits >= 512;
  plan.lanes = std::max<int64_t>(2, profile.vector_bits / bits);
  chooseDots(plan, anySize, fewRows);
  chooseFarLines(plan, wide, anySize, fewRows);
  // Whether it pays depends on all sizes.
  bool maySwap = !plan.usesPairs && !plan.dots && !plan.farLines &&
                 !(anySize && plan.gemm.k.size() == 1);
  plan.swapped = maySwap && paysToSwap(plan.gemm, plan.lanes, wide);
  plan.anySize = anySize && !plan.usesPairs && !plan.swapped;
  if (plan.swapped)
    turn(plan.gemm);
  chooseTile(plan, profile);
  chooseKBlocks(plan);
  bool sameBits = fixed && !plan.gemm.isInteger; // integers are exact anyway
  if (sameBits && fixed->gemm.k.size() == plan.gemm.k.size() &&
      fixed->dots == plan.dots && fixed->farLines == plan.farLines) {
    plan.blockDim = fixed->blockDim;
    plan.blockSize = fixed->blockSize;
    plan.blocks = fixed->blocks;
    plan.innerK = fixed->innerK;
    plan.outerK = fixed->outerK;
    plan.blocksPerSum = fixed->blocksPerSum;
  }
  choosePacking(plan, wide);
  chooseLanesAlongK(plan, wide);
  chooseBlocks(plan, profile.cores);
  const Gemm &p = plan.gemm;
  int64_t element = plan.elementSize();
  if (plan.shareA)
    plan.sharedBytesA = roundUp(element * plan.packedElementsA(), 64);
  else if (plan.packA && !plan.usesPairs)
    plan.scratchA =
        roundUp(element * (plan.rowMajorA ? 1 : plan.tilesPerBlock) *
                    plan.tileElements(),
                64);
  if (plan.cells != CellKind::None)
    plan.scratchStage = cellStage(plan);
  if (plan.indirectA)
    plan.scratchTable = roundUp(4 * plan.blockK(), 64);
  plan.directC = p.plainResult && !plan.usesPairs && !plan.swapped &&
                 plan.sums() == 1 && p.n.size() == 1 &&
                 (p.n[0].c == 1 || p.n[0].size == 1);
  plan.directTiles = p.plainResult && plan.usesPairs && !plan.pairVectors &&
                     plan.sums() == 1 && p.m.size() == 1 && p.n.size() == 1 &&
                     p.n[0].c == 1;
  if (!plan.directC && !plan.dividesK() && (plan.kBlocks() > 1 || plan.swapped))
    plan.scratchC = roundUp(element * plan.tilesPerBlock * plan.tileRows *
                                plan.panelsPerBlock * plan.panelColumns(),
                            64);
  if (plan.sums() > 1 && !plan.dividesK())
    plan.scratchSums = plan.scratchC * (Log2_64(plan.sums() - 1) + 1);
#ifndef NDEBUG
  verifyPlan(plan);
#endif
  return plan;
}

ContractionPlan planContraction(Gemm gemm, const TargetProfile &profile,
                                bool anySize) {
  ContractionPlan fixed = makePlan(gemm, profile, nullptr, false);
  // Code for any size would add in another order.
  if (!anySize || fixed.lanesAlongK || fixed.dividesK())
    return fixed;
  ContractionPlan plan = makePlan(gemm, profile, &fixed, false);
  ContractionPlan few = makePlan(std::move(gemm), profile, &fixed, true);
  if (few.dots < fixed.dots || few.farLines < fixed.farLines)
    return fixed; // sums would have other bits
  if (!plan.anySize || few.packB || (!plan.packB && !few.dots))
    return plan;
  plan.hasFewRows = few.dots ? fixed.dots : plan.tiles <= 3;
  plan.forFewRows = std::make_shared<const ContractionPlan>(std::move(few));
  return plan;
}

} // namespace xlac::codegen
