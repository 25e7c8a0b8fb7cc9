#include "ContractionLoops.h"

#include "DotTile.h"
#include "GemmEmitter.h"
#include "Loops.h"

#include <tuple>

using namespace llvm;

namespace xlac::codegen {

void GemmEmitter::reserveTile() {
  if (hasRowTable())
    rowTable = emitFrameMemory(ir, ArrayType::get(ir.getPtrTy(), plan.tileRows),
                               Align(8), "rows");
  bool inScratch = plan.swapped || plan.kBlocks() > 1;
  if (plan.directC || inScratch)
    return;
  auto *type = ArrayType::get(element, plan.tileRows * plan.panelColumns());
  tileMemory =
      emitFrameMemory(ir, type, Align(plan.lanes * plan.elementSize()), "tile");
}

GemmEmitter::KBlock GemmEmitter::enterKBlock(Value *number, Value *a,
                                             Value *b) {
  ArrayRef<GemmDim> outer = ArrayRef(gemm.k).take_front(plan.blockDim);
  const GemmDim &dim = gemm.k[plan.blockDim];
  Value *block = ir.getInt64(0), *outside = number;
  if (plan.blocks > 1) {
    block = ir.CreateURem(number, ir.getInt64(plan.blocks));
    outside = ir.CreateUDiv(number, ir.getInt64(plan.blocks));
  }
  Value *start = times(block, plan.blockSize);
  KBlock k;
  k.number = number;
  k.count = smaller(ir.getInt64(plan.blockSize),
                    ir.CreateSub(ir.getInt64(dim.size), start));
  if (dim.size % plan.blockSize == 0 && !plan.anySize)
    k.count = ir.getInt64(plan.blockSize);
  k.k = times(k.count, plan.innerK);
  k.a = atA(
      a, ir.CreateAdd(offsetOf(outer, Side::A, outside), times(start, dim.a)));
  k.b = atB(
      b, ir.CreateAdd(offsetOf(outer, Side::B, outside), times(start, dim.b)));
  return k;
}

void GemmEmitter::forPanels(Range panels,
                            function_ref<void(Value *, Columns)> body) {
  if (wholePanels() > 0 || plan.anySize)
    emitFor(ir, panels.begin, endOfWhole(panels), 1,
            [&](Value *panel) { body(panel, {plan.panelColumns()}); });
  forLastPanel(panels, body);
}

void GemmEmitter::forLastPanel(Range panels,
                               function_ref<void(Value *, Columns)> body) {
  if (!hasLastPanel())
    return;
  Value *last = decision(plan.panels - 1);
  if (plan.anySize) {
    Value *left = columnsLeft();
    Value *isInRange = ir.CreateICmpEQ(panels.end, decision(plan.panels));
    Value *isPartial = ir.CreateICmpNE(left, ir.getInt64(0));
    emitIf(ir, ir.CreateAnd(isInRange, isPartial),
           [&] { body(last, {plan.panelColumns(), left}); });
    return;
  }
  if (plan.columnBlocks == 1 && plan.packBlocks() == 1) {
    body(last, {plan.lastColumns});
    return;
  }
  emitIf(ir, ir.CreateICmpEQ(panels.end, ir.getInt64(plan.panels)),
         [&] { body(last, {plan.lastColumns}); });
}

void GemmEmitter::emitDots(const KBlock &k, Columns columns, int64_t rows,
                           Value *b, Value *output, Value *stride) {
  DotShape shape;
  shape.vector = vector;
  shape.rows = rows;
  shape.columns = dotColumns(rows, plan.panelColumns(),
                             vector->getPrimitiveSizeInBits() == 512);
  shape.widenB = pointers.widenB;
  DotOperands in;
  in.a = aRows[0];
  in.aRow = ir.getInt64(plan.packA ? plan.packedRowStride() : gemm.m[0].a);
  in.b = b;
  in.bColumn = ir.getInt64(gemm.n[0].b);
  in.k = k.k;
  in.c = output;
  in.cRow = plan.directC ? ir.getInt64(gemm.m[0].c) : stride;
  in.count = columns.valid ? columns.valid : ir.getInt64(columns.count);
  in.accumulate = isLaterBlock(k);
  // The epilogue computes whole registers. Elements that do not exist need
  // some value.
  if (columns.valid && !plan.directC && plan.kBlocks() == 1)
    for (int64_t place = 0; place < rows * plan.panelColumns();
         place += plan.lanes)
      ir.CreateAlignedStore(Constant::getNullValue(vector), at(output, place),
                            Align(4));
  emitDotCall(ir, shape, in);
}

void GemmEmitter::emitRows(const KBlock &k, Value *panel, Columns columns,
                           int64_t rows, Value *b, ArrayRef<Value *> outputs,
                           Value *stride) {
  unsigned left = columns.count % plan.lanes;
  assert(1 <= columns.count && columns.count <= plan.panelColumns() &&
         1 <= rows && rows <= plan.tileRows &&
         "a tile of the plan, or a smaller one");
  assert(int64_t(aRows.size()) >= rows && int64_t(outputs.size()) >= rows &&
         "every row of a tile has an address");
  if (plan.dots) {
    emitDots(k, columns, rows, b, outputs[0], stride);
    return;
  }
  TileShape shape;
  shape.vector = vector;
  shape.rows = rows;
  shape.vectors = (columns.count + plan.lanes - 1) / plan.lanes;
  shape.validColumnsB = plan.packB ? 0 : left;
  shape.validColumnsC = plan.directC ? left : 0;
  shape.anyColumnsB = columns.valid && !plan.packB;
  shape.anyColumnsC = columns.valid && plan.directC;
  if (!plan.packB)
    shape.widenB = pointers.widenB;
  shape.cells = cellProducts(plan);

  TileOperands in;
  in.aRows = SmallVector<Value *>(ArrayRef(aRows).take_front(rows));
  // Strides of packed A between rows and between indices of K.
  int64_t rowA = plan.rowMajorA ? plan.packedRowStride() : 1;
  int64_t strideKA = plan.rowMajorA ? 1 : plan.anySize ? plan.tileRows : rows;
  in.aStride = ir.getInt64(plan.packA ? strideKA : gemm.k.back().a);
  if (plan.packA)
    for (int64_t row = 0; row < rows; ++row)
      in.aRows[row] = at(aRows[0], row * rowA);
  in.b = b;
  in.bStride = ir.getInt64(plan.packB ? plan.panelColumns() : gemm.k.back().b);
  in.k = hasCells() ? emitCellCount(ir, cellSource(k, Side::A)) : k.k;
  in.cRows = SmallVector<Value *>(outputs.take_front(rows));
  in.accumulate = isLaterBlock(k);
  in.columns = columns.valid;
  in.later = later;
  if (plan.runsA) {
    in.k = ir.getInt64(plan.innerK);
    in.runs = k.count;
    in.aRunStride = ir.getInt64(gemm.k[plan.blockDim].a);
  }
  if (plan.indirectA) {
    in.aTable = table;
    in.aPrefetch = ir.getInt64(plan.nextTile);
    shape.indirectStride = gemm.m.back().a;
    shape.columnsAlongK = plan.lanesAlongK ? unsigned(columns.count) : 0;
    emitTileCall(ir, shape, in, nullptr,
                 plan.directC ? ir.getInt64(gemm.m.back().c) : stride);
    return;
  }
  // A function that tiles share reduces code size, but requires one stride
  // between rows.
  bool plainA = plan.packA || (gemm.m.size() == 1 && !plan.runsA);
  bool plainC = !plan.directC || hasEvenRowsOfC();
  if (rowTable) {
    shape.addressedRows = true;
    in.rowTable = rowTable;
  } else if (!plainA || !plainC) {
    emitTile(ir, shape, in);
    return;
  }
  emitTileCall(ir, shape, in, ir.getInt64(plan.packA ? rowA : gemm.m[0].a),
               plan.directC ? ir.getInt64(gemm.m.back().c) : stride);
}

Value *GemmEmitter::emitSizes(const KBlock &k, Value *tile, Value *panel,
                              Columns columns, Value *b,
                              ArrayRef<Value *> outputs, Value *stride) {
  if (plan.anySize) {
    Value *rows = rowsOf(tile);
    forHeights(rows, [&](int64_t height) {
      emitRows(k, panel, columns, height, b, outputs, stride);
    });
    return rows;
  }
  if (!hasSmallTiles()) {
    emitRows(k, panel, columns, plan.tileRows, b, outputs, stride);
    return ir.getInt64(plan.tileRows);
  }
  Value *isBig = ir.CreateICmpSLT(tile, ir.getInt64(plan.bigTiles));
  emitIf(ir, isBig, [&] {
    emitRows(k, panel, columns, plan.tileRows, b, outputs, stride);
  });
  emitIf(ir, ir.CreateNot(isBig), [&] {
    emitRows(k, panel, columns, plan.tileRows - 1, b, outputs, stride);
  });
  return ir.CreateSelect(isBig, ir.getInt64(plan.tileRows),
                         ir.getInt64(plan.tileRows - 1));
}

PairOperands GemmEmitter::pairOperands(const KBlock &k, Value *b, Value *c,
                                       int64_t stride) {
  assert(plan.usesPairs && !aRows.empty() && "A's rows have an address");
  PairOperands in;
  in.a = aRows[0];
  in.aRow = ir.getInt64(plan.packA ? plan.tileRowBytes()
                                   : plan.pairBytes() * gemm.m[0].a);
  in.b = b;
  in.bRow = ir.getInt64(4 * plan.panelColumns());
  in.k = k.k;
  in.c = c;
  in.cRow = ir.getInt64(4 * stride);
  in.accumulate = isLaterBlock(k);
  return in;
}

Value *GemmEmitter::emitPairs(const KBlock &k, int64_t columns, Value *b,
                              Value *c, int64_t stride) {
  Value *rows = smaller(ir.getInt64(plan.tileRows),
                        ir.CreateSub(ir.getInt64(gemm.mSize()), tileRow));
  PairOperands in = pairOperands(k, b, c, stride);
  unsigned registers = columns > kTileRows ? 2 : 1;
  if (plan.pairVectors)
    emitPairVectorsCall(ir, registers, in, rows);
  else
    emitTileRegisters(registers, in, rows);
  return rows;
}

/// Returns a block of as many rows as a whole tile has.
TileBlock GemmEmitter::tileBlock(unsigned columns) {
  TileBlock block;
  block.rows = gemm.mSize() > kTileRows ? 2 : 1;
  block.columns = columns;
  if (gemm.isInteger)
    block.products = tileProducts(gemm.unsignedA, gemm.unsignedB);
  return block;
}

void GemmEmitter::emitTileRegisters(unsigned columns, const PairOperands &in,
                                    Value *rows) {
  TileBlock block = tileBlock(columns);
  int64_t last = (gemm.mSize() - 1) % plan.tileRows + 1;
  if (block.rows == 1 || last > kTileRows) {
    emitTileBlockCall(ir, block, in);
    return;
  }
  TileBlock low = block;
  low.rows = 1;
  Value *isLow = ir.CreateICmpSLE(rows, ir.getInt64(kTileRows));
  emitIf(ir, isLow, [&] { emitTileBlockCall(ir, low, in); });
  emitIf(ir, ir.CreateNot(isLow), [&] { emitTileBlockCall(ir, block, in); });
}

/// Computes a whole tile in C itself.
void GemmEmitter::emitDirectTile(const KBlock &k, Value *panel, Value *b) {
  int64_t stride = gemm.m[0].c;
  Value *place =
      ir.CreateAdd(times(tileRow, stride), times(panel, plan.panelColumns()));
  PairOperands in = pairOperands(k, b, at(c, place), stride);
  emitTileBlockCall(ir, tileBlock(plan.vectors), in);
}

/// Returns true for blocks of K that are added to the previous block.
Value *GemmEmitter::isLaterBlock(const KBlock &k) {
  if (plan.kBlocks() == 1)
    return ir.getFalse();
  Value *place = k.number;
  if (plan.sums() > 1)
    place = ir.CreateURem(place, ir.getInt64(plan.blocksPerSum));
  return ir.CreateICmpNE(place, ir.getInt64(0));
}

/// After the last block of a sum, adds the tile's sum to a summation tree,
/// whose levels are stored after the tiles. After the last block of all, the
/// tile gets the total. Level k holds the sum of 2^k sums or is empty, like a
/// binary counter.
void GemmEmitter::addToSumTree(const KBlock &k, Value *values, Value *rows,
                               int64_t columns, Value *stride) {
  assert(plan.scratchSums > 0 && !gemm.isInteger &&
         "levels of sums have a place in scratch");
  auto levelAt = [&](Value *level) {
    Value *bytes = ir.CreateMul(ir.CreateAdd(level, ir.getInt64(1)),
                                decision(plan.scratchC));
    return ir.CreateGEP(ir.getInt8Ty(), values, bytes);
  };
  auto load = [&](Value *base, Value *i) {
    return ir.CreateAlignedLoad(vector, at(base, i), Align(4));
  };
  Value *isLast = ir.CreateICmpEQ(k.number, ir.getInt64(plan.kBlocks() - 1));
  Value *next = ir.CreateAdd(k.number, ir.getInt64(1));
  Value *left = ir.CreateURem(next, ir.getInt64(plan.blocksPerSum));
  Value *ends = ir.CreateOr(isLast, ir.CreateICmpEQ(left, ir.getInt64(0)));
  emitIf(ir, ends, [&] {
    Value *full = ir.CreateUDiv(k.number, ir.getInt64(plan.blocksPerSum));
    // Full levels below the lowest empty one. After the last block, all full
    // levels.
    Value *lowest = ir.CreateIntrinsic(Intrinsic::cttz, {ir.getInt64Ty()},
                                       {ir.CreateNot(full), ir.getTrue()});
    Value *bits = ir.CreateIntrinsic(Intrinsic::ctlz, {ir.getInt64Ty()},
                                     {full, ir.getFalse()});
    Value *levels =
        ir.CreateSelect(isLast, ir.CreateSub(ir.getInt64(64), bits), lowest);
    emitFor(ir, ir.getInt64(0), levels, 1, [&](Value *level) {
      Value *isFull =
          ir.CreateTrunc(ir.CreateLShr(full, level), ir.getInt1Ty());
      emitIf(ir, isFull, [&] {
        Value *held = levelAt(level);
        forVectors(rows, columns, stride, [&](Value *i) {
          Value *sum = ir.CreateFAdd(load(held, i), load(values, i));
          ir.CreateAlignedStore(sum, at(values, i), Align(4));
        });
      });
    });
    emitIf(ir, ir.CreateNot(isLast), [&] {
      Value *held = levelAt(lowest);
      forVectors(rows, columns, stride, [&](Value *i) {
        ir.CreateAlignedStore(load(values, i), at(held, i), Align(4));
      });
    });
  });
}

void GemmEmitter::emitPanel(const KBlock &k, Range tiles, Range panels,
                            Value *tile, Value *panel, Columns columns) {
  Value *column = times(panel, plan.panelColumns());
  Value *local = ir.CreateSub(panel, panels.begin);
  Value *b;
  if (plan.packB)
    b = at(packedB, times(local, plan.panelElements()));
  else
    b = atB(k.b, plan.dots ? times(column, gemm.n[0].b) : column);

  if (plan.directTiles && columns.count == plan.panelColumns()) {
    if (gemm.mSize() % plan.tileRows == 0) {
      emitDirectTile(k, panel, b);
      return;
    }
    Value *end = ir.CreateAdd(tileRow, ir.getInt64(plan.tileRows));
    Value *isWhole = ir.CreateICmpSLE(end, ir.getInt64(gemm.mSize()));
    emitIf(ir, isWhole, [&] { emitDirectTile(k, panel, b); });
    emitIf(ir, ir.CreateNot(isWhole), [&] {
      emitTileInMemory(k, tiles, panels, tile, panel, columns, b);
    });
    return;
  }
  emitTileInMemory(k, tiles, panels, tile, panel, columns, b);
}

void GemmEmitter::emitTileInMemory(const KBlock &k, Range tiles, Range panels,
                                   Value *tile, Value *panel, Columns columns,
                                   Value *b) {
  Value *column = times(panel, plan.panelColumns());
  Value *local = ir.CreateSub(panel, panels.begin);
  // Rows of C in which the tile accumulates.
  int64_t columnsPerRow = plan.panelColumns();
  assert((!plan.packB || packedB) && "packed B has a place");
  SmallVector<Value *> outputs;
  Value *values = tileMemory;
  bool inScratch = !plan.usesPairs &&
                   (plan.swapped || (!plan.directC && plan.kBlocks() > 1));
  if (inScratch || (plan.usesPairs && partial))
    std::tie(values, columnsPerRow) =
        placeOfSums(partial, ir.CreateSub(tile, tiles.begin), local);
  Value *stride =
      inScratch ? decision(columnsPerRow) : ir.getInt64(columnsPerRow);
  bool plainRows = hasEvenRowsOfC();
  Value *base = nullptr;
  if (plan.directC)
    base = at(at(c, column), offsetOf(gemm.m, Side::C, tileRow));
  for (int64_t row = 0; row < plan.tileRows; ++row) {
    if (!plan.directC)
      outputs.push_back(at(values, times(stride, row)));
    else if (plainRows)
      outputs.push_back(at(base, row * gemm.m.back().c));
    else
      outputs.push_back(
          at(at(c, column), offsetOf(gemm.m, Side::C,
                                     ir.CreateAdd(tileRow, ir.getInt64(row)))));
  }

  Value *rows = plan.usesPairs
                    ? emitPairs(k, columns.count, b, values, columnsPerRow)
                    : emitSizes(k, tile, panel, columns, b, outputs, stride);
  if (plan.dividesK())
    return;
  if (plan.sums() > 1)
    addToSumTree(k, values, rows, columns.count, stride);
  if (plan.directC || plan.swapped)
    return;
  AccumulatedTile finished;
  finished.batch = batch;
  finished.row = tileRow;
  finished.rows = rows;
  finished.column = column;
  finished.columns = columns.count;
  finished.validColumns = columns.valid;
  finished.values = values;
  finished.stride = stride;
  if (plan.kBlocks() == 1)
    finish(finished);
  else
    emitIf(ir, ir.CreateICmpEQ(k.number, ir.getInt64(plan.kBlocks() - 1)),
           [&] { finish(finished); });
}

void GemmEmitter::multiply(const KBlock &k, Range tiles, Range panels) {
  bool fetches = plan.swapped && !plan.shareB && plan.rowBlocks == 1 &&
                 plan.linearB && gemm.k.back().b == 1 && plan.kBlocks() > 1;
  bool inPlace = !plan.packA && !plan.packB && !plan.indirectA && !plan.dots;
  bool copied = plan.rowMajorA && gemm.a == NumberFormat::Plain;
  bool fetchesRows = (inPlace || copied) && gemm.m.size() == 1 &&
                     plan.linearA && gemm.k.back().a == 1 &&
                     (plan.anySize || (plan.blockK() >= 64 && plan.tiles > 1));
  bool streamsLines = plan.packB && !plan.shareB && !plan.swapped &&
                      !plan.usesPairs && gemm.k.size() == 1 &&
                      gemm.n.size() == 1 && gemm.n[0].b == 1;
  bool streamsPacked = plan.shareB && !plan.usesPairs;
  emitFor(ir, tiles.begin, tiles.end, 1, [&](Value *tile) {
    if (fetches)
      prefetchNext(k, tile, panels);
    tileRow = firstRow(tile);
    aRows.clear();
    if (plan.packA) {
      Value *local = ir.CreateSub(tile, tiles.begin);
      int64_t size = plan.usesPairs ? plan.tileRows * plan.tileRowBytes() / 4
                                    : plan.tileElements();
      if (plan.rowMajorA)
        packRows(k, tile, packedA);
      aRows.push_back(plan.rowMajorA ? packedA
                                     : at(packedA, times(local, size)));
      aRows.resize(plan.tileRows, aRows[0]);
    } else if (plan.indirectA) {
      aRows.assign(plan.tileRows, atA(k.a, offsetOf(gemm.m, Side::A, tileRow)));
    } else {
      bool plainRows = gemm.m.size() == 1;
      Value *base = atA(k.a, offsetOf(gemm.m, Side::A, tileRow));
      for (int64_t row = 0; row < plan.tileRows; ++row) {
        Value *index = ir.CreateAdd(tileRow, ir.getInt64(row));
        aRows.push_back(plainRows ? atA(base, ir.getInt64(row * gemm.m[0].a))
                                  : atA(k.a, offsetOf(gemm.m, Side::A, index)));
        if (rowTable)
          ir.CreateAlignedStore(
              aRows.back(),
              ir.CreateConstInBoundsGEP1_64(ir.getPtrTy(), rowTable, row),
              Align(8));
      }
    }
    forPanels(panels, [&](Value *panel, Columns columns) {
      if (fetchesRows)
        prefetchRows(k, tiles, tile, ir.CreateSub(panel, panels.begin));
      if (plan.farLines)
        emitIf(ir, ir.CreateICmpEQ(tile, tiles.begin),
               [&] { prefetchFarLines(k, panels, panel); });
      if (streamsLines)
        later = streamOfLines(k, tiles, tile, panel);
      else if (streamsPacked)
        later = streamOfPacked(k, tiles, tile, panels, panel);
      emitPanel(k, tiles, panels, tile, panel, columns);
    });
  });
}

void GemmEmitter::emitTask(Value *task) {
  assert((!plan.shareB || pointers.shared) &&
         (plan.scratchBytes() == 0 || pointers.scratch) &&
         "operands of the plan have addresses");
  Value *rowBlocks = decision(plan.rowBlocks);
  Value *columnBlocks = decision(plan.columnBlocks);
  Value *rowBlock = ir.CreateURem(task, rowBlocks);
  Value *rest = ir.CreateUDiv(task, rowBlocks);
  Value *columnBlock = ir.CreateURem(rest, columnBlocks);
  batch = ir.CreateUDiv(rest, columnBlocks);
  Value *firstBlock = ir.getInt64(0), *endBlock = ir.getInt64(plan.kBlocks());
  if (plan.dividesK()) {
    Value *parts = ir.getInt64(plan.parts);
    partial = at(pointers.parts, times(batch, plan.partElements()));
    firstBlock = times(ir.CreateURem(batch, parts), plan.blocksPerSum);
    endBlock = smaller(
        endBlock, ir.CreateAdd(firstBlock, ir.getInt64(plan.blocksPerSum)));
    batch = ir.CreateUDiv(batch, parts);
  }
  Range tiles = rangeOf(rowBlock, plan.tilesPerBlock, plan.tiles);
  Range panels = rangeOf(columnBlock, plan.panelsPerBlock, plan.panels);
  Value *a = atA(pointers.a, offsetOf(gemm.batch, Side::A, batch));
  Value *b = atB(pointers.b, offsetOf(gemm.batch, Side::B, batch));
  if (plan.directC || plan.directTiles)
    c = at(pointers.c, offsetOf(gemm.batch, Side::C, batch));
  auto scratchAt = [&](int64_t bytes) {
    return ir.CreateGEP(ir.getInt8Ty(), pointers.scratch, decision(bytes));
  };
  if (plan.scratchB)
    packedB = scratchAt(0);
  if (plan.packsAInTasks())
    packedA = scratchAt(plan.scratchB);
  if (plan.scratchC)
    partial = scratchAt(plan.scratchB + plan.scratchA);
  if (plan.scratchStage)
    stage = scratchAt(plan.scratchB + plan.scratchA + plan.scratchC +
                      plan.scratchSums);
  if (plan.swapped)
    swapped = scratchAt(plan.scratchBytes() - plan.scratchSwapped);
  emitFor(ir, firstBlock, endBlock, 1, [&](Value *number) {
    KBlock k = enterKBlock(number, a, b);
    if (plan.shareB)
      packedB = sharedPanels(number, panels);
    else if (plan.packB)
      packPanels(k, panels, packedB);
    if (plan.shareA)
      packedA = sharedTiles(number, tiles);
    else if (plan.packA && !plan.rowMajorA)
      packTiles(k, tiles, packedA);
    multiply(k, tiles, panels);
  });
  if (plan.swapped && !plan.dividesK())
    transposeResult(tiles, panels);
}

GemmPointers planned(const ContractionPlan &plan, GemmPointers pointers) {
  if (plan.swapped) {
    std::swap(pointers.a, pointers.b);
    std::swap(pointers.widenA, pointers.widenB);
  }
  return pointers;
}

void emitGemm(IRBuilder<> &ir, const ContractionPlan &plan,
              const GemmPointers &given, Value *begin, Value *end,
              const TileEpilogue &finish) {
  GemmPointers pointers = planned(plan, given);
  GemmEmitter emitter(ir, plan, pointers, finish);
  emitter.reserveTile();
  emitter.emitTable();
  bool setsTiles = plan.usesPairs && !plan.pairVectors;
  if (setsTiles)
    emitTileSetting(ir);
  emitFor(ir, begin, end, 1, [&](Value *task) { emitter.emitTask(task); });
  if (setsTiles)
    emitTileRelease(ir);
}

} // namespace xlac::codegen
