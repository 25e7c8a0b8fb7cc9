// Every way to detach a tensor: the result is a constant for gradients, no
// matter when the tensor's pending value is computed.
#include "xlac/autograd.h"
#include "xlac/lazy.h"
#include "xlac/nn_functional.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <functional>
#include <optional>

namespace xlac {
namespace {

using Numbers = std::vector<double>;

struct Way {
  const char *name;
  std::function<Tensor(const Tensor &)> detach;
};

template <class F> Tensor unfollowed(const F &function) {
  NoGradGuard guard;
  return function();
}

const std::vector<Way> &ways() {
  static const std::vector<Way> list{
      {"detach", [](auto &x) { return x.detach(); }},
      {"data", [](auto &x) { return x.data(); }},
      {"detach twice", [](auto &x) { return x.detach().detach(); }},
      {"clone, detach", [](auto &x) { return x.clone().detach(); }},
      {"detach, clone", [](auto &x) { return x.detach().clone(); }},
      {"detach, view", [](auto &x) { return x.detach().view({3}); }},
      {"detach, slice", [](auto &x) { return x.detach().slice(0); }},
      {"detach of a view",
       [](auto &x) { return x.view({1, 3}).detach().view({3}); }},
      {"a leaf of its own",
       [](auto &x) { return x.detach().requires_grad_(); }},
      {"view", [](auto &x) { return unfollowed([&] { return x.view({3}); }); }},
      {"views there and back",
       [](auto &x) {
         return unfollowed([&] { return x.view({1, 3}).t().view({3}); });
       }},
      {"slice", [](auto &x) { return unfollowed([&] { return x.slice(0); }); }},
      {"product", [](auto &x) { return unfollowed([&] { return x * 1.0; }); }},
      {"clone", [](auto &x) { return unfollowed([&] { return x.clone(); }); }},
  };
  return list;
}

/// When pending values are computed.
enum class When { Never, Before, Detached, Read, Last, Dropped };

/// The loss of a value and of a constant with the same numbers.
Tensor loss_of(const Tensor &a, const Tensor &d) {
  Tensor products = a * d + d * a + pow(a, d) + a / d + exp(a - d);
  Tensor of_three = addcmul(a, d, d) + lerp(a, d, 0.25) + where(a > 0, a, d);
  Tensor joined = stack({a, d, a}, 0) * stack({d, a, d}, 0);
  return (products + of_three + joined.sum(0)).sum() + dot(a, d) +
         F::mse_loss(a * 2, d, "sum");
}

struct Derivatives {
  Numbers first, second;
};

/// The derivatives of the loss at x or 2 x. Without a way to detach, the
/// constant comes from the host.
Derivatives derivatives_of(Device device, const Way *way, bool is_leaf,
                           When when) {
  TensorOptions options = TensorOptions(kFloat64).device(device);
  Tensor x = tensor(Numbers{0.5, 1, 1.5}, options).requires_grad_();
  if (when == When::Before)
    sync(true);
  Tensor a = is_leaf ? x : x * 2;
  Tensor d = way       ? way->detach(a)
             : is_leaf ? tensor(Numbers{0.5, 1, 1.5}, options)
                       : tensor(Numbers{1, 2, 3}, options);
  if (when == When::Detached)
    sync(true);
  if (when == When::Read)
    EXPECT_EQ(a.to_vector<double>(), d.to_vector<double>());
  Tensor loss = loss_of(a, d);
  if (when == When::Last)
    sync(true);
  if (when == When::Dropped) {
    sync(true);
    d = Tensor();
  }
  Tensor first = autograd::grad({loss}, {x}, {}, {}, true)[0];
  if (when == When::Last)
    sync(true);
  Tensor second = autograd::grad({first.square().sum()}, {x})[0];
  return {first.to_vector<double>(), second.to_vector<double>()};
}

class Detached : public testing::TestWithParam<const char *> {};

TEST_P(Detached, IsAConstant) {
  Device device(GetParam());
  for (bool is_leaf : {false, true}) {
    Derivatives wanted =
        derivatives_of(Device(kCPU), nullptr, is_leaf, When::Never);
    for (const Way &way : ways())
      for (When when : {When::Never, When::Before, When::Detached, When::Read,
                        When::Last, When::Dropped}) {
        SCOPED_TRACE(std::string(way.name) + (is_leaf ? " of a leaf" : "") +
                     ", computed at " + std::to_string(static_cast<int>(when)));
        Derivatives got = derivatives_of(device, &way, is_leaf, when);
        for (size_t i = 0; i < 3; ++i) {
          EXPECT_NEAR(got.first[i], wanted.first[i], 1e-10);
          EXPECT_NEAR(got.second[i], wanted.second[i], 1e-8);
        }
      }
  }
}

/// A second leaf with the same numbers has its own gradient.
TEST_P(Detached, LeavesOfOneValueAreTwo) {
  for (bool computed : {false, true}) {
    Tensor x = tensor(Numbers{1, 2, 3},
                      TensorOptions(kFloat64).device(Device(GetParam()))) *
               2;
    Tensor a = x.detach().requires_grad_(), b = x.detach().requires_grad_();
    if (computed)
      sync(true);
    Tensor loss = (a * b).sum();
    if (computed)
      sync(true);
    loss.backward();
    EXPECT_EQ(a.grad().to_vector<double>(), (Numbers{2, 4, 6}));
    EXPECT_EQ(b.grad().to_vector<double>(), (Numbers{2, 4, 6}));
  }
}

/// A write to a part of a tensor, with a constant of the whole as an operand:
/// the rest of the tensor keeps its gradient.
TEST_P(Detached, AsTheOperandOfAWrite) {
  for (bool computed : {false, true}) {
    Tensor x = tensor(Numbers{1, 2, 3},
                      TensorOptions(kFloat64).device(Device(GetParam())))
                   .requires_grad_();
    Tensor y = x * 2, whole = x * 2;
    if (computed)
      sync(true);
    y.slice(0, 0, 1).mul_(y.detach().sum());
    whole.mul_(whole.detach());
    if (computed)
      sync(true);
    (y.sum() + whole.sum()).backward();
    EXPECT_EQ(x.grad().to_vector<double>(), (Numbers{28, 10, 14}));
  }
}

/// Writes to a detached view and to a view of it are recorded like others.
TEST_P(Detached, ItsViewsAreWritten) {
  TensorOptions options = TensorOptions(kFloat64).device(Device(GetParam()));
  Tensor c = tensor(Numbers{2, 3}, options).requires_grad_();
  Tensor base = tensor(Numbers{1, 5, 7, 9}, options);
  Tensor d = base.slice(0, 1).detach(), whole = base.slice(0, 1).detach();
  d.slice(0, 0, 2).mul_(c);
  EXPECT_EQ(base.to_vector<double>(), (Numbers{1, 10, 21, 9}));
  d.mul_(c[0]);
  EXPECT_EQ(whole.to_vector<double>(), (Numbers{20, 42, 18}));
  EXPECT_FALSE(whole.requires_grad());
  d.sum().backward();
  // 5 c0^2 + 7 c0 c1 + 9 c0
  EXPECT_EQ(c.grad().to_vector<double>(), (Numbers{50, 14}));
}

INSTANTIATE_TEST_SUITE_P(Devices, Detached, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

} // namespace
} // namespace xlac
