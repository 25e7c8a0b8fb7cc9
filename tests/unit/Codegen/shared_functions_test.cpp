// Functions shared between modules: declared in one, defined identically in
// another.
#include "Contraction/DotTile.h"
#include "Contraction/Microkernel.h"
#include "Kernels/TransposedCopy.h"
#include "SharedDeclarations.h"

#include "xlac/Codegen/Codegen.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <set>

using namespace llvm;
using namespace xlac::codegen;

namespace {
class SharedFunctions : public testing::Test {
protected:
  TileShape shape(Type *element, unsigned lanes) {
    TileShape made;
    made.vector = FixedVectorType::get(element, lanes);
    return made;
  }

  /// Defines `function`'s name in another module, and compares. A third module
  /// that calls it declares it, and defines it on request.
  void expectAlike(Function *function) {
    std::string name = function->getName().str();
    llvm::Module other("other", context);
    emitSharedFunction(name, other);
    Function *made = other.getFunction(name);
    ASSERT_TRUE(made) << name;
    EXPECT_TRUE(made->hasExternalLinkage() && made->hasHiddenVisibility());
    EXPECT_EQ(textOf(made), textOf(function));
    EXPECT_EQ(made->getFunctionType(), function->getFunctionType());

    llvm::Module caller("caller", context);
    Function *declared =
        declareShared(caller, name, function->getFunctionType());
    EXPECT_TRUE(calledSharedFunctions(caller).empty());
    EXPECT_FALSE(caller.getFunction(name)) << "nothing calls it";
    declared = declareShared(caller, name, function->getFunctionType());
    auto *type = FunctionType::get(Type::getVoidTy(context), false);
    Function *user =
        Function::Create(type, GlobalValue::ExternalLinkage, "user", caller);
    IRBuilder<> ir(BasicBlock::Create(context, "entry", user));
    SmallVector<Value *> operands;
    for (Type *operand : function->getFunctionType()->params())
      operands.push_back(PoisonValue::get(operand));
    ir.CreateCall(declared, operands);
    ir.CreateRetVoid();
    std::vector<SharedFunction> called = calledSharedFunctions(caller);
    ASSERT_EQ(called.size(), 1u) << name;
    EXPECT_EQ(called[0].name, name);
    EXPECT_GT(called[0].cost, 0u);
    EXPECT_TRUE(declared->hasHiddenVisibility());
    defineSharedFunctions(caller);
    EXPECT_TRUE(declared->hasInternalLinkage());
    EXPECT_EQ(textOf(declared), textOf(function));
  }

  /// Returns the text after the linkage.
  static std::string textOf(Function *function) {
    std::string text;
    raw_string_ostream(text) << *function;
    return text.substr(text.find('{'));
  }

  LLVMContext context;
  llvm::Module module{"module", context};
};
} // namespace

TEST_F(SharedFunctions, TilesAreKnownByTheirNames) {
  TileShape plain = shape(Type::getFloatTy(context), 16);
  plain.rows = 14;
  plain.vectors = 2;
  plain.validColumnsB = 1;
  expectAlike(createTileFunction(module, plain));
  TileShape cut = shape(Type::getDoubleTy(context), 4);
  cut.rows = 6;
  cut.vectors = 2;
  cut.validColumnsB = cut.validColumnsC = 3;
  expectAlike(createTileFunction(module, cut));
  TileShape walk = shape(Type::getInt32Ty(context), 8);
  walk.rows = 4;
  walk.indirectStride = -64;
  expectAlike(createTileFunction(module, walk));
  TileShape rows = shape(Type::getFloatTy(context), 8);
  rows.rows = 5;
  rows.vectors = 2;
  rows.addressedRows = true;
  expectAlike(createTileFunction(module, rows));
}

TEST_F(SharedFunctions, SumsAlongKAreKnownByTheirNames) {
  DotShape dots;
  dots.vector = FixedVectorType::get(Type::getDoubleTy(context), 4);
  dots.rows = 3;
  dots.columns = 4;
  expectAlike(createDotFunction(module, dots));
  dots.vector = FixedVectorType::get(Type::getInt32Ty(context), 16);
  dots.rows = 1;
  dots.columns = 16;
  expectAlike(createDotFunction(module, dots));
}

TEST_F(SharedFunctions, TransposedCopiesAreKnownByTheirNames) {
  TransposedCopy copy;
  copy.vector = FixedVectorType::get(Type::getInt32Ty(context), 16);
  expectAlike(createCopyFunction(module, copy));
}

TEST_F(SharedFunctions, WhatWidensStays) {
  TileShape widens = shape(Type::getFloatTy(context), 16);
  widens.widenB.memory = Type::getInt16Ty(context);
  widens.widenB.name = ".bf16";
  widens.widenB.emit = [](IRBuilder<> &ir, Value *raw) {
    return ir.CreateSIToFP(raw,
                           raw->getType()->getWithNewType(ir.getFloatTy()));
  };
  Function *function = createTileFunction(module, widens);
  EXPECT_TRUE(calledSharedFunctions(module).empty());
  EXPECT_FALSE(function->isDeclaration());
}

TEST_F(SharedFunctions, CommonOnesCanBeDefined) {
  for (const char *profile : {"avx2", "avx512"}) {
    std::vector<std::string> names =
        commonSharedFunctions(*xlac::find_profile(profile));
    EXPECT_GT(names.size(), 100u);
    std::set<std::string> distinct(names.begin(), names.end());
    EXPECT_EQ(distinct.size(), names.size());
    for (const std::string &name : names) {
      emitSharedFunction(name, module);
      EXPECT_TRUE(module.getFunction(name)) << name;
    }
  }
}
