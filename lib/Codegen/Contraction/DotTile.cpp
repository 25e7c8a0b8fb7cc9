#include "DotTile.h"

#include "LaneSums.h"
#include "Loops.h"
#include "SharedDeclarations.h"

#include <algorithm>

using namespace llvm;

namespace xlac::codegen {

/// Columns of B that are addressed relative to one pointer. Multiples of the
/// stride up to three take two registers for any stride.
static constexpr unsigned kColumnsPerAddress = 4;
/// Columns summed together of those that whole groups leave over.
static constexpr unsigned kFewColumns = 4;

namespace {
class DotEmitter {
public:
  DotEmitter(IRBuilder<> &ir, const DotShape &shape, const DotOperands &in)
      : ir(ir), shape(shape), in(in), vector(shape.vector),
        scalar(vector->getElementType()),
        memory(shape.widenB ? shape.widenB.memory : scalar),
        lanes(vector->getNumElements()) {}

  void run() {
    for (unsigned row = 0; row < shape.rows; ++row) {
      Value *number = ir.getInt64(row);
      rowsA.push_back(
          ir.CreateGEP(scalar, in.a, ir.CreateMul(in.aRow, number)));
      rowsC.push_back(
          ir.CreateGEP(scalar, in.c, ir.CreateMul(in.cRow, number)));
    }
    Value *bytes = ir.CreateMul(
        in.bColumn, ir.getInt64(memory->getPrimitiveSizeInBits() / 8));
    offsets = {ir.getInt64(0), bytes, ir.CreateShl(bytes, 1),
               ir.CreateMul(bytes, ir.getInt64(3))};
    group = ir.CreateShl(bytes, 2);
    Value *done = sumGroups(ir.getInt64(0), shape.columns);
    if (shape.columns > kFewColumns)
      done = sumGroups(done, kFewColumns);
    if (shape.columns > 1)
      sumGroups(done, 1);
  }

private:
  /// Sums the columns from `begin` on in whole groups. Returns the first column
  /// that is left.
  Value *sumGroups(Value *begin, unsigned columns) {
    Value *left = ir.CreateSub(in.count, begin);
    Value *end =
        ir.CreateAdd(begin, ir.CreateAnd(left, ir.getInt64(-int64_t(columns))));
    emitFor(ir, begin, end, columns,
            [&](Value *first) { sumGroup(first, columns); });
    return end;
  }

  void sumGroup(Value *first, unsigned columns) {
    size_t count = size_t(shape.rows) * columns;
    LoopValues values(count, Constant::getNullValue(vector));
    // The addresses in B follow the accumulators.
    Value *b = ir.CreateGEP(memory, in.b, ir.CreateMul(first, in.bColumn));
    for (unsigned c = 0; c < columns; c += kColumnsPerAddress) {
      values.push_back(b);
      b = ir.CreateGEP(ir.getInt8Ty(), b, group);
    }
    Value *whole = ir.CreateAnd(in.k, ir.getInt64(-int64_t(lanes)));
    Value *step = ir.getInt64(lanes);
    values = emitFor(ir, ir.getInt64(0), whole, step, values,
                     [&](Value *k, ArrayRef<Value *> now) {
                       return addProducts(now, k, columns, nullptr);
                     });
    auto *known = dyn_cast<ConstantInt>(in.k);
    if (!known || known->getZExtValue() % lanes != 0)
      values = emitFor(
          ir, whole, in.k, step, values, [&](Value *k, ArrayRef<Value *> now) {
            Value *mask = leadingMask(ir, lanes, ir.CreateSub(in.k, k));
            return addProducts(now, k, columns, mask);
          });
    for (unsigned row = 0; row < shape.rows; ++row) {
      ArrayRef<Value *> sums =
          ArrayRef(values).slice(size_t(row) * columns, columns);
      for (unsigned c = 0; c < columns; c += std::min(columns, lanes))
        store(addLanes(ir, sums.slice(c, std::min(columns, lanes))), row,
              ir.CreateAdd(first, ir.getInt64(c)));
    }
  }

  Value *load(Type *element, Value *address, Value *mask) {
    auto *type = FixedVectorType::get(element, lanes);
    if (!mask)
      return ir.CreateAlignedLoad(type, address, Align(1));
    return ir.CreateMaskedLoad(type, address, Align(1), mask,
                               Constant::getNullValue(type));
  }

  Value *add(Value *a, Value *b) {
    return scalar->isIntegerTy() ? ir.CreateAdd(a, b) : ir.CreateFAdd(a, b);
  }

  Value *multiplyAdd(Value *a, Value *b, Value *sum) {
    if (scalar->isIntegerTy())
      return ir.CreateAdd(sum, ir.CreateMul(a, b));
    return ir.CreateIntrinsic(Intrinsic::fmuladd, {vector}, {a, b, sum});
  }

  /// Adds the products of a register's indices of K. Lanes outside of `mask`
  /// are zero on both sides.
  LoopValues addProducts(ArrayRef<Value *> now, Value *k, unsigned columns,
                         Value *mask) {
    LoopValues next(now);
    ArrayRef<Value *> addresses = now.drop_front(size_t(shape.rows) * columns);
    SmallVector<Value *> a;
    for (Value *row : rowsA)
      a.push_back(load(scalar, ir.CreateGEP(scalar, row, k), mask));
    for (unsigned c = 0; c < columns; ++c) {
      Value *place =
          ir.CreateGEP(ir.getInt8Ty(), addresses[c / kColumnsPerAddress],
                       offsets[c % kColumnsPerAddress]);
      Value *b = load(memory, place, mask);
      if (shape.widenB)
        b = shape.widenB.emit(ir, b);
      for (unsigned row = 0; row < shape.rows; ++row) {
        Value *&sum = next[size_t(row) * columns + c];
        sum = multiplyAdd(a[row], b, sum);
      }
    }
    for (Value *&address :
         MutableArrayRef(next).drop_front(size_t(shape.rows) * columns))
      address = ir.CreateGEP(memory, address, ir.getInt64(lanes));
    return next;
  }

  /// Stores sums of existing columns. With `accumulate`, adds those of earlier
  /// blocks of K.
  void store(Value *sums, unsigned row, Value *column) {
    Value *address = ir.CreateGEP(scalar, rowsC[row], column);
    auto *known = dyn_cast<ConstantInt>(in.accumulate);
    if (!known || !known->isZero()) {
      Value *held = ir.CreateAlignedLoad(sums->getType(), address, Align(1));
      sums = ir.CreateSelect(in.accumulate, add(held, sums), sums);
    }
    ir.CreateAlignedStore(sums, address, Align(1));
  }

  IRBuilder<> &ir;
  const DotShape &shape;
  const DotOperands &in;
  FixedVectorType *vector;
  Type *scalar, *memory;
  unsigned lanes;
  SmallVector<Value *> rowsA, rowsC;
  SmallVector<Value *, kColumnsPerAddress> offsets; ///< of columns, in bytes
  Value *group = nullptr; ///< bytes of kColumnsPerAddress columns
};
} // namespace

unsigned dotColumns(unsigned rows, unsigned width, bool isWide) {
  assert(rows >= 1 && isPowerOf2_32(width) && "rows of whole registers");
  unsigned most = rows == 1 ? 8 : rows <= 3 ? 4 : 2;
  return std::min(isWide ? 2 * most : most, width);
}

std::string dotFunctionName(const DotShape &shape) {
  return ("dots." + Twine(shape.rows) + "x" + Twine(shape.columns) + "x" +
          Twine(shape.vector->getNumElements()) +
          Twine(accumulatorLetter(shape.vector->getElementType())) +
          shape.widenB.name)
      .str();
}

static FunctionType *dotFunctionType(LLVMContext &context) {
  Type *pointer = PointerType::getUnqual(context);
  Type *i64 = Type::getInt64Ty(context);
  return FunctionType::get(Type::getVoidTy(context),
                           {pointer, i64, pointer, i64, i64, pointer, i64, i64,
                            Type::getInt1Ty(context)},
                           false);
}

Function *createDotFunction(llvm::Module &module, const DotShape &shape) {
  LLVMContext &context = module.getContext();
  Function *function =
      beginDefinition(module, dotFunctionName(shape), dotFunctionType(context));
  IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
  auto argument = [&](unsigned number) { return function->getArg(number); };
  DotOperands in;
  in.a = argument(0);
  in.aRow = argument(1);
  in.b = argument(2);
  in.bColumn = argument(3);
  in.k = argument(4);
  in.c = argument(5);
  in.cRow = argument(6);
  in.count = argument(7);
  in.accumulate = argument(8);
  DotEmitter(ir, shape, in).run();
  ir.CreateRetVoid();
  return function;
}

void emitDotCall(IRBuilder<> &ir, const DotShape &shape,
                 const DotOperands &in) {
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  Function *function = declareShared(module, dotFunctionName(shape),
                                     dotFunctionType(module.getContext()));
  if (shape.widenB && function->isDeclaration())
    createDotFunction(module, shape);
  ir.CreateCall(function, {in.a, in.aRow, in.b, in.bColumn, in.k, in.c, in.cRow,
                           in.count, in.accumulate});
}

} // namespace xlac::codegen
