// Sums of a tile that are in memory: their place between blocks of K, and the
// parts of K that tasks computed separately.
#include "ContractionLoops.h"
#include "GemmEmitter.h"
#include "Loops.h"

#include "llvm/Support/MathExtras.h"

using namespace llvm;

namespace xlac::codegen {

std::pair<Value *, int64_t> GemmEmitter::placeOfSums(Value *memory, Value *tile,
                                                     Value *panel) {
  assert(memory && "sums between blocks of K have a place");
  int64_t columns = plan.panelColumns();
  if (plan.usesPairs) {
    // Each tile is contiguous: rows far from each other cause cache-set
    // conflicts.
    Value *number = ir.CreateAdd(times(tile, plan.panelsPerBlock), panel);
    return {at(memory, times(number, plan.tileRows * columns)), columns};
  }
  int64_t stride = plan.panelsPerBlock * columns;
  Value *first = ir.CreateMul(tile, decision(plan.tileRows * stride));
  return {at(memory, ir.CreateAdd(first, times(panel, columns))), stride};
}

void GemmEmitter::forVectors(Value *rows, int64_t columns, Value *stride,
                             function_ref<void(Value *)> body) {
  emitFor(ir, ir.getInt64(0), rows, 1, [&](Value *row) {
    emitFor(ir, ir.getInt64(0), ir.getInt64(columns), plan.lanes,
            [&](Value *column) {
              body(ir.CreateAdd(ir.CreateMul(row, stride), column));
            });
  });
}

/// Adds up the parts of a tile, of which `first` is the first one, in place and
/// in pairs. The first part then holds the sum.
void GemmEmitter::addParts(Value *first, Value *rows, int64_t columns,
                           Value *stride) {
  Value *levels = ir.getInt64(Log2_64_Ceil(plan.parts));
  emitFor(ir, ir.getInt64(0), levels, 1, [&](Value *level) {
    Value *distance = ir.CreateShl(ir.getInt64(1), level);
    Value *next = ir.CreateAdd(level, ir.getInt64(1));
    Value *pairs = ir.CreateLShr(
        ir.CreateAdd(distance, ir.getInt64(plan.parts - 1)), next);
    emitFor(ir, ir.getInt64(0), pairs, 1, [&](Value *pair) {
      Value *left =
          at(first, times(ir.CreateShl(pair, next), plan.partElements()));
      Value *right = at(left, times(distance, plan.partElements()));
      forVectors(rows, columns, stride, [&](Value *i) {
        Value *a = ir.CreateAlignedLoad(vector, at(left, i), Align(4));
        Value *b = ir.CreateAlignedLoad(vector, at(right, i), Align(4));
        Value *sum = gemm.isInteger ? ir.CreateAdd(a, b) : ir.CreateFAdd(a, b);
        ir.CreateAlignedStore(sum, at(left, i), Align(4));
      });
    });
  });
}

/// Adds up the parts of one tile and calls `finish` for it.
void GemmEmitter::finishSums(Value *tile, Value *panel, int64_t columns) {
  int64_t lastRows = plan.usesPairs
                         ? gemm.mSize() - (plan.tiles - 1) * plan.tileRows
                         : plan.tileRows - 1;
  int64_t wholeTiles = plan.usesPairs ? plan.tiles - 1 : plan.bigTiles;
  auto [values, stride] = placeOfSums(partial, tile, panel);
  AccumulatedTile finished;
  finished.batch = batch;
  finished.row = firstRow(tile);
  finished.rows =
      ir.CreateSelect(ir.CreateICmpSLT(tile, ir.getInt64(wholeTiles)),
                      ir.getInt64(plan.tileRows), ir.getInt64(lastRows));
  finished.column = times(panel, plan.panelColumns());
  finished.columns = columns;
  finished.values = values;
  finished.stride = ir.getInt64(stride);
  addParts(values, finished.rows, columns, finished.stride);
  finish(finished);
}

/// Adds up the parts of the tiles of one task, and transposes the sums.
void GemmEmitter::finishSwappedSums(Value *firstTile, Value *panel,
                                    int64_t columns) {
  int64_t rows = plan.sumTiles * plan.tileRows;
  auto [values, stride] = placeOfSums(partial, firstTile, panel);
  addParts(values, ir.getInt64(rows), columns, ir.getInt64(stride));
  swapped = pointers.scratch;
  finishTransposed(firstTile, values, rows, panel, columns);
}

void GemmEmitter::emitSumTask(Value *task) {
  assert(plan.dividesK() && pointers.parts && "parts have a place");
  int64_t blocks = plan.tiles / plan.sumTiles;
  Value *tile = times(ir.CreateURem(task, ir.getInt64(blocks)), plan.sumTiles);
  Value *rest = ir.CreateUDiv(task, ir.getInt64(blocks));
  Value *panel = ir.CreateURem(rest, ir.getInt64(plan.panels));
  batch = ir.CreateUDiv(rest, ir.getInt64(plan.panels));
  partial = at(pointers.parts, times(batch, plan.parts * plan.partElements()));
  auto finishPanel = [&](int64_t columns) {
    if (plan.swapped)
      finishSwappedSums(tile, panel, columns);
    else
      finishSums(tile, panel, columns);
  };
  Value *isLast = ir.CreateICmpEQ(panel, ir.getInt64(plan.panels - 1));
  if (plan.panels > 1)
    emitIf(ir, ir.CreateNot(isLast), [&] { finishPanel(plan.panelColumns()); });
  emitIf(ir, isLast, [&] { finishPanel(plan.lastColumns); });
}

void emitPartSums(IRBuilder<> &ir, const ContractionPlan &plan,
                  const GemmPointers &pointers, Value *begin, Value *end,
                  const TileEpilogue &finish) {
  GemmEmitter emitter(ir, plan, pointers, finish);
  emitFor(ir, begin, end, 1, [&](Value *task) { emitter.emitSumTask(task); });
}

} // namespace xlac::codegen
