// GEMMs with swapped operands: the indirection buffer with which the image is
// read, and the transposition of result panels.
#include "GemmEmitter.h"
#include "Kernels/TransposedCopy.h"
#include "Loops.h"

using namespace llvm;

namespace xlac::codegen {

void GemmEmitter::emitTable() {
  if (!plan.indirectA)
    return;
  table = ir.CreateGEP(ir.getInt8Ty(), pointers.scratch,
                       ir.getInt64(plan.scratchBytes() - plan.scratchSwapped -
                                   plan.scratchTable));
  SmallVector<GemmDim> dims(ArrayRef(gemm.k).drop_front(plan.blockDim));
  dims[0].size = plan.blockSize;
  fillTable(dims, plan.blockK(), ir.getInt64(0), ir.getInt64(0));
}

/// Fills `inner` entries of the table from `first` on. Their offsets start at
/// `offset`.
void GemmEmitter::fillTable(ArrayRef<GemmDim> dims, int64_t inner, Value *first,
                            Value *offset) {
  if (dims.empty()) {
    ir.CreateAlignedStore(ir.CreateTrunc(offset, ir.getInt32Ty()),
                          ir.CreateGEP(ir.getInt32Ty(), table, first),
                          Align(4));
    return;
  }
  inner /= dims[0].size;
  int64_t step = dims[0].a * plan.elementSize();
  emitFor(ir, ir.getInt64(0), ir.getInt64(dims[0].size), 1, [&](Value *i) {
    fillTable(dims.drop_front(), inner, ir.CreateAdd(first, times(i, inner)),
              ir.CreateAdd(offset, times(i, step)));
  });
}

void GemmEmitter::transposePanel(Value *from, int64_t rows, int64_t columns,
                                 Value *target) {
  int64_t lanes = plan.lanes;
  int64_t stride = plan.panelsPerBlock * plan.panelColumns();
  TransposedCopy copy{vector, {}};
  emitFor(ir, ir.getInt64(0), ir.getInt64(rows), lanes, [&](Value *row) {
    SmallVector<Value *> starts;
    for (int64_t lane = 0; lane < lanes; ++lane) {
      // Lanes after the last row repeat it.
      Value *own =
          smaller(ir.CreateAdd(row, ir.getInt64(lane)), ir.getInt64(rows - 1));
      starts.push_back(at(from, times(own, stride)));
    }
    emitTransposedCopy(ir, copy, emitRowTable(ir, starts), ir.getInt64(0),
                       at(target, row),
                       ir.getInt64(plan.swappedStride() * plan.elementSize()),
                       ir.getInt64(columns));
  });
}

void GemmEmitter::finishTransposed(Value *firstTile, Value *from, int64_t rows,
                                   Value *panel, int64_t columns) {
  transposePanel(from, rows, columns, swapped);
  AccumulatedTile finished;
  finished.batch = batch;
  finished.row = times(panel, plan.panelColumns());
  finished.rows = ir.getInt64(columns);
  finished.column = times(firstTile, plan.tileRows);
  finished.columns = rows;
  finished.columnMultiple = rows < gemm.mSize() ? rows : 0;
  finished.values = swapped;
  finished.stride = ir.getInt64(plan.swappedStride());
  if (gemm.plainResult)
    storeRows(finished);
  else
    finish(finished);
}

void GemmEmitter::transposeResult(Range tiles, Range panels) {
  forPanels(panels, [&](Value *panel, Columns columns) {
    Value *local = ir.CreateSub(panel, panels.begin);
    Value *from = placeOfSums(partial, ir.getInt64(0), local).first;
    finishTransposed(tiles.begin, from, plan.swappedRows(), panel,
                     columns.count);
  });
}

/// Stores to C, where a transposed row is contiguous.
void GemmEmitter::storeRows(const AccumulatedTile &tile) {
  Value *base =
      at(at(pointers.c, offsetOf(gemm.batch, Side::C, batch)), tile.column);
  int64_t lanes = plan.lanes, whole = tile.columns / lanes * lanes;
  emitFor(ir, ir.getInt64(0), tile.rows, 1, [&](Value *row) {
    Value *from = at(tile.values, ir.CreateMul(row, tile.stride));
    Value *to =
        at(base, offsetOf(gemm.n, Side::C, ir.CreateAdd(tile.row, row)));
    auto load = [&](Value *i) {
      return ir.CreateAlignedLoad(vector, at(from, i), Align(4));
    };
    emitFor(ir, ir.getInt64(0), ir.getInt64(whole), lanes, [&](Value *i) {
      ir.CreateAlignedStore(load(i), at(to, i), Align(4));
    });
    if (whole < tile.columns)
      ir.CreateMaskedStore(
          load(ir.getInt64(whole)), at(to, whole), Align(4),
          leadingMask(ir.getContext(), lanes, tile.columns - whole));
  });
}

} // namespace xlac::codegen
