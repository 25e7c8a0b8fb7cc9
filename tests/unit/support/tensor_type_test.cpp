#include "xlac/support/tensor_type.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

TEST(TensorType, CountsElements) {
  TensorType type;
  type.dims = {2, 3};
  EXPECT_EQ(type.element_count(), 6);
  EXPECT_EQ(type.byte_count(), 24);
  type.dims = {};
  EXPECT_EQ(type.element_count(), 1);
  type.dims = {int64_t{1} << 62, 4};
  EXPECT_FALSE(type.element_count());
  type.dims = {int64_t{1} << 62, 4, 0};
  EXPECT_EQ(type.element_count(), 0);
  type.dims = {2, kDynamic};
  EXPECT_FALSE(type.element_count());
}

TEST(TensorType, PrintsAsMlirDoes) {
  TensorType type;
  type.element = ElementType::BF16;
  type.dims = {2, kDynamic};
  EXPECT_EQ(to_string(type), "tensor<2x?xbf16>");
  type.bounds = {kDynamic, 5};
  EXPECT_EQ(to_string(type), "tensor<2x?xbf16, #stablehlo.bounds<?, 5>>");
  EXPECT_EQ(to_string(Type::tuple({Type(TokenType{}), Type()})),
            "tuple<!stablehlo.token, tensor<f32>>");
}

} // namespace
} // namespace xlac
