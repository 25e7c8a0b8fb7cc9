// A checkpoint runs its function twice. Both runs use the same random numbers,
// and the gradients are those of the function without a checkpoint.
#include "xlac/autograd.h"
#include "xlac/lazy.h"
#include "xlac/nn_functional.h"
#include "xlac/ops.h"
#include "xlac/xla_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

namespace xlac {
namespace {

using Numbers = std::vector<double>;
using Inputs = std::vector<Tensor>;

class Checkpoint : public testing::TestWithParam<const char *> {
protected:
  Device device() const { return Device(GetParam()); }
  TensorOptions options() const {
    return TensorOptions(kFloat64).device(device());
  }
  Tensor leaf(const Numbers &numbers) const {
    return tensor(numbers, options()).requires_grad_();
  }
};

struct Draw {
  const char *name;
  /// Factors of the operand's shape.
  std::function<Tensor(const Tensor &)> factors;
};

const std::vector<Draw> &draws() {
  static const std::vector<Draw> list{
      {"dropout", [](auto &x) { return F::dropout(ones_like(x), 0.5, true); }},
      {"rand", [](auto &x) { return rand_like(x.detach()); }},
      {"randn", [](auto &x) { return randn_like(x.detach()); }},
      {"randint",
       [](auto &x) {
         return randint(0, 1000, x.sizes(), TensorOptions(x.device()));
       }},
      {"bernoulli", [](auto &x) { return bernoulli(full_like(x, 0.5)); }},
      {"randperm",
       [](auto &x) { return randperm(x.numel(), TensorOptions(x.device())); }},
      {"uniform_",
       [](auto &x) { return empty_like(x.detach()).uniform_(-1, 1); }},
      {"poisson", [](auto &x) { return poisson(full_like(x, 3.0)); }},
      {"several",
       [](auto &x) {
         Tensor first = rand_like(x.detach());
         return first - rand_like(x.detach());
       }},
      {"of two devices",
       [](auto &x) {
         Tensor host = rand({1}, TensorOptions(kFloat64));
         return rand_like(x.detach()) * host.to(x.device());
       }},
      {"after a seed of its own",
       [](auto &x) {
         manual_seed(7);
         return rand_like(x.detach());
       }},
      {"after its own state",
       [](auto &x) {
         xm::set_rng_state(xm::get_rng_state(x.device()) + 1, x.device());
         return rand_like(x.detach());
       }},
      {"forked",
       [](auto &x) {
         Tensor inner;
         {
           xm::ForkRng fork(x.device());
           inner = rand_like(x.detach());
         }
         return inner + 2 * rand_like(x.detach());
       }},
      {"nested",
       [](auto &x) {
         return autograd::checkpoint(
                    [](const Inputs &in) {
                      return in[0] * rand_like(in[0].detach());
                    },
                    {ones_like(x)}) +
                rand_like(x.detach());
       }},
  };
  return list;
}

TEST_P(Checkpoint, DrawsTheSameNumbers) {
  for (const Draw &draw : draws())
    for (int between : {0, 1, 2, 3}) {
      SCOPED_TRACE(std::string(draw.name) + " " + std::to_string(between));
      Tensor x = ones({64}, options()).requires_grad_();
      Tensor y = autograd::checkpoint(
          [&](const Inputs &in) { return in[0] * draw.factors(in[0]); }, {x});
      if (between == 1)
        sync(true);
      Numbers shown;
      if (between == 2)
        shown = y.to_vector<double>();
      if (between == 3)
        std::thread([&] { rand({2}, options()).to_vector<double>(); }).join();
      Tensor other = rand({3}, options());
      int64_t before = xm::get_rng_state(device());
      int64_t on_cpu = xm::get_rng_state(Device(kCPU));
      y.sum().backward();
      EXPECT_EQ(xm::get_rng_state(device()), before);
      EXPECT_EQ(xm::get_rng_state(Device(kCPU)), on_cpu);
      Numbers factors = x.grad().to_vector<double>();
      EXPECT_EQ(factors, y.to_vector<double>());
      EXPECT_NE(factors, Numbers(64, factors[0]));
    }
}

/// The checkpoint does not record random numbers of another thread during
/// forward.
TEST_P(Checkpoint, IsAloneWithItsDraws) {
  Tensor x = ones({64}, options()).requires_grad_();
  Tensor y = autograd::checkpoint(
      [&](const Inputs &in) {
        Tensor first = rand_like(in[0].detach());
        std::thread([&] { rand({2}, options()).to_vector<double>(); }).join();
        return in[0] * first + in[0] * rand_like(in[0].detach());
      },
      {x});
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), y.to_vector<double>());
}

/// A backward pass inside of the function repeats its own random numbers only.
TEST_P(Checkpoint, DifferentiatesACheckpointInside) {
  Tensor x = ones({64}, options()).requires_grad_();
  Tensor y = autograd::checkpoint(
      [&](const Inputs &in) {
        AutoGradMode on(true);
        Tensor z = in[0].detach().requires_grad_();
        Tensor inner = autograd::checkpoint(
            [](const Inputs &i) { return i[0] * rand_like(i[0].detach()); },
            {z});
        Tensor slope = autograd::grad({inner.sum()}, {z})[0];
        return in[0] * (slope + 2 * rand_like(z.detach()));
      },
      {x});
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), y.to_vector<double>());
}

TEST_P(Checkpoint, PassesGradientsToWhatItCaptures) {
  for (bool with_input : {false, true}) {
    Tensor x = tensor(Numbers{0.5, 2}, options()).requires_grad_(with_input);
    Tensor w = leaf({3, 5}), v = leaf({7, 11}), u = leaf({1, 2, 3});
    Tensor h = v * v;
    auto fn = [&](const Inputs &in) {
      return in[0] * in[0] * w * h * u.slice(0, 1) + w;
    };
    std::vector<Tensor> asked{w, v, u};
    if (with_input)
      asked.push_back(x);
    Tensor extra = (w * 100).sum();
    std::vector<Tensor> wanted =
        autograd::grad({fn({x}).sum() + extra}, asked, {}, true);
    Tensor y = autograd::checkpoint(fn, {x});
    std::vector<Tensor> got =
        autograd::grad({y.sum() + extra}, asked, {}, true);
    for (size_t i = 0; i < asked.size(); ++i) {
      EXPECT_EQ(got[i].to_vector<double>(), wanted[i].to_vector<double>()) << i;
      EXPECT_FALSE(asked[i].grad().defined()) << i;
    }
    Tensor z = autograd::checkpoint(fn, {x});
    (z.sum() + extra).backward();
    for (size_t i = 0; i < asked.size(); ++i)
      EXPECT_EQ(asked[i].grad().to_vector<double>(),
                wanted[i].to_vector<double>())
          << i;
  }
}

TEST_P(Checkpoint, RunsHooksOnce) {
  Tensor x = leaf({1, 2}), w = leaf({3, 5});
  Tensor h = w * 2;
  int runs = 0;
  auto half = [&](const Tensor &grad) {
    ++runs;
    return grad * 0.5;
  };
  x.register_hook(half);
  w.register_hook(half);
  h.register_hook(half);
  autograd::checkpoint([&](const Inputs &in) { return in[0] * w * h; }, {x})
      .sum()
      .backward();
  EXPECT_EQ(runs, 3);
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{9, 25}));
  // half of (x h + 2 half of x w)
  EXPECT_EQ(w.grad().to_vector<double>(), (Numbers{4.5, 15}));
}

TEST_P(Checkpoint, HasSecondDerivatives) {
  auto derivatives = [&](bool checkpointed) {
    Tensor x = leaf({0.5, 1.5}), w = leaf({0.3, 0.7});
    auto fn = [&](const Inputs &in) { return (in[0] * w).sin() * in[0]; };
    Tensor y = checkpointed ? autograd::checkpoint(fn, {x}) : fn({x});
    std::vector<Tensor> first =
        autograd::grad({y.square().sum()}, {x, w}, {}, {}, true);
    std::vector<Tensor> second = autograd::grad(
        {first[0].square().sum() + first[1].sum()}, {x, w}, {}, {}, true);
    Tensor third = autograd::grad({second[0].sum()}, {x})[0];
    Numbers all;
    for (const Tensor &each :
         {y, first[0], first[1], second[0], second[1], third})
      for (double number : each.to_vector<double>())
        all.push_back(number);
    return all;
  };
  Numbers got = derivatives(true), wanted = derivatives(false);
  ASSERT_EQ(got.size(), wanted.size());
  for (size_t i = 0; i < got.size(); ++i)
    EXPECT_NEAR(got[i], wanted[i], 1e-9) << i;
}

/// Tensors without gradients inside of the function have none outside.
TEST_P(Checkpoint, KnowsWhatRequiresNoGradient) {
  using Body = std::function<Tensor(const Tensor &)>;
  auto unfollowed = [](const Body &body) -> Body {
    return [body](const Tensor &x) {
      NoGradGuard guard;
      return body(x);
    };
  };
  const std::vector<Body> constants{
      [](const Tensor &x) { return x.detach(); },
      [](const Tensor &x) { return x.detach() * 2; },
      [](const Tensor &x) { return x > 0; },
      unfollowed([](const Tensor &x) { return x.view({2, 1}); }),
      unfollowed([](const Tensor &x) { return x.slice(0, 1); }),
      unfollowed([](const Tensor &x) { return x * 2; }),
  };
  for (size_t i = 0; i < constants.size(); ++i)
    for (bool captures : {false, true}) {
      SCOPED_TRACE(std::to_string(i) + (captures ? ", captured" : ""));
      Tensor x = leaf({1, -2}), w = leaf({3, 5});
      Tensor y = autograd::checkpoint(
          [&](const Inputs &in) { return constants[i](captures ? w : in[0]); },
          {x});
      EXPECT_FALSE(y.requires_grad());
      EXPECT_TRUE(y.is_leaf());
      Tensor z = autograd::checkpoint(
          [&](const Inputs &in) {
            Tensor constant = constants[i](captures ? w : in[0]);
            return constant.to(kFloat64).sum() * in[0];
          },
          {x});
      EXPECT_TRUE(z.requires_grad());
      z.sum().backward();
      double sum = y.to(kFloat64).sum().item<double>();
      EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{sum, sum}));
      EXPECT_FALSE(w.grad().defined());
    }
}

/// An operand that the function returns unchanged remains the same tensor.
TEST_P(Checkpoint, GivesWhatItComputesNothingOf) {
  Tensor x = leaf({1, 2}), w = leaf({3, 5});
  Tensor same =
      autograd::checkpoint([](const Inputs &in) { return in[0]; }, {x});
  Tensor other = autograd::checkpoint([&](const Inputs &) { return w; }, {x});
  EXPECT_TRUE(w.is_leaf());
  (same * other).sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{3, 5}));
  EXPECT_EQ(w.grad().to_vector<double>(), (Numbers{1, 2}));
}

/// A view that the function returns can be written to.
TEST_P(Checkpoint, GivesViewsThatCanBeWrittenTo) {
  Tensor x = leaf({1, 2});
  Tensor y = autograd::checkpoint(
      [](const Inputs &in) { return (in[0] * in[0]).view({2, 1}); }, {x});
  y.mul_(3.0);
  y.sum().backward();
  EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{6, 12}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Checkpoint, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

} // namespace
} // namespace xlac
