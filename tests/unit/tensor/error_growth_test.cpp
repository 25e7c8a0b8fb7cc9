// The growth of errors with the number of addends of reductions, function by
// function, in memory and fused: see error_growth.h for the bound.
// reduction_error_test checks the kernels against the same bound for more
// shapes.
#include "error_growth.h"

#include <cstdio>

namespace xlac::growth {
namespace {

//===- In memory ----------------------------------------------------------===//

struct Shaped {
  const char *name;
  Shape sizes;
  Shape dims;
  int64_t reduced;
};

/// Shapes of `count` elements; `reduced` of them make one result.
std::vector<Shaped> shapes_of(int64_t count) {
  std::vector<Shaped> shapes = {
      {"all", {count}, {0}, count},
      {"all of a matrix", {count / 32, 32}, {0, 1}, count},
      {"rows", {8, count / 8}, {1}, count / 8},
      {"columns", {count / 8, 8}, {0}, count / 8},
      {"wide columns", {count / 256, 256}, {0}, count / 256},
      {"middle", {2, count / 16, 8}, {1}, count / 16},
      {"first and last", {count / 64, 2, 32}, {0, 2}, count / 2},
      {"outer of three", {count / 64, 8, 8}, {0, 1}, count / 8}};
  return shapes;
}

TEST(ErrorGrowth, OfSumsOnTheCpu) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, 22); k += 3) {
      int64_t count = int64_t{1} << k;
      Tensor t = full({count}, 0.062, dtype);
      for (const Shaped &s : shapes_of(count)) {
        long double each = held(dtype, 0.062), sum = each * s.reduced;
        Tensor view = t.view(s.sizes);
        expect_near(std::string("sum of a constant, ") + s.name,
                    view.sum(s.dims), sum, sum, s.reduced);
        expect_near(std::string("mean of a constant, ") + s.name,
                    view.mean(s.dims), each, each, s.reduced);
      }
    }
}

/// Checks the reductions of a vector of positive numbers.
void check_all(const Tensor &x, const std::vector<double> &values,
               const char *where) {
  int64_t n = x.numel();
  auto count = static_cast<long double>(n);
  Dtype dtype = x.dtype();
  auto named = [&](const char *what) {
    return std::string(what) + " " + where;
  };
  auto held = [&](long double value) { return growth::held(dtype, value); };
  long double sum = total(values, n, [](double v) { return v; });
  long double squares = total(
      values, n, [](double v) { return static_cast<long double>(v) * v; });
  long double mean = sum / count;
  long double spread =
      total(values, n, [&](double v) { return (v - mean) * (v - mean); });
  expect_near(named("sum"), x.sum(), sum, sum, n);
  expect_near(named("mean"), x.mean(), mean, mean, n);
  expect_near(named("sum of squares"), (x * x).sum(), squares, squares, n, 1);
  expect_near(named("norm"), x.norm(), std::sqrt(squares), std::sqrt(squares),
              n, 2);
  expect_near(named("norm of 1"), x.norm(1), sum, sum, n);
  expect_near(named("var"), x.var(), spread / (count - 1), spread / (count - 1),
              n, 8);
  expect_near(named("std"), x.std(), std::sqrt(spread / (count - 1)),
              std::sqrt(spread / (count - 1)), n, 8);
  expect_near(named("mse_loss"), F::mse_loss(x, zeros_like(x)), squares / count,
              squares / count, n, 2);
  long double shifted =
      total(values, n, [&](double v) { return std::abs(held(v - held(0.3))); });
  expect_near(named("mean of |x - 0.3|"), (x - 0.3).abs().mean(),
              shifted / count, shifted / count, n, 2);
  long double sigmoids = total(values, n, [](double v) {
    return 1 / (1 + std::exp(-static_cast<long double>(v)));
  });
  expect_near(named("mean of sigmoid"), x.sigmoid().mean(), sigmoids / count,
              sigmoids / count, n, 8);
  long double exponentials = total(values, n, [](double v) {
    return std::exp(static_cast<long double>(v));
  });
  long double logarithm = std::log(exponentials);
  expect_near(named("logsumexp"),
              x.logsumexp(x.dim() == 1 ? Shape{0} : Shape{0, 1}), logarithm,
              std::max(1.0L, logarithm), n, 8);
  expect_near(named("sum of signed"), (x - 1).sum(),
              total(values, n, [&](double v) { return held(v - 1); }),
              total(values, n, [&](double v) { return std::abs(v - 1); }), n,
              2);
}

TEST(ErrorGrowth, OfReductionsOfMemory) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= most_in_memory(dtype); k += k < 28 ? 2 : 1) {
      std::vector<double> values = period(dtype);
      int64_t count = int64_t{1} << k;
      Tensor x = in_memory(values, dtype, count);
      check_all(x, values, "in memory");
      for (const Shaped &s : shapes_of(count)) {
        // Each result sums a different part, so the results are summed in f64.
        Tensor parts = x.view(s.sizes).sum(s.dims);
        long double sum = total(values, count, [](double v) { return v; });
        Tensor whole = parts.to(kFloat64).sum().cpu();
        double off = std::abs(whole.item<double>() - static_cast<double>(sum));
        EXPECT_LE(off, roundings(s.reduced) * unit_of(dtype) *
                           static_cast<double>(sum))
            << "parts' sums, " << s.name << " 2^" << k << " " << dtype;
      }
    }
}

//===- Fused --------------------------------------------------------------===//

TEST(ErrorGrowth, OfReductionsOfWhatIsFused) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= kMost; k += k < 24 ? 2 : 3) {
      std::vector<double> values = period(dtype);
      int64_t count = int64_t{1} << k;
      Tensor x = on_xla(tensor(values, kFloat64).to(dtype));
      check_all(repeated(x, count), values, "of a broadcast");
    }
}

TEST(ErrorGrowth, OfOnes) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= kMost + 7; k += k < kMost ? 4 : 7) {
      int64_t count = int64_t{1} << k;
      Tensor one = on_xla(ones({1}, dtype));
      for (const Shaped &s : shapes_of(count)) {
        auto sum = static_cast<long double>(s.reduced);
        expect_near(std::string("sum of ones, ") + s.name,
                    (one.expand(s.sizes) * one).sum(s.dims), sum, sum,
                    s.reduced);
      }
    }
}

//===- Products -----------------------------------------------------------===//

TEST(ErrorGrowth, OfProducts) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, 22); k += 4) {
      // The product of 2^k factors of 1 + 2^-k is near e for any k.
      int64_t count = int64_t{1} << k;
      double factor = 1 + std::ldexp(1.0, -k);
      long double expected = std::exp(count * std::log1p(std::ldexp(1.0L, -k)));
      Tensor x = on_xla(tensor({factor}, kFloat64).to(dtype));
      // n factors have n roundings in any order.
      double bound = static_cast<double>(count) * unit_of(dtype);
      double got = x.expand({count}).prod().cpu().item<double>();
      EXPECT_NEAR(got / static_cast<double>(expected), 1, bound)
          << "2^" << k << " " << dtype;
    }
}

} // namespace
} // namespace xlac::growth
