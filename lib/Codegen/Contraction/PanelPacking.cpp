// Packs panels of operands, element by element of memory.
#include "PanelPacking.h"

#include "Kernels/TransposedCopy.h"
#include "Loops.h"

#include <numeric>

using namespace llvm;

namespace xlac::codegen {

int64_t PanelSource::laneCount() const {
  int64_t count = 1;
  for (const StridedDim &dim : lanes)
    count *= dim.size;
  return count;
}

Value *emitOffset(IRBuilder<> &ir, ArrayRef<StridedDim> dims, Value *index) {
  Value *offset = nullptr;
  for (size_t number = dims.size(); number-- > 0;) {
    const StridedDim &dim = dims[number];
    Value *own = index;
    if (number > 0) {
      Value *size = ir.getInt64(dim.size);
      own = ir.CreateURem(index, size);
      index = ir.CreateUDiv(index, size);
    }
    own = ir.CreateMul(own, ir.getInt64(dim.stride));
    offset = offset ? ir.CreateAdd(offset, own) : own;
  }
  return offset ? offset : ir.getInt64(0);
}

namespace {
/// Emits the packing of one panel. The strides determine the method.
class PanelPacking {
public:
  PanelPacking(IRBuilder<> &ir, const PanelSource &source, Value *first,
               unsigned width, ValidLanes valid, Value *target)
      : ir(ir), source(source), first(first), width(width), valid(valid),
        target(target), lanes(source.vectorLanes),
        memory(source.widening ? source.widening.memory : source.element),
        vector(FixedVectorType::get(memory, lanes)) {}

  void run(Value *count) {
    const StridedDim &lane = source.lanes.back();
    int64_t step = unitsPerElement();
    bool runs = lane.stride == step && lane.size > 1;
    bool whole = source.lanes.size() == 1;
    bool kIsContiguous = source.k.back().stride == step;
    bool cheapPieces = whole || source.masks;
    if (runs && cheapPieces && (whole || lane.size >= lanes - 1)) {
      findPieces(whole);
      loops(count, false,
            [&](Value *offset, Value *k, Value *) { copyPieces(offset, k); });
      return;
    }
    unsigned length = runs ? runLength() : 1;
    bool transposes = kIsContiguous && (source.k.back().size >= lanes / 2 ||
                                        source.k.size() == 1);
    if (transposes && length < 4) {
      findLanes(roundedWidth());
      loops(count, true, [&](Value *offset, Value *k, Value *run) {
        copyTransposed(offset, k, run);
      });
    } else {
      findLanes(width, length);
      loops(count, false, [&](Value *offset, Value *k, Value *) {
        copyRuns(offset, k, length);
      });
    }
  }

  /// Packs all panels for one index of K, then for the next.
  void runLines(Value *panels, Value *count, int64_t stride) {
    Value *start = at(emitOffset(ir, source.lanes, first));
    loops(count, false, [&](Value *offset, Value *k, Value *) {
      Value *from = moved(start, offset), *to = targetAt(k, 0);
      emitFor(ir, ir.getInt64(0), panels, 1, [&](Value *panel) {
        Value *run = moved(from, ir.CreateMul(panel, ir.getInt64(width)));
        Value *place = ir.CreateGEP(source.element, to,
                                    ir.CreateMul(panel, ir.getInt64(stride)));
        for (unsigned begin = 0; begin < width; begin += lanes) {
          Constant *mask = nullptr;
          if (width - begin < lanes)
            mask = leadingMask(ir.getContext(), lanes, width - begin);
          Value *raw = loadMasked(moved(run, ir.getInt64(begin)), mask);
          storeAt(widened(raw),
                  ir.CreateGEP(source.element, place, ir.getInt64(begin)));
        }
      });
    });
  }

private:
  /// Lanes of one register: from one row of the source, or from the end of one
  /// row and the beginning of the next.
  struct Piece {
    Value *low = nullptr, *lowMask = nullptr;
    Value *high = nullptr, *highMask = nullptr;
  };

  int64_t unitsPerElement() const {
    return source.unit ? memory->getPrimitiveSizeInBits() /
                             source.unit->getPrimitiveSizeInBits()
                       : 1;
  }
  Value *moved(Value *from, Value *offset) {
    return ir.CreateGEP(source.unit ? source.unit : memory, from, offset);
  }

  /// Returns the length of the short runs of contiguous lanes of which the
  /// panel consists, a power of two, or 1.
  unsigned runLength() const {
    if (!source.startsAtMultiple || valid.count)
      return 1;
    int64_t run = std::gcd<int64_t>(source.lanes.back().size, lanes);
    return std::gcd(run, std::gcd<int64_t>(width, valid.most));
  }

  unsigned roundedWidth() const { return (width + lanes - 1) / lanes * lanes; }

  Value *at(Value *offset) { return moved(source.base, offset); }

  void findPieces(bool whole) {
    for (unsigned begin = 0; begin < width; begin += lanes) {
      Piece piece;
      int64_t usable = std::min<int64_t>(int64_t(valid.most) - begin, lanes);
      if (usable <= 0) {
        pieces.push_back(piece);
        continue;
      }
      Value *lane = ir.CreateAdd(first, ir.getInt64(begin));
      piece.low = at(emitOffset(ir, source.lanes, lane));
      Value *inside = nullptr;
      if (valid.count)
        inside = leadingMask(ir, lanes,
                             ir.CreateSub(valid.count, ir.getInt64(begin)));
      else
        inside = leadingMask(ir.getContext(), lanes, usable);
      if (whole) {
        if (usable < lanes || valid.count)
          piece.lowMask = inside;
        pieces.push_back(piece);
        continue;
      }
      Value *size = ir.getInt64(source.lanes.back().size);
      Value *left = ir.CreateSub(size, ir.CreateURem(lane, size));
      Value *next = ir.CreateAdd(lane, left);
      // Nothing is read beyond the last row: all its lanes are masked off.
      next = ir.CreateBinaryIntrinsic(Intrinsic::umin, next,
                                      ir.getInt64(source.laneCount() - 1));
      Value *inFirst = leadingMask(ir, lanes, left);
      piece.lowMask = ir.CreateAnd(inFirst, inside);
      piece.highMask = ir.CreateAnd(ir.CreateNot(inFirst), inside);
      piece.high = moved(at(emitOffset(ir, source.lanes, next)),
                         ir.CreateMul(left, ir.getInt64(-unitsPerElement())));
      pieces.push_back(piece);
    }
  }

  /// Stores the addresses of every `step`th lane in a table. Computing an
  /// address from several dimensions takes divisions, and a loop does them with
  /// little code. Lanes that are not valid use the address of the last valid
  /// ones.
  void findLanes(unsigned count, unsigned step = 1) {
    count /= step;
    table = emitFrameMemory(ir, ArrayType::get(ir.getPtrTy(), count), Align(8));
    emitFor(ir, ir.getInt64(0), ir.getInt64(count), 1, [&](Value *number) {
      Value *there = ir.CreateMul(number, ir.getInt64(step));
      Value *all = valid.count ? valid.count : ir.getInt64(valid.most);
      if (valid.count || valid.most < count * step)
        there = ir.CreateBinaryIntrinsic(Intrinsic::smin, there,
                                         ir.CreateSub(all, ir.getInt64(step)));
      Value *index = ir.CreateAdd(first, there);
      ir.CreateAlignedStore(at(emitOffset(ir, source.lanes, index)),
                            tableOffset(number), Align(8));
    });
  }

  Value *tableOffset(Value *lane) {
    return ir.CreateGEP(ir.getPtrTy(), table, lane);
  }

  Value *widened(Value *raw) {
    return source.widening ? source.widening.emit(ir, raw) : raw;
  }

  /// Loops over K. With `whole`, loops over all dimensions except the innermost
  /// and passes its size as `run`.
  void loops(Value *count, bool whole,
             function_ref<void(Value *offset, Value *k, Value *run)> body) {
    nest(0, count, whole, ir.getInt64(0), ir.getInt64(0), body);
  }

  void nest(size_t dim, Value *count, bool whole, Value *offset, Value *k,
            function_ref<void(Value *, Value *, Value *)> body) {
    int64_t inner = 1;
    for (const StridedDim &each : ArrayRef(source.k).drop_front(dim + 1))
      inner *= each.size;
    Value *size = dim == 0 ? count : ir.getInt64(source.k[dim].size);
    bool last = dim + 1 == source.k.size();
    if (last && whole) {
      body(offset, k, size);
      return;
    }
    emitFor(ir, ir.getInt64(0), size, 1, [&](Value *i) {
      Value *there = ir.CreateAdd(
          offset, ir.CreateMul(i, ir.getInt64(source.k[dim].stride)));
      Value *place = ir.CreateAdd(k, ir.CreateMul(i, ir.getInt64(inner)));
      if (last)
        body(there, place, nullptr);
      else
        nest(dim + 1, count, whole, there, place, body);
    });
  }

  Value *targetAt(Value *k, int64_t lane) {
    Value *row = ir.CreateMul(k, ir.getInt64(width));
    return ir.CreateGEP(source.element, target,
                        ir.CreateAdd(row, ir.getInt64(lane)));
  }

  void store(Value *value, Value *k, int64_t lane) {
    storeAt(value, targetAt(k, lane));
  }

  void storeAt(Value *value, Value *address) {
    Align align(source.element->getPrimitiveSizeInBits() / 8);
    ir.CreateAlignedStore(value, address, align);
  }

  Value *loadMasked(Value *address, Value *mask) {
    if (!mask)
      return ir.CreateAlignedLoad(vector, address, Align(1));
    return ir.CreateMaskedLoad(vector, address, Align(1), mask,
                               Constant::getNullValue(vector));
  }

  void copyPieces(Value *offset, Value *k) {
    for (auto [number, piece] : enumerate(pieces)) {
      Value *value = Constant::getNullValue(vector);
      if (piece.low)
        value = loadMasked(moved(piece.low, offset), piece.lowMask);
      if (piece.high) {
        Value *high = loadMasked(moved(piece.high, offset), piece.highMask);
        value = ir.CreateSelect(piece.highMask, high, value);
      }
      store(widened(value), k, int64_t(number) * lanes);
    }
  }

  void copyTransposed(Value *offset, Value *k, Value *run) {
    TransposedCopy copy{FixedVectorType::get(source.element, lanes),
                        source.widening};
    Type *unit = source.unit ? source.unit : memory;
    Value *bytes =
        ir.CreateMul(offset, ir.getInt64(unit->getPrimitiveSizeInBits() / 8));
    int64_t size = source.element->getPrimitiveSizeInBits() / 8;
    // Backwards, because the last lanes may write beyond the end of a row. The
    // first lanes of the next row overwrite these elements.
    for (int64_t begin = roundedWidth(); (begin -= lanes) >= 0;)
      emitTransposedCopy(ir, copy, tableOffset(ir.getInt64(begin)), bytes,
                         targetAt(k, begin), ir.getInt64(width * size), run);
  }

  /// Copies runs of `length` contiguous lanes.
  void copyRuns(Value *offset, Value *k, unsigned length) {
    constexpr unsigned unrolled = 4;
    Type *run = length == 1 ? memory : FixedVectorType::get(memory, length);
    unsigned count = width / length;
    Value *target = targetAt(k, 0);
    auto copy = [&](Value *number) {
      Value *start =
          ir.CreateAlignedLoad(ir.getPtrTy(), tableOffset(number), Align(8));
      Value *raw = ir.CreateAlignedLoad(run, moved(start, offset), Align(1));
      Value *lane = ir.CreateMul(number, ir.getInt64(length));
      storeAt(widened(raw), ir.CreateGEP(source.element, target, lane));
    };
    emitFor(ir, ir.getInt64(0), ir.getInt64(count / unrolled * unrolled),
            unrolled, [&](Value *number) {
              for (unsigned i = 0; i < unrolled; ++i)
                copy(ir.CreateAdd(number, ir.getInt64(i)));
            });
    for (unsigned number = count / unrolled * unrolled; number < count;
         ++number)
      copy(ir.getInt64(number));
  }

  IRBuilder<> &ir;
  const PanelSource &source;
  Value *first;
  unsigned width;
  ValidLanes valid;
  Value *target;
  unsigned lanes;
  Type *memory;
  FixedVectorType *vector; ///< of elements as stored in memory
  SmallVector<Piece> pieces;
  Value *table = nullptr; ///< addresses at which lanes begin
};
} // namespace

void emitPackPanel(IRBuilder<> &ir, const PanelSource &source, Value *first,
                   unsigned width, ValidLanes valid, Value *count,
                   Value *target) {
  PanelPacking(ir, source, first, width, valid, target).run(count);
}

void emitPackLines(IRBuilder<> &ir, const PanelSource &source, Value *first,
                   unsigned width, Value *panels, Value *count, Value *target,
                   int64_t stride) {
  PanelPacking(ir, source, first, width, {width}, target)
      .runLines(panels, count, stride);
}

void emitPackRun(IRBuilder<> &ir, const Widening &widening,
                 FixedVectorType *vector, bool masks, Value *from, Value *count,
                 Value *target) {
  unsigned lanes = vector->getNumElements();
  Type *element = vector->getElementType();
  Type *narrow = widening ? widening.memory : element;
  auto *memory = FixedVectorType::get(narrow, lanes);
  auto source = [&](Value *i) { return ir.CreateGEP(narrow, from, i); };
  auto store = [&](Value *raw, Value *i) {
    ir.CreateAlignedStore(widening ? widening.emit(ir, raw) : raw,
                          ir.CreateGEP(element, target, i),
                          Align(element->getPrimitiveSizeInBits() / 8));
  };
  Value *whole = ir.CreateAnd(count, -int64_t(lanes));
  emitFor(ir, ir.getInt64(0), whole, lanes, [&](Value *i) {
    store(ir.CreateAlignedLoad(memory, source(i), Align(1)), i);
  });
  auto *known = dyn_cast<ConstantInt>(count);
  if (known && known->getZExtValue() % lanes == 0)
    return;
  if (!masks) {
    emitFor(ir, whole, count, 1, [&](Value *i) {
      store(ir.CreateAlignedLoad(narrow, source(i), Align(1)), i);
    });
    return;
  }
  Value *mask = leadingMask(ir, lanes, ir.CreateSub(count, whole));
  store(ir.CreateMaskedLoad(memory, source(whole), Align(1), mask,
                            Constant::getNullValue(memory)),
        whole);
}

} // namespace xlac::codegen
