// Divides a contraction into more tasks than two or four cores need. It chooses
// the block of tiles and panels with the shortest estimated time. The blocks of
// K, and thus the bits of the results, stay as they are.
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
                  ? 2 * k * double(plan.vectors)
                  : 0.5 * rows * double(plan.vectors) * k;
    tile = rows * k * (plan.packA ? kPacked : kLoaded);
    panel = columns * k * kLoaded;
    packedPanel = columns * k * kPacked;
    int64_t bytes = plan.packedBatches() * plan.kBlocks() * plan.panels *
                    plan.panelElements() * plan.elementSize();
    mayShare = plan.packB && bytes <= mostShared;
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
    if (plan.packB && !shares)
      task += double(panels) * packedPanel;
    double time =
        double(divideCeil(batch * rowBlocks * columnBlocks, cores)) * task;
    if (!shares)
      return time;
    int64_t packs = plan.packedBatches() * plan.kBlocks() * columnBlocks;
    double each = double(panels) * packedPanel / double(plan.kBlocks());
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
  bool mayShare;
};
} // namespace

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
