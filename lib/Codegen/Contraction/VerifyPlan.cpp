// Checks of a plan in builds with assertions.
#include "ContractionPlan.h"

#include "llvm/Support/MathExtras.h"

#include <cassert>

using namespace llvm;

namespace xlac::codegen {

#ifndef NDEBUG
void verifyPlan(const ContractionPlan &plan) {
  const Gemm &gemm = plan.gemm;
  assert(gemm.mSize() >= 1 && gemm.nSize() >= 1 && gemm.kSize() >= 1 &&
         gemm.batchCount() >= 1 && "all sizes of a GEMM are at least 1");
  assert(plan.lanes >= 1 && plan.vectors >= 1 && plan.tileRows >= 1 &&
         "a tile has rows and vectors");
  assert(plan.usesPairs
             ? plan.tiles == divideCeilSigned(gemm.mSize(), plan.tileRows)
             : plan.bigTiles * plan.bigRows +
                       (plan.tiles - plan.bigTiles) * (plan.bigRows - 1) ==
                   gemm.mSize());
  assert(1 <= plan.bigRows && plan.bigRows <= plan.tileRows &&
         (plan.anySize || plan.bigRows == plan.tileRows) &&
         "tiles have at most their full height");
  assert(1 <= plan.bigTiles && plan.bigTiles <= plan.tiles &&
         "the first tiles are the big ones");
  assert((plan.panels - 1) * plan.panelColumns() + plan.lastColumns ==
             gemm.nSize() &&
         1 <= plan.lastColumns && plan.lastColumns <= plan.panelColumns() &&
         "panels cover N");
  assert(plan.rowBlocks == divideCeilSigned(plan.tiles, plan.tilesPerBlock) &&
         "blocks of tiles cover all of them");
  assert(plan.columnBlocks ==
             divideCeilSigned(plan.panels, plan.panelsPerBlock) &&
         "blocks of panels cover all of them");
  assert(plan.blockDim < gemm.k.size() &&
         "K is divided along one of its dimensions");
  assert(plan.blocks ==
             divideCeilSigned(gemm.k[plan.blockDim].size, plan.blockSize) &&
         plan.innerK * plan.outerK * gemm.k[plan.blockDim].size ==
             gemm.kSize() &&
         "blocks cover K");
  assert(plan.blocksPerSum >= 1 &&
         (!gemm.isInteger || plan.sums() == plan.parts) &&
         "integers have one sum in each part");
  assert((!plan.dividesK() ||
          (plan.parts == plan.sums() && !plan.anySize && !plan.shareB &&
           !plan.directC && plan.rowBlocks == 1 && plan.columnBlocks == 1)) &&
         "a task with a part of K has all tiles and panels");
  assert(plan.tiles % plan.sumTiles == 0 &&
         (plan.swapped || plan.sumTiles == 1) && "tasks add up whole tiles");
  assert((!plan.swapped || (plan.indirectA && plan.packB)) &&
         "swapped operands are read by a table and packed");
  assert((!plan.pairVectors || plan.usesPairs) && "vectors of pairs are pairs");
  assert((!(plan.dots || plan.farLines) ||
          (!plan.packB && (plan.rowBlocks == 1 || plan.anySize))) &&
         "tasks of few rows read their columns once");
  assert((plan.cells == CellKind::None ||
          (plan.packB && (plan.packA || plan.usesPairs))) &&
         "cells are packed");
  assert((!plan.lanesAlongK ||
          (plan.indirectA && plan.panels == 1 && plan.vectors == 1)) &&
         "one panel has all columns");
  assert(plan.indirectA + plan.packA + plan.runsA <= 1 &&
         "A is packed, or read in place by a table or in runs");
  assert((!plan.shareA || plan.packA) && (!plan.shareB || plan.packB) &&
         (!plan.rowMajorA || plan.packsAInTasks()) &&
         "only a packed operand is shared or keeps its rows");
  assert(plan.tasks() >= 1 && "a GEMM has tasks");
  for ([[maybe_unused]] int64_t bytes :
       {plan.scratchA, plan.scratchB, plan.scratchC, plan.scratchSums,
        plan.scratchTable, plan.scratchSwapped, plan.sharedBytes,
        plan.sharedBytesA})
    assert(bytes >= 0 && bytes % 64 == 0 && "parts of scratch are aligned");
}
#endif

} // namespace xlac::codegen
