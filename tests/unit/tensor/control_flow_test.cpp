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
