#include "Microkernel.h"

#include "LaneSums.h"
#include "Loops.h"
#include "SharedDeclarations.h"

#include <numeric>

using namespace llvm;

namespace xlac::codegen {

/// Indices of K in one iteration of a tile's loop. With few multiplications,
/// their latency hides the loop overhead. With very many, the overhead is small
/// and unrolled code takes long to compile.
static constexpr int64_t kUnroll = 2;
static constexpr size_t kFewProducts = 8, kManyProducts = 24;
/// Longest run of K without a loop.
static constexpr int64_t kUnrolledRun = 4;

/// Rows of B between the one that a tile multiplies and the one that it
/// prefetches. They take as long as the third-level cache needs to answer.
static constexpr int64_t kPrefetchedRows = 16;

/// Rows of A that are addressed relative to one pointer. Multiples of the row
/// stride up to four take one or two registers for any stride.
static constexpr unsigned kRowsPerAddress = 5;

namespace {
class TileEmitter {
public:
  TileEmitter(IRBuilder<> &ir, const TileShape &shape, const TileOperands &in)
      : ir(ir), shape(shape), in(in), vector(shape.vector),
        scalar(vector->getElementType()), lanes(vector->getNumElements()) {}

  void run() {
    assert(shape.rows >= 1 && shape.vectors >= 1 &&
           shape.validColumnsB < lanes && shape.validColumnsC < lanes &&
           "a tile has rows of registers, of which the last may be partial");
    assert(in.cRows.size() == shape.rows && "every row of C has an address");
    assert((in.aTable || in.aRowStride || in.aRows.size() == shape.rows) &&
           "every row of A has an address");
    assert((in.aTable != nullptr) == (shape.indirectStride != 0) &&
           "a table goes with a stride from row to row");
    if (shape.anyColumnsB || shape.anyColumnsC)
      for (unsigned v = 0; v < shape.vectors; ++v)
        anyMasks.push_back(leadingMask(
            ir, lanes, ir.CreateSub(in.columns, ir.getInt64(v * lanes))));
    LoopValues values = shape.columnsAlongK ? sumsAlongK() : sums();
    addC(values);
    for (unsigned row = 0; row < shape.rows; ++row)
      for (unsigned v = 0; v < shape.vectors; ++v) {
        Value *sum = values[row * shape.vectors + v];
        if (Value *mask = maskOfC(v))
          ir.CreateMaskedStore(sum, place(row, v), Align(1), mask);
        else
          ir.CreateAlignedStore(sum, place(row, v), Align(1));
      }
  }

private:
  /// Multiplies by whole rows of B. Returns the registers of the tile.
  LoopValues sums() {
    size_t count = size_t(shape.rows) * shape.vectors;
    LoopValues values = startValues();
    // Loop-carried values after the accumulators: the row of B, and either the
    // offset in A or the addresses of some of its rows. With an indirection
    // buffer, A needs none.
    values.push_back(shape.cells.startsFromB
                         ? ir.CreateGEP(scalar, in.b, in.bStride)
                         : in.b);
    if (in.aRowStride)
      values.append(addressRows());
    else if (!in.aTable)
      values.push_back(ir.getInt64(0));
    if (hasStream())
      values.push_back(in.later.start);
    values = in.runs ? sumRuns(values) : sumRun(values);
    values.truncate(count);
    return values;
  }

  /// Adds the products of `k` indices to the loop-carried values.
  LoopValues sumRun(LoopValues values) {
    size_t count = size_t(shape.rows) * shape.vectors;
    auto loop = [&](Value *begin, Value *end, int64_t kIndices) {
      values = emitFor(ir, begin, end, ir.getInt64(kIndices), values,
                       [&](Value *index, ArrayRef<Value *> now) {
                         LoopValues next(now);
                         for (int64_t i = 0; i < kIndices; ++i)
                           next = step(next, index, i);
                         return next;
                       });
    };
    Value *whole = ir.getInt64(0);
    if (count >= kFewProducts && count < kManyProducts) {
      whole = ir.CreateAnd(in.k, ir.getInt64(-kUnroll));
      loop(ir.getInt64(0), whole, kUnroll);
    }
    loop(whole, in.k, 1);
    return values;
  }

  /// The same for several runs. Short ones are unrolled.
  LoopValues sumRuns(LoopValues values) {
    assert(!in.aRowStride && !in.aTable && "the rows of A have addresses");
    size_t offset = size_t(shape.rows) * shape.vectors + 1;
    auto *length = dyn_cast<ConstantInt>(in.k);
    return emitFor(ir, ir.getInt64(0), in.runs, ir.getInt64(1), values,
                   [&](Value *, ArrayRef<Value *> now) {
                     LoopValues next(now);
                     if (length && length->getSExtValue() <= kUnrolledRun)
                       for (int64_t i = 0; i < length->getSExtValue(); ++i)
                         next = step(next, length, i);
                     else
                       next = sumRun(next);
                     next[offset] = ir.CreateAdd(now[offset], in.aRunStride);
                     return next;
                   });
  }

  /// Multiplies registers of indices of K. Returns a register for each row.
  LoopValues sumsAlongK() {
    unsigned columns = shape.columnsAlongK;
    assert(in.aTable && shape.vectors == 1 && columns <= lanes &&
           "a table leads to A, and a register holds a row of C");
    LoopValues values(size_t(shape.rows) * columns,
                      Constant::getNullValue(vector));
    values = emitFor(
        ir, ir.getInt64(0), in.k, ir.getInt64(lanes), values,
        [&](Value *index, ArrayRef<Value *> now) {
          Value *b = ir.CreateGEP(scalar, in.b,
                                  ir.CreateMul(index, ir.getInt64(columns)));
          Value *a = indirectAddress(index, 0);
          SmallVector<Value *> weights;
          for (unsigned column = 0; column < columns; ++column)
            weights.push_back(load(
                ir.CreateGEP(scalar, b, ir.getInt64(column * lanes)), nullptr));
          LoopValues next;
          for (unsigned row = 0; row < shape.rows; ++row) {
            Value *pixel = load(rowAt(row, {}, a), nullptr);
            for (Value *weight : weights)
              next.push_back(multiplyAdd(pixel, weight, now[next.size()]));
          }
          return next;
        });
    LoopValues rows;
    for (unsigned row = 0; row < shape.rows; ++row) {
      Value *sums =
          addLanes(ir, ArrayRef(values).slice(size_t(row) * columns, columns));
      // The lanes behind the columns are not stored.
      SmallVector<int> widened(lanes, PoisonMaskElem);
      std::iota(widened.begin(), widened.begin() + columns, 0);
      rows.push_back(ir.CreateShuffleVector(sums, widened));
    }
    return rows;
  }

  Constant *maskOf(unsigned v, unsigned cut) {
    if (cut == 0 || v + 1 < shape.vectors)
      return nullptr;
    return leadingMask(ir.getContext(), lanes, cut);
  }

  /// Columns that C does not have need not be read.
  Value *maskOfB(unsigned v) {
    if (shape.anyColumnsB)
      return anyMasks[v];
    return in.maskC && shape.validColumnsB != 0 && v + 1 == shape.vectors
               ? in.maskC
               : maskOf(v, shape.validColumnsB);
  }

  Value *maskOfC(unsigned v) {
    if (shape.anyColumnsC)
      return anyMasks[v];
    return in.maskC && v + 1 == shape.vectors ? in.maskC
                                              : maskOf(v, shape.validColumnsC);
  }

  Value *place(unsigned row, unsigned v) {
    return ir.CreateGEP(scalar, in.cRows[row], ir.getInt64(v * lanes));
  }

  Value *load(Value *address, Value *mask) {
    return load(vector, address, mask);
  }

  Value *load(FixedVectorType *type, Value *address, Value *mask) {
    if (!mask)
      return ir.CreateAlignedLoad(type, address, Align(1));
    return ir.CreateMaskedLoad(type, address, Align(1), mask,
                               Constant::getNullValue(type));
  }

  Type *memoryB() { return shape.widenB ? shape.widenB.memory : scalar; }

  Value *loadB(Value *row, unsigned v) {
    Value *address = ir.CreateGEP(memoryB(), row, ir.getInt64(v * lanes));
    Value *raw =
        load(FixedVectorType::get(memoryB(), lanes), address, maskOfB(v));
    return shape.widenB ? shape.widenB.emit(ir, raw) : raw;
  }

  /// A tile with one register of each row is limited by its loads.
  bool mayPrefetch() const { return shape.vectors > 1; }
  bool hasStream() const { return in.later.start && mayPrefetch(); }

  /// Returns whether loads take longer than multiply-adds if every row of B is
  /// prefetched. With an indirection buffer, the loads are those of A, B, the
  /// prefetched lines, the stream and the buffer.
  bool isBoundByLoads() const {
    unsigned loads = shape.rows + 2 * shape.vectors + 2;
    return in.aTable && 10 * loads > 8 * shape.rows * shape.vectors;
  }

  /// Prefetches a later row of B, which lies in the second-level or
  /// third-level cache.
  void prefetchB(Value *row) {
    if (!mayPrefetch() || isBoundByLoads())
      return;
    constexpr int64_t line = 64;
    Value *later = ir.CreateGEP(
        memoryB(), row, ir.CreateMul(in.bStride, ir.getInt64(kPrefetchedRows)));
    int64_t bytes = int64_t(shape.vectors) * lanes *
                    memoryB()->getPrimitiveSizeInBits() / 8;
    for (int64_t at = 0; at < bytes; at += line)
      emitPrefetch(ir, ir.CreateConstGEP1_64(ir.getInt8Ty(), later, at),
                   CacheLevel::First);
  }

  /// Returns the addresses to carry, and stores the remaining offsets in
  /// `rowOffsets`.
  LoopValues addressRows() {
    Value *bytes = ir.CreateMul(
        in.aRowStride, ir.getInt64(scalar->getPrimitiveSizeInBits() / 8));
    rowOffsets = {ir.getInt64(0), bytes, ir.CreateShl(bytes, 1),
                  ir.CreateMul(bytes, ir.getInt64(3)), ir.CreateShl(bytes, 2)};
    LoopValues addresses = {in.aRows[0]};
    Value *step = ir.CreateMul(bytes, ir.getInt64(kRowsPerAddress));
    while (addresses.size() * kRowsPerAddress < shape.rows)
      addresses.push_back(ir.CreateGEP(ir.getInt8Ty(), addresses.back(), step));
    return addresses;
  }

  Value *rowAt(unsigned row, ArrayRef<Value *> carried, Value *indirect) {
    if (indirect)
      return ir.CreateGEP(scalar, indirect,
                          ir.getInt64(row * shape.indirectStride));
    if (!in.aRowStride)
      return ir.CreateGEP(scalar, in.aRows[row], carried[0]);
    return ir.CreateGEP(ir.getInt8Ty(), carried[row / kRowsPerAddress],
                        rowOffsets[row % kRowsPerAddress]);
  }

  /// Adds the previous values of C if `accumulate` is set. They are added last,
  /// so that the rounding errors of a block grow only with its own sum.
  void addC(LoopValues &sums) {
    auto *known = dyn_cast<ConstantInt>(in.accumulate);
    if (known && known->isZero())
      return;
    LLVMContext &context = ir.getContext();
    Function *function = ir.GetInsertBlock()->getParent();
    BasicBlock *before = ir.GetInsertBlock();
    BasicBlock *more = BasicBlock::Create(context, "more", function);
    BasicBlock *go = BasicBlock::Create(context, "go", function);
    ir.CreateCondBr(in.accumulate, more, go);
    ir.SetInsertPoint(more);
    LoopValues added;
    for (auto [number, sum] : enumerate(sums)) {
      unsigned v = number % shape.vectors;
      Value *held = load(place(number / shape.vectors, v), maskOfC(v));
      added.push_back(scalar->isIntegerTy() ? ir.CreateAdd(held, sum)
                                            : ir.CreateFAdd(held, sum));
    }
    ir.CreateBr(go);
    ir.SetInsertPoint(go);
    for (auto [sum, whole] : zip_equal(sums, added)) {
      PHINode *phi = ir.CreatePHI(vector, 2);
      phi->addIncoming(sum, before);
      phi->addIncoming(whole, more);
      sum = phi;
    }
  }

  LoopValues startValues() {
    size_t count = size_t(shape.rows) * shape.vectors;
    if (!shape.cells.startsFromB)
      return LoopValues(count, Constant::getNullValue(vector));
    LoopValues row, all;
    for (unsigned v = 0; v < shape.vectors; ++v)
      row.push_back(loadB(in.b, v));
    while (all.size() < count)
      all.append(row);
    return all;
  }

  Value *multiplyAdd(Value *a, Value *b, Value *sum) {
    if (shape.cells.kind != CellProducts::None)
      return emitCellProducts(ir, shape.cells, sum, a, b);
    if (scalar->isIntegerTy())
      return ir.CreateAdd(sum, ir.CreateMul(a, b));
    // fmuladd becomes an FMA only if the target has it. `fma` would call libm
    // on the baseline target.
    return ir.CreateIntrinsic(Intrinsic::fmuladd, {vector}, {a, b, sum});
  }

  /// Returns the address of the first row of A from the indirection buffer.
  Value *indirectAddress(Value *index, int64_t ahead) {
    Value *place = ir.CreateAdd(index, ir.getInt64(ahead));
    Type *entry = ir.getInt32Ty();
    Value *offset = ir.CreateAlignedLoad(
        entry, ir.CreateGEP(entry, in.aTable, place), Align(4));
    Value *there = ir.CreateGEP(ir.getInt8Ty(), in.aRows[0],
                                ir.CreateSExt(offset, ir.getInt64Ty()));
    if (in.aPrefetch)
      emitPrefetch(ir, ir.CreateGEP(scalar, there, in.aPrefetch));
    return there;
  }

  /// One index of K: adds every row's element of A times the row of B.
  LoopValues step(ArrayRef<Value *> now, Value *index, int64_t ahead) {
    size_t count = size_t(shape.rows) * shape.vectors;
    Value *b = now[count];
    ArrayRef<Value *> carried = now.drop_front(count + 1);
    Value *later = hasStream() ? carried.consume_back() : nullptr;
    SmallVector<Value *> columns;
    for (unsigned v = 0; v < shape.vectors; ++v)
      columns.push_back(loadB(b, v));
    prefetchB(b);
    if (later)
      emitPrefetch(ir, later);
    Value *indirect = in.aTable ? indirectAddress(index, ahead) : nullptr;
    LoopValues next;
    for (unsigned row = 0; row < shape.rows; ++row) {
      Value *one =
          ir.CreateAlignedLoad(scalar, rowAt(row, carried, indirect), Align(1));
      Value *all = ir.CreateVectorSplat(lanes, one);
      for (unsigned v = 0; v < shape.vectors; ++v)
        next.push_back(
            multiplyAdd(all, columns[v], now[row * shape.vectors + v]));
    }
    next.push_back(ir.CreateGEP(memoryB(), b, in.bStride));
    for (Value *each : carried)
      next.push_back(in.aRowStride ? ir.CreateGEP(scalar, each, in.aStride)
                                   : ir.CreateAdd(each, in.aStride));
    if (later)
      next.push_back(ir.CreateGEP(ir.getInt8Ty(), later, in.later.step));
    return next;
  }

  IRBuilder<> &ir;
  const TileShape &shape;
  const TileOperands &in;
  FixedVectorType *vector;
  Type *scalar;
  unsigned lanes;
  SmallVector<Value *> rowOffsets;
  SmallVector<Value *> anyMasks; ///< of each register
};
} // namespace

void emitTile(IRBuilder<> &ir, const TileShape &shape, const TileOperands &in) {
  TileEmitter(ir, shape, in).run();
}

/// Returns true if masked stores are as fast as plain stores. One function then
/// serves full and partial tiles.
static bool masksAreFree(const TileShape &shape) {
  return shape.vector->getPrimitiveSizeInBits() == 512;
}

std::string tileFunctionName(const TileShape &shape) {
  std::string name =
      ("tile." + Twine(shape.rows) + "x" + Twine(shape.vectors) + "x" +
       Twine(shape.vector->getNumElements()) +
       Twine(accumulatorLetter(shape.vector->getElementType())) + "." +
       Twine(shape.validColumnsB) + "." + Twine(shape.validColumnsC) +
       (shape.anyColumnsB ? "b" : "") + (shape.anyColumnsC ? "c" : "") +
       shape.widenB.name)
          .str();
  if (shape.indirectStride != 0)
    name += ".walk" + std::to_string(shape.indirectStride);
  if (shape.addressedRows)
    name += ".rows";
  if (shape.columnsAlongK != 0)
    name += ".along" + std::to_string(shape.columnsAlongK);
  if (shape.cells.kind != CellProducts::None)
    name += ".cells" + std::to_string(shape.cells.kind) +
            (shape.cells.unsignedB ? "u" : "") +
            (shape.cells.startsFromB ? "s" : "");
  return name;
}

static FunctionType *tileFunctionType(LLVMContext &context,
                                      const TileShape &shape) {
  Type *pointer = PointerType::getUnqual(context);
  Type *i64 = Type::getInt64Ty(context);
  bool walks = shape.indirectStride != 0;
  return FunctionType::get(Type::getVoidTy(context),
                           {pointer, walks ? pointer : i64, i64, pointer, i64,
                            i64, pointer, i64, Type::getInt1Ty(context), i64,
                            pointer, i64},
                           false);
}

Function *createTileFunction(llvm::Module &module, const TileShape &shape) {
  LLVMContext &context = module.getContext();
  bool walks = shape.indirectStride != 0;
  Function *function = beginDefinition(module, tileFunctionName(shape),
                                       tileFunctionType(context, shape));
  IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
  auto argument = [&](unsigned number) { return function->getArg(number); };
  TileOperands in;
  in.aRows = {argument(0)};
  if (walks) {
    in.aTable = argument(1);
    in.aPrefetch = argument(2);
  } else if (shape.addressedRows) {
    in.aRows.clear();
    for (unsigned row = 0; row < shape.rows; ++row)
      in.aRows.push_back(ir.CreateAlignedLoad(
          ir.getPtrTy(),
          ir.CreateConstInBoundsGEP1_64(ir.getPtrTy(), argument(0), row),
          Align(8)));
    in.aStride = ir.getInt64(1);
    in.runs = argument(1);
    in.aRunStride = argument(2);
  } else {
    in.aRowStride = argument(1);
    in.aStride = argument(2);
  }
  in.b = argument(3);
  in.bStride = argument(4);
  in.k = argument(5);
  in.cRows = {argument(6)};
  while (in.cRows.size() < shape.rows)
    in.cRows.push_back(ir.CreateGEP(shape.vector->getElementType(),
                                    in.cRows.back(), argument(7)));
  in.accumulate = argument(8);
  if (shape.anyColumnsB || shape.anyColumnsC)
    in.columns = argument(9);
  else if (masksAreFree(shape))
    in.maskC = leadingMask(ir, shape.vector->getNumElements(), argument(9));
  in.later = {argument(10), argument(11)};
  emitTile(ir, shape, in);
  ir.CreateRetVoid();
  return function;
}

void emitTileCall(IRBuilder<> &ir, const TileShape &shape,
                  const TileOperands &in, Value *aRow, Value *cRow) {
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  unsigned lanes = shape.vector->getNumElements();
  TileShape shared = shape;
  if (masksAreFree(shape)) {
    shared.validColumnsB = shape.validColumnsB ? 1 : 0;
    shared.validColumnsC = 0;
  }
  Function *function =
      declareShared(module, tileFunctionName(shared),
                    tileFunctionType(module.getContext(), shared));
  bool isOwn = shared.widenB || shared.columnsAlongK != 0 ||
               shared.cells.kind != CellProducts::None;
  if (isOwn && function->isDeclaration())
    createTileFunction(module, shared);
  unsigned cut = std::max(shape.validColumnsB, shape.validColumnsC);
  Value *columns = ir.getInt64(cut ? cut : lanes);
  if (shape.anyColumnsB || shape.anyColumnsC)
    columns = in.columns;
  // Without a stream, a tile prefetches one line of B again and again.
  Stream later = in.later;
  if (!later.start)
    later = {in.b, ir.getInt64(0)};
  Value *a = in.aRows[0], *second = aRow, *third = in.aStride;
  if (in.aTable) {
    second = in.aTable;
    third = in.aPrefetch;
  } else if (shape.addressedRows) {
    a = in.rowTable;
    second = in.runs ? in.runs : ir.getInt64(1);
    third = in.runs ? in.aRunStride : ir.getInt64(0);
  }
  ir.CreateCall(function,
                {a, second, third, in.b, in.bStride, in.k, in.cRows[0], cRow,
                 in.accumulate, columns, later.start, later.step});
}

} // namespace xlac::codegen
