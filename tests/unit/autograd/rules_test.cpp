// Compares each op's gradient rule with central differences, up to second
// order.
#include "xlac/autograd.h"
#include "xlac/ops.h"
#include "xlac/ops/elementwise.h"
#include "xlac/tensor/access.h"

#include <gtest/gtest.h>

#include <cmath>

namespace xlac {
namespace {

using frontend::Value;
using graph::Value;
using ops::OpKind;

/// Makes a tensor of a single call with the nodes of `body`.
Tensor make(const std::vector<Tensor> &operands,
            const std::function<Value(const std::vector<Value> &)> &body) {
  XLAC_CALL("make");
  std::vector<Value> values;
  for (const Tensor &operand : operands)
    values.push_back(frontend::value_on(operand, Device(kCPU)));
  return frontend::finish(body(values), Device(kCPU), kFloat64);
}

Tensor spaced(const Shape &sizes, double from, double to) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  std::vector<double> numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers.push_back(
        from +
        (to - from) *
            std::fmod(0.38 + 0.61803398875 * static_cast<double>(i), 1.0));
  return tensor(numbers, TensorOptions(kFloat64)).reshape(sizes).clone();
}

/// An op and an interval where it is smooth.
struct Case {
  OpKind op;
  double from, to;
};

/// Returns the ops with this number of operands that are smooth by the op
/// table.
std::vector<Case> smooth_ops(size_t operands) {
  std::vector<Case> cases;
  for (int i = 0; i < ops::kOpKindCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    const ops::ElementwiseFacts *found = ops::elementwise_facts(kind);
    if (found && found->smooth_from < found->smooth_to &&
        ops::facts(kind).operands.size() == operands)
      cases.push_back({kind, found->smooth_from, found->smooth_to});
  }
  return cases;
}

class UnaryRule : public testing::TestWithParam<Case> {};

void check_both_orders(
    const std::function<Tensor(const std::vector<Tensor> &)> &fn,
    std::vector<Tensor> inputs) {
  for (Tensor &input : inputs)
    input.requires_grad_();
  EXPECT_TRUE(autograd::gradcheck(fn, inputs, 1e-6, 1e-5, 1e-3));
  auto first = [&](const std::vector<Tensor> &in) {
    std::vector<Tensor> leaves = in;
    for (Tensor &leaf : leaves)
      if (!leaf.requires_grad())
        leaf.requires_grad_();
    AutoGradMode on(true);
    Tensor y = fn(leaves);
    return autograd::grad({(y * y).sum()}, {leaves[0]}, {}, {}, true)[0];
  };
  EXPECT_TRUE(autograd::gradcheck(first, inputs, 1e-5, 1e-4, 1e-3));
}

TEST_P(UnaryRule, AgreesWithDifferences) {
  Case c = GetParam();
  check_both_orders(
      [&](const std::vector<Tensor> &in) {
        return make(in, [&](const std::vector<Value> &v) {
          return build::unary(c.op, v[0]);
        });
      },
      {spaced({5}, c.from, c.to)});
}

INSTANTIATE_TEST_SUITE_P(Ops, UnaryRule, testing::ValuesIn(smooth_ops(1)));
INSTANTIATE_TEST_SUITE_P(BelowZero, UnaryRule,
                         testing::Values(Case{OpKind::Abs, -2, -0.2}));

TEST(StepRule, GivesNothing) {
  Tensor x = spaced({3}, 0.1, 0.9).requires_grad_();
  Tensor y = make({x}, [](const std::vector<Value> &v) {
    return build::binary(OpKind::Add, build::unary(OpKind::Ceil, v[0]), v[0]);
  });
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (std::vector<double>{1, 1, 1}));
}

class BinaryRule : public testing::TestWithParam<Case> {};

TEST_P(BinaryRule, AgreesWithDifferences) {
  Case c = GetParam();
  Tensor a = spaced({5}, c.from, c.to);
  Tensor b = spaced({7}, c.from, c.to).slice(0, 2).clone();
  check_both_orders(
      [&](const std::vector<Tensor> &in) {
        return make(in, [&](const std::vector<Value> &v) {
          return build::binary(c.op, v[0], v[1]);
        });
      },
      {a, b});
}

INSTANTIATE_TEST_SUITE_P(Ops, BinaryRule, testing::ValuesIn(smooth_ops(2)));

using Body = std::function<Value(const std::vector<Value> &)>;

void check(std::vector<Tensor> inputs, const Body &body) {
  check_both_orders(
      [&](const std::vector<Tensor> &in) { return make(in, body); },
      std::move(inputs));
}

TEST(MovementRule, AgreesWithDifferences) {
  Tensor x = spaced({2, 3}, -1, 1);
  check({x}, [](const auto &v) { return build::reshape(v[0], {3, 2}); });
  check({x}, [](const auto &v) { return build::transpose(v[0], {1, 0}); });
  check({x}, [](const auto &v) {
    return build::broadcast_in_dim(v[0], {4, 2, 3}, {1, 2});
  });
  check({spaced({1, 3}, -1, 1)}, [](const auto &v) {
    return build::broadcast_in_dim(v[0], {2, 3}, {0, 1});
  });
  check({spaced({5}, -1, 1)},
        [](const auto &v) { return build::slice(v[0], {1}, {5}, {2}); });
  check({spaced({3}, -1, 1), spaced({}, -1, 1)},
        [](const auto &v) { return build::pad(v[0], v[1], {1}, {2}, {1}); });
  check({spaced({4}, -1, 1), spaced({}, -1, 1)},
        [](const auto &v) { return build::pad(v[0], v[1], {-1}, {-1}, {0}); });
  check({x, x.detach().clone()},
        [](const auto &v) { return build::concatenate({v[0], v[1]}, 1); });
  check({spaced({5}, -1, 1), spaced({2}, -1, 1)}, [](const auto &v) {
    return build::dynamic_update_slice(v[0], v[1], {2});
  });
  check({spaced({5, 2}, -1, 1)}, [](const auto &v) {
    return build::take(v[0], build::constant({1, 1, 4}), 0);
  });
}

TEST(ScatterRule, AgreesWithDifferences) {
  ops::ScatterDimensionNumbers numbers;
  numbers.inserted_window_dims = {0};
  numbers.scatter_dims_to_operand_dims = {0};
  numbers.index_vector_dim = 1;
  for (std::optional<OpKind> op :
       {std::optional<OpKind>(), std::optional(OpKind::Add),
        std::optional(OpKind::Multiply), std::optional(OpKind::Maximum)})
    check({spaced({4}, 0.5, 2), spaced({3}, 0.6, 2.2)}, [&](const auto &v) {
      return build::scatter(op, v[0],
                            build::reshape(build::constant({1, 3, 9}), {3, 1}),
                            v[1], numbers);
    });
}

TEST(ReductionRule, AgreesWithDifferences) {
  auto init = [](double number) {
    return build::constant(ElementType::F64, {}, number);
  };
  Tensor x = spaced({2, 3, 2}, 0.5, 2);
  check({x}, [&](const auto &v) {
    return build::reduce(OpKind::Add, v[0], init(0), {0, 2});
  });
  check({x}, [&](const auto &v) {
    return build::reduce(OpKind::Multiply, v[0], init(1), {1});
  });
  check({x}, [&](const auto &v) {
    return build::reduce(OpKind::Maximum, v[0], init(-INFINITY), {1, 2});
  });
  check({x}, [&](const auto &v) {
    return build::reduce_with_index(true, v[0], 1).first;
  });
}

TEST(ReductionRule, ProductsWithZeros) {
  Tensor x = tensor({2.0, 0.0, 5.0}, TensorOptions(kFloat64)).requires_grad_();
  make({x}, [](const auto &v) {
    return build::reduce(OpKind::Multiply, v[0],
                         build::constant(ElementType::F64, {}, 1), {0});
  }).backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (std::vector<double>{0, 10, 0}));
}

TEST(WindowRule, AgreesWithDifferences) {
  auto init = [](double number) {
    return build::constant(ElementType::F64, {}, number);
  };
  build::Window window = build::plain_window({2, 3});
  window.strides = {2, 1};
  window.low = {1, 0};
  window.high = {0, 1};
  Tensor x = spaced({4, 5}, -1, 1);
  check({x}, [&](const auto &v) {
    return build::reduce_window(OpKind::Add, v[0], init(0), window);
  });
  check({x}, [&](const auto &v) {
    return build::reduce_window(OpKind::Maximum, v[0], init(-INFINITY), window);
  });
  window.dilation = {1, 2};
  check({x}, [&](const auto &v) {
    return build::reduce_window(OpKind::Add, v[0], init(0), window);
  });
  check({x}, [&](const auto &v) {
    return build::reduce_window(OpKind::Maximum, v[0], init(-INFINITY), window);
  });
}

TEST(CumulativeRule, AgreesWithDifferences) {
  using Inputs = std::vector<Tensor>;
  for (int64_t dim : {0, 1}) {
    Tensor x = tensor(std::vector<double>{0.3, -1.2, 0.7, 1.1, -0.4, 0.9, 1.6,
                                          -0.8, 0.5, 2.1, -1.5, 0.2},
                      TensorOptions(kFloat64))
                   .view({3, 4});
    auto check_cumulative = [&](auto function) {
      check_both_orders(
          [&](const Inputs &inputs) { return function(inputs[0], dim); },
          {x.detach()});
    };
    check_cumulative([](auto &t, int64_t d) { return cumsum(t, d); });
    check_cumulative([](auto &t, int64_t d) { return cumprod(t, d); });
    check_cumulative([](auto &t, int64_t d) { return logcumsumexp(t, d); });
    check_cumulative(
        [](auto &t, int64_t d) { return std::get<0>(cummax(t, d)); });
    check_cumulative(
        [](auto &t, int64_t d) { return std::get<0>(cummin(t, d)); });
  }
}

/// A rule that divides by the elements would not give these.
TEST(CumulativeRule, ProductsWithZeros) {
  Tensor x =
      tensor(std::vector<double>{2, 0, 3, 0, 5}, TensorOptions(kFloat64));
  check_both_orders(
      [](const std::vector<Tensor> &inputs) { return cumprod(inputs[0], 0); },
      {x});
}

/// Returns the second derivatives of the elements of `function` at `numbers`.
std::vector<double>
second_derivatives(const std::function<Tensor(const Tensor &)> &function,
                   const std::vector<double> &numbers) {
  Tensor x = tensor(numbers, TensorOptions(kFloat64)).requires_grad_();
  Tensor first =
      autograd::grad({function(x).sum()}, {x}, {}, {}, true)[0].sum();
  return autograd::grad({first}, {x})[0].to_vector<double>();
}

TEST(SecondDerivative, IsFiniteWhereFactorsAreZero) {
  using Numbers = std::vector<double>;
  auto power = [](const Tensor &x) { return pow(x, 0.0) + x * x; };
  EXPECT_EQ(second_derivatives(power, {0, 2}), (Numbers{2, 2}));
  // The second derivative of hypot(x, y) for y at y = 0: 1 / |x|.
  auto length = [](const Tensor &x) {
    return hypot(full_like(x, 4.0), x) + hypot(x, full_like(x, -2.0));
  };
  EXPECT_EQ(second_derivatives(length, {0, 0}), (Numbers{0.75, 0.75}));
}

TEST(ContractionRule, AgreesWithDifferences) {
  check({spaced({2, 3, 4}, -1, 1), spaced({4, 2, 5}, -1, 1)},
        [](const auto &v) {
          return build::dot_general(v[0], v[1], {0}, {1}, {2}, {0});
        });
  check({spaced({3, 2, 4}, -1, 1), spaced({4, 5, 3}, -1, 1)},
        [](const auto &v) {
          return build::dot_general(v[0], v[1], {}, {}, {2, 0}, {0, 2});
        });
}

TEST(ControlRule, AgreesWithDifferences) {
  Tensor x = spaced({3}, 0.5, 1.5), w = spaced({3}, 0.4, 1.2);
  // Four iterations of h = sin(h * w) + x, which captures both.
  check({x, w}, [](const auto &v) {
    auto number = [](int64_t n) {
      return build::constant(ElementType::I64, {},
                             Scalar(static_cast<long>(n)));
    };
    return build::while_loop(
        {number(0), v[0]},
        [&](const std::vector<Value> &c) {
          return build::compare(ops::ComparisonDirection::LT, c[0], number(4));
        },
        [&](const std::vector<Value> &c) -> std::vector<Value> {
          Value next = build::binary(
              OpKind::Add,
              build::unary(OpKind::Sine,
                           build::binary(OpKind::Multiply, c[1], v[1])),
              v[0]);
          return {build::binary(OpKind::Add, c[0], number(1)), next};
        })[1];
  });
  for (bool predicate : {true, false})
    check({x, w}, [&](const auto &v) {
      return build::if_else(
          build::constant(ElementType::I1, {}, predicate), {v[0], v[1]},
          [](const std::vector<Value> &c) -> std::vector<Value> {
            return {build::binary(OpKind::Multiply, c[0], c[1])};
          },
          [](const std::vector<Value> &c) -> std::vector<Value> {
            return {build::unary(OpKind::Sine, c[1])};
          })[0];
    });
}

TEST(ContractionRule, Convolutions) {
  build::Window window = build::plain_window({2, 3});
  window.strides = {2, 1};
  window.low = {1, 0};
  window.high = {0, 2};
  for (int64_t groups : {1, 2}) {
    check({spaced({2, 4, 5, 4}, -1, 1), spaced({6, 4 / groups, 2, 3}, -1, 1)},
          [&](const auto &v) {
            return build::convolution(v[0], v[1], window, groups);
          });
  }
  window.dilation = {2, 1};
  window.base_dilation = {1, 2};
  check(
      {spaced({1, 2, 5, 3}, -1, 1), spaced({3, 2, 2, 3}, -1, 1)},
      [&](const auto &v) { return build::convolution(v[0], v[1], window, 1); });
}

} // namespace
} // namespace xlac
