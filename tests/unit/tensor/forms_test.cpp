// The forms that the table of functions generates: methods, in place, out.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

namespace {

using namespace xlac;

TEST(Forms, MethodIsTheFunction) {
  Tensor a = tensor({1.0, -2.0});
  EXPECT_TRUE(equal(a.abs(), abs(a)));
  EXPECT_TRUE(equal(a.add(a, 2), add(a, a, 2)));
  // *this is the operand named self, which is the second one here.
  EXPECT_EQ(a.where(a > 0, tensor({7.0, 8.0})).to_vector<double>(),
            (std::vector<double>{1, 8}));
}

TEST(Forms, InPlaceKeepsDtypeAndShape) {
  Tensor whole = tensor({1, 2});
  whole.add_(tensor(3));
  EXPECT_EQ(whole.to_vector<int>(), (std::vector<int>{4, 5}));
  Tensor row = tensor({1.0, 4.0});
  EXPECT_TRUE(row.sqrt_().is_same(row));
  EXPECT_EQ(row.to_vector<double>(), (std::vector<double>{1, 2}));
  EXPECT_THROW(whole.sqrt_(), DtypeError);
  EXPECT_THROW(row.add_(ones({3, 2})), ShapeError);
}

TEST(Forms, OutTakesTheResultsShape) {
  Tensor a = tensor({{1.0, 5.0}, {7.0, 3.0}});
  Tensor out = zeros({2, 2}), alias = out;
  EXPECT_TRUE(add(a, a, out).is_same(out));
  EXPECT_EQ(alias.to_vector<double>(), (std::vector<double>{2, 10, 14, 6}));
  Tensor empty_one = zeros({0});
  sum(a, {1}, empty_one);
  EXPECT_EQ(empty_one.sizes(), (Shape{2}));
  EXPECT_EQ(empty_one.to_vector<double>(), (std::vector<double>{6, 10}));
}

TEST(Forms, OutOfSeveralResults) {
  Tensor a = tensor({{1.0, 5.0}, {7.0, 3.0}});
  Tensor values = zeros({0}), indices = zeros({0}, kInt64);
  max(a, 1, values, indices);
  EXPECT_EQ(values.to_vector<double>(), (std::vector<double>{5, 7}));
  EXPECT_EQ(indices.to_vector<int>(), (std::vector<int>{1, 0}));
}

TEST(Forms, OutRefusesOtherCategories) {
  Tensor a = tensor({1.5, 2.5}), whole = zeros({2}, kInt64);
  try {
    mul(a, a, whole);
    FAIL() << "nothing was thrown";
  } catch (const DtypeError &error) {
    EXPECT_STREQ(error.what(), "mul(): result type Float can't be cast to the "
                               "desired output type Long");
  }
}

} // namespace
