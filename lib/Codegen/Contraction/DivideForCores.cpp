// Divides a contraction into tasks: evenly among two cores, or into more tasks
// for more than four, or along K if C is small. For more than four cores it
// chooses the block of tiles and panels with the shortest estimated time. The
// blocks of K, and thus the bits of the results, stay as they are.
#include "ContractionPlan.h"

#include "llvm/Support/MathExtras.h"

#include <algorithm>

using namespace llvm;

namespace xlac::codegen {

namespace {
/// Rough times in cycles of a core.
class BlockTimes {
public:
  BlockTimes(const ContractionPlan &plan, int64_t cores, int64_t mostShared)
      : plan(plan), cores(cores) {
    double k = double(plan.blockK()) * double(plan.kBlocks());
    double rows = double(plan.tileRows), columns = double(plan.panelColumns());
    product = plan.usesPairs && !plan.pairVectors
                  ? double(plan.pairBytes()) * k * double(plan.vectors)
                  : 0.5 * rows * double(plan.vectors) * k;
    tile = rows * k * (plan.packsAInTasks() ? kPacked : kLoaded);
    panel = columns * k * kLoaded;
    packedPanel = columns * k * kPacked;
    mayShare = plan.packB && plan.packedBytes() <= mostShared;
    packsEarlier = plan.packB && plan.gemm.prepacked;
  }

  /// The time of the core with the most tasks, for blocks of this size.
  double of(int64_t tiles, int64_t panels) const {
    int64_t batch = plan.gemm.batchCount();
    int64_t columnBlocks = divideCeil(plan.panels, panels);
    int64_t rowBlocks = divideCeil(plan.tiles, tiles);
    bool shares =
        mayShare && (rowBlocks > 1 || (plan.oneB && batch > 1) || plan.anySize);
    double task = double(tiles * panels) * product + double(tiles) * tile +
                  double(panels) * panel + kTask;
    if (plan.packB && !shares && !packsEarlier)
      task += double(panels) * packedPanel;
    double time =
        double(divideCeil(batch * rowBlocks * columnBlocks, cores)) * task;
    if (!shares || packsEarlier)
      return time;
    int64_t packed = panelsOfPacking(plan, panels, cores);
    int64_t packs =
        plan.packedBatches() * plan.kBlocks() * divideCeil(plan.panels, packed);
    double each = double(packed) * packedPanel / double(plan.kBlocks());
    return time + kPhase + double(divideCeil(packs, cores)) * each;
  }

private:
  /// Cycles for an element that is packed, or read from a shared cache.
  static constexpr double kPacked = 0.5, kLoaded = 0.15;
  /// Starting a task, and a phase with all cores.
  static constexpr double kTask = 2000, kPhase = 8000;

  const ContractionPlan &plan;
  int64_t cores;
  double product, tile, panel, packedPanel;
  bool mayShare, packsEarlier;
};
} // namespace

int64_t panelsOfPacking(const ContractionPlan &plan, int64_t panels,
                        int64_t cores) {
  if (!plan.usesPairs)
    return panels;
  int64_t even = plan.packedBatches() * plan.kBlocks() * plan.panels /
                 std::max<int64_t>(kFewTasks, cores);
  return std::clamp<int64_t>(even, std::min<int64_t>(panels, 4), panels);
}

/// Returns the time of two cores for `others` times the pieces of `count`
/// items, `each` at a time. The last item takes the part `last` of the others'
/// time.
static double timeOfTwo(int64_t count, int64_t each, int64_t others,
                        double last) {
  double cores[2] = {0, 0};
  for (int64_t begin = 0; begin < count; begin += each) {
    double time = double(std::min(each, count - begin));
    if (begin + each >= count)
      time += last - 1;
    for (int64_t other = 0; other < others; ++other)
      *std::min_element(cores, cores + 2) += time;
  }
  return std::max(cores[0], cores[1]);
}

int64_t evenSize(int64_t count, int64_t size, int64_t least, int64_t others,
                 double last) {
  if (divideCeilSigned(count, size) * others >= 2 * kFewTasks)
    return size;
  int64_t best = size;
  double shortest = 1e30;
  least = std::max(least, divideCeilSigned(size, 2));
  for (int64_t each = size; each >= least; --each) {
    double time = timeOfTwo(count, each, others, last);
    if (time < 0.98 * shortest) {
      shortest = time;
      best = each;
    }
  }
  return best;
}

void divideK(ContractionPlan &plan) {
  // Elements of C that stay in a second-level cache, blocks of a part, and
  // multiplications that are worth a task. An element that is read takes as
  // long as several multiplications.
  constexpr int64_t mostElements = 1 << 15, leastBlocks = 4, mostBlocks = 64,
                    usualBlocks = 16, manyParts = 64,
                    leastWork = int64_t(1) << 20, readWork = 4,
                    transposedRows = 64;
  const Gemm &gemm = plan.gemm;
  int64_t tasks = plan.tasks(), blocks = plan.kBlocks();
  if (plan.anySize || plan.gemm.prepacked || plan.farLines ||
      plan.lanesAlongK || blocks <= leastBlocks || tasks >= 2 * kFewTasks ||
      plan.tiles * plan.tileRows * plan.panels * plan.panelColumns() >
          mostElements)
    return;
  int64_t m = gemm.mSize(), n = gemm.nSize();
  int64_t work = (m * n + readWork * (m + n)) * plan.blockK();
  int64_t least = std::clamp<int64_t>(divideCeilSigned(leastWork, work),
                                      leastBlocks, mostBlocks);
  int64_t each = std::max(
      least, std::min(usualBlocks, divideCeilSigned(blocks, manyParts)));
  int64_t parts = divideCeilSigned(blocks, each);
  if (parts * gemm.batchCount() < 2 * tasks)
    return;
  plan.blocksPerSum = divideCeilSigned(blocks, parts);
  plan.parts = plan.sums();
  plan.tilesPerBlock = plan.tiles;
  plan.panelsPerBlock = plan.panels;
  plan.rowBlocks = plan.columnBlocks = 1;
  if (!plan.swapped)
    return;
  // Registers of rows are transposed together.
  int64_t sumTiles = divideCeilSigned(transposedRows, plan.tileRows);
  plan.sumTiles = std::min(sumTiles, plan.tiles);
  while (plan.tiles % plan.sumTiles != 0)
    ++plan.sumTiles;
}

void divideForCores(ContractionPlan &plan, int cores, int64_t mostShared) {
  if (cores <= TargetProfile::kLeastCores)
    return;
  BlockTimes times(plan, cores, mostShared);
  int64_t bestTiles = plan.tilesPerBlock, bestPanels = plan.panelsPerBlock;
  // Smaller blocks must gain something.
  double least = 0.98 * times.of(bestTiles, bestPanels);
  // With few rows, each column is read by one task.
  int64_t leastTiles = plan.dots || plan.farLines ? plan.tilesPerBlock : 1;
  for (int64_t tiles = plan.tilesPerBlock; tiles >= leastTiles; --tiles) {
    // All tasks of swapped operands have the same number of rows.
    if (plan.swapped && plan.tiles % tiles != 0)
      continue;
    for (int64_t panels = plan.panelsPerBlock; panels >= 1; --panels)
      if (double time = times.of(tiles, panels); time < least) {
        least = time;
        bestTiles = tiles;
        bestPanels = panels;
      }
  }
  plan.tilesPerBlock = bestTiles;
  plan.panelsPerBlock = bestPanels;
  plan.rowBlocks = divideCeil(plan.tiles, bestTiles);
  plan.columnBlocks = divideCeil(plan.panels, bestPanels);
}

} // namespace xlac::codegen
