// Writes to outputs of functions that are views, on both devices.
#include "leaves.h"

#include "xlac/xla_model.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

/// A product that returns a view of it.
struct ViewOfProduct : autograd::Function<ViewOfProduct> {
  static Tensor forward(autograd::FunctionCtx &ctx, Tensor x, Tensor w) {
    ctx.save_for_backward({x, w});
    return (x * w).view(kInt64).view(kFloat64);
  }
  static std::vector<Tensor> backward(autograd::FunctionCtx &ctx,
                                      std::vector<Tensor> grads) {
    const std::vector<Tensor> &saved = ctx.saved_tensors();
    return {grads[0] * saved[1], grads[0] * saved[0]};
  }
};

TEST(Function, AViewOfItsOwnMemoryCanBeWrittenTo) {
  for (const Device &device : {Device(kCPU), xlac::device()}) {
    Tensor w = tensor(Numbers{3, 4}, TensorOptions(kFloat64).device(device));
    auto gradient = [&](auto &&write) {
      Tensor x = leaf({1, 2}).detach().to(device).requires_grad_();
      Tensor y = ViewOfProduct::apply(x, w);
      write(y);
      y.sum().backward();
      return x.grad().to_vector<double>();
    };
    EXPECT_EQ(gradient([](Tensor &y) { y.mul_(y); }), (Numbers{18, 64}));
    EXPECT_EQ(gradient([](Tensor &y) { y.mul_(2.0); }), (Numbers{6, 8}));
    EXPECT_EQ(gradient([](Tensor &y) { y[0].mul_(2.0); }), (Numbers{6, 4}));
    EXPECT_EQ(gradient([](Tensor &y) { y[1].zero_(); }), (Numbers{3, 0}));
  }
}

/// Returns a view of its input, with ten times its gradient.
struct ViewOfInput : autograd::Function<ViewOfInput> {
  static Tensor forward(autograd::FunctionCtx &, Tensor x) {
    return x.view({-1});
  }
  static std::vector<Tensor> backward(autograd::FunctionCtx &,
                                      std::vector<Tensor> grads) {
    return {grads[0] * 10.0};
  }
};

TEST(Function, AViewOfAnInputCanBeWrittenToAsAWhole) {
  for (const Device &device : {Device(kCPU), xlac::device()}) {
    Tensor x = leaf({1, 2}).detach().to(device).requires_grad_();
    Tensor y = x * 1.0, z = ViewOfInput::apply(y);
    EXPECT_THROW(z[0].mul_(2.0), UserError);
    z.mul_(2.0);
    (z.sum() + y.sum() * 100.0).backward();
    EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{2020, 2020}));
    z[0].mul_(3.0);
    EXPECT_EQ(y.to_vector<double>(), (Numbers{6, 4}));

    Tensor a = x * 1.0, b = ViewOfInput::apply(a);
    a.mul_(2.0);
    EXPECT_THROW(b.sum(), UserError);
  }
}

/// Doubles its input in place.
struct Doubled : autograd::Function<Doubled> {
  static Tensor forward(autograd::FunctionCtx &ctx, Tensor x) {
    x.mul_(2.0);
    ctx.mark_dirty({x});
    return x;
  }
  static std::vector<Tensor> backward(autograd::FunctionCtx &,
                                      std::vector<Tensor> grads) {
    return {grads[0] * 2.0};
  }
};

TEST(Function, WritesToTensorsThatAreNotViews) {
  Tensor x = leaf({1, 2}), y = x * 3.0;
  Tensor z = Doubled::apply(y);
  (z * z).sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{72, 144}));
  EXPECT_THROW(Doubled::apply((x * 3.0)[0]), UnsupportedError);
}

// The bits of another tensor pass no gradient, so a write would lose that of
// the written value.
TEST(Function, WritesToViewsOfBitsAreRejected) {
  for (const char *name : {"cpu", "xla"}) {
    TensorOptions options = TensorOptions(Device(name)).dtype(kFloat64);
    Tensor x = ones({2}, options).requires_grad_();
    Tensor bits = zeros({2}, options).view(kInt64).view(kFloat64);
    bits.fill_(0); // no gradient is lost
    EXPECT_THROW(bits.add_(x), UserError) << name;
    Tensor made;
    {
      NoGradGuard guard;
      made = (x * 2.0).view(kInt64).view(kFloat64);
      made.add_(x); // nothing is recorded
    }
    EXPECT_THROW(made.mul_(x), UserError) << name;
    Tensor copy = made.clone();
    copy.mul_(x);
    copy.sum().backward();
    EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{3, 3})) << name;
  }
}

} // namespace
} // namespace xlac
