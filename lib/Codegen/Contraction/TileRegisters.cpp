#include "TileRegisters.h"

#include "Loops.h"

#include "llvm/IR/IntrinsicsX86.h"

using namespace llvm;

namespace xlac::codegen {

void emitTileSetting(IRBuilder<> &ir) {
  // Palette 1. Bytes 16 to 31 are the widths in bytes, bytes 48 to 55 the
  // heights.
  SmallVector<uint8_t> bytes(64, 0);
  bytes[0] = 1;
  for (unsigned number = 0; number < 8; ++number) {
    bytes[16 + 2 * number] = kTileRowBytes;
    bytes[48 + number] = kTileRows;
  }
  Constant *setting = ConstantDataVector::get(ir.getContext(), bytes);
  AllocaInst *memory =
      emitFrameMemory(ir, setting->getType(), Align(64), "setting");
  ir.CreateAlignedStore(setting, memory, Align(64));
  ir.CreateIntrinsic(ir.getVoidTy(), Intrinsic::x86_ldtilecfg, {memory});
}

void emitTileRelease(IRBuilder<> &ir) {
  ir.CreateIntrinsic(ir.getVoidTy(), Intrinsic::x86_tilerelease, {});
}

//===- Contractions -------------------------------------------------------===//

static Intrinsic::ID productsOf(TileProducts products) {
  switch (products) {
  case TileProducts::BF16:
    return Intrinsic::x86_tdpbf16ps;
  case TileProducts::II:
    return Intrinsic::x86_tdpbssd;
  case TileProducts::IU:
    return Intrinsic::x86_tdpbsud;
  case TileProducts::UI:
    return Intrinsic::x86_tdpbusd;
  case TileProducts::UU:
    return Intrinsic::x86_tdpbuud;
  }
  llvm_unreachable("products of tile registers");
}

namespace {
/// Registers 0 to 3 hold C, 4 and 5 rows of A, 6 and 7 columns of B.
class BlockEmitter {
public:
  BlockEmitter(IRBuilder<> &ir, const TileBlock &block, const PairOperands &in)
      : ir(ir), block(block), in(in) {}

  void run() {
    emitIf(ir, in.accumulate, [&] {
      eachOfC([&](unsigned number, Value *address) {
        load(number, address, in.cRow);
      });
    });
    emitIf(ir, ir.CreateNot(in.accumulate), [&] {
      eachOfC([&](unsigned number, Value *) {
        call(Intrinsic::x86_tilezero, {ir.getInt8(number)});
      });
    });
    Value *bStep = ir.CreateShl(in.bRow, 4); // a register's rows
    int64_t registerK = block.products == TileProducts::BF16 ? kTileRowBytes / 2
                                                             : kTileRowBytes;
    emitFor(ir, ir.getInt64(0), in.k, ir.getInt64(registerK), {in.a, in.b},
            [&](Value *, ArrayRef<Value *> now) -> LoopValues {
              step(now[0], now[1]);
              return {at(now[0], ir.getInt64(kTileRowBytes)),
                      at(now[1], bStep)};
            });
    eachOfC([&](unsigned number, Value *address) {
      call(Intrinsic::x86_tilestored64, {ir.getInt8(number), address, in.cRow});
    });
  }

private:
  Value *at(Value *base, Value *bytes) {
    return ir.CreateGEP(ir.getInt8Ty(), base, bytes);
  }
  void call(Intrinsic::ID id, ArrayRef<Value *> arguments) {
    ir.CreateIntrinsic(ir.getVoidTy(), id, arguments);
  }
  void load(unsigned number, Value *address, Value *stride) {
    call(Intrinsic::x86_tileloadd64, {ir.getInt8(number), address, stride});
  }

  void eachOfC(function_ref<void(unsigned number, Value *address)> body) {
    for (unsigned row = 0; row < block.rows; ++row) {
      Value *start = at(in.c, ir.CreateMul(in.cRow, ir.getInt64(row * 16)));
      for (unsigned column = 0; column < block.columns; ++column)
        body(2 * row + column, at(start, ir.getInt64(column * kTileRowBytes)));
    }
  }

  void step(Value *a, Value *b) {
    for (unsigned column = 0; column < block.columns; ++column)
      load(6 + column, at(b, ir.getInt64(column * kTileRowBytes)), in.bRow);
    for (unsigned row = 0; row < block.rows; ++row) {
      load(4 + row, at(a, ir.CreateMul(in.aRow, ir.getInt64(row * 16))),
           in.aRow);
      for (unsigned column = 0; column < block.columns; ++column)
        call(productsOf(block.products),
             {ir.getInt8(2 * row + column), ir.getInt8(4 + row),
              ir.getInt8(6 + column)});
    }
  }

  IRBuilder<> &ir;
  const TileBlock &block;
  const PairOperands &in;
};
} // namespace

static Function *createBlockFunction(llvm::Module &module, const Twine &name,
                                     const TileBlock &block) {
  LLVMContext &context = module.getContext();
  Type *pointer = PointerType::getUnqual(context);
  Type *i64 = Type::getInt64Ty(context);
  auto *type = FunctionType::get(
      Type::getVoidTy(context),
      {pointer, i64, pointer, i64, i64, pointer, i64, Type::getInt1Ty(context)},
      false);
  Function *function =
      Function::Create(type, GlobalValue::InternalLinkage, name, module);
  IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
  auto argument = [&](unsigned number) { return function->getArg(number); };
  PairOperands in{argument(0), argument(1), argument(2), argument(3),
                  argument(4), argument(5), argument(6), argument(7)};
  BlockEmitter(ir, block, in).run();
  ir.CreateRetVoid();
  return function;
}

void emitTileBlockCall(IRBuilder<> &ir, const TileBlock &block,
                       const PairOperands &in) {
  assert(1 <= block.rows && block.rows <= 2 && 1 <= block.columns &&
         block.columns <= 2 && "registers 0 to 3 hold a block of C");
  llvm::Module &module = *ir.GetInsertBlock()->getModule();
  static constexpr const char *suffixes[] = {"", ".ii", ".iu", ".ui", ".uu"};
  std::string name = ("tiles." + Twine(block.rows) + "x" +
                      Twine(block.columns) + suffixes[int(block.products)])
                         .str();
  Function *function = module.getFunction(name);
  if (!function)
    function = createBlockFunction(module, name, block);
  ir.CreateCall(function, {in.a, in.aRow, in.b, in.bRow, in.k, in.c, in.cRow,
                           in.accumulate});
}

} // namespace xlac::codegen
