// NN: backward and the effects of one training step.
#include "feature_rows.h"

using namespace xlac;
using namespace xlac::features;

//===- backward -----------------------------------------------------------===//

namespace {
struct TwoLayersImpl : nn::Module {
  nn::Linear first = register_module("first", nn::Linear(6, 5));
  nn::BatchNorm1d norm = register_module("norm", nn::BatchNorm1d(5));
  nn::Linear second = register_module("second", nn::Linear(5, 3));

  Tensor forward(const Tensor &x) {
    return F::log_softmax(second(F::gelu(norm(first(x)))), 1);
  }
};
XLAC_MODULE(TwoLayers);

Tensor loss_of(const TwoLayers &model, const Tensor &x, const Tensor &target) {
  return F::nll_loss(model(x), target);
}
} // namespace

FEATURE(NN_11) {
  Device dev = xlac::device();
  manual_seed(11);
  TwoLayers on_cpu;
  TwoLayers on_xla = on_cpu.clone(dev);
  Tensor x = randn({8, 6}), target = randint(0, 3, {8});
  // Two passes, so that gradients accumulate.
  for (int pass = 0; pass < 2; ++pass) {
    loss_of(on_cpu, x, target).backward();
    int64_t executed = samples("ExecuteTime");
    loss_of(on_xla, x.to(dev), target.to(dev)).backward();
    EXPECT_EQ(samples("ExecuteTime"), executed) << "not recorded but run";
    auto wanted = on_cpu->named_parameters(), got = on_xla->named_parameters();
    for (size_t i = 0; i < wanted.size(); ++i) {
      ASSERT_TRUE(got[i].second.grad().defined()) << got[i].first;
      EXPECT_TRUE(allclose(got[i].second.grad().cpu(), wanted[i].second.grad(),
                           1e-5, 1e-5))
          << got[i].first << " after pass " << pass;
    }
  }
}

FEATURE(NN_11_gradient) {
  Tensor p = ones({2, 3}, xlac::device()).requires_grad_();
  Tensor row = p * 2;
  EXPECT_NE(message_of<Error>([&] { row.backward(); }), "nothing thrown");
  Tensor sum = (p * p).sum();
  sum.backward({}, /*retain_graph=*/true);
  sum.backward();
  EXPECT_EQ(p.grad().cpu().to_vector<float>(), Floats(6, 4));
  EXPECT_CONTAINS(message_of<Error>([&] { sum.backward(); }), "backward");
  EXPECT_EQ(p.grad().cpu().to_vector<float>(), Floats(6, 4));
  p.set_grad({});
  (p * 2).backward(arange(6.0).reshape({2, 3}).to(p.device()));
  EXPECT_EQ(p.grad().cpu().to_vector<float>(), (Floats{0, 2, 4, 6, 8, 10}));
}

FEATURE(NN_12) {
  for (Device device : {Device(kCPU), xlac::device()}) {
    Tensor root = ones({2, 2}, device).requires_grad_();
    Tensor x = root.clone();
    x.narrow(0, 0, 1).mul_(2);
    x.sum().backward();
    EXPECT_EQ(root.grad().cpu().to_vector<float>(), (Floats{2, 2, 1, 1}));
    EXPECT_NE(message_of<Error>([&] { root.mul_(2); }), "nothing thrown");
    NoGradGuard no_grad;
    root.mul_(2);
    EXPECT_EQ(root.cpu().to_vector<float>(), Floats(4, 2));
  }
}

//===- The loop -----------------------------------------------------------===//

FEATURE(NN_14) {
  Device dev = xlac::device();
  manual_seed(14);
  TwoLayers model = TwoLayers().to(dev).train();
  optim::SGD optimizer(model->parameters(), {.lr = 0.1, .momentum = 0.9});
  int64_t compiled = 0;
  for (int step = 0; step < 8; ++step) {
    Tensor data = randn({8, 6}), target = randint(0, 3, {8});
    optimizer.zero_grad();
    loss_of(model, data.to(dev), target.to(dev)).backward();
    optimizer.step();
    xlac::sync();
    if (step >= 2) {
      EXPECT_EQ(counter("UncachedCompile"), compiled) << "step " << step;
    }
    compiled = counter("UncachedCompile");
  }
}

//===- xm::optimizer_step -------------------------------------------------===//

namespace {
struct OneParameter {
  Tensor p = ones({2}, xlac::device()).requires_grad_();
  optim::SGD optimizer{{p}, {.lr = 0.25}};
  void backward() {
    optimizer.zero_grad();
    (p * p).sum().backward();
  }
};
} // namespace

FEATURE(NN_21) {
  OneParameter with;
  with.backward();
  int64_t before = counter("MarkStep");
  xm::optimizer_step(with.optimizer);
  EXPECT_EQ(counter("MarkStep"), before);
  with.backward();
  xm::optimizer_step(with.optimizer, {.barrier = true});
  EXPECT_EQ(counter("MarkStep"), before + 1);
  EXPECT_EQ(with.p.cpu().to_vector<float>(), Floats(2, 0.25f));
}

FEATURE(NN_22) {
  OneParameter with;
  int calls = 0;
  auto closure = [&] {
    ++calls;
    with.optimizer.zero_grad();
    Tensor loss = (with.p * with.p).sum();
    loss.backward();
    return loss;
  };
  xm::optimizer_step(with.optimizer, {.optimizer_args = {.closure = closure}});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(with.p.cpu().to_vector<float>(), Floats(2, 0.5f));
}

FEATURE(NN_23) {
  OneParameter with;
  with.backward();
  EXPECT_EQ(xm::optimizer_step(with.optimizer), std::nullopt);
  auto closure = [&] {
    with.backward();
    return (with.p * with.p).sum();
  };
  std::optional<Tensor> loss = xm::optimizer_step(
      with.optimizer, {.optimizer_args = {.closure = closure}});
  ASSERT_TRUE(loss);
  EXPECT_FLOAT_EQ(loss->item<float>(), 0.5f);
}
