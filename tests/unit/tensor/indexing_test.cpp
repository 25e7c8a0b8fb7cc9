// Subscripts, on both devices.
#include "xlac/lazy.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

using Longs = std::vector<int64_t>;

class Subscripts : public testing::TestWithParam<const char *> {
protected:
  Device device() const { return Device(GetParam()); }
  Tensor longs(std::initializer_list<int64_t> list) const {
    return tensor(list, device());
  }
  Tensor flags(std::initializer_list<bool> list) const {
    return tensor(list, device());
  }

  Tensor x = arange(24, Device(GetParam())).view({2, 3, 4});
  Tensor i = longs({2, 0});
  Tensor mask = flags({true, false, true, false, false, true}).view({2, 3});
};

void expect(const Tensor &tensor, const Shape &sizes, const Longs &values) {
  EXPECT_EQ(tensor.sizes(), sizes);
  EXPECT_EQ(tensor.to_vector<int64_t>(), values);
}

TEST_P(Subscripts, AreAssignedThrough) {
  Tensor y = zeros({2, 3}, device());
  y[0] = 5;
  y[1] = tensor({1.0, 2.0, 3.0}, device());
  y.index({Slice(), 1}) = 7;
  EXPECT_EQ(y.to_vector<int>(), (std::vector<int>{5, 7, 5, 1, 7, 3}));
  y.t() = ones({3, 2}, device());
  EXPECT_EQ(y.sum().item<int>(), 6);
  EXPECT_THROW(y.index({y > 0}) = 0, ValueError);
  EXPECT_THROW(y + 1 = y, ValueError);
  EXPECT_THROW(y[2] = 1, IndexError);
  // Assignment to named handles makes them refer to another tensor.
  std::vector<Tensor> list(1);
  list[0] = y;
  std::tie(list[0], y) = std::tuple(y + 1, list[0]);
  EXPECT_EQ(list[0].sum().item<int>(), 12);
  EXPECT_EQ(y.sum().item<int>(), 6);
}

TEST_P(Subscripts, NumbersSlicesAndAxes) {
  expect(x.index({1, Slice(0, 2), -1}), {2}, {15, 19});
  expect(x.index({Ellipsis, None, 0}).index({0}), {3, 1}, {0, 4, 8});
  expect(x.index({Slice(), 1, Slice(0, None, 3)}), {2, 2}, {4, 7, 16, 19});
  EXPECT_TRUE(x.index({Ellipsis}).is_alias_of(x));
  EXPECT_EQ(x.index({Slice(None, None, 2)}).sizes(), (Shape{1, 3, 4}));
  EXPECT_EQ(x.index({true}).sizes(), (Shape{1, 2, 3, 4}));
  EXPECT_EQ(x.index({false}).sizes(), (Shape{0, 2, 3, 4}));
}

TEST_P(Subscripts, IndexTensors) {
  Tensor j = longs({1, -1}).view({2, 1});
  expect(x.index({0, Slice(), i}), {3, 2}, {2, 0, 6, 4, 10, 8});
  expect(x.index({longs({0, 1}), Slice(), i}), {2, 3}, {2, 6, 10, 12, 16, 20});
  expect(x.index({Ellipsis, j, None}), {2, 3, 2, 1, 1},
         {1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23});
  expect(x.index({Slice(), i, j}), {2, 2, 2}, {9, 1, 11, 3, 21, 13, 23, 15});
  expect(x.index({None, Slice(), i, Slice(0, None, 2)}), {1, 2, 2, 2},
         {8, 10, 0, 2, 20, 22, 12, 14});
  expect(x.index({1, tensor(2, device())}), {4}, {20, 21, 22, 23});
  expect(x.index({tensor(1, device()), Slice(), i}), {3, 2},
         {14, 12, 18, 16, 22, 20});
  expect(x.index({zeros(0, TensorOptions(kInt64).device(device()))}), {0, 3, 4},
         {});
}

TEST_P(Subscripts, Masks) {
  expect(x.index({mask, Slice(1, 3)}), {3, 2}, {1, 2, 9, 10, 21, 22});
  expect(x.index({Slice(), flags({true, false, true}), longs({0, 3})}), {2, 2},
         {0, 11, 12, 23});
  EXPECT_EQ(x.index({mask.eq(mask.eq(false))}).sizes(), (Shape{0, 4}));
}

TEST_P(Subscripts, CopiesDoNotAlias) {
  Tensor picked = x.index({i.narrow(0, 1, 1)});
  picked.fill_(-1);
  EXPECT_EQ(x.to_vector<int64_t>()[0], 0);
  EXPECT_FALSE(picked.is_view());
}

TEST_P(Subscripts, Writes) {
  Tensor y = x.clone();
  y.index_put_({1, Slice(), i}, longs({-1, -2}));
  expect(y[1], {3, 4}, {-2, 13, -1, 15, -2, 17, -1, 19, -2, 21, -1, 23});
  y = x.clone();
  y.index_put_({longs({0, 0, 1}), longs({1, 1, 2})}, tensor(100, device()),
               true);
  expect(y.select(2, 0), {2, 3}, {0, 204, 8, 12, 16, 120});
  y = x.clone();
  y.index_put_({mask}, longs({-1, -2, -3, -4}));
  expect(y.select(2, 3), {2, 3}, {-4, 7, -4, 15, 19, -4});
  y.index_put_({mask}, 7);
  expect(y.select(2, 0), {2, 3}, {7, 4, 7, 12, 16, 7});
  y.index_put_({Slice(1, None), 0, Slice(0, None, 2)},
               longs({50, 51}).view({1, 2}));
  expect(y[1][0], {4}, {50, 13, 51, 15});
  y.index_put_({tensor(0, device()), 0}, 5);
  expect(y[0][0], {4}, {5, 5, 5, 5});
  expect(index_put(x, {0, 0}, tensor(-9, device())).select(1, 0).select(1, 1),
         {2}, {-9, 13});
}

TEST_P(Subscripts, WritesThroughViews) {
  Tensor turned = x.permute({2, 0, 1});
  turned.index_put_({longs({0, 3}), 1}, -5);
  sync();
  expect(x[1], {3, 4}, {-5, 13, 14, -5, -5, 17, 18, -5, -5, 21, 22, -5});
}

TEST_P(Subscripts, RefusedOnesLeaveEverythingAsItWas) {
  Longs before = x.to_vector<int64_t>();
  EXPECT_THROW(x.index({0, 0, 0, 0}), IndexError);
  EXPECT_THROW(x.index({2}), IndexError);
  EXPECT_THROW(x.index({Ellipsis, Ellipsis}), IndexError);
  EXPECT_THROW(x.index({Slice(0, 2, 0)}), ValueError);
  EXPECT_THROW(x.index({i, longs({0, 1, 2})}), IndexError);
  EXPECT_THROW(x.index({flags({true, false, true})}), IndexError);
  EXPECT_THROW(x.index({tensor({1.5}, device())}), IndexError);
  EXPECT_THROW(x.index_put_({longs({1})}, tensor({1.5}, device())), DtypeError);
  EXPECT_THROW(x.index_put_({longs({0, 1})}, longs({1, 2, 3})), ShapeError);
  EXPECT_THROW(x.index_put_({0}, longs({1, 2, 3})), ShapeError);
  EXPECT_EQ(x.to_vector<int64_t>(), before);
}

TEST_P(Subscripts, FunctionalEmbeddings) {
  Tensor table = tensor({{3.0f, 4.0f}, {0.5f, 0.0f}, {6.0f, 8.0f}}, device());
  Tensor rows = nn::functional::embedding(i, table, -1, 5.0);
  EXPECT_TRUE(allclose(
      table, tensor({{3.0f, 4.0f}, {0.5f, 0.0f}, {3.0f, 4.0f}}, device())));
  EXPECT_TRUE(equal(rows, embedding(table, i)));
  EXPECT_THROW(nn::functional::embedding(i, table, 3), ValueError);
  Tensor sums = nn::functional::embedding_bag(i, table, tensor({0}, device()),
                                              {}, 2, false, "sum");
  EXPECT_TRUE(allclose(sums, tensor({{6.0f, 8.0f}}, device())));
}

INSTANTIATE_TEST_SUITE_P(Devices, Subscripts, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

TEST(SubscriptsOutOfBounds, ThrowOnTheCpu) {
  Tensor x = arange(3), far = tensor({0, 3});
  EXPECT_THROW(x.index({far}), IndexError);
  EXPECT_THROW(x.index({tensor({-4})}), IndexError);
  EXPECT_THROW(x.index_put_({far}, 1), IndexError);
  EXPECT_EQ(x.to_vector<int64_t>(), (Longs{0, 1, 2}));
}

TEST(SubscriptsOutOfBounds, AreClampedOrSkippedOnXla) {
  Device device("xla:0");
  Tensor x = arange(3, device), far = tensor({0, 3}, device);
  EXPECT_EQ(x.index({far}).to_vector<int64_t>(), (Longs{0, 2}));
  x.index_put_({far}, 9);
  EXPECT_EQ(x.to_vector<int64_t>(), (Longs{9, 1, 2}));
}

TEST(SubscriptsAcrossDevices, AreRefused) {
  Tensor x = arange(3, Device("xla:0"));
  EXPECT_THROW(x.index({tensor({0, 1})}), DeviceError);
}

} // namespace
} // namespace xlac
