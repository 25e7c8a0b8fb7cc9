// Functions with custom gradients, checkpoints, gradcheck.
#include "leaves.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

struct Exp : autograd::Function<Exp> {
  static Tensor forward(autograd::FunctionCtx &ctx, Tensor x) {
    Tensor y = x.exp();
    ctx.save_for_backward({y});
    return y;
  }
  static std::vector<Tensor> backward(autograd::FunctionCtx &ctx,
                                      std::vector<Tensor> grads) {
    return {grads[0] * ctx.saved_tensors()[0]};
  }
};

struct Scaled : autograd::Function<Scaled> {
  static std::vector<Tensor> forward(autograd::FunctionCtx &ctx, Tensor a,
                                     double factor, Tensor b) {
    ctx.save_for_backward({a, b});
    EXPECT_TRUE(ctx.needs_input_grad(0));
    EXPECT_FALSE(ctx.needs_input_grad(1));
    return {a * factor, a * b};
  }
  static std::vector<Tensor> backward(autograd::FunctionCtx &ctx,
                                      std::vector<Tensor> grads) {
    Tensor b = ctx.saved_tensors()[1];
    return {grads[0] * 100 + grads[1] * b, Tensor()};
  }
};

TEST(Function, HasTheGradientThatItGives) {
  Tensor x = leaf({0.5, 1});
  Tensor y = Exp::apply(x);
  EXPECT_TRUE(y.requires_grad());
  y.sum().backward();
  std::vector<double> got = x.grad().to_vector<double>();
  EXPECT_NEAR(got[0], std::exp(0.5), 1e-12);
  EXPECT_NEAR(got[1], std::exp(1.0), 1e-12);
}

TEST(Function, SeveralOutputsAndPlainArguments) {
  Tensor a = leaf({1, 2});
  Tensor b = tensor(Numbers{3, 4}, TensorOptions(kFloat64));
  std::vector<Tensor> outputs = Scaled::apply(a, 2.0, b);
  EXPECT_EQ(outputs[0].to_vector<double>(), (Numbers{2, 4}));
  (outputs[0] + outputs[1]).sum().backward();
  EXPECT_EQ(a.grad().to_vector<double>(), (Numbers{103, 104}));
}

TEST(Function, ASavedTensorMayNotChange) {
  Tensor x = leaf({0.5});
  Tensor y = Exp::apply(x);
  Tensor z = y * 1;
  {
    NoGradGuard guard;
    y.zero_();
  }
  EXPECT_THROW(z.sum().backward(), UserError);
}

TEST(Checkpoint, GivesTheSameGradients) {
  Tensor w = leaf({2, 3});
  auto block = [&](const std::vector<Tensor> &in) {
    return (in[0] * w).sin() * in[1];
  };
  Tensor a = leaf({0.1, 0.2}), b = leaf({0.3, 0.4});
  block({a, b}).sum().backward();
  Numbers wanted_a = a.grad().to_vector<double>(),
          wanted_w = w.grad().to_vector<double>();
  a.set_grad({});
  w.set_grad({});
  autograd::checkpoint(block, {a, b}).sum().backward();
  EXPECT_EQ(a.grad().to_vector<double>(), wanted_a);
  EXPECT_EQ(w.grad().to_vector<double>(), wanted_w);
}

TEST(Gradcheck, TellsRightFromWrong) {
  struct Wrong : autograd::Function<Wrong> {
    static Tensor forward(autograd::FunctionCtx &, Tensor x) { return x * x; }
    static std::vector<Tensor> backward(autograd::FunctionCtx &,
                                        std::vector<Tensor> grads) {
      return {grads[0]};
    }
  };
  Tensor x = leaf({0.4, 0.9});
  EXPECT_TRUE(autograd::gradcheck(
      [](const std::vector<Tensor> &in) { return in[0] * in[0]; }, {x}));
  EXPECT_FALSE(autograd::gradcheck(
      [](const std::vector<Tensor> &in) { return Wrong::apply(in[0]); }, {x}));
}

} // namespace
} // namespace xlac
