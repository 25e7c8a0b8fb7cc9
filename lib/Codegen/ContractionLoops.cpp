#include "Loops.h"
#include "ProductEmitter.h"

using namespace llvm;

namespace xlac::codegen {

Type *accumulatorType(IRBuilder<> &ir, const Product &product) {
  if (product.isInteger)
    return product.isDouble ? ir.getInt64Ty() : ir.getInt32Ty();
  return product.isDouble ? ir.getDoubleTy() : ir.getFloatTy();
}

Type *memoryType(IRBuilder<> &ir, const Product &product, NumberFormat format) {
  switch (format) {
  case NumberFormat::Plain:
    break;
  case NumberFormat::BF16:
  case NumberFormat::F16:
  case NumberFormat::I16:
    return ir.getInt16Ty();
  case NumberFormat::F8:
  case NumberFormat::I8:
    return ir.getInt8Ty();
  case NumberFormat::I32:
    return ir.getInt32Ty();
  }
  return accumulatorType(ir, product);
}

void ProductEmitter::reserveTile() {
  bool inScratch = plan.turned || (plan.depthBlocks() > 1 && !addsBlocks());
  if (plan.directC || inScratch)
    return;
  auto *type = ArrayType::get(element, plan.tileRows * plan.panelColumns());
  tileMemory =
      emitFrameMemory(ir, type, Align(plan.lanes * plan.elementSize()), "tile");
}

ProductEmitter::Depth ProductEmitter::enterDepth(Value *number, Value *a,
                                                 Value *b) {
  ArrayRef<ProductDim> outer =
      ArrayRef(product.depth).take_front(plan.blockDim);
  const ProductDim &dim = product.depth[plan.blockDim];
  Value *block = ir.getInt64(0), *outside = number;
  if (plan.blocks > 1) {
    block = ir.CreateURem(number, ir.getInt64(plan.blocks));
    outside = ir.CreateUDiv(number, ir.getInt64(plan.blocks));
  }
  Value *start = times(block, plan.blockSize);
  Depth depth;
  depth.number = number;
  depth.count = smaller(ir.getInt64(plan.blockSize),
                        ir.CreateSub(ir.getInt64(dim.size), start));
  if (dim.size % plan.blockSize == 0)
    depth.count = ir.getInt64(plan.blockSize);
  depth.depth = times(depth.count, plan.innerDepth);
  depth.a = atA(
      a, ir.CreateAdd(offsetOf(outer, Side::A, outside), times(start, dim.a)));
  depth.b = atB(
      b, ir.CreateAdd(offsetOf(outer, Side::B, outside), times(start, dim.b)));
  return depth;
}

void ProductEmitter::forPanels(Range panels,
                               function_ref<void(Value *, int64_t)> body) {
  if (wholePanels() > 0)
    emitFor(ir, panels.begin, endOfWhole(panels), 1,
            [&](Value *panel) { body(panel, plan.panelColumns()); });
  forLastPanel(panels, body);
}

void ProductEmitter::forLastPanel(Range panels,
                                  function_ref<void(Value *, int64_t)> body) {
  if (!hasLastPanel())
    return;
  Value *last = ir.getInt64(plan.panels - 1);
  if (plan.columnBlocks == 1) {
    body(last, plan.lastColumns);
    return;
  }
  emitIf(ir, ir.CreateICmpEQ(panels.end, ir.getInt64(plan.panels)),
         [&] { body(last, plan.lastColumns); });
}

PairSource ProductEmitter::pairSource(const Depth &depth, Side side) {
  bool isA = side == Side::A;
  PairSource source;
  source.packing = isA ? plan.pairsA : plan.pairsB;
  source.panel.element = ir.getInt16Ty();
  source.panel.vectorLanes = plan.lanes;
  source.panel.widening = isA ? pointers.widenA : pointers.widenB;
  source.panel.base = isA ? depth.a : depth.b;
  source.panel.lanes = strided(isA ? product.rows : product.columns, side);
  source.panel.depth =
      strided(ArrayRef(product.depth).drop_front(plan.blockDim), side);
  source.count = depth.count;
  source.depth = depth.depth;
  source.stage = stage;
  if (isA ? plan.linearA : plan.linearB) {
    source.panel.depth = {source.panel.depth.back()};
    source.count = depth.depth;
  }
  return source;
}

void ProductEmitter::packPairs(const Depth &depth, Range panels,
                               Value *target) {
  PairSource source = pairSource(depth, Side::B);
  int64_t columns = plan.panelColumns();
  forPanels(panels, [&](Value *panel, int64_t valid) {
    Value *place = at(
        target, times(ir.CreateSub(panel, panels.begin), plan.panelElements()));
    emitPackPairs(ir, source, times(panel, columns), columns, valid, place);
  });
}

/// Registers of rows: all whole ones of the range, then the last one.
void ProductEmitter::packTileRows(const Depth &depth, Range tiles,
                                  Value *target) {
  PairSource source = pairSource(depth, Side::A);
  int64_t rows = product.rowCount(), perTile = plan.tileRows / kTileRows;
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

void ProductEmitter::packPanels(const Depth &depth, Range panels,
                                Value *target) {
  if (plan.usesPairs) {
    packPairs(depth, panels, target);
    return;
  }
  PanelSource source;
  source.element = element;
  source.vectorLanes = plan.lanes;
  source.widening = pointers.widenB;
  source.masks = plan.masks;
  source.base = depth.b;
  source.lanes = strided(product.columns, Side::B);
  source.depth =
      strided(ArrayRef(product.depth).drop_front(plan.blockDim), Side::B);
  Value *count = depth.count;
  if (plan.linearB) {
    source.depth = {source.depth.back()};
    count = depth.depth;
  }
  int64_t columns = plan.panelColumns();
  auto pack = [&](Value *panel, int64_t valid) {
    Value *place = at(
        target, times(ir.CreateSub(panel, panels.begin), plan.panelElements()));
    emitPackPanel(ir, source, times(panel, columns), columns, valid, count,
                  place);
  };
  if (!source.lanesRun() || plan.panelsPerBlock == 1 || wholePanels() == 0) {
    forPanels(panels, pack);
    return;
  }
  emitPackLines(ir, source, times(panels.begin, columns), columns,
                ir.CreateSub(endOfWhole(panels), panels.begin), count, target,
                plan.panelElements());
  forLastPanel(panels, pack);
}

/// The rows of one tile, each as it lies in memory.
void ProductEmitter::copyRows(const Depth &depth, Value *tile, Value *target) {
  Value *first = firstRow(tile);
  Value *end = firstRow(ir.CreateAdd(tile, ir.getInt64(1)));
  emitFor(ir, first, end, 1, [&](Value *row) {
    Value *from = atA(depth.a, offsetOf(product.rows, Side::A, row));
    Value *place = at(target, times(ir.CreateSub(row, first), plan.keptRow()));
    emitCopyRun(ir, pointers.widenA, vector, plan.masks, from, depth.depth,
                place);
  });
}

void ProductEmitter::packTiles(const Depth &depth, Range tiles, Value *target) {
  if (plan.usesPairs) {
    packTileRows(depth, tiles, target);
    return;
  }
  PanelSource source;
  source.element = element;
  source.vectorLanes = plan.lanes;
  source.widening = pointers.widenA;
  source.masks = plan.masks;
  source.base = depth.a;
  source.lanes = strided(product.rows, Side::A);
  source.depth =
      strided(ArrayRef(product.depth).drop_front(plan.blockDim), Side::A);
  auto placeOf = [&](Value *tile) {
    return at(target,
              times(ir.CreateSub(tile, tiles.begin), plan.tileElements()));
  };
  auto pack = [&](Value *begin, Value *end, int64_t rows) {
    if (source.lanesRun() && plan.tilesPerBlock > 1) {
      emitPackLines(ir, source, firstRow(begin), rows, ir.CreateSub(end, begin),
                    depth.count, placeOf(begin), plan.tileElements());
      return;
    }
    emitFor(ir, begin, end, 1, [&](Value *tile) {
      emitPackPanel(ir, source, firstRow(tile), rows, rows, depth.count,
                    placeOf(tile));
    });
  };
  Value *big = ir.getInt64(plan.bigTiles);
  pack(tiles.begin, smaller(tiles.end, big), plan.tileRows);
  if (hasSmallTiles())
    pack(larger(tiles.begin, big), tiles.end, plan.tileRows - 1);
}

void ProductEmitter::emitRows(const Depth &depth, Value *panel, int64_t columns,
                              int64_t rows, Value *b, ArrayRef<Value *> outputs,
                              int64_t stride) {
  unsigned left = columns % plan.lanes;
  TileShape shape;
  shape.vector = vector;
  shape.rows = rows;
  shape.vectors = (columns + plan.lanes - 1) / plan.lanes;
  shape.cutB = plan.packB ? 0 : left;
  shape.cutC = plan.directC ? left : 0;
  if (!plan.packB)
    shape.widenB = pointers.widenB;

  TileOperands in;
  in.aRows = SmallVector<Value *>(ArrayRef(aRows).take_front(rows));
  // From row to row and from depth to depth of packed A.
  int64_t rowA = plan.keepRowsA ? plan.keptRow() : 1;
  int64_t depthA = plan.keepRowsA ? 1 : rows;
  in.aStride = ir.getInt64(plan.packA ? depthA : product.depth.back().a);
  if (plan.packA)
    for (int64_t row = 0; row < rows; ++row)
      in.aRows[row] = at(aRows[0], row * rowA);
  in.b = b;
  in.bStride =
      ir.getInt64(plan.packB ? plan.panelColumns() : product.depth.back().b);
  in.depth = depth.depth;
  in.cRows = SmallVector<Value *>(outputs.take_front(rows));
  in.accumulate = isLaterBlock(depth);
  if (plan.walkA) {
    in.aTable = table;
    in.aAhead = ir.getInt64(plan.nextTile);
    shape.walkStride = product.rows.back().a;
    emitTileCall(ir, shape, in, nullptr,
                 ir.getInt64(plan.directC ? product.rows.back().c : stride));
    return;
  }
  // A function shared by tiles takes less code, but knows rows by one stride.
  bool plainRows = product.rows.size() == 1;
  bool plainA = plan.packA || plainRows, plainC = !plan.directC || plainRows;
  if (!plainA || !plainC) {
    emitTile(ir, shape, in);
    return;
  }
  emitTileCall(ir, shape, in,
               ir.getInt64(plan.packA ? rowA : product.rows[0].a),
               ir.getInt64(plan.directC ? product.rows[0].c : stride));
}

Value *ProductEmitter::emitSizes(const Depth &depth, Value *tile, Value *panel,
                                 int64_t columns, Value *b,
                                 ArrayRef<Value *> outputs, int64_t stride) {
  if (!hasSmallTiles()) {
    emitRows(depth, panel, columns, plan.tileRows, b, outputs, stride);
    return ir.getInt64(plan.tileRows);
  }
  Value *isBig = ir.CreateICmpSLT(tile, ir.getInt64(plan.bigTiles));
  emitIf(ir, isBig, [&] {
    emitRows(depth, panel, columns, plan.tileRows, b, outputs, stride);
  });
  emitIf(ir, ir.CreateNot(isBig), [&] {
    emitRows(depth, panel, columns, plan.tileRows - 1, b, outputs, stride);
  });
  return ir.CreateSelect(isBig, ir.getInt64(plan.tileRows),
                         ir.getInt64(plan.tileRows - 1));
}

Value *ProductEmitter::emitPairs(const Depth &depth, int64_t columns, Value *b,
                                 Value *c, int64_t stride) {
  Value *rows = smaller(ir.getInt64(plan.tileRows),
                        ir.CreateSub(ir.getInt64(product.rowCount()), tileRow));
  Value *isLater = isLaterBlock(depth);
  PairOperands in;
  in.a = aRows[0];
  in.aRow =
      ir.getInt64(plan.packA ? plan.tileRowBytes() : 2 * product.rows[0].a);
  in.b = b;
  in.bRow = ir.getInt64(4 * plan.panelColumns());
  in.depth = depth.depth;
  in.c = addsBlocks() ? tileMemory : c;
  in.cRow = ir.getInt64(4 * stride);
  in.accumulate = addsBlocks() ? ir.getFalse() : isLater;
  unsigned registers = columns > kTileRows ? 2 : 1;
  if (plan.pairVectors)
    emitPairVectorsCall(ir, registers, in, rows);
  else
    emitTileRegisters(registers, in, rows);
  if (addsBlocks())
    addBlock(c, isLater);
  return rows;
}

void ProductEmitter::emitTileRegisters(unsigned columns, const PairOperands &in,
                                       Value *rows) {
  TileBlock block;
  block.rows = product.rowCount() > kTileRows ? 2 : 1;
  block.columns = columns;
  int64_t last = (product.rowCount() - 1) % plan.tileRows + 1;
  if (block.rows == 1 || last > kTileRows) {
    emitTileBlockCall(ir, block, in);
    return;
  }
  Value *isLow = ir.CreateICmpSLE(rows, ir.getInt64(kTileRows));
  emitIf(ir, isLow, [&] { emitTileBlockCall(ir, {1, columns}, in); });
  emitIf(ir, ir.CreateNot(isLow), [&] { emitTileBlockCall(ir, block, in); });
}

/// All of the tile's memory, used or not.
void ProductEmitter::addBlock(Value *c, Value *accumulate) {
  auto *floats = FixedVectorType::get(ir.getFloatTy(), plan.lanes);
  Value *kept = ir.CreateVectorSplat(plan.lanes, accumulate);
  emitFor(
      ir, ir.getInt64(0), ir.getInt64(plan.tileRows * plan.panelColumns()),
      plan.lanes, [&](Value *i) {
        Value *sum = ir.CreateAlignedLoad(floats, at(tileMemory, i), Align(64));
        Value *whole = ir.CreateFPToSI(sum, vector);
        Value *before = ir.CreateAlignedLoad(vector, at(c, i), Align(64));
        before = ir.CreateSelect(kept, before, Constant::getNullValue(vector));
        ir.CreateAlignedStore(ir.CreateAdd(before, whole), at(c, i), Align(64));
      });
}

/// True for blocks that are added to the one before.
Value *ProductEmitter::isLaterBlock(const Depth &depth) {
  if (plan.depthBlocks() == 1)
    return ir.getFalse();
  Value *place = depth.number;
  if (plan.sums() > 1)
    place = ir.CreateURem(place, ir.getInt64(plan.blocksPerSum));
  return ir.CreateICmpNE(place, ir.getInt64(0));
}

/// Behind the last block of a sum, brings the tile's sum into the tree, whose
/// levels lie behind the tiles; behind the last block of all, the tile gets the
/// whole. Level k holds the sum of 2^k sums, or nothing: a binary counter.
void ProductEmitter::meetSums(const Depth &depth, Value *values, Value *rows,
                              int64_t columns, int64_t stride) {
  auto forVectors = [&](function_ref<void(Value *)> body) {
    emitFor(ir, ir.getInt64(0), rows, 1, [&](Value *row) {
      emitFor(ir, ir.getInt64(0), ir.getInt64(columns), plan.lanes,
              [&](Value *column) {
                body(ir.CreateAdd(times(row, stride), column));
              });
    });
  };
  auto levelAt = [&](Value *level) {
    Value *bytes = times(ir.CreateAdd(level, ir.getInt64(1)), plan.scratchC);
    return ir.CreateGEP(ir.getInt8Ty(), values, bytes);
  };
  auto load = [&](Value *base, Value *i) {
    return ir.CreateAlignedLoad(vector, at(base, i), Align(4));
  };
  Value *isLast =
      ir.CreateICmpEQ(depth.number, ir.getInt64(plan.depthBlocks() - 1));
  Value *next = ir.CreateAdd(depth.number, ir.getInt64(1));
  Value *left = ir.CreateURem(next, ir.getInt64(plan.blocksPerSum));
  Value *ends = ir.CreateOr(isLast, ir.CreateICmpEQ(left, ir.getInt64(0)));
  emitIf(ir, ends, [&] {
    Value *full = ir.CreateUDiv(depth.number, ir.getInt64(plan.blocksPerSum));
    // Full levels below the lowest free one; in the end, all full ones.
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
        forVectors([&](Value *i) {
          Value *sum = ir.CreateFAdd(load(held, i), load(values, i));
          ir.CreateAlignedStore(sum, at(values, i), Align(4));
        });
      });
    });
    emitIf(ir, ir.CreateNot(isLast), [&] {
      Value *held = levelAt(lowest);
      forVectors([&](Value *i) {
        ir.CreateAlignedStore(load(values, i), at(held, i), Align(4));
      });
    });
  });
}

void ProductEmitter::emitPanel(const Depth &depth, Range tiles, Range panels,
                               Value *tile, Value *panel, int64_t columns) {
  Value *column = times(panel, plan.panelColumns());
  Value *local = ir.CreateSub(panel, panels.begin);
  Value *b;
  if (plan.packB)
    b = at(packedB, times(local, plan.panelElements()));
  else
    b = atB(depth.b, column);

  // Where the tile's rows are kept.
  int64_t stride = plan.panelColumns();
  SmallVector<Value *> outputs;
  Value *values = tileMemory;
  if (plan.usesPairs && plan.scratchC > 0) {
    // Each tile by itself: rows far from each other crowd the cache.
    Value *number = times(ir.CreateSub(tile, tiles.begin), plan.panelsPerBlock);
    values = at(partial, times(ir.CreateAdd(number, local),
                               plan.tileRows * plan.panelColumns()));
  } else if (plan.turned || (!plan.directC && plan.depthBlocks() > 1)) {
    stride = plan.panelsPerBlock * plan.panelColumns();
    Value *first =
        times(ir.CreateSub(tile, tiles.begin), plan.tileRows * stride);
    values =
        at(partial, ir.CreateAdd(first, times(local, plan.panelColumns())));
  }
  bool plainRows = plan.walkA || product.rows.size() == 1;
  Value *base = nullptr;
  if (plan.directC)
    base = at(at(c, column), offsetOf(product.rows, Side::C, tileRow));
  for (int64_t row = 0; row < plan.tileRows; ++row) {
    if (!plan.directC)
      outputs.push_back(at(values, row * stride));
    else if (plainRows)
      outputs.push_back(at(base, row * product.rows.back().c));
    else
      outputs.push_back(
          at(at(c, column), offsetOf(product.rows, Side::C,
                                     ir.CreateAdd(tileRow, ir.getInt64(row)))));
  }

  Value *rows = plan.usesPairs ? emitPairs(depth, columns, b, values, stride)
                               : emitSizes(depth, tile, panel, columns, b,
                                           outputs, stride);
  if (plan.sums() > 1)
    meetSums(depth, values, rows, columns, stride);
  if (plan.directC || plan.turned)
    return;
  FinishedTile finished;
  finished.batch = batch;
  finished.row = tileRow;
  finished.rows = rows;
  finished.column = column;
  finished.columns = columns;
  finished.values = values;
  finished.stride = stride;
  if (plan.depthBlocks() == 1)
    finish(finished);
  else
    emitIf(ir,
           ir.CreateICmpEQ(depth.number, ir.getInt64(plan.depthBlocks() - 1)),
           [&] { finish(finished); });
}

void ProductEmitter::multiply(const Depth &depth, Range tiles, Range panels) {
  bool fetches = plan.turned && !plan.shareB && plan.rowBlocks == 1 &&
                 plan.linearB && product.depth.back().b == 1 &&
                 plan.depthBlocks() > 1;
  bool inPlace = !plan.packA && !plan.packB && !plan.walkA;
  bool copied = plan.keepRowsA && product.a == NumberFormat::Plain;
  bool fetchesRows = (inPlace || copied) && product.rows.size() == 1 &&
                     plan.linearA && product.depth.back().a == 1 &&
                     plan.blockDepth() >= 64 && plan.tiles > 1;
  bool fetchesLines = plan.packB && !plan.shareB && !plan.turned &&
                      !plan.usesPairs && product.depth.size() == 1 &&
                      product.columns.size() == 1 && product.columns[0].b == 1;
  emitFor(ir, tiles.begin, tiles.end, 1, [&](Value *tile) {
    if (fetches)
      fetchNext(depth, tile, panels);
    tileRow = firstRow(tile);
    aRows.clear();
    if (plan.packA) {
      Value *local = ir.CreateSub(tile, tiles.begin);
      int64_t size = plan.usesPairs ? plan.tileRows * plan.tileRowBytes() / 4
                                    : plan.tileElements();
      if (plan.keepRowsA)
        copyRows(depth, tile, packedA);
      aRows.push_back(plan.keepRowsA ? packedA
                                     : at(packedA, times(local, size)));
      aRows.resize(plan.tileRows, aRows[0]);
    } else if (plan.walkA) {
      aRows.assign(plan.tileRows,
                   atA(depth.a, offsetOf(product.rows, Side::A, tileRow)));
    } else {
      bool plainRows = product.rows.size() == 1;
      Value *base = atA(depth.a, offsetOf(product.rows, Side::A, tileRow));
      for (int64_t row = 0; row < plan.tileRows; ++row) {
        if (plainRows) {
          aRows.push_back(atA(base, ir.getInt64(row * product.rows[0].a)));
          continue;
        }
        Value *index = ir.CreateAdd(tileRow, ir.getInt64(row));
        aRows.push_back(atA(depth.a, offsetOf(product.rows, Side::A, index)));
      }
    }
    forPanels(panels, [&](Value *panel, int64_t columns) {
      if (fetchesRows)
        fetchRows(depth, tiles, tile, ir.CreateSub(panel, panels.begin));
      if (fetchesLines)
        fetchLines(depth, tiles, tile, panels, panel);
      emitPanel(depth, tiles, panels, tile, panel, columns);
    });
  });
}

void ProductEmitter::emitTask(Value *task) {
  Value *rowBlock = ir.CreateURem(task, ir.getInt64(plan.rowBlocks));
  Value *rest = ir.CreateUDiv(task, ir.getInt64(plan.rowBlocks));
  Value *columnBlock = ir.CreateURem(rest, ir.getInt64(plan.columnBlocks));
  batch = ir.CreateUDiv(rest, ir.getInt64(plan.columnBlocks));
  Range tiles = rangeOf(rowBlock, plan.tilesPerBlock, plan.tiles);
  Range panels = rangeOf(columnBlock, plan.panelsPerBlock, plan.panels);
  Value *a = atA(pointers.a, offsetOf(product.batch, Side::A, batch));
  Value *b = atB(pointers.b, offsetOf(product.batch, Side::B, batch));
  if (plan.directC)
    c = at(pointers.c, offsetOf(product.batch, Side::C, batch));
  auto scratchAt = [&](int64_t bytes) {
    return ir.CreateGEP(ir.getInt8Ty(), pointers.scratch, ir.getInt64(bytes));
  };
  if (plan.scratchB)
    packedB = scratchAt(0);
  if (plan.packA)
    packedA = scratchAt(plan.scratchB);
  if (plan.scratchC)
    partial = scratchAt(plan.scratchB + plan.scratchA);
  if (plan.scratchStage)
    stage = scratchAt(plan.scratchB + plan.scratchA + plan.scratchC +
                      plan.scratchSums);
  if (plan.turned)
    turned = scratchAt(plan.scratchBytes() - plan.scratchTurned);
  emitFor(ir, ir.getInt64(0), ir.getInt64(plan.depthBlocks()), 1,
          [&](Value *number) {
            Depth depth = enterDepth(number, a, b);
            if (plan.shareB) {
              Value *block = number;
              if (!plan.oneB)
                block = ir.CreateAdd(times(batch, plan.depthBlocks()), number);
              Value *first =
                  ir.CreateAdd(times(block, plan.panels), panels.begin);
              packedB = at(pointers.shared, times(first, plan.panelElements()));
            } else if (plan.packB) {
              packPanels(depth, panels, packedB);
            }
            if (plan.packA && !plan.keepRowsA)
              packTiles(depth, tiles, packedA);
            multiply(depth, tiles, panels);
          });
  if (plan.turned)
    turnBack(tiles, panels);
}

void ProductEmitter::emitPackTask(Value *task) {
  // In the order of the tasks that multiply: who packs will mostly read it too.
  Value *number = ir.CreateURem(task, ir.getInt64(plan.depthBlocks()));
  Value *rest = ir.CreateUDiv(task, ir.getInt64(plan.depthBlocks()));
  Value *columnBlock = ir.CreateURem(rest, ir.getInt64(plan.columnBlocks));
  batch = plan.oneB ? ir.getInt64(0)
                    : ir.CreateUDiv(rest, ir.getInt64(plan.columnBlocks));
  Value *block = ir.CreateAdd(times(batch, plan.depthBlocks()), number);
  Range panels = rangeOf(columnBlock, plan.panelsPerBlock, plan.panels);
  stage = pointers.scratch;
  Value *b = atB(pointers.b, offsetOf(product.batch, Side::B, batch));
  Depth depth = enterDepth(number, pointers.a ? pointers.a : b, b);
  Value *first = ir.CreateAdd(times(block, plan.panels), panels.begin);
  packPanels(depth, panels,
             at(pointers.shared, times(first, plan.panelElements())));
}

/// The sides as the plan sees them.
static ProductPointers planned(const ContractionPlan &plan,
                               ProductPointers pointers) {
  if (plan.turned) {
    std::swap(pointers.a, pointers.b);
    std::swap(pointers.widenA, pointers.widenB);
  }
  return pointers;
}

void emitProduct(IRBuilder<> &ir, const ContractionPlan &plan,
                 const ProductPointers &given, Value *begin, Value *end,
                 const TileFinisher &finish) {
  ProductPointers pointers = planned(plan, given);
  ProductEmitter emitter(ir, plan, pointers, finish);
  emitter.reserveTile();
  emitter.emitTable();
  bool setsTiles = plan.usesPairs && !plan.pairVectors;
  if (setsTiles)
    emitTileSetting(ir);
  emitFor(ir, begin, end, 1, [&](Value *task) { emitter.emitTask(task); });
  if (setsTiles)
    emitTileRelease(ir);
}

void emitSharedPack(IRBuilder<> &ir, const ContractionPlan &plan,
                    const ProductPointers &given, Value *begin, Value *end) {
  ProductPointers pointers = planned(plan, given);
  TileFinisher none;
  ProductEmitter emitter(ir, plan, pointers, none);
  emitFor(ir, begin, end, 1, [&](Value *task) { emitter.emitPackTask(task); });
}

} // namespace xlac::codegen
