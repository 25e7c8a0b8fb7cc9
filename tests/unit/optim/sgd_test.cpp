// SGD: comparison with its formula, groups and state.
#include "xlac/optim.h"

#include <gtest/gtest.h>

using namespace xlac;

namespace {

/// Computes three steps with the gradients 1, 2 and -1 by the formula.
double by_formula(const optim::SGDOptions &o, double p) {
  double buffer = 0;
  const double grads[] = {1, 2, -1};
  for (int i = 0; i < 3; ++i) {
    double d = o.maximize ? -grads[i] : grads[i];
    d += o.weight_decay * p;
    if (o.momentum != 0) {
      buffer = i == 0 ? d : o.momentum * buffer + (1 - o.dampening) * d;
      d = o.nesterov ? d + o.momentum * buffer : buffer;
    }
    p -= o.lr * d;
  }
  return p;
}

double by_steps(const optim::SGDOptions &options, double start) {
  Tensor p = tensor({start}).requires_grad_();
  optim::SGD optimizer({p}, options);
  for (double grad : {1.0, 2.0, -1.0}) {
    p.set_grad(tensor({grad}));
    optimizer.step();
  }
  return p[0].item<double>();
}

} // namespace

TEST(Sgd, FollowsItsFormula) {
  for (const optim::SGDOptions &options : std::vector<optim::SGDOptions>{
           {.lr = 0.1},
           {.lr = 0.1, .momentum = 0.9},
           {.lr = 0.1, .momentum = 0.5, .dampening = 0.3},
           {.lr = 0.1, .weight_decay = 0.2},
           {.lr = 0.1, .momentum = 0.9, .nesterov = true},
           {.lr = 0.1, .momentum = 0.9, .maximize = true}})
    EXPECT_NEAR(by_steps(options, 0.5), by_formula(options, 0.5), 1e-6)
        << options.momentum << " " << options.nesterov;
}

TEST(Sgd, LeavesParametersWithoutGradientAndIds) {
  Tensor a = ones({2}).requires_grad_(), b = ones({2}).requires_grad_();
  optim::SGD optimizer({a, b}, {.lr = 0.5});
  int64_t id = a.id();
  (a * 2.0).sum().backward();
  EXPECT_EQ(optimizer.step(), std::nullopt);
  EXPECT_TRUE(equal(a, zeros({2})));
  EXPECT_TRUE(equal(b, ones({2})));
  EXPECT_EQ(a.id(), id);
  EXPECT_TRUE(a.is_leaf());
  optimizer.zero_grad();
  EXPECT_FALSE(a.grad().defined());
}

TEST(Sgd, GroupsHaveOptionsOfTheirOwn) {
  Tensor a = ones({1}).requires_grad_(), b = ones({1}).requires_grad_();
  optim::SGD optimizer(std::vector<optim::ParamGroup>{{{a}, {{"lr", 0.1}}}},
                       {.lr = 0.5});
  optimizer.add_param_group({{b}, {}});
  a.set_grad(ones({1}));
  b.set_grad(ones({1}));
  optimizer.step();
  EXPECT_NEAR(a.item<double>(), 0.9, 1e-6);
  EXPECT_NEAR(b.item<double>(), 0.5, 1e-6);
  optimizer.param_groups()[1].options["lr"] = 0.25;
  optimizer.step();
  EXPECT_NEAR(b.item<double>(), 0.25, 1e-6);
  EXPECT_THROW(optimizer.add_param_group({{a}, {}}), ValueError);
  EXPECT_THROW(optimizer.add_param_group({{ones({1})}, {{"rate", 1}}}),
               ValueError);
}

TEST(Sgd, RefusesWrongOptions) {
  Tensor a = ones({1}).requires_grad_();
  EXPECT_THROW(optim::SGD({a}, {.lr = -1}), ValueError);
  EXPECT_THROW(optim::SGD({a}, {.nesterov = true}), ValueError);
  EXPECT_THROW(optim::SGD(std::vector<Tensor>{}), ValueError);
  EXPECT_THROW(optim::SGD({a * 2.0}), ValueError);
}

TEST(Sgd, ClosureGivesTheLoss) {
  Tensor a = ones({1}).requires_grad_();
  optim::SGD optimizer({a}, {.lr = 0.5});
  int calls = 0;
  NoGradGuard guard;
  std::optional<Tensor> loss = optimizer.step({.closure = [&] {
    ++calls;
    Tensor value = (a * a).sum();
    value.backward();
    return value;
  }});
  EXPECT_EQ(calls, 1);
  EXPECT_EQ(loss->item<double>(), 1);
  EXPECT_EQ(a.item<double>(), 0);
}

TEST(Sgd, StateGoesToAnotherOptimizer) {
  Tensor a = ones({1}).requires_grad_(), b = ones({1}).requires_grad_();
  optim::SGD first({a}, {.lr = 0.5, .momentum = 0.9});
  a.set_grad(ones({1}));
  first.step();
  optim::SGD second({b}, {.lr = 0.1, .momentum = 0.5});
  second.load_state_dict(first.state_dict());
  EXPECT_EQ(second.param_groups()[0].options["lr"], 0.5);
  {
    NoGradGuard guard;
    b.copy_(a);
  }
  for (auto *pair : {&first, &second})
    pair->param_groups()[0].params[0].set_grad(ones({1}));
  first.step();
  second.step();
  EXPECT_EQ(a.item<double>(), b.item<double>());
  optim::SGD other({ones({1}).requires_grad_(), ones({1}).requires_grad_()});
  EXPECT_THROW(other.load_state_dict(first.state_dict()), ValueError);
}
