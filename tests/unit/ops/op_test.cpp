#include "xlac/ops/op.h"

#include <gtest/gtest.h>

namespace xlac::ops {
namespace {

TEST(Op, NamesFindTheirKind) {
  for (int i = 0; i < kOpKindCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    EXPECT_EQ(find_op(op_name(kind)), kind) << op_name(kind);
  }
  EXPECT_FALSE(find_op("stablehlo.nothing"));
  EXPECT_FALSE(find_op(""));
}

TEST(Op, TheTableHoldsEveryOp) {
  int stablehlo = 0, chlo = 0;
  for (int i = 0; i < kOpKindCount; ++i) {
    std::string_view name = op_name(static_cast<OpKind>(i));
    stablehlo += name.starts_with("stablehlo.");
    chlo += name.starts_with("chlo.");
  }
  EXPECT_EQ(stablehlo, 118);
  EXPECT_EQ(chlo, 51);
}

TEST(Op, FactsFollowTheTable) {
  EXPECT_EQ(facts(OpKind::Add).op_class, OpClass::Elementwise);
  EXPECT_TRUE(facts(OpKind::Add).commutative);
  EXPECT_FALSE(facts(OpKind::Subtract).commutative);
  EXPECT_EQ(facts(OpKind::While).regions, 2);
  EXPECT_TRUE(facts(OpKind::Case).variadic_regions);
  EXPECT_TRUE(facts(OpKind::Return).terminator);
  EXPECT_TRUE(facts(OpKind::DynamicReshape).operands[1].sizes);
  EXPECT_EQ(short_name(OpKind::ChloErf), "erf");
}

} // namespace
} // namespace xlac::ops
