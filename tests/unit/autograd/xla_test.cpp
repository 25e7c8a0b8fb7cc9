// Gradients on xla devices: in one program, across syncs, after writes, and
// with dropped tensors.
#include "xlac/autograd.h"
#include "xlac/lazy.h"
#include "xlac/nn_functional.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

using Numbers = std::vector<double>;

Tensor leaf(const Numbers &numbers) {
  return tensor(numbers, TensorOptions(kFloat64))
      .to(Device("xla:0"))
      .requires_grad_();
}

TEST(XlaBackward, ForwardAndBackwardAreOneProgram) {
  Tensor x = leaf({1, 2, 3});
  Tensor y = (x * x).sum();
  y.backward();
  xlac::sync();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2, 4, 6}));
}

TEST(XlaBackward, AcrossASync) {
  Tensor x = leaf({1, 2});
  Tensor h = x.exp();
  Tensor y = (h * h).sum();
  xlac::sync();
  y.backward();
  std::vector<double> got = x.grad().to_vector<double>();
  EXPECT_NEAR(got[0], 2 * std::exp(2.0), 1e-9);
  EXPECT_NEAR(got[1], 2 * std::exp(4.0), 1e-9);
}

TEST(XlaBackward, ThroughWritesAndViews) {
  Tensor x = leaf({1, 2, 3});
  Tensor y = x * 2;
  Tensor v = y.slice(0, 0, 2);
  v.mul_(10);
  y.mul_(x);
  (v * 1).sum().backward();
  // y = 20 x^2 for the first two.
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{40, 80, 0}));
}

TEST(XlaBackward, AcrossDevices) {
  Tensor x = tensor(Numbers{1, 2}, TensorOptions(kFloat64)).requires_grad_();
  Tensor y = x.to(Device("xla:0"));
  (y * y).sum().backward();
  EXPECT_TRUE(x.grad().is_cpu());
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2, 4}));
}

TEST(XlaBackward, SecondDerivatives) {
  Tensor x = leaf({0.5});
  Tensor y = x.exp();
  Tensor g = autograd::grad({y}, {x}, {}, {}, true)[0];
  Tensor h = autograd::grad({g}, {x})[0];
  EXPECT_NEAR(h.item<double>(), std::exp(0.5), 1e-12);
}

// Row 0 is indexed twice, row 2 three times; the numbers are PyTorch's.
TEST(XlaBackward, EmbeddingsScaledByFrequency) {
  auto near = [](const Tensor &tensor, const Numbers &wanted) {
    std::vector<double> got = tensor.to_vector<double>();
    ASSERT_EQ(got.size(), wanted.size());
    for (size_t i = 0; i < wanted.size(); ++i)
      EXPECT_NEAR(got[i], wanted[i], 1e-12) << i;
  };
  for (Device device : {Device(kCPU), Device("xla:0")}) {
    TensorOptions options = TensorOptions(kFloat64).device(device);
    Tensor weight = arange(8, options).view({4, 2}).requires_grad_();
    Tensor rows = tensor({0, 2, 0, 2, 2, 3}).view({2, 3}).to(device);
    Tensor g = arange(1, 13, 1, options).view({2, 3, 2});
    Tensor found = embedding(weight, rows, -1, true);
    near(found, {0, 1, 4, 5, 0, 1, 4, 5, 4, 5, 6, 7});
    (found * g).sum().backward();
    near(weight.grad(), {3, 4, 0, 0, 19. / 3, 22. / 3, 11, 12});
    weight.set_grad({});
    (embedding(weight, rows, 2, true) * g).sum().backward();
    near(weight.grad(), {3, 4, 0, 0, 0, 0, 11, 12});
    weight.set_grad({});
    Tensor bags = F::embedding_bag(rows, weight, {}, {}, 2, true, "sum");
    near(bags, {4, 7, 14, 17});
    (bags * g[0].narrow(0, 0, 2)).sum().backward();
    near(weight.grad(), {1, 2, 0, 0, 7. / 3, 10. / 3, 3, 4});
  }
}

TEST(XlaBackward, UpdateOfAParameter) {
  Tensor w = leaf({1, 2});
  for (int i = 0; i < 3; ++i) {
    w.set_grad({});
    (w * w).sum().backward();
    NoGradGuard guard;
    w.sub_(w.grad() * 0.25);
    xlac::sync();
  }
  EXPECT_EQ(w.to_vector<double>(), (Numbers{0.125, 0.25}));
}

} // namespace
} // namespace xlac
