// Compares L-BFGS with PyTorch's, on the Rosenbrock function in four
// dimensions.
#include "expected.h"

#include "xlac/optim.h"
#include "xlac/serialization.h"

#include <gtest/gtest.h>

#include <sstream>

namespace xlac::optim {
namespace {

struct Valley {
  Tensor a, b;

  explicit Valley(Device device) {
    TensorOptions on_cpu = TensorOptions(kFloat64).device(kCPU);
    a = tensor({-1.2, 1.0}, on_cpu).to(device).requires_grad_();
    b = tensor({{0.5}, {2.0}}, on_cpu).to(device).requires_grad_();
  }

  Tensor loss() const {
    Tensor x = cat({a, b.reshape({-1})});
    Tensor next = x.narrow(0, 1, 3), here = x.narrow(0, 0, 3);
    Tensor rise = next - here * here, rest = 1 - here;
    return (100 * rise * rise + rest * rest).sum();
  }

  LossClosure closure(Optimizer &optimizer) const {
    return [this, &optimizer] {
      optimizer.zero_grad();
      Tensor value = loss();
      value.backward();
      return value;
    };
  }

  std::vector<double> values() const {
    return cat({a.detach(), b.detach().reshape({-1})}).to_vector<double>();
  }
};

LBFGSOptions options_of(const std::string &name) {
  if (name == "plain")
    return {.lr = 0.2, .max_iter = 4, .history_size = 3};
  if (name == "strong_wolfe")
    return {.lr = 1,
            .max_iter = 5,
            .history_size = 3,
            .line_search_fn = "strong_wolfe"};
  return {.lr = 0.5, .max_eval = 9, .line_search_fn = "strong_wolfe"};
}

TEST(Lbfgs, TakesPyTorchsSteps) {
  for (const expected::LbfgsCase &wanted : expected::kLbfgs) {
    Valley valley(kCPU);
    LBFGS optimizer({valley.a, valley.b}, options_of(wanted.name));
    for (double loss : wanted.losses)
      EXPECT_NEAR(optimizer.step({.closure = valley.closure(optimizer)})
                      ->item<double>(),
                  loss, 1e-8 * (1 + loss))
          << wanted.name;
    std::vector<double> values = valley.values();
    for (size_t i = 0; i < values.size(); ++i)
      EXPECT_NEAR(values[i], wanted.parameters[i], 1e-7) << wanted.name;
    EXPECT_EQ(optimizer.state_dict()
                  .at("state")
                  .to<Value::Dict>()[0]
                  .second.at("func_evals")
                  .to<int>(),
              wanted.evaluations);
  }
}

TEST(Lbfgs, GoesOnFromAFile) {
  Valley valley(kCPU), again(kCPU);
  LBFGS optimizer({valley.a, valley.b}, options_of("strong_wolfe"));
  for (int i = 0; i < 2; ++i)
    optimizer.step({.closure = valley.closure(optimizer)});
  std::stringstream file;
  save(optimizer.state_dict(), file);
  again.a.data().copy_(valley.a.detach());
  again.b.data().copy_(valley.b.detach());
  LBFGS other({again.a, again.b});
  other.load_state_dict(load(file));
  for (int i = 0; i < 2; ++i) {
    optimizer.step({.closure = valley.closure(optimizer)});
    other.step({.closure = again.closure(other)});
  }
  EXPECT_EQ(again.values(), valley.values());
  EXPECT_NE(other.state_dict()
                .at("param_groups")
                .at(size_t{0})
                .at("line_search_fn")
                .get_if<std::string>(),
            nullptr);
}

TEST(Lbfgs, EndsAtTheBottom) {
  Tensor x = full({3}, 5.0, kFloat64).requires_grad_();
  LBFGS optimizer({x}, {.line_search_fn = "strong_wolfe"});
  auto closure = [&] {
    optimizer.zero_grad();
    Tensor value = (x * x).sum();
    value.backward();
    return value;
  };
  EXPECT_EQ(optimizer.step({.closure = closure})->item<double>(), 75);
  EXPECT_NEAR(x.abs().max().item<double>(), 0, 1e-7);
  // The optimum is reached.
  EXPECT_NEAR(optimizer.step({.closure = closure})->item<double>(), 0, 1e-12);
}

TEST(Lbfgs, RefusesWhatItCannotDo) {
  Tensor a = ones({1}).requires_grad_(), b = ones({1}).requires_grad_();
  EXPECT_THROW(LBFGS({a}, {.lr = -1}), ValueError);
  EXPECT_THROW(LBFGS({a}, {.line_search_fn = "armijo"}), ValueError);
  EXPECT_THROW(LBFGS(std::vector<ParamGroup>{{{a}, {}}, {{b}, {}}}),
               ValueError);
  LBFGS optimizer({a});
  EXPECT_THROW(optimizer.step(), ValueError);
}

} // namespace
} // namespace xlac::optim
