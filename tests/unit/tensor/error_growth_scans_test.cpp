// The growth of errors with the number of addends, in cumulative sums, window
// sums and the statistics of normalizations.
#include "error_growth.h"

#include "xlac/stablehlo.h"

namespace xlac::growth {
namespace {

//===- Cumulative sums ----------------------------------------------------===//

/// Within a block of 32 steps all partial sums have the size of the result; a
/// few more levels combine lanes and the sums before a chunk.
constexpr double kCarried = 32;

/// Cumulative sums along `dim` as a window that grows, or shrinks, with each
/// step.
stablehlo::Executable running_sums(Dtype dtype, const Shape &sizes, size_t dim,
                                   bool reverse) {
  std::string element = dtype == kFloat64 ? "f64" : "f32", type, window,
              padding;
  for (size_t i = 0; i < sizes.size(); ++i) {
    type += std::to_string(sizes[i]) + "x";
    window += (i ? ", " : "") + std::to_string(i == dim ? sizes[i] : 1);
    std::string pad = std::to_string(i == dim ? sizes[i] - 1 : 0);
    padding += i ? ", " : "";
    padding += reverse ? "[0, " + pad + "]" : "[" + pad + ", 0]";
  }
  type = "tensor<" + type + element + ">";
  std::string one = "tensor<" + element + ">";
  return stablehlo::build(stablehlo::Program::parse(
      "func.func @main(%x: " + type + ") -> " + type +
      " {\n%zero = stablehlo.constant dense<0.0> : " + one +
      "\n%0 = \"stablehlo.reduce_window\"(%x, %zero) <{window_dimensions = "
      "array<i64: " +
      window + ">, padding = dense<[" + padding + "]> : tensor<" +
      std::to_string(sizes.size()) + "x2xi64>}> ({\n^bb0(%a: " + one +
      ", %b: " + one + "):\n%s = stablehlo.add %a, %b : " + one +
      "\nstablehlo.return %s : " + one + "\n}) : (" + type + ", " + one +
      ") -> " + type + "\nreturn %0 : " + type + "\n}"));
}

struct Running {
  const char *name;
  Shape sizes;
  size_t dim;
};

std::vector<Running> runs_of(int64_t count) {
  return {{"one row", {count}, 0},
          {"rows", {16, count / 16}, 1},
          {"columns", {count / 32, 32}, 0},
          {"few columns", {count / 2, 2}, 0}};
}

/// All cumulative sums of equal numbers.
TEST(ErrorGrowth, OfRunningSumsOfAConstant) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, dtype == kFloat64 ? 28 : 29);
         k += k < 22 ? 3 : 7)
      for (const Running &run : runs_of(int64_t{1} << k))
        for (bool reverse : {false, true}) {
          Tensor x = full(run.sizes, 0.062,
                          TensorOptions(dtype).device(Device("xla:0")));
          xlac::sync();
          int64_t length = run.sizes[run.dim];
          Tensor sums =
              running_sums(dtype, run.sizes, run.dim, reverse).run({x})[0];
          Shape places(run.sizes.size(), 1);
          places[run.dim] = length;
          Tensor exact = arange(1, length + 1, 1,
                                TensorOptions(kFloat64).device(Device("xla:0")))
                             .view(places) *
                         static_cast<double>(held(dtype, 0.062));
          if (reverse)
            exact = exact.flip({static_cast<int64_t>(run.dim)});
          double worst =
              (sums.to(kFloat64) / exact - 1).abs().max().cpu().item<double>();
          EXPECT_LE(worst, (roundings(length) + kCarried) * unit_of(dtype))
              << run.name << " of 2^" << k << " " << dtype
              << (reverse ? " from behind" : "");
        }
}

/// Checks the cumulative sums of aperiodic numbers at the ends of periods.
void check_ends(const std::string &what, const Tensor &sums,
                const std::vector<double> &values) {
  int64_t rows = sums.numel() / kPeriod;
  long double one = total(values, kPeriod, [](double v) { return v; });
  Tensor ends = sums.view({rows, kPeriod}).select(1, kPeriod - 1);
  std::vector<double> got = ends.cpu().to(kFloat64).to_vector<double>();
  double worst = 0;
  for (int64_t row = 0; row < rows; ++row) {
    long double exact = one * static_cast<long double>(row + 1);
    worst =
        std::max(worst, static_cast<double>(std::abs(got[row] / exact - 1)));
  }
  EXPECT_LE(worst, (roundings(sums.numel()) + kCarried) * unit_of(sums.dtype()))
      << what << " of 2^" << std::log2(sums.numel()) << " " << sums.dtype();
}

TEST(ErrorGrowth, OfRunningSums) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, 26); k += k < 20 ? 5 : 3) {
      int64_t count = int64_t{1} << k;
      std::vector<double> values = period(dtype);
      Tensor x = in_memory(values, dtype, count);
      check_ends("a prefix window",
                 running_sums(dtype, {count}, 0, false).run({x})[0], values);
      if (k > 20)
        continue;
      // Computed completely: slices would recompute the scan.
      Tensor sums = x.cumsum(0), more = x.log().logcumsumexp(0);
      xlac::sync();
      check_ends("cumsum", sums, values);
      check_ends("cumsum on the cpu", x.cpu().cumsum(0), values);
      // Each of the log2(n) steps takes a logarithm.
      Tensor logarithms = more.slice(0, count - 1);
      long double sum = total(values, count, [](double v) { return v; });
      expect_near("logcumsumexp", logarithms, std::log(sum),
                  std::max(1.0L, std::log(sum)), count, 8.0 * k);
    }
}

/// 2^k factors of 1 + 2^-k, multiplied step by step: n factors have n
/// roundings.
TEST(ErrorGrowth, OfRunningProducts) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, 20); k += 5) {
      int64_t count = int64_t{1} << k;
      double factor = 1 + std::ldexp(1.0, -k);
      Tensor x =
          full({count}, factor, TensorOptions(dtype).device(Device("xla:0")));
      Tensor products = x.cumprod(0).to(kFloat64).log();
      Tensor exact = arange(1, count + 1, 1,
                            TensorOptions(kFloat64).device(Device("xla:0"))) *
                     std::log1p(std::ldexp(1.0, -k));
      EXPECT_LE((products - exact).abs().max().cpu().item<double>(),
                static_cast<double>(count) * unit_of(dtype))
          << "2^" << k << " " << dtype;
    }
}

//===- Windows ------------------------------------------------------------===//

TEST(ErrorGrowth, OfWindows) {
  for (Dtype dtype : kDtypes)
    for (int k = 13; k <= std::min(kMost, 26); k += 4) {
      int64_t count = int64_t{1} << k;
      std::vector<double> values = period(dtype);
      long double mean =
          total(values, kPeriod, [](double v) { return v; }) / kPeriod;
      Tensor x = in_memory(values, dtype, count);
      Tensor line = x.view({1, 1, count});
      Tensor constant = full_like(line, 0.062);
      expect_near("avg_pool1d", F::avg_pool1d(line, count / 8), mean, mean,
                  count / 8, 2);
      long double each = held(dtype, 0.062);
      expect_near("avg_pool1d of a constant",
                  F::avg_pool1d(constant, count / 8), each, each, count / 8, 2);
      // Overlapping windows: each of 8 has the same mean.
      expect_near("overlapping windows",
                  F::avg_pool1d(line, count / 2, count / 16), mean, mean,
                  count / 2, 2);
      if (k > 18)
        continue;
      Tensor on_cpu = constant.cpu();
      expect_near("avg_pool1d on the cpu", F::avg_pool1d(on_cpu, count / 8),
                  each, each, count / 8, 2);
    }
}

//===- Normalizations -----------------------------------------------------===//

struct Moments {
  /// the sum of squared deviations from the mean
  long double mean = 0, spread = 0;
};

Moments moments(const std::vector<double> &values) {
  Moments result;
  for (double value : values)
    result.mean += value;
  result.mean /= static_cast<long double>(values.size());
  for (double value : values)
    result.spread += (value - result.mean) * (value - result.mean);
  return result;
}

/// Channel c has the elements i with i / 4 mod 8 = c.
void check_batch_norm(const Tensor &x, const std::vector<double> &values) {
  int64_t n = x.numel(), each = n / 8;
  TensorOptions options = TensorOptions(x.dtype()).device(Device("xla:0"));
  Tensor mean = zeros({8}, options), var = ones({8}, options);
  Tensor result =
      batch_norm(x.view({n / 32, 8, 4}), mean, var, {}, {}, true, 1.0, 1e-5);
  std::vector<long double> means, variances, normal;
  for (int64_t c = 0; c < 8; ++c) {
    std::vector<double> own;
    for (int64_t i = 0; i < kPeriod; ++i)
      if (i / 4 % 8 == c)
        own.push_back(values[i]);
    Moments m = moments(own);
    long double spread = m.spread * static_cast<long double>(each) / own.size();
    means.push_back(m.mean);
    variances.push_back(spread / static_cast<long double>(each - 1));
    normal.push_back(
        (own[0] - m.mean) /
        std::sqrt(spread / static_cast<long double>(each) + 1e-5L));
  }
  expect_all_near("batch_norm's mean", mean, means, 1.5, each);
  expect_all_near("batch_norm's variance", var, variances, 0.1, each, 8);
  expect_all_near("batch_norm", result.slice(0, 0, 1).select(2, 0), normal, 8,
                  each, 8);
}

void check_rows(const Tensor &x, const std::vector<double> &values,
                const char *where) {
  int64_t n = x.numel();
  auto count = static_cast<long double>(n);
  Moments m = moments(values);
  long double deviation = std::sqrt(m.spread / kPeriod + 1e-5L);
  long double exponentials = total(values, n, [](double v) {
    return std::exp(static_cast<long double>(v));
  });
  std::vector<long double> normal, shares;
  for (double value : values) {
    normal.push_back((value - m.mean) / deviation);
    shares.push_back(std::exp(static_cast<long double>(value)) / exponentials *
                     count);
  }
  Tensor row = x.reshape({1, n});
  auto first = [](const Tensor &t) { return t.slice(1, 0, kPeriod); };
  expect_all_near(std::string("layer_norm ") + where,
                  first(layer_norm(row, {n})), normal, 8, n, 8);
  expect_all_near(std::string("softmax ") + where,
                  first(softmax(row, 1)) * static_cast<double>(n), shares, 3, n,
                  8);
  expect_near(std::string("log_softmax ") + where,
              first(log_softmax(row, 1)) - first(row), -std::log(exponentials),
              std::max(1.0L, std::log(exponentials)), n, 8);
}

TEST(ErrorGrowth, OfNormalizations) {
  for (Dtype dtype : kDtypes)
    // Several copies of the operand are in memory.
    for (int k = 10; k <= std::min(kMost, dtype == kFloat64 ? 27 : 28);
         k += k < 20 ? 5 : 4) {
      std::vector<double> values = period(dtype);
      Tensor x = in_memory(values, dtype, int64_t{1} << k);
      check_batch_norm(x, values);
      check_rows(x, values, "in memory");
      Tensor one = on_xla(tensor(values, kFloat64).to(dtype));
      check_rows(repeated(one, int64_t{1} << k), values, "of a broadcast");
    }
}

} // namespace
} // namespace xlac::growth
