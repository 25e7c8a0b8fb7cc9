// Packs operands of GEMMs of pairs: B as VNNI pairs, A as rows along K, of bf16
// or of bytes. Operands in any other layout are first converted to lines of
// lanes in scratch.
#include "TileRegisters.h"

#include "CellPacking.h"
#include "Kernels/TransposedCopy.h"
#include "Loops.h"

using namespace llvm;

namespace xlac::codegen {

namespace {
class PairPack {
public:
  PairPack(IRBuilder<> &ir, const PairSource &source, Value *first,
           unsigned width, unsigned valid, Value *target)
      : ir(ir), source(source), first(first), width(width), valid(valid),
        target(target), unit(source.panel.element),
        bits(unit->getPrimitiveSizeInBits()) {}

  void packPairs();
  void packRows(int64_t rowBytes);

private:
  /// Lines of lanes, one for each index of K.
  struct Lines {
    Value *base;
    int64_t stride; ///< in elements
    bool isWhole;   ///< lanes that are not valid may be read
  };

  Value *at(Value *base, Value *offset) {
    return ir.CreateGEP(unit, base, offset);
  }
  Value *at(Value *base, int64_t offset) {
    return at(base, ir.getInt64(offset));
  }
  Value *times(Value *value, int64_t factor) {
    return ir.CreateMul(value, ir.getInt64(factor));
  }
  Value *load(Value *address, unsigned lanes, Value *mask) {
    auto *type = FixedVectorType::get(unit, lanes);
    if (!mask)
      return ir.CreateAlignedLoad(type, address, Align(1));
    return ir.CreateMaskedLoad(type, address, Align(1), mask,
                               Constant::getNullValue(type));
  }
  void store(Value *value, Value *address) {
    ir.CreateAlignedStore(value, address, Align(bits / 8));
  }
  /// Elements of a row of a register, and of 32 bits of it.
  unsigned registerK() const { return kTileRowBytes * 8 / bits; }
  unsigned pairSize() const { return 32 / bits; }
  Constant *zeros() {
    return Constant::getNullValue(FixedVectorType::get(unit, registerK()));
  }
  /// Interleaves the elements of `low` and `high`.
  Value *interleave(Value *low, Value *high, unsigned begin, unsigned count) {
    int lanes = cast<FixedVectorType>(low->getType())->getNumElements();
    SmallVector<int> mask;
    for (unsigned i = begin; i < begin + count; ++i)
      mask.append({int(i), int(i) + lanes});
    return ir.CreateShuffleVector(low, high, mask);
  }

  Lines findLines();
  void pairCells();
  void pairLines(const Lines &lines);
  void copyRuns(int64_t rowBytes);
  void copyRun(Value *from, Value *to, Value *size);
  void transposeLines(const Lines &lines, int64_t rowBytes);
  void endRows(int64_t rowBytes);

  IRBuilder<> &ir;
  const PairSource &source;
  Value *first;
  unsigned width, valid;
  Value *target;
  Type *unit;
  unsigned bits;
};
} // namespace

PairPack::Lines PairPack::findLines() {
  const PanelSource &panel = source.panel;
  if (source.packing == PairPacking::Lines)
    return {at(panel.base, emitOffset(ir, panel.lanes, first)),
            panel.k.back().stride, valid == width};
  emitPackPanel(ir, panel, first, width, {valid}, source.count, source.stage);
  return {source.stage, int64_t(width), true};
}

//===- Packing B: VNNI pairs ----------------------------------------------===//

void PairPack::packPairs() {
  Value *pairs;
  if (source.packing == PairPacking::Runs) {
    pairCells();
    pairs = ir.CreateLShr(source.k, 1);
  } else {
    pairLines(findLines());
    pairs = ir.CreateLShr(ir.CreateAdd(source.k, ir.getInt64(1)), 1);
  }
  Value *all = ir.CreateAnd(ir.CreateAdd(pairs, ir.getInt64(15)), -16);
  emitFor(ir, pairs, all, 1, [&](Value *pair) {
    Value *place = at(target, times(pair, 2 * width));
    for (unsigned lane = 0; lane < width; lane += 16)
      store(zeros(), at(place, 2 * lane));
  });
}

/// Two indices of K of a lane are adjacent in memory, as in a cell of the
/// target.
void PairPack::pairCells() {
  PanelSource cells = source.panel;
  cells.element = ir.getInt32Ty();
  cells.unit = unit;
  cells.vectorLanes = 16;
  Value *pairs = ir.CreateLShr(source.k, 1);
  cells.k = {{1, 2}};
  emitPackPanel(ir, cells, first, width, {valid}, pairs, target);
}

void PairPack::pairLines(const Lines &lines) {
  Value *mask =
      lines.isWhole ? nullptr : leadingMask(ir.getContext(), width, valid);
  auto storePair = [&](Value *low, Value *high, Value *pair) {
    Value *place = at(target, times(pair, 2 * width));
    for (unsigned lane = 0; lane < width; lane += 16)
      store(interleave(low, high, lane, 16), at(place, 2 * lane));
  };
  Value *pairs = ir.CreateLShr(source.k, 1);
  emitFor(ir, ir.getInt64(0), pairs, 1, [&](Value *pair) {
    Value *line = at(lines.base, times(pair, 2 * lines.stride));
    Value *low = load(line, width, mask);
    storePair(low, load(at(line, lines.stride), width, mask), pair);
  });
  Value *odd = ir.CreateTrunc(source.k, ir.getInt1Ty());
  emitIf(ir, odd, [&] {
    Value *line = at(lines.base, times(pairs, 2 * lines.stride));
    Value *low = load(line, width, mask);
    storePair(low, Constant::getNullValue(low->getType()), pairs);
  });
}

//===- Packing A: rows along K --------------------------------------------===//

void PairPack::packRows(int64_t rowBytes) {
  if (source.packing == PairPacking::Runs)
    copyRuns(rowBytes);
  else
    transposeLines(findLines(), rowBytes);
  endRows(rowBytes);
}

void PairPack::copyRuns(int64_t rowBytes) {
  ArrayRef<StridedDim> k = source.panel.k;
  emitFor(ir, ir.getInt64(0), ir.getInt64(valid), 1, [&](Value *row) {
    Value *from = at(source.panel.base, emitOffset(ir, source.panel.lanes,
                                                   ir.CreateAdd(first, row)));
    Value *to = at(target, times(row, rowBytes * 8 / bits));
    if (k.size() == 1) {
      copyRun(from, to, source.count);
      return;
    }
    int64_t size = k.back().size;
    Value *runs = source.count;
    for (const StridedDim &dim : k.drop_front().drop_back())
      runs = times(runs, dim.size);
    emitFor(ir, ir.getInt64(0), runs, 1, [&](Value *run) {
      Value *offset = emitOffset(ir, k.drop_back(), run);
      copyRun(at(from, offset), at(to, times(run, size)), ir.getInt64(size));
    });
  });
}

/// May write up to a vector beyond the end.
void PairPack::copyRun(Value *from, Value *to, Value *size) {
  unsigned lanes = registerK();
  Value *whole = ir.CreateAnd(size, -int64_t(lanes));
  emitFor(ir, ir.getInt64(0), whole, lanes, [&](Value *i) {
    store(load(at(from, i), lanes, nullptr), at(to, i));
  });
  Value *left = ir.CreateSub(size, whole);
  auto *known = dyn_cast<ConstantInt>(left);
  if (known && known->isZero())
    return;
  store(load(at(from, whole), lanes, leadingMask(ir, lanes, left)),
        at(to, whole));
}

/// Transposes sixteen lines of pairs or groups at a time, as 32-bit cells.
/// Beyond the end, the last line is read again, and endRows() overwrites it.
void PairPack::transposeLines(const Lines &lines, int64_t rowBytes) {
  Value *mask =
      lines.isWhole ? nullptr : leadingMask(ir.getContext(), width, valid);
  Value *last = ir.CreateSub(source.k, ir.getInt64(1));
  emitFor(ir, ir.getInt64(0), source.k, registerK(), [&](Value *begin) {
    auto line = [&](unsigned number) {
      Value *k = ir.CreateBinaryIntrinsic(
          Intrinsic::smin, ir.CreateAdd(begin, ir.getInt64(number)), last);
      return load(at(lines.base, times(k, lines.stride)), width, mask);
    };
    SmallVector<Value *> columns;
    for (unsigned pair = 0; pair < 16; ++pair) {
      SmallVector<Value *> parts;
      for (unsigned i = 0; i < pairSize(); ++i)
        parts.push_back(line(pairSize() * pair + i));
      columns.push_back(emitInterleaved(ir, parts));
    }
    Value *place = at(target, begin);
    for (auto [row, value] : enumerate(emitTransposed(ir, columns)))
      ir.CreateAlignedStore(
          value, at(place, int64_t(row) * rowBytes * 8 / bits), Align(4));
  });
}

void PairPack::endRows(int64_t rowBytes) {
  auto *known = dyn_cast<ConstantInt>(source.k);
  if (known && known->getZExtValue() % registerK() == 0)
    return;
  Value *end = at(target, source.k);
  emitFor(ir, ir.getInt64(0), ir.getInt64(valid), 1, [&](Value *row) {
    store(zeros(), at(end, times(row, rowBytes * 8 / bits)));
  });
}

void emitPackPairs(IRBuilder<> &ir, const PairSource &source, Value *first,
                   unsigned width, unsigned valid, Value *target) {
  assert(1 <= valid && valid <= width && width % 16 == 0 &&
         "panels are divided into stores of 16 cells");
  assert(source.panel.element->isIntegerTy(16) && "pairs of bf16");
  PairPack(ir, source, first, width, valid, target).packPairs();
}

void emitPackTileRows(IRBuilder<> &ir, const PairSource &source, Value *first,
                      unsigned valid, int64_t rowBytes, Value *target) {
  assert(1 <= valid && valid <= kTileRows && rowBytes % 2 == 0 &&
         "rows of a register");
  PairPack(ir, source, first, kTileRows, valid, target).packRows(rowBytes);
}

} // namespace xlac::codegen
