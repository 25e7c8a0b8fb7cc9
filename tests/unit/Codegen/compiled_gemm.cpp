#include "compiled_gemm.h"

#include "Contraction/PanelPacking.h"
#include "Loops.h"

#include "xlac/Codegen/Codegen.h"
#include "xlac/Jit/Jit.h"

#include "llvm/IR/LLVMContext.h"

#include <cstring>
#include <sys/mman.h>

using namespace llvm;
using namespace xlac;
using namespace xlac::codegen;

CompiledProduct::CompiledProduct(const ContractionPlan &plan,
                                 const TargetProfile &profile)
    : plan(plan) {
  LLVMContext context;
  llvm::Module module("product", context);
  if (Error failure = jit::prepareModule(module, profile)) {
    error = toString(std::move(failure));
    return;
  }
  for (const char *phase : {"pack", "multiply", "sum"})
    emit(module, phase);
  codegen::defineSharedFunctions(module);
  Expected<runtime::Blob> blob = jit::compileToBlob(module, profile);
  if (!blob) {
    error = toString(blob.takeError());
    return;
  }
  size = blob->bytes.size();
  address = mmap(nullptr, size, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  std::memcpy(address, blob->bytes.data(), size);
  mprotect(address, size, PROT_READ | PROT_EXEC);
  for (const runtime::BlobSymbol &symbol : blob->symbols) {
    void *at = static_cast<char *>(address) + symbol.offset;
    if (symbol.name == "pack")
      pack = reinterpret_cast<Phase>(at);
    if (symbol.name == "multiply")
      multiply = reinterpret_cast<Phase>(at);
    if (symbol.name == "sum")
      sum = reinterpret_cast<Phase>(at);
  }
}

CompiledProduct::~CompiledProduct() {
  if (address)
    munmap(address, size);
}

/// Integers of 8 or 16 bits.
static Widening wideningOfInteger(LLVMContext &context, unsigned bits,
                                  bool isUnsigned) {
  Widening widening;
  widening.memory = llvm::Type::getIntNTy(context, bits);
  widening.name = (isUnsigned ? ".ui" : ".i") + std::to_string(bits);
  widening.emit = [=](IRBuilder<> &ir, Value *raw) -> Value * {
    llvm::Type *words = raw->getType()->getWithNewBitWidth(32);
    return isUnsigned ? ir.CreateZExt(raw, words) : ir.CreateSExt(raw, words);
  };
  return widening;
}

/// bf16 elements are the upper halves of f32.
static Widening wideningOf(LLVMContext &context, NumberFormat format) {
  Widening widening;
  if (format == NumberFormat::Plain)
    return widening;
  widening.memory = llvm::Type::getInt16Ty(context);
  widening.name = ".bf16";
  widening.emit = [](IRBuilder<> &ir, Value *raw) {
    llvm::Type *type = raw->getType();
    Value *word = ir.CreateZExt(raw, type->getWithNewBitWidth(32));
    return ir.CreateBitCast(ir.CreateShl(word, 16),
                            type->getWithNewType(ir.getFloatTy()));
  };
  return widening;
}

void CompiledProduct::emit(llvm::Module &module, StringRef name) {
  LLVMContext &context = module.getContext();
  llvm::Type *pointer = PointerType::getUnqual(context);
  llvm::Type *i64 = llvm::Type::getInt64Ty(context);
  auto *type = FunctionType::get(
      llvm::Type::getVoidTy(context),
      {pointer, pointer, pointer, pointer, pointer, i64, i64}, false);
  Function *function =
      Function::Create(type, GlobalValue::ExternalLinkage, name, module);
  function->setVisibility(GlobalValue::HiddenVisibility);
  IRBuilder<> ir(BasicBlock::Create(context, "entry", function));
  GemmPointers pointers{function->getArg(0), function->getArg(1),
                        function->getArg(2), function->getArg(3),
                        function->getArg(4)};
  auto sharedAt = [&](int64_t bytes) {
    return ir.CreateGEP(ir.getInt8Ty(), pointers.shared, ir.getInt64(bytes));
  };
  if (plan.shareA)
    pointers.sharedA = sharedAt(plan.sharedBytes);
  pointers.parts = sharedAt(plan.sharedBytes + plan.sharedBytesA);
  if (!plan.usesPairs) {
    auto widening = [&](NumberFormat format, bool isUnsigned) {
      bool isByte = format == NumberFormat::I8;
      return isByte || format == NumberFormat::I16
                 ? wideningOfInteger(context, isByte ? 8 : 16, isUnsigned)
                 : wideningOf(context, format);
    };
    pointers.widenA = widening(plan.gemm.a, plan.gemm.unsignedA);
    pointers.widenB = widening(plan.gemm.b, plan.gemm.unsignedB);
  }
  Value *begin = function->getArg(5), *end = function->getArg(6);
  auto finish = [&](const AccumulatedTile &tile) {
    scatter(ir, function->getArg(2), tile);
  };
  if (name == "pack" && packTasks() > 0)
    emitSharedPack(ir, plan, pointers, plan.shareB, begin, end);
  else if (name == "multiply")
    emitGemm(ir, plan, pointers, begin, end, finish);
  else if (name == "sum" && plan.dividesK())
    emitPartSums(ir, plan, pointers, begin, end, finish);
  ir.CreateRetVoid();
}

/// Writes a finished tile element by element.
void CompiledProduct::scatter(IRBuilder<> &ir, Value *c,
                              const AccumulatedTile &tile) {
  llvm::Type *element = accumulatorType(ir, plan.gemm);
  auto strides = [](ArrayRef<GemmDim> dims) {
    SmallVector<StridedDim> result;
    for (const GemmDim &dim : dims)
      result.push_back({dim.size, dim.c});
    return result;
  };
  const Gemm &gemm = plan.gemm;
  ArrayRef<GemmDim> rows = plan.swapped ? gemm.n : gemm.m;
  ArrayRef<GemmDim> columns = plan.swapped ? gemm.m : gemm.n;
  Value *batch = emitOffset(ir, strides(gemm.batch), tile.batch);
  emitFor(ir, ir.getInt64(0), tile.rows, 1, [&](Value *row) {
    Value *rowOffset =
        emitOffset(ir, strides(rows), ir.CreateAdd(tile.row, row));
    Value *all =
        tile.validColumns ? tile.validColumns : ir.getInt64(tile.columns);
    emitFor(ir, ir.getInt64(0), all, 1, [&](Value *i) {
      Value *offset =
          emitOffset(ir, strides(columns), ir.CreateAdd(tile.column, i));
      Value *from = ir.CreateAdd(ir.CreateMul(row, tile.stride), i);
      Value *value =
          ir.CreateLoad(element, ir.CreateGEP(element, tile.values, from));
      offset = ir.CreateAdd(offset, ir.CreateAdd(batch, rowOffset));
      ir.CreateStore(value, ir.CreateGEP(element, c, offset));
    });
  });
}
