#include "xlac/ops.h"
#include "xlac/tensor_accessor.h"

#include <cmath>
#include <gtest/gtest.h>

namespace xlac {
namespace {

using Floats = std::vector<float>;

TEST(Arithmetic, BroadcastsAndPromotes) {
  Tensor a = tensor({{1.0, 2.0}, {3.0, 4.0}});
  EXPECT_EQ(a.dtype(), kFloat32);
  EXPECT_EQ((a + tensor({10, 20})).to_vector<float>(),
            (Floats{11, 22, 13, 24}));
  EXPECT_EQ((1 - a).to_vector<float>(), (Floats{0, -1, -2, -3}));
  EXPECT_EQ((a * 2.5).dtype(), kFloat32);
  Tensor whole = tensor({1, 2, 3});
  EXPECT_EQ(whole.dtype(), kInt64);
  EXPECT_EQ((whole * 2).dtype(), kInt64);
  EXPECT_EQ((whole * 2.0).dtype(), kFloat32);
  EXPECT_EQ((whole / 2).to_vector<float>(), (Floats{0.5, 1, 1.5}));
  EXPECT_EQ((whole == 2).to_vector<bool>(),
            (std::vector<bool>{false, true, false}));
  EXPECT_EQ((tensor({1.0}, kHalf) + tensor(2.0)).dtype(), kFloat16);
}

TEST(Arithmetic, PromotionTable) {
  EXPECT_EQ(promote_types(kUInt8, kInt8), kInt16);
  EXPECT_EQ(promote_types(kHalf, kBFloat16), kFloat32);
  EXPECT_EQ(promote_types(kInt64, kHalf), kFloat16);
  EXPECT_EQ(promote_types(kFloat64, kComplex64), kComplex128);
  EXPECT_THROW(promote_types(kUInt32, kInt32), DtypeError);
}

TEST(Arithmetic, Unary) {
  Tensor x = tensor({-1.0, 0.0, 4.0});
  EXPECT_EQ(relu(x).to_vector<float>(), (Floats{0, 0, 4}));
  EXPECT_EQ(abs(x).to_vector<float>(), (Floats{1, 0, 4}));
  EXPECT_EQ(tensor({4, 9}).sqrt().to_vector<float>(), (Floats{2, 3}));
  EXPECT_EQ(sigmoid(tensor(0.0)).item<float>(), 0.5f);
}

TEST(Reductions, SumsMeansAndMaxima) {
  Tensor x = tensor({{1.0, 5.0, 3.0}, {4.0, 2.0, 6.0}});
  EXPECT_EQ(x.sum().item<float>(), 21);
  EXPECT_EQ(x.sum({0}).to_vector<float>(), (Floats{5, 7, 9}));
  EXPECT_EQ(x.sum({1}, true).sizes(), (Shape{2, 1}));
  EXPECT_EQ(x.mean().item<float>(), 3.5f);
  EXPECT_EQ(x.max().item<float>(), 6);
  EXPECT_EQ(x.argmax(1).to_vector<int64_t>(), (std::vector<int64_t>{1, 2}));
  EXPECT_EQ(x.argmax().item<int64_t>(), 5);
  EXPECT_EQ(tensor({2.0f, 2.0f, NAN, 3.0f}).argmax().item<int64_t>(), 2);
  EXPECT_EQ(tensor({true, true}).sum().dtype(), kInt64);
}

TEST(Reductions, Softmax) {
  Tensor x = tensor({{1.0, 2.0, 3.0}, {1000.0, 0.0, 0.0}});
  Tensor p = softmax(x, 1);
  EXPECT_TRUE(allclose(p.sum({1}), ones({2})));
  EXPECT_TRUE(allclose(log_softmax(x, 1).exp(), p));
  EXPECT_EQ(p.to_vector<float>()[3], 1);
}

TEST(Products, MatmulRules) {
  Tensor a = tensor({{1.0, 2.0}, {3.0, 4.0}}), v = tensor({1.0, 1.0});
  EXPECT_EQ(a.mm(a).to_vector<float>(), (Floats{7, 10, 15, 22}));
  EXPECT_EQ(matmul(a, v).to_vector<float>(), (Floats{3, 7}));
  EXPECT_EQ(matmul(v, a).to_vector<float>(), (Floats{4, 6}));
  EXPECT_EQ(matmul(v, v).item<float>(), 2);
  Tensor batch = ones({3, 2, 4}), one = ones({4, 5});
  EXPECT_EQ(matmul(batch, one).sizes(), (Shape{3, 2, 5}));
  EXPECT_EQ(matmul(ones({2, 4}), ones({3, 4, 5})).sizes(), (Shape{3, 2, 5}));
  EXPECT_EQ(linear(a, tensor({{1.0, 0.0}}), tensor({0.5})).to_vector<float>(),
            (Floats{1.5, 3.5}));
}

TEST(Creation, Factories) {
  EXPECT_EQ(arange(3).to_vector<int64_t>(), (std::vector<int64_t>{0, 1, 2}));
  EXPECT_EQ(arange(1, 2, 0.5).to_vector<float>(), (Floats{1, 1.5}));
  EXPECT_EQ(full({2}, 7).dtype(), kInt64);
  EXPECT_EQ(zeros({2, 0}).numel(), 0);
  EXPECT_EQ(ones_like(tensor({1, 2})).dtype(), kInt64);
  float data[] = {1, 2, 3, 4};
  EXPECT_EQ(from_data(data, {2, 2}).sizes(), (Shape{2, 2}));
}

TEST(Joining, CatAndStack) {
  Tensor a = tensor({1.0, 2.0}), b = tensor({3.0});
  EXPECT_EQ(cat({a, b}).to_vector<float>(), (Floats{1, 2, 3}));
  EXPECT_EQ(stack({a, a}, 1).to_vector<float>(), (Floats{1, 1, 2, 2}));
}

TEST(InPlace, KeepsDtypeAndMemory) {
  Tensor x = tensor({1.0, 2.0});
  float *memory = x.data_ptr<float>();
  x += 1;
  x.mul_(2);
  EXPECT_EQ(x.data_ptr<float>(), memory);
  EXPECT_EQ(memory[1], 6);
  memory[0] = 9;
  EXPECT_EQ(x.to_vector<float>(), (Floats{9, 6}));
  Tensor same = x;
  same.zero_();
  EXPECT_EQ(x.to_vector<float>(), (Floats{0, 0}));
  Tensor copy = x.clone();
  copy.fill_(3);
  EXPECT_EQ(x.sum().item<float>(), 0);
}

TEST(Creation, OverMemoryOfTheCaller) {
  float numbers[] = {1, 2, 3, 4};
  int freed = 0;
  {
    Tensor t = from_blob(numbers, {2, 2},
                         [&](void *data) { freed += data == numbers; });
    numbers[0] = 7;
    EXPECT_EQ(t.to_vector<float>(), (Floats{7, 2, 3, 4}));
    t.add_(1);
    EXPECT_EQ(numbers[3], 5);
    EXPECT_EQ(t.data_ptr<float>(), numbers);
    EXPECT_EQ(freed, 0);
  }
  EXPECT_EQ(freed, 1);
  EXPECT_THROW(from_blob(numbers, {4}, TensorOptions("xla:0")), DeviceError);
}

TEST(FromBlob, HasStrides) {
  float numbers[] = {0, 1, 2, 3, 4, 5};
  Tensor columns = from_blob(numbers, {3, 2}, {1, 3});
  EXPECT_TRUE(columns.equal(tensor({{0.f, 3.f}, {1.f, 4.f}, {2.f, 5.f}})));
  numbers[4] = 9;
  EXPECT_EQ(columns.index({1, 1}).item<float>(), 9);
  EXPECT_EQ(from_blob(numbers, {2, 0}, {1, 1}).numel(), 0);
  int calls = 0;
  {
    Tensor every_second = from_blob(numbers, {3}, {2}, [&](void *data) {
      EXPECT_EQ(data, numbers);
      ++calls;
    });
    EXPECT_TRUE(every_second.equal(tensor({0.f, 2.f, 9.f})));
  }
  EXPECT_EQ(calls, 1);
  EXPECT_THROW(from_blob(numbers, {3}, {1, 1}), ShapeError);
  EXPECT_THROW(from_blob(numbers, {3}, {-1}), ValueError);
  EXPECT_THROW(from_blob(numbers, {3}, {INT64_MAX}), ValueError);
  int64_t longs[] = {1, 2};
  EXPECT_EQ(from_blob(longs, {2}, kInt64).sum().item<int64_t>(), 3);
}

TEST(Accessor, ReadsAndWritesElements) {
  Tensor matrix = arange(6, TensorOptions(kFloat32)).view({2, 3});
  auto elements = matrix.accessor<float, 2>();
  EXPECT_EQ(elements[1][2], 5);
  EXPECT_EQ(elements.size(0), 2);
  EXPECT_EQ(elements.stride(0), 3);
  elements[0][1] = 7;
  EXPECT_EQ(matrix.index({0, 1}).item<float>(), 7);
  auto turned = matrix.t().accessor<const float, 2>();
  EXPECT_EQ(turned[1][0], 7);
  EXPECT_EQ(turned[2].size(0), 2);
  EXPECT_EQ(matrix.const_data_ptr<float>(), matrix.data_ptr<float>());
  EXPECT_THROW((matrix.accessor<float, 1>()), ShapeError);
  EXPECT_THROW((matrix.accessor<int64_t, 2>()), DtypeError);
  EXPECT_THROW((matrix.to(Device("xla")).accessor<float, 2>()), DeviceError);
}

TEST(MutableGrad, IsAssigned) {
  Tensor x = ones({2}).requires_grad_();
  EXPECT_FALSE(x.mutable_grad().defined());
  x.mutable_grad() = full({2}, 3.0);
  EXPECT_TRUE(x.grad().equal(full({2}, 3.0)));
  Tensor read = x.mutable_grad();
  EXPECT_TRUE(read.equal(x.grad()));
  EXPECT_THROW(x.mutable_grad() = ones({3}), ShapeError);
}

} // namespace
} // namespace xlac
