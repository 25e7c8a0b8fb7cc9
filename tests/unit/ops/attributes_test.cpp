#include "xlac/ops/attributes.h"

#include <gtest/gtest.h>

namespace xlac::ops {
namespace {

std::string hash_of(const OpAttributes &attributes) {
  Hasher hasher;
  attributes.hash(hasher);
  return to_hex(hasher.finish());
}

std::vector<std::byte> bytes_of(std::initializer_list<int> values) {
  std::vector<std::byte> bytes;
  for (int value : values)
    bytes.push_back(static_cast<std::byte>(value));
  return bytes;
}

TEST(Attributes, DefaultsAreAbsence) {
  OpAttributes given = ExponentialAttributes{};
  EXPECT_TRUE(given.empty());
  EXPECT_EQ(given, OpAttributes());
  EXPECT_EQ(hash_of(given), hash_of(OpAttributes()));
  EXPECT_EQ(OpAttributes().get<SortAttributes>().dimension, -1);
}

TEST(Attributes, CompareAndHashByValue) {
  OpAttributes a = TransposeAttributes{.permutation = {1, 0}};
  OpAttributes b = TransposeAttributes{.permutation = {1, 0}};
  OpAttributes c = TransposeAttributes{.permutation = {0, 1}};
  EXPECT_EQ(a, b);
  EXPECT_EQ(hash_of(a), hash_of(b));
  EXPECT_FALSE(a == c);
  EXPECT_NE(hash_of(a), hash_of(c));
}

TEST(Attributes, AnotherOpsStructIsDefault) {
  OpAttributes a = TransposeAttributes{.permutation = {1, 0}};
  EXPECT_TRUE(a.get<ReverseAttributes>().dimensions.empty());
}

TEST(Attributes, Print) {
  OpAttributes a = CompareAttributes{
      .comparison_direction = ComparisonDirection::LT, .compare_type = {}};
  EXPECT_EQ(a.text(OpKind::Compare),
            "{comparison_direction = LT, compare_type = none}");
  EXPECT_EQ(OpAttributes().text(OpKind::Add), "");
}

TEST(Attributes, ElementsFindTheirSplats) {
  TensorType type;
  type.element = ElementType::I8;
  type.dims = {3};
  DenseElements mixed = DenseElements::make(type, bytes_of({1, 2, 255}));
  EXPECT_FALSE(mixed.splat);
  EXPECT_EQ(mixed.integers(), (std::vector<int64_t>{1, 2, -1}));
  DenseElements same = DenseElements::make(type, bytes_of({7, 7, 7}));
  EXPECT_TRUE(same.splat);
  EXPECT_EQ(same.integers(), (std::vector<int64_t>{7, 7, 7}));
  EXPECT_EQ(same, DenseElements::make_splat(type, bytes_of({7})));
  type.dims = {0};
  EXPECT_EQ(DenseElements::make(type, {}),
            DenseElements::make_splat(type, bytes_of({7})));
}

} // namespace
} // namespace xlac::ops
