#include "xlac/ops/elementwise.h"

#include <gtest/gtest.h>

namespace xlac::ops {
namespace {

TEST(Elementwise, OpsOfTheClassHaveFactsAndOthersNone) {
  for (int i = 0; i < kOpKindCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    const ElementwiseFacts *found = elementwise_facts(kind);
    EXPECT_EQ(found != nullptr, facts(kind).op_class == OpClass::Elementwise)
        << op_name(kind);
    if (!found)
      continue;
    EXPECT_EQ(found->kind, kind);
    EXPECT_NE(found->elements, 0) << op_name(kind);
  }
}

TEST(Elementwise, CostsAreThoseOfTheTypesClass) {
  EXPECT_EQ(cost_of(OpKind::Add, ElementType::F32), 1);
  EXPECT_EQ(cost_of(OpKind::Remainder, ElementType::BF16),
            cost_of(OpKind::Remainder, ElementType::F64));
  EXPECT_GT(cost_of(OpKind::Remainder, ElementType::F32),
            cost_of(OpKind::Remainder, ElementType::I32));
  EXPECT_EQ(cost_of(OpKind::Exponential, ElementType::Complex64),
            cost_of(OpKind::Exponential, ElementType::F32));
  for (int i = 0; i < kOpKindCount; ++i)
    EXPECT_GE(cost_of(static_cast<OpKind>(i), ElementType::F32), 1)
        << op_name(static_cast<OpKind>(i));
}

} // namespace
} // namespace xlac::ops
