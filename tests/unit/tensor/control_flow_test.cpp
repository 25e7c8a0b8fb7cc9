// Branches, loops and scans on both devices.
#include "xlac/control_flow.h"

#include "xlac/autograd.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

using namespace xlac;

namespace {

using List = std::vector<Tensor>;

class ControlFlow : public testing::TestWithParam<const char *> {
protected:
  Tensor number(double value) const {
    return full({}, value, TensorOptions(kFloat32).device(GetParam()));
  }
  Tensor numbers(std::vector<double> values) const {
    return tensor(values, TensorOptions(kFloat32).device(GetParam()));
  }
};

} // namespace

TEST_P(ControlFlow, CondRunsOneBranch) {
  Tensor x = numbers({1, -2});
  for (double sign : {1.0, -1.0}) {
    Tensor picked = cond(
        number(sign) > 0.0, [](const List &in) { return List{in[0] * 2.0}; },
        [](const List &in) { return List{in[0].abs()}; }, {x})[0];
    EXPECT_TRUE(equal(picked, sign > 0 ? x * 2.0 : x.abs()));
  }
  EXPECT_THROW(cond(
                   x > 0.0, [](const List &in) { return in; },
                   [](const List &in) { return in; }, {x}),
               ValueError);
}

TEST_P(ControlFlow, CondPassesGradients) {
  Tensor x = numbers({1, -2}).requires_grad_();
  Tensor made = cond(
      number(1) > 0.0, [](const List &in) { return List{in[0] * in[0]}; },
      [](const List &in) { return List{in[0]}; }, {x})[0];
  made.sum().backward();
  EXPECT_TRUE(allclose(x.grad(), numbers({2, -4})));
}

TEST_P(ControlFlow, WhileLoopRunsUntilItsConditionFails) {
  List made =
      while_loop([](const List &in) { return in[0].sum() < 100.0; },
                 [](const List &in) { return List{in[0] * 2.0, in[1] + 1}; },
                 {number(3), full({}, 0, GetParam())});
  EXPECT_EQ(made[0].item<double>(), 192);
  EXPECT_EQ(made[1].item<int64_t>(), 6);
  EXPECT_THROW(while_loop([](const List &in) { return in[0] < 1.0; },
                          [](const List &in) { return List{in[0], in[0]}; },
                          {number(0)}),
               ValueError);
}

TEST_P(ControlFlow, LoopsPassGradients) {
  Tensor x = number(3).requires_grad_();
  while_loop([](const List &in) { return in[0] < 100.0; },
             [](const List &in) { return List{in[0] * in[0]}; }, {x})[0]
      .backward();
  EXPECT_FLOAT_EQ(x.grad().item<float>(), 8 * 2187);
}

TEST_P(ControlFlow, ForiLoopCounts) {
  List made = fori_loop(2, 5,
                        [](const Tensor &i, const List &in) {
                          return List{in[0] + i.to(kFloat32)};
                        },
                        {number(0.5)});
  EXPECT_EQ(made[0].item<double>(), 9.5);
}

TEST_P(ControlFlow, ScanCarriesStacksAndDifferentiates) {
  Tensor x = numbers({1, 2, 3}).requires_grad_();
  ScanStep made = scan(
      [](const List &carried, const List &in) {
        Tensor next = carried[0] + in[0] * in[0];
        return ScanStep{{next}, {next * 2.0}};
      },
      {number(0)}, {x});
  EXPECT_EQ(made.first[0].item<double>(), 14);
  EXPECT_TRUE(equal(made.second[0].detach(), numbers({2, 10, 28})));
  made.second[0].sum().backward();
  EXPECT_TRUE(allclose(x.grad(), numbers({12, 16, 12})));
}

TEST_P(ControlFlow, ScanPassesGradientsToAllThatItUses) {
  // carried' = tanh(carried w + x): the matrix is captured.
  Tensor w = numbers({0.5, -0.25, 0.75, 1}).reshape({2, 2}).requires_grad_();
  Tensor b = numbers({0.1, -0.2}).requires_grad_();
  Tensor start = numbers({0.3, -0.6}).requires_grad_();
  Tensor x = numbers({1, -1, 0.5, 2, -0.5, 0.25}).reshape({3, 2});
  x.requires_grad_();
  ScanStep made = scan(
      [&](const List &carried, const List &in) {
        Tensor next = (carried[0].matmul(w) + in[0] + b).tanh();
        return ScanStep{{next}, {next * in[0]}};
      },
      {start}, {x});
  Tensor by_hand = start, sum = number(0);
  for (int64_t i = 0; i < 3; ++i) {
    by_hand = (by_hand.matmul(w) + x[i] + b).tanh();
    sum = sum + (by_hand * x[i] * (i + 1.0)).sum();
  }
  List leaves{w, b, start, x};
  Tensor weights = numbers({1, 1, 2, 2, 3, 3}).reshape({3, 2});
  Tensor total = (made.second[0] * weights).sum() + made.first[0].sum();
  List grads = autograd::grad({total}, leaves, {}, true, true);
  List wanted = autograd::grad({sum + by_hand.sum()}, leaves, {}, true, true);
  Tensor second = number(0), second_wanted = number(0);
  for (size_t i = 0; i < leaves.size(); ++i) {
    EXPECT_TRUE(allclose(grads[i].detach(), wanted[i].detach(), 1e-5, 1e-6))
        << i;
    second = second + (grads[i] * grads[i]).sum();
    second_wanted = second_wanted + (wanted[i] * wanted[i]).sum();
  }
  List again = autograd::grad({second}, leaves);
  List again_wanted = autograd::grad({second_wanted}, leaves);
  for (size_t i = 0; i < leaves.size(); ++i)
    EXPECT_TRUE(allclose(again[i], again_wanted[i], 1e-4, 1e-5)) << i;
}

TEST_P(ControlFlow, ScanKeepsWhatItsGradientNeeds) {
  // The carried values, one of them an integer, are not outputs.
  Tensor x = numbers({1, 2, 3}).requires_grad_();
  ScanStep made = scan(
      [](const List &carried, const List &in) {
        return ScanStep{{carried[0] * in[0], carried[1] + 1}, {}};
      },
      {number(2), full({}, 0, GetParam())}, {x});
  EXPECT_EQ(made.first[0].item<double>(), 12);
  EXPECT_EQ(made.first[1].item<int64_t>(), 3);
  made.first[0].backward();
  EXPECT_TRUE(allclose(x.grad(), numbers({12, 6, 4})));
}

TEST_P(ControlFlow, AssociativeScanRunsBothWays) {
  Tensor x = numbers({1, 2, 3, 4, 5});
  auto add = [](const List &a, const List &b) { return List{a[0] + b[0]}; };
  EXPECT_TRUE(equal(associative_scan(add, {x})[0], numbers({1, 3, 6, 10, 15})));
  EXPECT_TRUE(equal(associative_scan(add, {x}, 0, true)[0],
                    numbers({15, 14, 12, 9, 5})));
}

INSTANTIATE_TEST_SUITE_P(Devices, ControlFlow, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });
