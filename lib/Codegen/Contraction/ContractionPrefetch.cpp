// Prefetching of operands that a later tile, block of K or task of a GEMM
// reads: in bursts between tiles, or as the stream of a microkernel.
#include "GemmEmitter.h"
#include "Loops.h"

using namespace llvm;

namespace xlac::codegen {

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
