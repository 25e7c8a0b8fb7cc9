// Every in-place operation through every kind of view on both devices. The
// gradients are those of an equivalent formula without writes.
#include "xlac/autograd.h"
#include "xlac/lazy.h"
#include "xlac/ops.h"

#include <gtest/gtest.h>

#include <functional>

namespace xlac {
namespace {

using Numbers = std::vector<double>;

struct Kind {
  const char *name;
  /// A 2x2 view of a 3x4 base.
  std::function<Tensor(const Tensor &)> view;
};

const std::vector<Kind> &kinds() {
  static const std::vector<Kind> list{
      {"rows", [](auto &y) { return y.view({6, 2}).slice(0, 1, 3); }},
      {"block", [](auto &y) { return y.slice(0, 1, 3).slice(1, 0, 4, 3); }},
      {"subscripts",
       [](auto &y) { return y.index({Slice(0, None, 2), Slice(1, 3)}); }},
      {"turned", [](auto &y) { return y.t().slice(0, 2).slice(1, 1); }},
      {"permuted",
       [](auto &y) {
         return y.view({3, 2, 2}).permute({2, 0, 1}).select(1, 1);
       }},
      {"diagonals",
       [](auto &y) {
         return y.view({3, 2, 2}).slice(0, 0, 2).diagonal(0, 1, 2);
       }},
      {"windows", [](auto &y) { return y.unfold(1, 2, 2)[1]; }},
      {"one of overlapping windows",
       [](auto &y) { return y.unfold(0, 2, 1).select(0, 1).slice(0, 0, 2); }},
      {"across overlapping windows",
       [](auto &y) { return y.unfold(1, 3, 1).select(2, 1).slice(0, 1); }},
      {"one of overlapping strides",
       [](auto &y) { return y.as_strided({3, 2, 2}, {1, 4, 2}).select(0, 1); }},
      {"windows of an expanded one",
       [](auto &y) {
         return y.slice(1, 1, 3)
             .unsqueeze(0)
             .expand({3, 3, 2})
             .unfold(0, 1, 3)
             .squeeze(-1)[0]
             .slice(0, 0, 2);
       }},
      {"strided", [](auto &y) { return y.as_strided({2, 2}, {5, 2}, 1); }},
      {"expanded",
       [](auto &y) {
         return y.slice(1, 1, 3).unsqueeze(0).expand({3, 3, 2})[2].slice(0, 1);
       }},
      {"a view of a view",
       [](auto &y) {
         return y.view({-1}).slice(0, 2, 10).view({2, 4}).slice(1, 0, 4, 2);
       }},
  };
  return list;
}

/// An operation on `v` with an operand of its shape, which requires gradients,
/// too.
struct Operation {
  const char *name;
  std::function<void(Tensor &v, const Tensor &c)> write;
  std::function<Tensor(const Tensor &v, const Tensor &c)> formula;
};

#define XLAC_UNARY(name)                                                       \
  {#name "_", [](Tensor &v, const Tensor &) { v.name##_(); },                  \
   [](const Tensor &v, const Tensor &) { return v.name(); }}
#define XLAC_CALLED(name, ...)                                                 \
  {#name "_(" #__VA_ARGS__ ")",                                                \
   [](Tensor &v, [[maybe_unused]] const Tensor &c) {                           \
     v.name##_(__VA_ARGS__);                                                   \
   },                                                                          \
   [](const Tensor &v, [[maybe_unused]] const Tensor &c) {                     \
     return v.name(__VA_ARGS__);                                               \
   }}
/// With the tensor itself as the operand.
#define XLAC_ITSELF(name)                                                      \
  {#name "_(itself)", [](Tensor &v, const Tensor &) { v.name##_(v); },         \
   [](const Tensor &v, const Tensor &) { return v.name(v); }}

const std::vector<Operation> &operations() {
  static const std::vector<Operation> list{
      XLAC_UNARY(abs),
      XLAC_UNARY(acos),
      XLAC_UNARY(asin),
      XLAC_UNARY(asinh),
      XLAC_UNARY(atan),
      XLAC_UNARY(atanh),
      XLAC_UNARY(cos),
      XLAC_UNARY(cosh),
      XLAC_UNARY(deg2rad),
      XLAC_UNARY(digamma),
      XLAC_UNARY(erf),
      XLAC_UNARY(erfc),
      XLAC_UNARY(erfinv),
      XLAC_UNARY(exp),
      XLAC_UNARY(exp2),
      XLAC_UNARY(expm1),
      XLAC_UNARY(frac),
      XLAC_UNARY(i0),
      XLAC_UNARY(lgamma),
      XLAC_UNARY(log),
      XLAC_UNARY(log10),
      XLAC_UNARY(log1p),
      XLAC_UNARY(log2),
      XLAC_UNARY(logit),
      XLAC_UNARY(neg),
      XLAC_UNARY(rad2deg),
      XLAC_UNARY(reciprocal),
      XLAC_UNARY(relu),
      XLAC_UNARY(rsqrt),
      XLAC_UNARY(sigmoid),
      XLAC_UNARY(sin),
      XLAC_UNARY(sinc),
      XLAC_UNARY(sinh),
      XLAC_UNARY(sqrt),
      XLAC_UNARY(square),
      XLAC_UNARY(tan),
      XLAC_UNARY(tanh),
      XLAC_UNARY(tril),
      XLAC_UNARY(triu),
      XLAC_CALLED(add, c),
      XLAC_CALLED(addcdiv, c, c),
      XLAC_CALLED(addcmul, c, c),
      XLAC_CALLED(atan2, c),
      XLAC_CALLED(clamp, 0.3, 0.6),
      XLAC_CALLED(copysign, c),
      XLAC_CALLED(cumprod, 0),
      XLAC_CALLED(cumsum, 0),
      XLAC_CALLED(div, c),
      XLAC_CALLED(float_power, 2.5),
      XLAC_CALLED(fmod, 0.35),
      XLAC_CALLED(hypot, c),
      XLAC_CALLED(index_add, 0, tensor({1, 0}).to(v.device()), c),
      XLAC_CALLED(index_copy, 0, tensor({1, 0}).to(v.device()), c),
      XLAC_CALLED(index_fill, 0, tensor({1}).to(v.device()), 0.5),
      XLAC_CALLED(lerp, c, 0.25),
      XLAC_CALLED(masked_fill, v > 0.4, 0.5),
      XLAC_CALLED(mul, c),
      XLAC_CALLED(nan_to_num, 0.0),
      XLAC_CALLED(pow, c),
      XLAC_CALLED(pow, 3),
      XLAC_CALLED(remainder, 0.35),
      XLAC_CALLED(scatter, 0, zeros_like(v, kInt64), c),
      XLAC_CALLED(scatter_add, 0, zeros_like(v, kInt64), c),
      XLAC_CALLED(sub, c),
      XLAC_CALLED(xlogy, c),
      XLAC_ITSELF(add),
      XLAC_ITSELF(atan2),
      XLAC_ITSELF(div),
      XLAC_ITSELF(hypot),
      XLAC_ITSELF(mul),
      XLAC_ITSELF(pow),
      XLAC_ITSELF(xlogy),
      {"copy_", [](Tensor &v, const Tensor &c) { v.copy_(c); },
       [](const Tensor &v, const Tensor &c) { return v * 0 + c; }},
      {"zero_", [](Tensor &v, const Tensor &) { v.zero_(); },
       [](const Tensor &v, const Tensor &) { return v * 0; }},
      {"twice in one", [](Tensor &v, const Tensor &c) { v.mul_(c).mul_(v); },
       [](const Tensor &v, const Tensor &c) { return (v * c) * (v * c); }},
      {"of its part", [](Tensor &v, const Tensor &) { v.mul_(v.slice(0, 1)); },
       [](const Tensor &v, const Tensor &) { return v * v.slice(0, 1); }},
      {"of its constant", [](Tensor &v, const Tensor &) { v.mul_(v.detach()); },
       [](const Tensor &v, const Tensor &) { return v * v.detach(); }},
      {"of its data", [](Tensor &v, const Tensor &) { v.mul_(v.data()); },
       [](const Tensor &v, const Tensor &) { return v * v.detach(); }},
  };
  return list;
}

/// A matrix that selects the view's elements from those of the base.
Tensor picks_of(const Kind &kind, Device device) {
  Tensor places = kind.view(arange(12).view({3, 4})).contiguous().view({-1});
  return (places.unsqueeze(1) == arange(12)).to(kFloat64).to(device);
}

struct Derivatives {
  Tensor by_x, by_c, second;
};

/// Returns the gradients of a weighted sum over the base after `change`, which
/// applies the operation to a base and an operand. With `again` also
/// second-order gradients.
Derivatives derivatives_of(
    Device device, const Shape &shape, bool again,
    const std::function<Tensor(const Tensor &, const Tensor &)> &change) {
  auto numbers = [&](int64_t count, double from, double to) {
    return linspace(from, to, count, TensorOptions(kFloat64)).to(device);
  };
  Tensor x = numbers(12, 0.21, 0.83).view({3, 4}).requires_grad_();
  int64_t count = 1;
  for (int64_t size : shape)
    count *= size;
  Tensor c = numbers(count, 0.71, 0.37).view(shape).requires_grad_();
  Tensor changed = change(x * 1.0, c);
  Tensor loss = (changed * numbers(12, -1.3, 2.1).view({3, 4})).square().sum();
  std::vector<Tensor> first =
      autograd::grad({loss}, {x, c}, {}, {}, again, true);
  Tensor second;
  if (again)
    second =
        autograd::grad({first[0].square().sum()}, {x}, {}, {}, false, true)[0];
  auto or_zeros = [&](const Tensor &grad, const Tensor &of) {
    return grad.defined() ? grad : zeros_like(of);
  };
  return {or_zeros(first[0], x), or_zeros(first[1], c), or_zeros(second, x)};
}

void expect_near(const Tensor &got, const Tensor &wanted) {
  Numbers a = got.to_vector<double>(), b = wanted.to_vector<double>();
  ASSERT_EQ(a.size(), b.size());
  for (size_t i = 0; i < a.size(); ++i)
    EXPECT_NEAR(a[i], b[i], 1e-9 * std::max(1.0, std::abs(b[i]))) << i;
}

class ViewWrites : public testing::TestWithParam<const char *> {};

TEST_P(ViewWrites, HaveTheGradientsOfTheFormula) {
  Device device(GetParam());
  for (const Kind &kind : kinds()) {
    SCOPED_TRACE(kind.name);
    Shape shape = kind.view(zeros({3, 4})).sizes();
    Tensor picks = picks_of(kind, Device(kCPU));
    Tensor rest = (1 - picks.sum(0)).view({3, 4});
    // Slow checks run for a subset: second derivatives for every fourth kind of
    // view, and compiled code for every third operation, different ones for
    // each kind.
    size_t number = &kind - kinds().data();
    bool again = number % 4 == 1;
    std::vector<Derivatives> all;
    std::vector<Operation> chosen;
    for (size_t i = 0; i < operations().size(); ++i)
      if (device.type == kCPU || i % 3 == number % 3)
        chosen.push_back(operations()[i]);
    for (const Operation &operation : chosen)
      all.push_back(
          derivatives_of(device, shape, again, [&](Tensor y, const Tensor &c) {
            Tensor v = kind.view(y);
            operation.write(v, c);
            return y;
          }));
    sync(true);
    for (size_t i = 0; i < all.size(); ++i) {
      const Operation &operation = chosen[i];
      SCOPED_TRACE(operation.name);
      Derivatives wanted = derivatives_of(
          Device(kCPU), shape, again, [&](const Tensor &y, const Tensor &c) {
            Tensor part = mv(picks, y.reshape({12})).view(shape);
            Tensor made = operation.formula(part, c).reshape({-1});
            return y * rest + mv(picks.t(), made).view({3, 4});
          });
      expect_near(all[i].by_x, wanted.by_x);
      expect_near(all[i].by_c, wanted.by_c);
      expect_near(all[i].second, wanted.second);
    }
  }
}

Tensor no_indices(const Shape &sizes, const Tensor &like) {
  return zeros(sizes, TensorOptions(kInt64).device(like.device()));
}

/// Conjugates, and the parts of conjugates: gradients are those of the formula
/// without views, before and after writes through them.
TEST_P(ViewWrites, FollowConjugates) {
  using Complex = std::complex<double>;
  TensorOptions options = TensorOptions(kComplex128).device(Device(GetParam()));
  auto leaf = [&](std::vector<Complex> values) {
    return tensor(values, options).requires_grad_();
  };
  auto mirrored = [](const Tensor &z) {
    return complex(real(z).clone(), real(z) * 0 - imag(z));
  };
  for (bool cut : {false, true}) {
    Tensor x = leaf({{1, 2}, {-3, 0.5}, {0.25, -1}});
    Tensor w = leaf({{0.5, -1}, {2, 1.5}, {-0.75, 3}});
    Tensor y = x * 1.0, c = conj(y);
    if (cut)
      sync();
    c.mul_(w);
    c.slice(0, 1).exp_();
    imag(c)[0].mul_(real(w)[0]);
    Tensor loss = real(y * w + c * x).sum() + (imag(c) * imag(y)).sum();
    // The same without writes.
    Tensor product = mirrored(x) * w, tail = product.slice(0, 1).exp();
    Tensor head = complex(real(product)[0], imag(product)[0] * real(w)[0]);
    Tensor now = cat({head.unsqueeze(0), tail}, 0), turned = mirrored(now);
    Tensor wanted =
        real(turned * w + now * x).sum() + (imag(now) * imag(turned)).sum();
    EXPECT_TRUE(allclose(loss, wanted));
    std::vector<Tensor> got = autograd::grad({loss}, {x, w});
    std::vector<Tensor> right = autograd::grad({wanted}, {x, w});
    for (size_t i = 0; i < 2; ++i)
      EXPECT_TRUE(allclose(view_as_real(got[i].clone()),
                           view_as_real(right[i].clone())))
          << i << ": " << got[i] << " wanted " << right[i];
  }
  Tensor x = leaf({{1, 2}});
  EXPECT_THROW(conj(x).fill_(1), UserError);
}

/// Empty views have gradients of zeros.
TEST_P(ViewWrites, EmptyPartsHaveZeroGradients) {
  using View = std::function<Tensor(const Tensor &)>;
  const std::vector<std::pair<const char *, View>> parts{
      {"slice", [](auto &x) { return x.slice(0, 1, 1); }},
      {"narrow", [](auto &x) { return x.narrow(1, 2, 0); }},
      {"select", [](auto &x) { return x.slice(1, 0, 0).select(0, 1); }},
      {"diagonal", [](auto &x) { return x.diagonal(5); }},
      {"unfold", [](auto &x) { return x.unfold(1, 0, 2); }},
      {"as_strided", [](auto &x) { return x.as_strided({0, 2}, {1, 1}); }},
      {"as_strided at the end",
       [](auto &x) { return x.as_strided({2, 0}, {3, 1}, 12); }},
      {"expand", [](auto &x) { return x.slice(0, 0, 1).expand({0, 4}); }},
      {"view", [](auto &x) { return x.slice(0, 0, 0).view({2, 0, 7}); }},
      {"index", [](auto &x) { return x.index({Slice(2, 1)}); }},
  };
  const std::vector<std::pair<const char *, View>> picks{
      {"split", [](auto &x) { return x.split({0, 3}, 0)[0]; }},
      {"index_select",
       [](auto &x) { return x.index_select(0, no_indices({0}, x)); }},
      {"gather", [](auto &x) { return x.gather(0, no_indices({0, 4}, x)); }},
      {"take", [](auto &x) { return take(x, no_indices({0, 2}, x)); }},
      {"index", [](auto &x) { return x.index({no_indices({0}, x)}); }},
      {"index beside a slice",
       [](auto &x) { return x.index({Slice(), no_indices({0}, x)}); }},
      {"embedding", [](auto &x) { return embedding(x, no_indices({0}, x)); }},
      {"masked_select", [](auto &x) { return x.masked_select(x > 5); }},
  };
  TensorOptions options = TensorOptions(kFloat64).device(Device(GetParam()));
  for (const auto *list : {&parts, &picks})
    for (const auto &[name, view] : *list) {
      SCOPED_TRACE(name);
      Tensor x = ones({3, 4}, options).requires_grad_();
      Tensor part = view(x);
      ASSERT_EQ(part.numel(), 0);
      ASSERT_TRUE(part.requires_grad());
      (part * 2).sum().backward();
      ASSERT_TRUE(x.grad().defined());
      EXPECT_EQ(x.grad().to_vector<double>(), Numbers(12, 0));
    }
  // A write to an empty part changes nothing.
  for (const auto &[name, view] : parts) {
    SCOPED_TRACE(name);
    Tensor x = ones({3, 4}, options).requires_grad_();
    Tensor y = x * 2, part = view(y);
    Tensor source = ones(part.sizes(), options).requires_grad_();
    part.copy_(source);
    std::vector<Tensor> grads = autograd::grad({y.sum()}, {x, source});
    EXPECT_EQ(grads[0].to_vector<double>(), Numbers(12, 2));
    EXPECT_EQ(grads[1].sizes(), part.sizes());
  }
}

INSTANTIATE_TEST_SUITE_P(Devices, ViewWrites, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

} // namespace
} // namespace xlac
