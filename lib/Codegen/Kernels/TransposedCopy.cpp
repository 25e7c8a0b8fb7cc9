#include "TransposedCopy.h"

#include "Loops.h"
#include "SharedDeclarations.h"

#include "llvm/Analysis/VectorUtils.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;

namespace xlac::codegen {

/// Returns the size of a square of elements whose rows fill a 128-bit register.
static unsigned squareOf(FixedVectorType *vector) {
  return std::min<unsigned>(vector->getNumElements(),
                            128 / vector->getScalarSizeInBits());
}

/// Returns a mask that interleaves the low or high halves of each `square`
/// elements of two rows.
static SmallVector<int> interleaving(unsigned lanes, unsigned square,
                                     bool high) {
  SmallVector<int> mask;
  for (unsigned begin = 0; begin < lanes; begin += square)
    for (unsigned i = 0; i < square / 2; ++i)
      for (unsigned side = 0; side < 2; ++side)
        mask.push_back(side * lanes + begin + (high ? square / 2 : 0) + i);
  return mask;
}

/// Transposes the adjacent squares in `rows`, one in each 128 bits, by
/// interleaving, which is one instruction for each row.
static void transposeBlocks(IRBuilder<> &ir, MutableArrayRef<Value *> rows) {
  unsigned square = rows.size();
  assert(isPowerOf2_32(square) && "squares halve down to single elements");
  auto *vector = cast<FixedVectorType>(rows[0]->getType());
  SmallVector<int> low = interleaving(vector->getNumElements(), square, false);
  SmallVector<int> high = interleaving(vector->getNumElements(), square, true);
  // Each step moves a bit of the row number below the bits of the element
  // number, whose highest bit takes its place.
  for (unsigned distance = square / 2; distance > 0; distance /= 2)
    for (unsigned row = 0; row < square; ++row) {
      if (row & distance)
        continue;
      Value *first = rows[row], *second = rows[row + distance];
      rows[row] = ir.CreateShuffleVector(first, second, low);
      rows[row + distance] = ir.CreateShuffleVector(first, second, high);
    }
}

/// Swaps blocks of `block` elements across the diagonal, for each pair of rows
/// at that distance.
static void swapBlocks(IRBuilder<> &ir, MutableArrayRef<Value *> rows,
                       unsigned block) {
  unsigned lanes = rows.size();
  SmallVector<int> low, high;
  for (unsigned j = 0; j < lanes; ++j) {
    bool second = j & block;
    low.push_back(second ? int(lanes + j - block) : int(j));
    high.push_back(second ? int(lanes + j) : int(j + block));
  }
  for (unsigned i = 0; i < lanes; ++i) {
    if (i & block)
      continue;
    Value *a = rows[i], *b = rows[i + block];
    rows[i] = ir.CreateShuffleVector(a, b, low);
    rows[i + block] = ir.CreateShuffleVector(a, b, high);
  }
}

SmallVector<Value *> emitTransposed(IRBuilder<> &ir, ArrayRef<Value *> in) {
  SmallVector<Value *> rows(in);
  unsigned lanes = rows.size();
  unsigned square = squareOf(cast<FixedVectorType>(rows[0]->getType()));
  assert(lanes == cast<FixedVectorType>(rows[0]->getType())->getNumElements() &&
         isPowerOf2_32(lanes) && lanes % square == 0 &&
         "as many rows as lanes, divided into squares");
  for (unsigned group = 0; group < lanes; group += square)
    transposeBlocks(ir, MutableArrayRef(rows).slice(group, square));
  for (unsigned block = square; block < lanes; block *= 2)
    swapBlocks(ir, rows, block);
  return rows;
}

namespace {
/// Emits the body of the shared function. Only squares are transposed in
/// registers. Loading a register from pieces combines rows that are further
/// apart.
class TransposedCopyEmitter {
public:
  TransposedCopyEmitter(IRBuilder<> &ir, const TransposedCopy &copy,
                        Function *function)
      : ir(ir), copy(copy), table(function->getArg(0)),
        offset(function->getArg(1)), to(function->getArg(2)),
        toStride(function->getArg(3)), count(function->getArg(4)),
        lanes(copy.vector->getNumElements()), square(squareOf(copy.vector)) {}

  void run() {
    Value *whole = ir.CreateAnd(count, -int64_t(square));
    emitFor(ir, ir.getInt64(0), whole, square,
            [&](Value *i) { copySquares(i); });
    emitFor(ir, whole, count, 1, [&](Value *i) { copyColumn(i); });
  }

private:
  Value *rowAt(Value *row, Value *i) {
    Type *pointer = PointerType::getUnqual(ir.getContext());
    Value *start = ir.CreateAlignedLoad(
        pointer, ir.CreateGEP(pointer, table, row), Align(8));
    return ir.CreateGEP(copy.memory(),
                        ir.CreateGEP(ir.getInt8Ty(), start, offset), i);
  }

  Value *columnAt(Value *i) {
    return ir.CreateGEP(ir.getInt8Ty(), to, ir.CreateMul(i, toStride));
  }

  Value *widened(Value *raw) {
    return copy.widening ? copy.widening.emit(ir, raw) : raw;
  }

  /// Loads one piece each of rows `row`, `row` + square, …
  Value *loadPieces(unsigned row, Value *i) {
    auto *piece = FixedVectorType::get(copy.memory(), square);
    SmallVector<Value *> pieces;
    for (; row < lanes; row += square)
      pieces.push_back(
          ir.CreateAlignedLoad(piece, rowAt(ir.getInt64(row), i), Align(1)));
    return widened(concatenateVectors(ir, pieces));
  }

  void copySquares(Value *i) {
    SmallVector<Value *> rows;
    for (unsigned row = 0; row < square; ++row)
      rows.push_back(loadPieces(row, i));
    transposeBlocks(ir, rows);
    Value *column = columnAt(i);
    for (Value *row : rows) {
      ir.CreateAlignedStore(row, column, Align(1));
      column = ir.CreateGEP(ir.getInt8Ty(), column, toStride);
    }
  }

  void copyColumn(Value *i) {
    Value *column = columnAt(i);
    emitFor(ir, ir.getInt64(0), ir.getInt64(lanes), 1, [&](Value *row) {
      Value *raw = ir.CreateAlignedLoad(copy.memory(), rowAt(row, i), Align(1));
      ir.CreateAlignedStore(
          widened(raw),
          ir.CreateGEP(copy.vector->getElementType(), column, row), Align(1));
    });
  }

  IRBuilder<> &ir;
  const TransposedCopy &copy;
  Value *table, *offset, *to, *toStride, *count;
  unsigned lanes;
  unsigned square; ///< rows, and elements of each, in 128 bits of registers
};
} // namespace

bool canCopyTransposed(FixedVectorType *vector) {
  unsigned bits = vector->getScalarSizeInBits();
  return isPowerOf2_32(bits) && bits >= 8 && bits <= 64 &&
         isPowerOf2_32(vector->getNumElements());
}

Value *emitRowTable(IRBuilder<> &ir, ArrayRef<Value *> starts) {
  Type *pointer = PointerType::getUnqual(ir.getContext());
  Value *table =
      emitFrameMemory(ir, ArrayType::get(pointer, starts.size()), Align(8));
  for (auto [row, start] : enumerate(starts))
    ir.CreateAlignedStore(start, ir.CreateGEP(pointer, table, ir.getInt64(row)),
                          Align(8));
  return table;
}

std::string copyFunctionName(const TransposedCopy &copy) {
  std::string name;
  raw_string_ostream(name) << "transpose." << copy.vector->getNumElements()
                           << 'x' << *copy.vector->getElementType()
                           << copy.widening.name;
  return name;
}

static FunctionType *copyFunctionType(LLVMContext &context) {
  Type *pointer = PointerType::getUnqual(context);
  Type *i64 = Type::getInt64Ty(context);
  return FunctionType::get(Type::getVoidTy(context),
                           {pointer, i64, pointer, i64, i64}, false);
}

Function *createCopyFunction(llvm::Module &module, const TransposedCopy &copy) {
  LLVMContext &context = module.getContext();
  Function *function = beginDefinition(module, copyFunctionName(copy),
                                       copyFunctionType(context));
  IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
  TransposedCopyEmitter(ir, copy, function).run();
  ir.CreateRetVoid();
  return function;
}

void emitTransposedCopy(IRBuilder<> &ir, const TransposedCopy &copy,
                        Value *table, Value *offset, Value *to, Value *toStride,
                        Value *count) {
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  TransposedCopy made = copy;
  // Elements that are not widened are distinguished only by their size.
  if (!copy.widening)
    made.vector =
        FixedVectorType::get(ir.getIntNTy(copy.vector->getScalarSizeInBits()),
                             copy.vector->getNumElements());
  Function *function = declareShared(module, copyFunctionName(made),
                                     copyFunctionType(module.getContext()));
  if (made.widening && function->isDeclaration())
    createCopyFunction(module, made);
  ir.CreateCall(function, {table, offset, to, toStride, count});
}

} // namespace xlac::codegen
