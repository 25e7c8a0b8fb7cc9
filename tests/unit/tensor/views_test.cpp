#include "xlac/ops.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

using Floats = std::vector<float>;

TEST(Views, WritesGoBothWays) {
  Tensor base = zeros({2, 3});
  Tensor row = base[1], column = base.select(1, 0), turned = base.t();
  row.fill_(5);
  EXPECT_EQ(base.to_vector<float>(), (Floats{0, 0, 0, 5, 5, 5}));
  column += 1;
  EXPECT_EQ(base.to_vector<float>(), (Floats{1, 0, 0, 6, 5, 5}));
  EXPECT_EQ(turned.to_vector<float>(), (Floats{1, 6, 0, 5, 0, 5}));
  turned[2].fill_(7);
  EXPECT_EQ(base.to_vector<float>(), (Floats{1, 0, 7, 6, 5, 7}));
  base.view({6}).slice(0, 0, 6, 2).fill_(-1);
  EXPECT_EQ(base.to_vector<float>(), (Floats{-1, 0, -1, 6, -1, 7}));
  EXPECT_TRUE(row.is_view());
  EXPECT_TRUE(row.is_alias_of(turned));
}

TEST(Views, StridesOfCpuMemory) {
  Tensor base = arange(6).view({2, 3});
  EXPECT_EQ(base.t().strides(), (Shape{1, 3}));
  EXPECT_FALSE(base.t().is_contiguous());
  EXPECT_THROW(base.t().view({-1}), ShapeError);
  EXPECT_EQ(base.t().reshape({-1}).to_vector<int64_t>(),
            (std::vector<int64_t>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(*base[1].data_ptr<int64_t>(), 3);
  EXPECT_EQ(base.t().contiguous().strides(), (Shape{2, 1}));
}

TEST(Views, Subscripts) {
  Tensor x = arange(24).view({2, 3, 4});
  EXPECT_EQ(x.index({1, Slice(0, 2), Ellipsis}).sizes(), (Shape{2, 4}));
  EXPECT_EQ(x.index({Ellipsis, None, -1}).sizes(), (Shape{2, 3, 1}));
  EXPECT_EQ(x.index({0, 1, Slice(None, -1)}).to_vector<int64_t>(),
            (std::vector<int64_t>{4, 5, 6}));
  EXPECT_THROW(x.index({0, 0, 0, 0}), IndexError);
}

TEST(Views, ExpandedOnesCannotBeWritten) {
  Tensor x = ones({1, 2}).expand({3, 2});
  EXPECT_EQ(x.sum().item<float>(), 6);
  EXPECT_THROW(x.fill_(2), UserError);
}

} // namespace
} // namespace xlac
