#include "Microkernel.h"

#include "Loops.h"

using namespace llvm;

namespace xlac::codegen {

/// Depths in one trip of the inner loop, where a single one has too few
/// products to hide what the loop itself costs.
static constexpr int64_t kUnroll = 4;
static constexpr size_t kEnoughProducts = 8;

Constant *leadingMask(LLVMContext &context, unsigned lanes, int64_t count) {
  SmallVector<Constant *> bits;
  for (unsigned lane = 0; lane < lanes; ++lane)
    bits.push_back(ConstantInt::getBool(context, lane < count));
  return ConstantVector::get(bits);
}

static Constant *laneNumbers(LLVMContext &context, unsigned lanes) {
  SmallVector<Constant *> numbers;
  for (unsigned lane = 0; lane < lanes; ++lane)
    numbers.push_back(ConstantInt::get(Type::getInt32Ty(context), lane));
  return ConstantVector::get(numbers);
}

Value *leadingMask(IRBuilder<> &ir, unsigned lanes, Value *count) {
  Value *limit =
      ir.CreateBinaryIntrinsic(Intrinsic::smin, count, ir.getInt64(lanes));
  limit = ir.CreateTrunc(limit, ir.getInt32Ty());
  return ir.CreateICmpSLT(laneNumbers(ir.getContext(), lanes),
                          ir.CreateVectorSplat(lanes, limit));
}

/// One depth: every row's element of A times the row of B at `b`. `a` is the
/// depth's offset in the rows of A.
static LoopValues emitStep(IRBuilder<> &ir, const TileOperands &in, Value *a,
                           Value *b, int64_t ahead,
                           ArrayRef<Value *> accumulators) {
  Type *scalar = in.vector->getElementType();
  unsigned lanes = in.vector->getNumElements();
  SmallVector<Value *> columns;
  for (unsigned v = 0; v < in.vectors; ++v) {
    Value *address = ir.CreateGEP(
        scalar, b, ir.getInt64(ahead * in.bStride + int64_t(v) * lanes));
    int64_t left = in.bColumns - int64_t(v) * lanes;
    if (left >= lanes)
      columns.push_back(ir.CreateAlignedLoad(in.vector, address, Align(1)));
    else
      columns.push_back(
          ir.CreateMaskedLoad(in.vector, address, Align(1),
                              leadingMask(ir.getContext(), lanes, left),
                              Constant::getNullValue(in.vector)));
  }
  LoopValues next;
  for (auto [row, start] : enumerate(in.aRows)) {
    Value *address = ir.CreateGEP(scalar, ir.CreateGEP(scalar, start, a),
                                  ir.getInt64(ahead * in.aStride));
    Value *one = ir.CreateAlignedLoad(scalar, address, Align(1));
    Value *all = ir.CreateVectorSplat(lanes, one);
    for (unsigned v = 0; v < in.vectors; ++v)
      next.push_back(ir.CreateIntrinsic(
          Intrinsic::fma, {in.vector},
          {all, columns[v], accumulators[row * in.vectors + v]}));
  }
  return next;
}

SmallVector<Value *> emitTile(IRBuilder<> &ir, const TileOperands &in,
                              ArrayRef<Value *> accumulators) {
  Type *scalar = in.vector->getElementType();
  size_t count = accumulators.size();
  // Carried behind the accumulators: the row of B and the offset in A, which
  // is the loop's own index where A's rows run along the depth.
  LoopValues values(accumulators);
  values.push_back(in.b);
  if (in.aStride != 1)
    values.push_back(ir.getInt64(0));
  auto loop = [&](Value *begin, Value *end, int64_t step) {
    values = emitFor(
        ir, begin, end, ir.getInt64(step), values,
        [&](Value *index, ArrayRef<Value *> now) {
          Value *b = now[count], *a = in.aStride == 1 ? index : now[count + 1];
          LoopValues next(now.take_front(count));
          for (int64_t ahead = 0; ahead < step; ++ahead)
            next = emitStep(ir, in, a, b, ahead, next);
          next.push_back(
              ir.CreateGEP(scalar, b, ir.getInt64(step * in.bStride)));
          if (in.aStride != 1)
            next.push_back(ir.CreateAdd(a, ir.getInt64(step * in.aStride)));
          return next;
        });
  };
  Value *whole = ir.getInt64(0);
  if (count < kEnoughProducts) {
    whole = ir.CreateAnd(in.depth, ir.getInt64(-kUnroll));
    loop(ir.getInt64(0), whole, kUnroll);
  }
  loop(whole, in.depth, 1);
  return SmallVector<Value *>(values.begin(), values.begin() + count);
}

//===- Packing ------------------------------------------------------------===//

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

/// In-lane interleaving of the low or high halves of each 128 bits, in units of
/// `unit` elements.
static SmallVector<int> interleaveMask(unsigned lanes, unsigned inLane,
                                       unsigned unit, bool high) {
  SmallVector<int> mask;
  for (unsigned part = 0; part < lanes; part += inLane)
    for (unsigned i = 0; i < inLane / 2; i += unit)
      for (unsigned side = 0; side < 2; ++side)
        for (unsigned u = 0; u < unit; ++u)
          mask.push_back(side * lanes + part + (high ? inLane / 2 : 0) + i + u);
  return mask;
}

/// Swaps blocks of `block` elements across the diagonal of each pair of rows
/// that lie `distance` apart.
static void swapBlocks(IRBuilder<> &ir, SmallVector<Value *> &rows,
                       unsigned distance, unsigned block) {
  unsigned lanes = rows.size();
  SmallVector<int> low, high;
  for (unsigned j = 0; j < lanes; ++j) {
    bool second = j & block;
    low.push_back(second ? int(lanes + j - block) : int(j));
    high.push_back(second ? int(lanes + j) : int(j + block));
  }
  for (unsigned i = 0; i < lanes; ++i) {
    if (i & distance)
      continue;
    Value *a = rows[i], *b = rows[i + distance];
    rows[i] = ir.CreateShuffleVector(a, b, low);
    rows[i + distance] = ir.CreateShuffleVector(a, b, high);
  }
}

SmallVector<Value *> emitTransposed(IRBuilder<> &ir, ArrayRef<Value *> in) {
  unsigned lanes = in.size();
  SmallVector<Value *> rows(in);
  auto *type = cast<FixedVectorType>(rows[0]->getType());
  unsigned inLane =
      std::min<unsigned>(lanes, 128 / type->getScalarSizeInBits());
  // Within 128 bits by interleaving, which is one instruction each way.
  for (unsigned group = 0; group < lanes; group += inLane) {
    if (inLane == 2) {
      Value *a = rows[group], *b = rows[group + 1];
      rows[group] =
          ir.CreateShuffleVector(a, b, interleaveMask(lanes, 2, 1, false));
      rows[group + 1] =
          ir.CreateShuffleVector(a, b, interleaveMask(lanes, 2, 1, true));
      continue;
    }
    auto at = [&](unsigned i) { return rows[group + i]; };
    SmallVector<int> low = interleaveMask(lanes, 4, 1, false);
    SmallVector<int> high = interleaveMask(lanes, 4, 1, true);
    Value *a = ir.CreateShuffleVector(at(0), at(1), low);
    Value *b = ir.CreateShuffleVector(at(0), at(1), high);
    Value *c = ir.CreateShuffleVector(at(2), at(3), low);
    Value *d = ir.CreateShuffleVector(at(2), at(3), high);
    low = interleaveMask(lanes, 4, 2, false);
    high = interleaveMask(lanes, 4, 2, true);
    rows[group + 0] = ir.CreateShuffleVector(a, c, low);
    rows[group + 1] = ir.CreateShuffleVector(a, c, high);
    rows[group + 2] = ir.CreateShuffleVector(b, d, low);
    rows[group + 3] = ir.CreateShuffleVector(b, d, high);
  }
  for (unsigned block = inLane; block < lanes; block *= 2)
    swapBlocks(ir, rows, block, block);
  return rows;
}

namespace {
/// Emits one panel's copy, by the way that its strides allow.
class PanelCopy {
public:
  PanelCopy(IRBuilder<> &ir, const PanelSource &source, Value *first,
            unsigned width, unsigned valid, Value *target)
      : ir(ir), source(source), first(first), width(width), valid(valid),
        target(target), lanes(source.vectorLanes),
        vector(FixedVectorType::get(source.element, lanes)) {}

  void run(Value *count) {
    const StridedDim &lane = source.lanes.back();
    bool runs = lane.stride == 1 && lane.size > 1;
    bool whole = source.lanes.size() == 1;
    bool depthRuns = source.depth.back().stride == 1;
    if (runs && (whole || lane.size >= lanes - 1)) {
      findPieces(whole);
      loops(count, 0, [&](Value *offset, Value *depth, Value *) {
        copyPieces(offset, depth);
      });
    } else if (depthRuns && (source.depth.back().size >= lanes / 2 ||
                             source.depth.size() == 1)) {
      findLanes(roundedWidth());
      loops(count, lanes, [&](Value *offset, Value *depth, Value *left) {
        copyTransposed(offset, depth, left);
      });
    } else {
      findLanes(width);
      loops(count, 0, [&](Value *offset, Value *depth, Value *) {
        copyElements(offset, depth);
      });
    }
  }

private:
  /// Lanes that one register covers: one row of the source, or the end of one
  /// row and the beginning of the next.
  struct Piece {
    Value *low = nullptr, *lowMask = nullptr;
    Value *high = nullptr, *highMask = nullptr;
  };

  unsigned roundedWidth() const { return (width + lanes - 1) / lanes * lanes; }

  Value *at(Value *offset) {
    return ir.CreateGEP(source.element, source.base, offset);
  }

  void findPieces(bool whole) {
    for (unsigned begin = 0; begin < width; begin += lanes) {
      Piece piece;
      int64_t usable = std::min<int64_t>(int64_t(valid) - begin, lanes);
      if (usable <= 0) {
        pieces.push_back(piece);
        continue;
      }
      Value *lane = ir.CreateAdd(first, ir.getInt64(begin));
      piece.low = at(emitOffset(ir, source.lanes, lane));
      if (whole) {
        if (usable < lanes)
          piece.lowMask = leadingMask(ir.getContext(), lanes, usable);
        pieces.push_back(piece);
        continue;
      }
      Value *size = ir.getInt64(source.lanes.back().size);
      Value *left = ir.CreateSub(size, ir.CreateURem(lane, size));
      Value *next = ir.CreateAdd(lane, left);
      // Beyond the last row nothing is read: all its lanes are masked off.
      next = ir.CreateBinaryIntrinsic(Intrinsic::umin, next,
                                      ir.getInt64(source.laneCount() - 1));
      Value *inFirst = leadingMask(ir, lanes, left);
      Constant *inside = leadingMask(ir.getContext(), lanes, usable);
      piece.lowMask = ir.CreateAnd(inFirst, inside);
      piece.highMask = ir.CreateAnd(ir.CreateNot(inFirst), inside);
      piece.high =
          ir.CreateGEP(source.element, at(emitOffset(ir, source.lanes, next)),
                       ir.CreateNeg(left));
      pieces.push_back(piece);
    }
  }

  void findLanes(unsigned count) {
    for (unsigned lane = 0; lane < count; ++lane) {
      unsigned inside = std::min(lane, valid - 1);
      if (inside != lane) {
        laneStarts.push_back(laneStarts.back());
        continue;
      }
      Value *index = ir.CreateAdd(first, ir.getInt64(lane));
      laneStarts.push_back(at(emitOffset(ir, source.lanes, index)));
    }
  }

  /// Loops over the depth; the innermost dimension in steps of `chunk`, of
  /// which `left` are there, or one by one.
  void
  loops(Value *count, unsigned chunk,
        function_ref<void(Value *offset, Value *depth, Value *left)> body) {
    nest(0, count, chunk, ir.getInt64(0), ir.getInt64(0), body);
  }

  void nest(size_t dim, Value *count, unsigned chunk, Value *offset,
            Value *depth, function_ref<void(Value *, Value *, Value *)> body) {
    int64_t inner = 1;
    for (const StridedDim &each : ArrayRef(source.depth).drop_front(dim + 1))
      inner *= each.size;
    Value *size = dim == 0 ? count : ir.getInt64(source.depth[dim].size);
    bool last = dim + 1 == source.depth.size();
    emitFor(ir, ir.getInt64(0), size, last && chunk ? chunk : 1, [&](Value *i) {
      Value *there = ir.CreateAdd(
          offset, ir.CreateMul(i, ir.getInt64(source.depth[dim].stride)));
      Value *place = ir.CreateAdd(depth, ir.CreateMul(i, ir.getInt64(inner)));
      if (last)
        body(there, place, ir.CreateSub(size, i));
      else
        nest(dim + 1, count, chunk, there, place, body);
    });
  }

  Value *targetAt(Value *depth, int64_t lane) {
    Value *row = ir.CreateMul(depth, ir.getInt64(width));
    return ir.CreateGEP(source.element, target,
                        ir.CreateAdd(row, ir.getInt64(lane)));
  }

  void store(Value *value, Value *depth, int64_t lane) {
    Align align(source.element->getPrimitiveSizeInBits() / 8);
    ir.CreateAlignedStore(value, targetAt(depth, lane), align);
  }

  Value *loadMasked(Value *address, Value *mask) {
    if (!mask)
      return ir.CreateAlignedLoad(vector, address, Align(1));
    return ir.CreateMaskedLoad(vector, address, Align(1), mask,
                               Constant::getNullValue(vector));
  }

  void copyPieces(Value *offset, Value *depth) {
    for (auto [number, piece] : enumerate(pieces)) {
      Value *value = Constant::getNullValue(vector);
      if (piece.low)
        value = loadMasked(ir.CreateGEP(source.element, piece.low, offset),
                           piece.lowMask);
      if (piece.high) {
        Value *high = loadMasked(
            ir.CreateGEP(source.element, piece.high, offset), piece.highMask);
        value = ir.CreateSelect(piece.highMask, high, value);
      }
      store(value, depth, int64_t(number) * lanes);
    }
  }

  void copyTransposed(Value *offset, Value *depth, Value *left) {
    Value *full = ir.CreateICmpSGE(left, ir.getInt64(lanes));
    Value *mask = nullptr;
    // Masked loads serve both; plain ones where the chunks come out even.
    if (source.depth.size() == 1 || source.depth.back().size % lanes != 0)
      mask = ir.CreateOr(ir.CreateVectorSplat(lanes, full),
                         leadingMask(ir, lanes, left));
    SmallVector<SmallVector<Value *>> groups;
    for (unsigned begin = 0; begin < roundedWidth(); begin += lanes) {
      SmallVector<Value *> rows;
      for (unsigned lane = 0; lane < lanes; ++lane)
        rows.push_back(loadMasked(
            ir.CreateGEP(source.element, laneStarts[begin + lane], offset),
            mask));
      groups.push_back(emitTransposed(ir, rows));
    }
    // In the order of memory: what runs over the end is written again.
    for (unsigned step = 0; step < lanes; ++step)
      for (auto [number, group] : enumerate(groups))
        store(group[step], ir.CreateAdd(depth, ir.getInt64(step)),
              int64_t(number) * lanes);
  }

  void copyElements(Value *offset, Value *depth) {
    for (unsigned lane = 0; lane < width; ++lane) {
      Value *address = ir.CreateGEP(source.element, laneStarts[lane], offset);
      store(ir.CreateAlignedLoad(source.element, address, Align(1)), depth,
            lane);
    }
  }

  IRBuilder<> &ir;
  const PanelSource &source;
  Value *first;
  unsigned width, valid;
  Value *target;
  unsigned lanes;
  FixedVectorType *vector;
  SmallVector<Piece> pieces;
  SmallVector<Value *> laneStarts;
};
} // namespace

void emitPackPanel(IRBuilder<> &ir, const PanelSource &source, Value *first,
                   unsigned width, unsigned valid, Value *count,
                   Value *target) {
  PanelCopy(ir, source, first, width, valid, target).run(count);
}

} // namespace xlac::codegen
