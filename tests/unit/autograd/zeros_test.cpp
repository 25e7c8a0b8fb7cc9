// Gradients of zeros, as in PyTorch: for operands that do not affect a result,
// and for values that a write overwrites.
#include "xlac/autograd.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

namespace xlac {
namespace {

using Numbers = std::vector<double>;

struct Call {
  const char *name;
  std::function<Tensor(const Tensor &)> run;
};

/// A write to a result of x.
Call write(const char *name, std::function<void(Tensor)> run) {
  return {name, [run](const Tensor &x) {
            Tensor y = x * 2.0;
            run(y);
            return y;
          }};
}

const std::vector<Call> &calls() {
  static const std::vector<Call> list{
      {"floor", [](auto &x) { return x.floor(); }},
      {"ceil", [](auto &x) { return x.ceil(); }},
      {"round", [](auto &x) { return x.round(); }},
      {"trunc", [](auto &x) { return x.trunc(); }},
      {"sign", [](auto &x) { return x.sign(); }},
      {"floor of a product", [](auto &x) { return (x * x).floor(); }},
      write("zero_", [](Tensor y) { y.zero_(); }),
      write("fill_", [](Tensor y) { y.fill_(3.0); }),
      write("floor_", [](Tensor y) { y.floor_(); }),
      write("copy_", [](Tensor y) { y.copy_(ones_like(y)); }),
      write("zero_ through a view", [](Tensor y) { y.view({2, 2}).zero_(); }),
  };
  return list;
}

class Zeros : public testing::TestWithParam<const char *> {
protected:
  Tensor leaf() const {
    TensorOptions options = TensorOptions(kFloat64).device(GetParam());
    return tensor(Numbers{0.5, -1.5, 2, 0}, options).requires_grad_();
  }
};

TEST_P(Zeros, AreGradients) {
  const Numbers zeros(4, 0.0);
  for (const Call &call : calls()) {
    SCOPED_TRACE(call.name);
    Tensor x = leaf();
    Tensor y = call.run(x);
    EXPECT_TRUE(y.requires_grad());
    Tensor grad = autograd::grad({y.sum()}, {x}, {}, true)[0];
    EXPECT_EQ(grad.to_vector<double>(), zeros);
    EXPECT_FALSE(grad.requires_grad());
    y.sum().backward();
    EXPECT_EQ(x.grad().to_vector<double>(), zeros);
  }
}

/// The overwritten part of a result has a gradient of zeros, the rest does not.
TEST_P(Zeros, OfAPart) {
  Tensor x = leaf();
  Tensor y = x * 2.0;
  y.slice(0, 1, 3).zero_();
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2, 0, 0, 2}));
}

/// Tensors that the result does not use have no gradient.
TEST_P(Zeros, AreNotWhereNothingFlows) {
  Tensor x = leaf(), w = leaf();
  std::vector<Tensor> grads =
      autograd::grad({x.sum()}, {x, w}, {}, {}, false, true);
  EXPECT_FALSE(grads[1].defined());
}

/// The derivatives of x log y where x is 0 are conventions: PyTorch's, to the
/// second order.
TEST_P(Zeros, OfWeightedLogarithms) {
  TensorOptions options = TensorOptions(kFloat64).device(Device(GetParam()));
  auto numbers = [&](const Numbers &values) { return tensor(values, options); };
  double inf = std::numeric_limits<double>::infinity();
  for (double shift : {0.0, 1.0}) {
    auto call = [&](const Tensor &x, const Tensor &y) {
      return shift == 0 ? xlogy(x, y) : xlog1py(x, y - shift);
    };
    SCOPED_TRACE(shift);
    Tensor x = numbers({0, 0, 0, 0}).requires_grad_();
    Tensor y = numbers({-2, 0, inf, 3}).requires_grad_();
    std::vector<Tensor> first = autograd::grad({call(x, y).sum()}, {x, y});
    EXPECT_TRUE(allclose(first[0], numbers({0, 0, inf, std::log(3.0)})));
    Numbers of_y = first[1].to_vector<double>();
    EXPECT_TRUE(std::isnan(of_y[1]));
    of_y[1] = 0;
    EXPECT_EQ(of_y, Numbers(4, 0));

    x = numbers({0, 0, 2, 0}).requires_grad_();
    y = numbers({-2, 3, 0.5, -0.5}).requires_grad_();
    first = autograd::grad({call(x, y).sum()}, {x, y}, {}, true, true);
    Tensor weighted =
        first[0] * numbers({1, 2, 3, 4}) + first[1] * numbers({5, 6, 7, 8});
    std::vector<Tensor> second = autograd::grad({weighted.sum()}, {x, y});
    EXPECT_TRUE(allclose(second[0], numbers({-2.5, 2, 14, -16})));
    EXPECT_TRUE(allclose(second[1], numbers({0, 2.0 / 3, -50, 0})));
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, Zeros, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

} // namespace
} // namespace xlac
