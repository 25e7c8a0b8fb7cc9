// Writes and views while gradients are recorded.
#include "../thrown.h"
#include "leaves.h"

#include <functional>
#include <gtest/gtest.h>

namespace xlac {
namespace {

TEST(InPlace, LeavesRefuse) {
  Tensor x = leaf({1, 2});
  EXPECT_TRUE(contains(message_of<UserError>([&] { x.add_(1); }),
                       "a leaf Variable that requires grad is being used in "
                       "an in-place operation"));
  EXPECT_TRUE(contains(message_of<UserError>([&] { x[0].zero_(); }),
                       "a leaf Variable that requires grad is being used in "
                       "an in-place operation"));
  NoGradGuard guard;
  x.add_(1);
  EXPECT_EQ(x.to_vector<double>(), (Numbers{2, 3}));
}

TEST(InPlace, OfAResult) {
  Tensor x = leaf({1, 2}), w = leaf({5, 7});
  Tensor y = x * 3;
  y.mul_(w);
  EXPECT_EQ(y.grad_fn().substr(0, 3), "Mul");
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{15, 21}));
  EXPECT_EQ(w.grad().to_vector<double>(), (Numbers{3, 6}));
}

/// Indices that share the written memory: backward uses their old values.
TEST(InPlace, AtIndicesThatSeeTheWrittenMemory) {
  Tensor places = tensor(std::vector<int64_t>{2, 0, 1}, TensorOptions(kInt64));
  Tensor x = places.view(kFloat64).clone(), where = x.view(kInt64);
  Tensor values = leaf({10, 20, 30});
  x.index_put_({where}, values);
  EXPECT_EQ(x.to_vector<double>(), (Numbers{20, 30, 10}));
  (x * tensor({1.0, 10.0, 100.0}, TensorOptions(kFloat64))).sum().backward();
  EXPECT_EQ(values.grad().to_vector<double>(), (Numbers{100, 1, 10}));
}

TEST(InPlace, ASavedValueIsMissed) {
  Tensor x = leaf({1, 2});
  Tensor y = x.exp();
  y.add_(1);
  EXPECT_TRUE(contains(message_of<UserError>([&] { y.sum().backward(); }),
                       "has been modified by an inplace operation"));
  Tensor a = x * 1;
  Tensor b = a * a;
  a.zero_();
  EXPECT_TRUE(contains(message_of<UserError>([&] { b.sum().backward(); }),
                       "has been modified by an inplace operation"));
}

TEST(InPlace, AValueThatIsNotNeededMayChange) {
  Tensor x = leaf({1, 2});
  Tensor a = x * 1;
  Tensor b = a + 1;
  a.zero_();
  b.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{1, 1}));
}

TEST(InPlace, ThroughAView) {
  Tensor x = leaf({1, 2, 3});
  Tensor y = x * 2;
  Tensor v = y.slice(0, 0, 2);
  v.mul_(10);
  EXPECT_EQ(y.to_vector<double>(), (Numbers{20, 40, 6}));
  (y * tensor(Numbers{1, 2, 3}, TensorOptions(kFloat64))).sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{20, 40, 6}));
}

TEST(InPlace, AWriteToTheBaseReachesTheView) {
  Tensor x = leaf({1, 2, 3});
  Tensor y = x * 2;
  Tensor v = y.slice(0, 1, 3);
  y.mul_(5);
  v.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{0, 10, 10}));
}

TEST(InPlace, AWriteOfWhatRequiresGradients) {
  Tensor x = leaf({7});
  Tensor buffer = zeros({3}, kFloat64);
  Tensor middle = buffer.slice(0, 1, 2);
  middle.copy_(x * 2);
  EXPECT_TRUE(buffer.requires_grad());
  EXPECT_TRUE(middle.requires_grad());
  buffer.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2}));
}

TEST(InPlace, FillForgetsWhatWasThere) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 3;
  y.select(0, 0).fill_(0);
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{0, 3}));
}

TEST(InPlace, WritesToAnOperandLeaveResultsThatBackwardUses) {
  // Their derivatives use only the result.
  const std::vector<std::function<Tensor(const Tensor &)>> functions{
      [](const Tensor &t) { return t.tanh(); },
      [](const Tensor &t) { return t.exp(); },
      [](const Tensor &t) { return t.sigmoid(); },
      [](const Tensor &t) { return log_softmax(t, 0); },
      [](const Tensor &t) { return softmax(t, 0); }};
  for (const auto &function : functions) {
    Tensor x = leaf({0.5, -1, 2}), y = x * 2, weights = leaf({1, 2, 3});
    Tensor z = function(y);
    y.fill_(7);
    (z * weights.detach()).sum().backward();
    Tensor twin = leaf({0.5, -1, 2});
    (function(twin * 2) * weights.detach()).sum().backward();
    EXPECT_EQ(x.grad().to_vector<double>(), twin.grad().to_vector<double>());
  }
}

TEST(InPlace, WritesToAnOperandLeaveResultsThatNobodyHolds) {
  Tensor x = leaf({0.5, -1, 2}), y = x * 2;
  Tensor total = y.tanh().sum();
  y.fill_(7);
  total.backward();
  Tensor twin = leaf({0.5, -1, 2});
  (twin * 2).tanh().sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), twin.grad().to_vector<double>());
}

TEST(Views, OfALeafThatIsAViewAreNotWritten) {
  Tensor data = arange(6, dtype(kFloat64));
  Tensor x = data.view({2, 3}).requires_grad_();
  for (Tensor written : {x, x[0], x.view({-1}).slice(0, 1)})
    EXPECT_THROW(written.fill_(1), UserError);
  {
    NoGradGuard guard;
    x[0].fill_(1);
    data.slice(0, 3).fill_(2);
  }
  (x * x[1]).sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2, 2, 2, 5, 5, 5}));
}

TEST(Views, OfSubscriptsAreNamedAsTheirLastStep) {
  Tensor x = leaf({1, 2, 3, 4});
  EXPECT_EQ(x.index({Slice(0, 2)}).grad_fn(), "SliceBackward0");
  EXPECT_EQ(x.index({Slice(0, 2), None}).grad_fn(), "UnsqueezeBackward0");
  EXPECT_EQ(x.index({None, 1}).grad_fn(), "SelectBackward0");
  EXPECT_EQ(x.index({Ellipsis}).grad_fn(), "AliasBackward0");
  EXPECT_EQ(x.index({tensor({0, 2})}).grad_fn(), "IndexBackward0");
}

TEST(Views, PassGradients) {
  Tensor x = leaf({1, 2, 3, 4});
  Tensor y = x.view({2, 2}).transpose(0, 1);
  EXPECT_EQ(y.grad_fn(), "TransposeBackward0");
  (y * tensor({{1.0, 2.0}, {3.0, 4.0}}, TensorOptions(kFloat64)))
      .sum()
      .backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{1, 3, 2, 4}));
}

TEST(Views, OfTheSameSizesAreTensorsOfTheirOwn) {
  Tensor x = leaf({1, 2});
  (x.view({2}) * x).sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2, 4}));
}

} // namespace
} // namespace xlac
