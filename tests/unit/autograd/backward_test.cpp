// The backward pass: leaves, sums of gradients, retain_graph, hooks, grad().
#include "../thrown.h"
#include "leaves.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

TEST(Backward, SquareOfALeaf) {
  Tensor x = leaf({1, 2, 3});
  Tensor y = (x * x).sum();
  EXPECT_EQ(y.grad_fn(), "SumBackward0");
  EXPECT_FALSE(y.is_leaf());
  y.backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2, 4, 6}));
}

TEST(Backward, GradientsAddUpOverCalls) {
  Tensor x = leaf({1, 2});
  (x * 3).sum().backward();
  (x * 4).sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{7, 7}));
  x.set_grad({});
  EXPECT_FALSE(x.grad().defined());
}

TEST(Backward, OneTensorUsedInSeveralPlaces) {
  Tensor x = leaf({2});
  Tensor y = x * x;
  Tensor z = (y + x) * y;
  z.sum().backward();
  // z = x^4 + x^3
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{4 * 8 + 3 * 4}));
}

TEST(Backward, LeavesThatShareAGradientKeepTheirOwn) {
  Tensor a = leaf({1}), b = leaf({2});
  (a + b).sum().backward();
  a.grad().mul_(10);
  EXPECT_EQ(b.grad().to_vector<double>(), (Numbers{1}));
}

TEST(Backward, DetachedTensorsAreConstants) {
  Tensor x = leaf({3});
  (x * x.detach()).sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{3}));
  EXPECT_FALSE(x.detach().requires_grad());
}

TEST(Backward, NoGradGuardStopsFollowing) {
  Tensor x = leaf({3});
  {
    NoGradGuard guard;
    EXPECT_FALSE(is_grad_enabled());
    EXPECT_FALSE((x * 2).requires_grad());
    AutoGradMode on(true);
    EXPECT_TRUE((x * 2).requires_grad());
  }
  EXPECT_TRUE((x * 2).requires_grad());
}

TEST(Backward, Errors) {
  Tensor x = leaf({1, 2});
  EXPECT_TRUE(contains(message_of<UserError>([&] { (x * 2).backward(); }),
                       "grad can be implicitly created only for scalar "
                       "outputs"));
  Tensor y = (x * x).sum();
  y.backward();
  EXPECT_TRUE(contains(message_of<UserError>([&] { y.backward(); }),
                       "Trying to backward through the graph a second time"));
  EXPECT_TRUE(contains(message_of<UserError>([] { tensor({1.0}).backward(); }),
                       "does not require grad and does not have a grad_fn"));
  EXPECT_TRUE(
      contains(message_of<UserError>([] { tensor({1}).requires_grad_(); }),
               "floating point and complex dtype"));
  EXPECT_TRUE(contains(
      message_of<UserError>([&] { (x * 2).backward(tensor({1.0}, kFloat64)); }),
      "Mismatch in shape"));
}

TEST(Backward, RetainGraphAllowsASecondTime) {
  Tensor x = leaf({1, 2});
  Tensor y = (x * x).sum();
  y.backward({}, true);
  y.backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{4, 8}));
}

TEST(Backward, WhatKeepsNoValuesMayRunTwice) {
  Tensor x = leaf({1, 2});
  Tensor y = (x + 1).sum();
  y.backward();
  y.backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2, 2}));
}

TEST(Backward, HooksReplaceAndRetainGradKeeps) {
  Tensor x = leaf({1, 2});
  Tensor y = x * 3;
  y.retain_grad();
  y.register_hook([](const Tensor &grad) { return grad * 10; });
  x.register_hook([](const Tensor &grad) { return grad + 1; });
  y.sum().backward();
  EXPECT_EQ(y.grad().to_vector<double>(), (Numbers{10, 10}));
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{31, 31}));
}

TEST(Grad, OfInputsAlone) {
  Tensor x = leaf({1, 2}), w = leaf({3, 4});
  Tensor y = (x * w).sum();
  std::vector<Tensor> grads = autograd::grad({y}, {x});
  EXPECT_EQ(grads[0].to_vector<double>(), (Numbers{3, 4}));
  EXPECT_FALSE(x.grad().defined());
  EXPECT_FALSE(w.grad().defined());
}

TEST(Grad, OfIntermediateTensors) {
  Tensor x = leaf({2});
  Tensor y = x * x;
  Tensor z = y * y;
  EXPECT_EQ(autograd::grad({z}, {y})[0].to_vector<double>(), (Numbers{8}));
}

TEST(Grad, UnusedInputs) {
  Tensor x = leaf({1}), w = leaf({1});
  Tensor y = (x * 2).sum();
  EXPECT_TRUE(contains(
      message_of<UserError>([&] { autograd::grad({y}, {w}, {}, true); }),
      "not have been used in the graph"));
  EXPECT_FALSE(autograd::grad({y}, {w}, {}, true, false, true)[0].defined());
}

TEST(Grad, HigherDerivatives) {
  Tensor x = leaf({2});
  Tensor y = x * x * x;
  for (double wanted : {12.0, 12.0, 6.0}) {
    y = autograd::grad({y}, {x}, {}, {}, true)[0];
    EXPECT_EQ(y.item<double>(), wanted);
  }
}

TEST(Grad, SecondDerivativeThroughTheFirst) {
  Tensor x = leaf({0.3, 0.7});
  Tensor y = x.sin().sum();
  Tensor g = autograd::grad({y}, {x}, {}, {}, true)[0];
  (g * g).sum().backward();
  std::vector<double> got = x.grad().to_vector<double>();
  for (size_t i = 0; i < 2; ++i) {
    double v = i == 0 ? 0.3 : 0.7;
    EXPECT_NEAR(got[i], -2 * std::sin(v) * std::cos(v), 1e-12);
  }
}

TEST(Backward, ALongChainNeedsNoStack) {
#ifdef XLAC_TEST_SANITIZED
  constexpr int kLength = 20'000;
#else
  constexpr int kLength = 200'000;
#endif
  Tensor x = leaf({1});
  Tensor y = x;
  for (int i = 0; i < kLength; ++i)
    y = y + x;
  y.sum().backward();
  EXPECT_EQ(x.grad().item<double>(), kLength + 1);
}

TEST(Backward, ComplexLeaves) {
  Tensor z = tensor(Numbers{1, -2}, TensorOptions(kComplex128));
  z.requires_grad_();
  abs(z).sum().backward();
  auto got = z.grad().to_vector<std::complex<double>>();
  EXPECT_NEAR(got[0].real(), 1, 1e-12);
  EXPECT_NEAR(got[1].real(), -1, 1e-12);
}

} // namespace
} // namespace xlac
