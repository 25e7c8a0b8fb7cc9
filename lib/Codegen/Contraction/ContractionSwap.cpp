// GEMMs with swapped operands and prefetching: the indirection buffer with
// which the image is read, and the transposition of result panels.
#include "GemmEmitter.h"
#include "Kernels/TransposedCopy.h"
#include "Loops.h"

using namespace llvm;

namespace xlac::codegen {

//===- Indirection buffer and result transposition ------------------------===//

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

void GemmEmitter::transposePanel(Range panels, Value *panel, int64_t columns,
                                 Value *target) {
  int64_t rows = plan.swappedRows(), lanes = plan.lanes;
  int64_t stride = plan.panelsPerBlock * plan.panelColumns();
  Value *local = ir.CreateSub(panel, panels.begin);
  Value *from = at(partial, times(local, plan.panelColumns()));
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

void GemmEmitter::transposeResult(Range tiles, Range panels) {
  AccumulatedTile finished;
  finished.batch = batch;
  finished.column = times(tiles.begin, plan.tileRows);
  finished.columns = plan.swappedRows();
  finished.columnMultiple = plan.rowBlocks > 1 ? plan.swappedRows() : 0;
  finished.values = swapped;
  finished.stride = ir.getInt64(plan.swappedStride());
  forPanels(panels, [&](Value *panel, Columns all) {
    int64_t columns = all.count;
    transposePanel(panels, panel, columns, swapped);
    finished.row = times(panel, plan.panelColumns());
    finished.rows = ir.getInt64(columns);
    if (gemm.plainResult)
      storeRows(finished);
    else
      finish(finished);
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

//===- Prefetching --------------------------------------------------------===//

/// Prefetches a tile's share of the columns that the next block of K packs,
/// while this block is multiplied.
void GemmEmitter::prefetchNext(const KBlock &k, Value *tile, Range panels) {
  int64_t columns = plan.panelsPerBlock * plan.panelColumns();
  int64_t share = (columns + plan.tilesPerBlock - 1) / plan.tilesPerBlock;
  Value *first = times(panels.begin, plan.panelColumns());
  Value *end = smaller(times(panels.end, plan.panelColumns()),
                       ir.getInt64(gemm.nSize()));
  Value *begin = ir.CreateAdd(first, times(tile, share));
  end = smaller(end, ir.CreateAdd(begin, ir.getInt64(share)));
  // After the last block, prefetch the first block of the next task's columns.
  Value *isLast = ir.CreateICmpEQ(k.number, ir.getInt64(plan.kBlocks() - 1));
  Value *next = ir.CreateSelect(
      isLast, ir.getInt64(-(plan.kBlocks() - 1) * plan.blockK()),
      ir.getInt64(plan.blockK()));
  next = at(k.b, next);
  Value *ahead = ir.CreateSelect(isLast, ir.getInt64(columns), ir.getInt64(0));
  emitFor(ir, begin, end, 1, [&](Value *column) {
    Value *row =
        at(next, offsetOf(gemm.n, Side::B, ir.CreateAdd(column, ahead)));
    emitFor(ir, ir.getInt64(0), ir.getInt64(plan.blockK()),
            64 / plan.elementSize(),
            [&](Value *i) { emitPrefetch(ir, at(row, i)); });
  });
}

/// Returns one of the cache lines that the next block of K packs from each row
/// of B for this panel. The first tiles prefetch one each. Later tiles find
/// lines of this block in the cache.
Stream GemmEmitter::streamOfLines(const KBlock &k, Range tiles, Value *tile,
                                  Value *panel) {
  int64_t step = gemm.k[0].b;
  int64_t bytes = int64_t(elementB->getPrimitiveSizeInBits()) / 8;
  int64_t line = 64 / bytes, lines = (plan.panelColumns() + line - 1) / line;
  Value *number = ir.CreateSub(tile, tiles.begin);
  Value *isFirst = ir.CreateICmpSLT(number, ir.getInt64(lines));
  // After the last block, prefetch the first block of the next task's columns.
  Value *isLast = ir.CreateICmpEQ(k.number, ir.getInt64(plan.kBlocks() - 1));
  int64_t back = -(plan.kBlocks() - 1) * plan.blockK() * step;
  int64_t columns = plan.panelsPerBlock * plan.panelColumns();
  Value *ahead = ir.CreateSelect(isLast, decision(back + columns),
                                 ir.getInt64(plan.blockK() * step));
  ahead = ir.CreateAdd(ahead, times(number, line));
  ahead = ir.CreateSelect(isFirst, ahead, ir.getInt64(0));
  Value *column = times(panel, plan.panelColumns());
  return {atB(k.b, ir.CreateAdd(column, ahead)),
          ir.CreateSelect(isFirst, ir.getInt64(step * bytes), ir.getInt64(0))};
}

/// Returns a tile's share of the same panel of packed B in the next block of K.
Stream GemmEmitter::streamOfPacked(const KBlock &k, Range tiles, Value *tile,
                                   Range panels, Value *panel) {
  int64_t block = plan.panels * plan.panelElements();
  // After the last block, prefetch the first block of the next task.
  int64_t back = -(plan.kBlocks() - 1) * block;
  if (plan.rowBlocks == 1)
    back += plan.panelsPerBlock * plan.panelElements();
  Value *isLast = ir.CreateICmpEQ(k.number, ir.getInt64(plan.kBlocks() - 1));
  Value *ahead = ir.CreateSelect(isLast, decision(back), decision(block));
  Value *local = times(ir.CreateSub(panel, panels.begin), plan.panelElements());
  Value *next = at(packedB, ir.CreateAdd(ahead, local));
  int64_t bytes = plan.panelElements() * plan.elementSize();
  int64_t share = (bytes + plan.tilesPerBlock - 1) / plan.tilesPerBlock;
  Value *number = ir.CreateSub(tile, tiles.begin);
  Value *begin = ir.CreateMul(number, decision(share));
  int64_t step = (share + plan.blockK() - 1) / plan.blockK();
  return {ir.CreateGEP(ir.getInt8Ty(), next, begin), decision(step)};
}

/// Prefetches the part of a block of far rows of B that the task reads some
/// panels later, in this block of K or in the next one. The hardware does not
/// follow so many lines at a time.
void GemmEmitter::prefetchFarLines(const KBlock &k, Range panels,
                                   Value *panel) {
  constexpr int64_t aheadColumns = 128;
  int64_t columns = plan.panelColumns(), step = gemm.k[0].b;
  int64_t ahead = (aheadColumns + columns - 1) / columns;
  Value *later = ir.CreateAdd(panel, ir.getInt64(ahead));
  Value *first = ir.CreateSub(later, ir.CreateSub(panels.end, panels.begin));
  Value *isNext = ir.CreateICmpSGE(later, panels.end);
  Value *block = ir.CreateSelect(isNext, ir.getInt64(plan.blockK() * step),
                                 ir.getInt64(0));
  Value *column = times(ir.CreateSelect(isNext, first, later), columns);
  Value *base = atB(k.b, ir.CreateAdd(block, column));
  int64_t perLine = 512 / int64_t(elementB->getPrimitiveSizeInBits());
  emitFor(ir, ir.getInt64(0), ir.getInt64(plan.blockK()), 1, [&](Value *line) {
    Value *place = atB(base, times(line, step));
    for (int64_t i = 0; i < columns; i += perLine)
      emitPrefetch(ir, atB(place, ir.getInt64(i)));
  });
}

/// Prefetches a panel's share of the rows of A that the next tile reads in
/// place.
void GemmEmitter::prefetchRows(const KBlock &k, Range tiles, Value *tile,
                               Value *panel) {
  int64_t line = 64 / plan.elementSize();
  int64_t lines = (plan.blockK() + line - 1) / line;
  int64_t share = (lines + plan.panelsPerBlock - 1) / plan.panelsPerBlock;
  // After the last tile, prefetch the first tile of the next block of K.
  Value *isLast =
      ir.CreateICmpEQ(tile, ir.CreateSub(tiles.end, ir.getInt64(1)));
  Value *next =
      ir.CreateSelect(isLast, tiles.begin, ir.CreateAdd(tile, ir.getInt64(1)));
  Value *ahead =
      ir.CreateSelect(isLast, ir.getInt64(plan.blockK()), ir.getInt64(0));
  Value *base =
      atA(k.a, ir.CreateAdd(ahead, times(firstRow(next), gemm.m[0].a)));
  Value *each = decision(share);
  Value *begin = ir.CreateMul(panel, each);
  Value *end = smaller(ir.CreateAdd(begin, each), ir.getInt64(lines));
  emitFor(ir, begin, end, 1, [&](Value *number) {
    Value *place = atA(base, times(number, line));
    emitFor(ir, ir.getInt64(0), ir.getInt64(plan.tileRows), 1, [&](Value *row) {
      emitPrefetch(ir, atA(place, times(row, gemm.m[0].a)));
    });
  });
}

} // namespace xlac::codegen
