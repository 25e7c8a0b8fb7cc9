// Gradients on xla devices: one program, across syncs, writes, dropped tensors.
#include "xlac/autograd.h"
#include "xlac/lazy.h"
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
