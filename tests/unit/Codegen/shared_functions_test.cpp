// Functions shared between modules: omitted from one, defined identically in
// another.
#include "Contraction/Microkernel.h"
#include "Kernels/TransposedCopy.h"

#include "xlac/Codegen/Codegen.h"

#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

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

  /// Removes `function` from its module, defines it by its name in another one,
  /// and compares.
  void expectAlike(Function *function) {
    std::string name = function->getName().str();
    std::string before = textOf(function);
    std::vector<SharedFunction> leftOut = leaveOutSharedFunctions(module);
    ASSERT_EQ(leftOut.size(), 1u) << name;
    EXPECT_EQ(leftOut[0].name, name);
    EXPECT_GT(leftOut[0].instructions, 0u);
    EXPECT_TRUE(function->isDeclaration());
    EXPECT_TRUE(function->hasHiddenVisibility());
    llvm::Module other("other", context);
    emitSharedFunction(name, other);
    Function *made = other.getFunction(name);
    ASSERT_TRUE(made) << name;
    EXPECT_TRUE(made->hasExternalLinkage() && made->hasHiddenVisibility());
    EXPECT_EQ(textOf(made), before);
    EXPECT_EQ(made->getFunctionType(), function->getFunctionType());
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
  EXPECT_TRUE(leaveOutSharedFunctions(module).empty());
  EXPECT_FALSE(function->isDeclaration());
}
