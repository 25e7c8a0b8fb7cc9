// Packing of operands: by the tasks that multiply, or once for all tasks.
#include "ContractionLoops.h"
#include "GemmEmitter.h"
#include "Loops.h"

using namespace llvm;

namespace xlac::codegen {

template <class Source>
void GemmEmitter::enterBlock(Source &source, const KBlock &k, Side side) {
  bool isA = side == Side::A;
  source.packing = isA ? plan.pairsA : plan.pairsB;
  source.count = k.count;
  source.k = k.k;
  source.stage = stage;
  if (isA ? plan.linearA : plan.linearB) {
    source.panel.k = {source.panel.k.back()};
    source.count = k.k;
  }
}

PairSource GemmEmitter::pairSource(const KBlock &k, Side side) {
  bool isA = side == Side::A;
  PairSource source;
  source.panel.element = isA ? elementA : elementB;
  source.panel.vectorLanes = plan.lanes;
  source.panel.base = isA ? k.a : k.b;
  source.panel.lanes = strided(isA ? gemm.m : gemm.n, side);
  source.panel.k = strided(ArrayRef(gemm.k).drop_front(plan.blockDim), side);
  enterBlock(source, k, side);
  return source;
}

void GemmEmitter::packPairs(const KBlock &k, Range panels, Value *target) {
  PairSource source = pairSource(k, Side::B);
  int64_t columns = plan.panelColumns();
  forPanels(panels, [&](Value *panel, Columns valid) {
    Value *place = at(
        target, times(ir.CreateSub(panel, panels.begin), plan.panelElements()));
    emitPackPairs(ir, source, times(panel, columns), columns, valid.count,
                  place);
  });
}

/// Packs A in tile registers of kTileRows rows: all full ones of the range,
/// then the last one.
void GemmEmitter::packTileRows(const KBlock &k, Range tiles, Value *target) {
  PairSource source = pairSource(k, Side::A);
  int64_t rows = gemm.mSize(), perTile = plan.tileRows / kTileRows;
  int64_t whole = rows / kTileRows, left = rows % kTileRows;
  Value *begin = times(tiles.begin, perTile);
  Value *end = times(tiles.end, perTile);
  auto pack = [&](Value *number, int64_t valid) {
    Value *local =
        times(ir.CreateSub(number, begin), kTileRows * plan.tileRowBytes());
    emitPackTileRows(ir, source, times(number, kTileRows), valid,
                     plan.tileRowBytes(),
                     ir.CreateGEP(ir.getInt8Ty(), target, local));
  };
  emitFor(ir, begin, smaller(end, ir.getInt64(whole)), 1,
          [&](Value *number) { pack(number, kTileRows); });
  if (left != 0)
    emitIf(ir, ir.CreateICmpEQ(tiles.end, ir.getInt64(plan.tiles)),
           [&] { pack(ir.getInt64(whole), left); });
}

PanelSource GemmEmitter::panelSource(const KBlock &k, Side side) {
  bool isA = side == Side::A;
  PanelSource source;
  source.element = element;
  source.vectorLanes = plan.lanes;
  source.widening = isA ? pointers.widenA : pointers.widenB;
  source.masks = plan.masks;
  source.base = isA ? k.a : k.b;
  source.lanes = strided(isA ? gemm.m : gemm.n, side);
  source.k = strided(ArrayRef(gemm.k).drop_front(plan.blockDim), side);
  return source;
}

void GemmEmitter::packPanels(const KBlock &k, Range panels, Value *target) {
  if (hasCells()) {
    packCellPanels(k, panels, target);
    return;
  }
  if (plan.usesPairs) {
    packPairs(k, panels, target);
    return;
  }
  PanelSource source = panelSource(k, Side::B);
  source.startsAtMultiple = true;
  if (plan.lanesAlongK) {
    std::swap(source.lanes, source.k);
    unsigned lanes = plan.lanes;
    emitFor(ir, ir.getInt64(0), k.k, lanes, [&](Value *first) {
      emitPackPanel(ir, source, first, lanes, {lanes},
                    ir.getInt64(source.k[0].size),
                    at(target, times(first, gemm.nSize())));
    });
    return;
  }
  Value *count = k.count;
  if (plan.linearB) {
    source.k = {source.k.back()};
    count = k.k;
  }
  int64_t columns = plan.panelColumns();
  auto pack = [&](Value *panel, Columns valid) {
    Value *place = at(
        target, times(ir.CreateSub(panel, panels.begin), plan.panelElements()));
    emitPackPanel(ir, source, times(panel, columns), columns,
                  {unsigned(valid.count), valid.valid}, count, place);
  };
  if (!source.lanesAreContiguous() ||
      (plan.panelsPerBlock == 1 && !plan.anySize) || wholePanels() == 0) {
    forPanels(panels, pack);
    return;
  }
  emitPackLines(ir, source, times(panels.begin, columns), columns,
                ir.CreateSub(endOfWhole(panels), panels.begin), count, target,
                plan.panelElements());
  forLastPanel(panels, pack);
}

CellSource GemmEmitter::cellSource(const KBlock &k, Side side) {
  bool isA = side == Side::A;
  NumberFormat format = isA ? gemm.a : gemm.b;
  CellSource source;
  source.panel = panelSource(k, side);
  source.panel.element = isA ? elementA : elementB;
  source.panel.widening = {};
  source.widening =
      cellWidening(ir.getContext(), plan.cells, format,
                   isA ? gemm.unsignedA : gemm.unsignedB, isA && plan.flipsA);
  source.cellSize = plan.cellSize();
  enterBlock(source, k, side);
  return source;
}

void GemmEmitter::packCellPanels(const KBlock &k, Range panels, Value *target) {
  CellSource source = cellSource(k, Side::B);
  CellProducts products = cellProducts(plan);
  int64_t columns = plan.panelColumns();
  auto placeOf = [&](Value *panel) {
    return at(target,
              times(ir.CreateSub(panel, panels.begin), plan.panelElements()));
  };
  int64_t startRow = products.startsFromB ? columns : 0;
  auto pack = [&](Value *panel, Columns valid) {
    emitPackCells(ir, source, times(panel, columns), columns,
                  {unsigned(valid.count), valid.valid},
                  at(placeOf(panel), startRow));
  };
  if (source.packing == PairPacking::Lines && wholePanels() > 0) {
    emitPackCellLines(ir, source, times(panels.begin, columns), columns,
                      ir.CreateSub(endOfWhole(panels), panels.begin),
                      at(target, startRow), plan.panelElements());
    forLastPanel(panels, pack);
  } else {
    forPanels(panels, pack);
  }
  if (!products.startsFromB)
    return;
  emitFor(ir, panels.begin, panels.end, 1, [&](Value *panel) {
    Value *place = placeOf(panel);
    emitCellStart(ir, products, source, at(place, startRow), columns, place);
  });
}

/// Packs the rows of one tile row-major.
void GemmEmitter::packRows(const KBlock &k, Value *tile, Value *target) {
  Value *first = firstRow(tile);
  Value *end = firstRow(ir.CreateAdd(tile, ir.getInt64(1)));
  emitFor(ir, first, end, 1, [&](Value *row) {
    Value *from = atA(k.a, offsetOf(gemm.m, Side::A, row));
    Value *place =
        at(target, times(ir.CreateSub(row, first), plan.packedRowStride()));
    if (hasCells())
      emitPackCellRun(ir, cellSource(k, Side::A), from, place);
    else
      emitPackRun(ir, pointers.widenA, vector, plan.masks, from, k.k, place);
  });
}

void GemmEmitter::packTiles(const KBlock &k, Range tiles, Value *target) {
  if (plan.usesPairs) {
    packTileRows(k, tiles, target);
    return;
  }
  PanelSource source = panelSource(k, Side::A);
  auto packOne = [&](Value *tile, unsigned rows, ValidLanes valid,
                     Value *place) {
    if (hasCells())
      emitPackCells(ir, cellSource(k, Side::A), firstRow(tile), rows, valid,
                    place);
    else
      emitPackPanel(ir, source, firstRow(tile), rows, valid, k.count, place);
  };
  auto placeOf = [&](Value *tile) {
    return at(target,
              times(ir.CreateSub(tile, tiles.begin), plan.tileElements()));
  };
  if (plan.anySize) {
    emitFor(ir, tiles.begin, tiles.end, 1, [&](Value *tile) {
      ValidLanes valid{unsigned(plan.tileRows), rowsOf(tile)};
      packOne(tile, plan.tileRows, valid, placeOf(tile));
    });
    return;
  }
  auto pack = [&](Value *begin, Value *end, int64_t rows) {
    if (source.lanesAreContiguous() && plan.tilesPerBlock > 1 && !hasCells()) {
      emitPackLines(ir, source, firstRow(begin), rows, ir.CreateSub(end, begin),
                    k.count, placeOf(begin), plan.tileElements());
      return;
    }
    emitFor(ir, begin, end, 1, [&](Value *tile) {
      packOne(tile, rows, {unsigned(rows)}, placeOf(tile));
    });
  };
  Value *big = ir.getInt64(plan.bigTiles);
  pack(tiles.begin, smaller(tiles.end, big), plan.tileRows);
  if (hasSmallTiles())
    pack(larger(tiles.begin, big), tiles.end, plan.tileRows - 1);
}

void GemmEmitter::emitPackTask(Value *task) {
  assert(plan.shareB && pointers.shared && "tasks pack B that is shared");
  // In the order of the multiply tasks, so that a thread mostly reads what it
  // packed.
  Value *number = ir.CreateURem(task, ir.getInt64(plan.kBlocks()));
  Value *rest = ir.CreateUDiv(task, ir.getInt64(plan.kBlocks()));
  Value *blocks = decision(plan.packBlocks());
  Value *columnBlock = ir.CreateURem(rest, blocks);
  batch = plan.oneB ? ir.getInt64(0) : ir.CreateUDiv(rest, blocks);
  Range panels = rangeOf(columnBlock, plan.packPanels, plan.panels);
  stage = pointers.scratch;
  Value *b = atB(pointers.b, offsetOf(gemm.batch, Side::B, batch));
  KBlock k = enterKBlock(number, pointers.a ? pointers.a : b, b);
  packPanels(k, panels, sharedPanels(number, panels));
}

/// Returns where a block of K of the current batch has the first of these
/// panels of packed B.
Value *GemmEmitter::sharedPanels(Value *block, Range panels) {
  if (!plan.oneB)
    block = ir.CreateAdd(times(batch, plan.kBlocks()), block);
  Value *first = ir.CreateAdd(times(block, plan.panels), panels.begin);
  return at(pointers.shared, times(first, plan.panelElements()));
}

/// Returns where a block of K has the first of these tiles of packed A.
Value *GemmEmitter::sharedTiles(Value *block, Range tiles) {
  Value *first = ir.CreateAdd(times(block, plan.tiles), tiles.begin);
  return at(pointers.sharedA, times(first, plan.tileElements()));
}

void GemmEmitter::emitPackTaskOfA(Value *task) {
  assert(plan.shareA && pointers.sharedA && "tasks pack A that is shared");
  Value *number = ir.CreateURem(task, ir.getInt64(plan.kBlocks()));
  Value *rowBlock = ir.CreateUDiv(task, ir.getInt64(plan.kBlocks()));
  Range tiles = rangeOf(rowBlock, plan.tilesPerBlock, plan.tiles);
  // B is not read.
  KBlock k = enterKBlock(number, pointers.a, pointers.a);
  packTiles(k, tiles, sharedTiles(number, tiles));
}

void emitSharedPack(IRBuilder<> &ir, const ContractionPlan &plan,
                    const GemmPointers &given, bool packsB, Value *begin,
                    Value *end) {
  GemmPointers pointers = planned(plan, given);
  TileEpilogue none;
  GemmEmitter emitter(ir, plan, pointers, none);
  auto packB = [&](Value *task) { emitter.emitPackTask(task); };
  if (!pointers.sharedA) {
    emitFor(ir, begin, end, 1, packB);
    return;
  }
  Value *tasksB = ir.getInt64(packsB ? plan.packTasks() : 0);
  if (packsB)
    emitFor(ir, begin, ir.CreateBinaryIntrinsic(Intrinsic::smin, end, tasksB),
            1, packB);
  Value *first = ir.CreateBinaryIntrinsic(Intrinsic::smax, begin, tasksB);
  emitFor(ir, ir.CreateSub(first, tasksB), ir.CreateSub(end, tasksB), 1,
          [&](Value *task) { emitter.emitPackTaskOfA(task); });
}

} // namespace xlac::codegen
