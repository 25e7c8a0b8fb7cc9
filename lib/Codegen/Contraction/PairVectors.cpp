// GEMMs of VNNI pairs of bf16 on vectors: each lane adds two products to an
// f32.
#include "TileRegisters.h"

#include "Loops.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace xlac::codegen {

static constexpr int64_t kVectorBytes = 64;

namespace {
/// Computes kPairRows rows of C, `registers` vectors each.
class RowsEmitter {
public:
  RowsEmitter(IRBuilder<> &ir, unsigned registers, const PairOperands &in)
      : ir(ir), registers(registers), in(in),
        sums(FixedVectorType::get(ir.getFloatTy(), 16)),
        pairs(FixedVectorType::get(ir.getBFloatTy(), 32)) {}

  void run() {
    SmallVector<Value *> rowsOfC = {in.c};
    while (rowsOfC.size() < kPairRows)
      rowsOfC.push_back(at(rowsOfC.back(), in.cRow));
    auto place = [&](size_t number) {
      return at(rowsOfC[number / registers],
                ir.getInt64(number % registers * kVectorBytes));
    };
    size_t count = kPairRows * registers;
    LoopValues values(count, Constant::getNullValue(sums));
    // Multiples of a stride up to four take one or two registers.
    Value *three = ir.CreateMul(in.aRow, ir.getInt64(3));
    offsets = {ir.getInt64(0), in.aRow, ir.CreateShl(in.aRow, 1), three,
               ir.CreateShl(in.aRow, 2)};
    values.append({in.b, in.a, at(in.a, ir.CreateAdd(offsets[4], in.aRow))});
    values = emitFor(
        ir, ir.getInt64(0), in.k, ir.getInt64(2), values,
        [&](Value *, ArrayRef<Value *> now) { return step(now, count); });
    // C is added last, so that the rounding errors of a block grow only with
    // its own sum.
    for (size_t number = 0; number < count; ++number) {
      Value *before = ir.CreateAlignedLoad(sums, place(number), Align(4));
      before =
          ir.CreateSelect(in.accumulate, before, Constant::getNullValue(sums));
      ir.CreateAlignedStore(ir.CreateFAdd(before, values[number]),
                            place(number), Align(4));
    }
  }

private:
  Value *at(Value *base, Value *bytes) {
    return ir.CreateGEP(ir.getInt8Ty(), base, bytes);
  }

  /// One pair of K indices: every row's pair of A times the row of B.
  LoopValues step(ArrayRef<Value *> now, size_t count) {
    ArrayRef<Value *> places = now.drop_front(count);
    SmallVector<Value *> columns;
    for (unsigned v = 0; v < registers; ++v)
      columns.push_back(ir.CreateAlignedLoad(
          pairs, at(places[0], ir.getInt64(v * kVectorBytes)), Align(4)));
    LoopValues next;
    for (unsigned row = 0; row < kPairRows; ++row) {
      Value *base = places[1 + row / offsets.size()];
      Value *pair = ir.CreateAlignedLoad(
          ir.getInt32Ty(), at(base, offsets[row % offsets.size()]), Align(2));
      Value *all = ir.CreateBitCast(ir.CreateVectorSplat(16, pair), pairs);
      for (Value *column : columns)
        next.push_back(
            ir.CreateIntrinsic(Intrinsic::x86_avx512bf16_dpbf16ps_512, {},
                               {now[next.size()], all, column}));
    }
    Value *pairBytes = ir.getInt64(4);
    next.append({at(places[0], in.bRow), at(places[1], pairBytes),
                 at(places[2], pairBytes)});
    return next;
  }

  IRBuilder<> &ir;
  unsigned registers;
  const PairOperands &in;
  FixedVectorType *sums, *pairs;
  SmallVector<Value *>
      offsets; ///< offsets of the rows that one address reaches
};
} // namespace

static Function *createRowsFunction(llvm::Module &module, const Twine &name,
                                    unsigned registers) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(Type::getVoidTy(context),
                                 {pointer, i64, pointer, i64, i64, pointer, i64,
                                  Type::getInt1Ty(context), i64},
                                 false);
  Function *function =
      Function::Create(type, GlobalValue::InternalLinkage, name, module);
  IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
  auto argument = [&](unsigned number) { return function->getArg(number); };
  PairOperands in{argument(0), argument(1), argument(2), argument(3),
                  argument(4), argument(5), argument(6), argument(7)};
  emitFor(ir, ir.getInt64(0), argument(8), kPairRows, [&](Value *row) {
    PairOperands rows = in;
    auto moved = [&](Value *base, Value *stride) {
      return ir.CreateGEP(ir.getInt8Ty(), base, ir.CreateMul(row, stride));
    };
    rows.a = moved(in.a, in.aRow);
    rows.c = moved(in.c, in.cRow);
    RowsEmitter(ir, registers, rows).run();
  });
  ir.CreateRetVoid();
  return function;
}

void emitPairVectorsCall(IRBuilder<> &ir, unsigned registers,
                         const PairOperands &in, Value *rows) {
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  std::string name = ("pairs." + Twine(registers)).str();
  Function *function = module.getFunction(name);
  if (!function)
    function = createRowsFunction(module, name, registers);
  ir.CreateCall(function, {in.a, in.aRow, in.b, in.bRow, in.k, in.c, in.cRow,
                           in.accumulate, rows});
}

} // namespace xlac::codegen
