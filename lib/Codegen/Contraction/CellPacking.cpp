#include "CellPacking.h"

#include "Loops.h"

#include "llvm/Analysis/VectorUtils.h"

using namespace llvm;

namespace xlac::codegen {

CellProducts cellProducts(const ContractionPlan &plan) {
  CellProducts products;
  if (plan.cells == CellKind::None)
    return products;
  products.kind = plan.cells == CellKind::Bytes ? CellProducts::Bytes
                  : plan.hasVnni                ? CellProducts::FusedWords
                                                : CellProducts::Words;
  products.unsignedB = plan.cells == CellKind::Bytes && plan.gemm.unsignedB;
  products.startsFromB = plan.flipsA;
  return products;
}

Widening cellWidening(LLVMContext &context, CellKind kind, NumberFormat format,
                      bool isUnsigned, bool flips) {
  Widening widening;
  if (kind == CellKind::Words && format == NumberFormat::I8) {
    widening.memory = Type::getInt16Ty(context);
    widening.name = isUnsigned ? ".ui8x2" : ".i8x2";
    widening.emit = [=](IRBuilder<> &ir, Value *raw) -> Value * {
      auto *vector = dyn_cast<FixedVectorType>(raw->getType());
      unsigned bytes = 2 * (vector ? vector->getNumElements() : 1);
      Value *narrow =
          ir.CreateBitCast(raw, FixedVectorType::get(ir.getInt8Ty(), bytes));
      Type *words = FixedVectorType::get(ir.getInt16Ty(), bytes);
      Value *wide = isUnsigned ? ir.CreateZExt(narrow, words)
                               : ir.CreateSExt(narrow, words);
      return ir.CreateBitCast(wide, raw->getType()->getWithNewBitWidth(32));
    };
  } else if (flips) {
    assert(kind == CellKind::Bytes && "words have signs");
    widening.memory = Type::getInt32Ty(context);
    widening.name = ".flipped";
    widening.emit = [](IRBuilder<> &ir, Value *raw) {
      return ir.CreateXor(raw, ConstantInt::get(raw->getType(), 0x80808080u));
    };
  }
  return widening;
}

Value *emitCellCount(IRBuilder<> &ir, const CellSource &source) {
  return ir.CreateLShr(ir.CreateAdd(source.k, ir.getInt64(source.cellSize - 1)),
                       Log2_32(source.cellSize));
}

/// All parts together are one register, in which two instructions move first
/// each part's share of 128 bits, and then the elements within them.
Value *emitInterleaved(IRBuilder<> &ir, ArrayRef<Value *> parts) {
  auto *part = cast<FixedVectorType>(parts[0]->getType());
  unsigned bits = part->getScalarSizeInBits(), lanes = part->getNumElements();
  unsigned size = parts.size();
  unsigned perShare = std::min(128 / size / bits, lanes);
  unsigned shareBits = perShare * bits;
  unsigned shares = lanes / perShare; // of a part
  SmallVector<int> moveShares, moveElements;
  for (unsigned share = 0; share < shares; ++share)
    for (unsigned line = 0; line < size; ++line)
      moveShares.push_back(int(line * shares + share));
  for (unsigned share = 0; share < shares; ++share)
    for (unsigned i = 0; i < perShare; ++i)
      for (unsigned line = 0; line < size; ++line)
        moveElements.push_back(int((share * size + line) * perShare + i));
  auto vectorOf = [&](unsigned width, size_t count) {
    return FixedVectorType::get(ir.getIntNTy(width), count);
  };
  Value *all = concatenateVectors(ir, parts);
  all = ir.CreateBitCast(all, vectorOf(shareBits, moveShares.size()));
  all = ir.CreateShuffleVector(all, moveShares);
  all = ir.CreateBitCast(all, vectorOf(bits, moveElements.size()));
  all = ir.CreateShuffleVector(all, moveElements);
  return ir.CreateBitCast(all, vectorOf(bits * size, lanes));
}

namespace {
class CellPack {
public:
  CellPack(IRBuilder<> &ir, const CellSource &source)
      : ir(ir), source(source), element(source.panel.element),
        cell(ir.getInt32Ty()), lanes(source.panel.vectorLanes),
        size(source.cellSize) {}

  /// Lines of lanes, one for each index of K, `stride` elements apart.
  struct Lines {
    Value *base;
    int64_t stride;
  };

  void packRuns(Value *first, unsigned width, ValidLanes valid, Value *target);
  void packRow(Value *from, Value *target);
  void packLines(const Lines &lines, unsigned width, Value *panels,
                 Value *target, int64_t targetStride);

private:
  Value *at(Value *base, Value *offset) {
    return ir.CreateGEP(element, base, offset);
  }
  Value *cellAt(Value *base, Value *offset) {
    return ir.CreateGEP(cell, base, offset);
  }
  Value *times(Value *value, int64_t factor) {
    return ir.CreateMul(value, ir.getInt64(factor));
  }
  Value *wholeCells() { return ir.CreateLShr(source.k, Log2_32(size)); }
  /// Returns the elements of the last cell if it is not whole, or zero.
  Value *elementsLeft() { return ir.CreateAnd(source.k, size - 1); }
  Value *widened(Value *raw) {
    return source.widening ? source.widening.emit(ir, raw) : raw;
  }

  Value *lastCell(Value *from, Value *left);
  void storeCells(ArrayRef<Value *> parts, Value *place);
  void packCell(Value *line, const Lines &lines, Value *left, unsigned width,
                Value *place);

  IRBuilder<> &ir;
  const CellSource &source;
  Type *element, *cell;
  unsigned lanes, size;
};
} // namespace

/// Returns the cell of the `left` elements at `from`, padded with zeros.
Value *CellPack::lastCell(Value *from, Value *left) {
  unsigned bits = element->getPrimitiveSizeInBits();
  Type *raw = ir.getIntNTy(bits * size);
  Value *whole = ConstantInt::get(raw, 0);
  Value *last = ir.CreateSub(left, ir.getInt64(1));
  for (unsigned i = 0; i + 1 < size; ++i) {
    // Elements that do not exist are not read.
    Value *index =
        ir.CreateBinaryIntrinsic(Intrinsic::smin, ir.getInt64(i), last);
    Value *part = ir.CreateAlignedLoad(element, at(from, index), Align(1));
    part = ir.CreateShl(ir.CreateZExt(part, raw), i * bits);
    Value *exists = ir.CreateICmpSLT(ir.getInt64(i), left);
    whole = ir.CreateOr(
        whole, ir.CreateSelect(exists, part, ConstantInt::get(raw, 0)));
  }
  return widened(whole);
}

/// Whole cells are elements of a panel, whose last cell follows them.
void CellPack::packRuns(Value *first, unsigned width, ValidLanes valid,
                        Value *target) {
  PanelSource cells = source.panel;
  cells.element = cell;
  cells.unit = element;
  cells.widening = source.widening;
  bool isLinear = cells.k.size() == 1;
  cells.k.back().size /= size;
  cells.k.back().stride *= size;
  Value *count = isLinear ? wholeCells() : source.count;
  emitPackPanel(ir, cells, first, width, valid, count, target);
  if (!isLinear)
    return;
  Value *left = elementsLeft();
  emitIf(ir, ir.CreateICmpNE(left, ir.getInt64(0)), [&] {
    Value *begin = times(count, size);
    Value *place = cellAt(target, times(count, width));
    Value *all = valid.count ? valid.count : ir.getInt64(valid.most);
    emitFor(ir, ir.getInt64(0), all, 1, [&](Value *lane) {
      Value *offset =
          emitOffset(ir, source.panel.lanes, ir.CreateAdd(first, lane));
      Value *from = at(at(source.panel.base, offset), begin);
      ir.CreateAlignedStore(lastCell(from, left), cellAt(place, lane),
                            Align(4));
    });
  });
}

void CellPack::packRow(Value *from, Value *target) {
  Value *whole = wholeCells(), *left = elementsLeft();
  emitPackRun(ir, source.widening, FixedVectorType::get(cell, lanes),
              source.panel.masks, from, whole, target);
  emitIf(ir, ir.CreateICmpNE(left, ir.getInt64(0)), [&] {
    Value *last = lastCell(at(from, times(whole, size)), left);
    ir.CreateAlignedStore(last, cellAt(target, whole), Align(4));
  });
}

void CellPack::storeCells(ArrayRef<Value *> parts, Value *place) {
  ir.CreateAlignedStore(widened(emitInterleaved(ir, parts)), place, Align(4));
}

/// Packs the cells that begin at `line`. Of their elements, `left` exist; null
/// means all.
void CellPack::packCell(Value *line, const Lines &lines, Value *left,
                        unsigned width, Value *place) {
  auto *vector = FixedVectorType::get(element, lanes);
  for (unsigned lane = 0; lane < width; lane += lanes) {
    SmallVector<Value *> parts;
    for (unsigned i = 0; i < size; ++i) {
      Value *index = ir.getInt64(i);
      if (left)
        index = ir.CreateBinaryIntrinsic(Intrinsic::smin, index,
                                         ir.CreateSub(left, ir.getInt64(1)));
      Value *from =
          at(line, ir.CreateAdd(times(index, lines.stride), ir.getInt64(lane)));
      Value *part = ir.CreateAlignedLoad(vector, from, Align(1));
      if (left)
        part = ir.CreateSelect(ir.CreateICmpSLT(ir.getInt64(i), left), part,
                               Constant::getNullValue(vector));
      parts.push_back(part);
    }
    storeCells(parts, cellAt(place, ir.getInt64(lane)));
  }
}

void CellPack::packLines(const Lines &lines, unsigned width, Value *panels,
                         Value *target, int64_t targetStride) {
  auto pack = [&](Value *number, Value *left) {
    Value *line = at(lines.base, times(number, size * lines.stride));
    Value *row = cellAt(target, times(number, width));
    emitFor(ir, ir.getInt64(0), panels, 1, [&](Value *panel) {
      packCell(at(line, times(panel, width)), lines, left, width,
               cellAt(row, times(panel, targetStride)));
    });
  };
  Value *whole = wholeCells(), *left = elementsLeft();
  emitFor(ir, ir.getInt64(0), whole, 1,
          [&](Value *number) { pack(number, nullptr); });
  emitIf(ir, ir.CreateICmpNE(left, ir.getInt64(0)), [&] { pack(whole, left); });
}

void emitPackCells(IRBuilder<> &ir, const CellSource &source, Value *first,
                   unsigned width, ValidLanes valid, Value *target) {
  CellPack pack(ir, source);
  if (source.packing == PairPacking::Runs) {
    pack.packRuns(first, width, valid, target);
    return;
  }
  assert(source.stage && "elements have a place before they form cells");
  emitPackPanel(ir, source.panel, first, width, valid, source.count,
                source.stage);
  pack.packLines({source.stage, int64_t(width)}, width, ir.getInt64(1), target,
                 0);
}

void emitPackCellLines(IRBuilder<> &ir, const CellSource &source, Value *first,
                       unsigned width, Value *panels, Value *target,
                       int64_t stride) {
  const PanelSource &panel = source.panel;
  assert(source.packing == PairPacking::Lines && panel.k.size() == 1 &&
         width % panel.vectorLanes == 0 && "lines of whole registers");
  Value *base = ir.CreateGEP(panel.element, panel.base,
                             emitOffset(ir, panel.lanes, first));
  CellPack(ir, source)
      .packLines({base, panel.k[0].stride}, width, panels, target, stride);
}

void emitPackCellRun(IRBuilder<> &ir, const CellSource &source, Value *from,
                     Value *target) {
  assert(source.packing == PairPacking::Runs && source.panel.k.size() == 1 &&
         "the elements of a row are adjacent");
  CellPack(ir, source).packRow(from, target);
}

/// Flipping the sign of a byte adds 128 if it was signed, and subtracts 128
/// otherwise. The products with B then differ by as many times the sum of B's
/// column.
void emitCellStart(IRBuilder<> &ir, const CellProducts &products,
                   const CellSource &source, Value *cells, unsigned width,
                   Value *target) {
  unsigned lanes = source.panel.vectorLanes;
  Type *cell = ir.getInt32Ty();
  auto *vector = FixedVectorType::get(cell, lanes);
  Value *ones = ConstantInt::get(vector, 0x01010101);
  auto at = [&](Value *base, Value *offset) {
    return ir.CreateGEP(cell, base, offset);
  };
  LoopValues sums(width / lanes, Constant::getNullValue(vector));
  sums = emitFor(
      ir, ir.getInt64(0), emitCellCount(ir, source), ir.getInt64(1), sums,
      [&](Value *number, ArrayRef<Value *> now) {
        Value *row = at(cells, ir.CreateMul(number, ir.getInt64(width)));
        LoopValues next;
        for (unsigned v = 0; v < now.size(); ++v) {
          Value *b = ir.CreateAlignedLoad(
              vector, at(row, ir.getInt64(v * lanes)), Align(4));
          next.push_back(emitCellProducts(ir, products, now[v], ones, b));
        }
        return next;
      });
  for (unsigned v = 0; v < sums.size(); ++v) {
    Value *start = ir.CreateShl(sums[v], 7);
    if (!products.unsignedB)
      start = ir.CreateNeg(start);
    ir.CreateAlignedStore(start, at(target, ir.getInt64(v * lanes)), Align(4));
  }
}

} // namespace xlac::codegen
