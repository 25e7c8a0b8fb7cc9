// Random numbers and reads with XLA_USE_BF16=1, where xla devices hold f32 and
// f64 as bf16. Random numbers are sampled in full precision and rounded such
// that they stay in range.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <chrono>
#include <cmath>
#include <complex>
#include <cstdlib>
#include <vector>

namespace xlac {
namespace {

const bool kMode = [] {
  setenv("XLA_USE_BF16", "1", 1);
  return true;
}();

constexpr int64_t kCount = 100000;

TensorOptions on_xla(Dtype dtype) {
  return TensorOptions(Device("xla:0")).dtype(dtype);
}

std::vector<double> numbers(const Tensor &t) {
  return t.cpu().to_vector<double>();
}

/// Checks that numbers are finite, in [low, high], and have this mean and
/// standard deviation within a relative deviation of `part`.
void expect_moments(const char *name, const Tensor &t, double low, double high,
                    double mean, double deviation, double part = 0.02) {
  std::vector<double> values = numbers(t);
  double sum = 0, squares = 0;
  for (double value : values) {
    ASSERT_TRUE(std::isfinite(value)) << name << " " << t.dtype();
    ASSERT_GE(value, low) << name << " " << t.dtype();
    ASSERT_LE(value, high) << name << " " << t.dtype();
    sum += value;
    squares += value * value;
  }
  auto count = static_cast<double>(values.size());
  double got = sum / count;
  EXPECT_NEAR(got, mean, 6 * deviation / std::sqrt(count) + 0.005 * deviation)
      << name << " " << t.dtype();
  EXPECT_NEAR(std::sqrt(squares / count - got * got), deviation,
              part * deviation)
      << name << " " << t.dtype();
}

class Bf16Mode : public testing::TestWithParam<Dtype> {
protected:
  void SetUp() override { manual_seed(5); }
  Tensor fresh() const { return empty({kCount}, on_xla(GetParam())); }
};

INSTANTIATE_TEST_SUITE_P(
    Dtypes, Bf16Mode, testing::Values(kFloat32, kFloat64, kBFloat16, kFloat16),
    [](const auto &info) { return std::string(name(info.param)); });

TEST_P(Bf16Mode, DrawsKeepTheirRanges) {
  TensorOptions options = on_xla(GetParam());
  // The greatest number below 1 that can occur.
  double below = GetParam() == kFloat16 ? 1 - std::ldexp(1.0, -11)
                                        : 1 - std::ldexp(1.0, -8);
  double third = std::sqrt(1.0 / 12);
  expect_moments("rand", rand({kCount}, options), 0, below, 0.5 * below, third);
  expect_moments("uniform_", fresh().uniform_(-1, 1), -1, below, 0, 2 * third);
  // In bf16 the sums of 1 and k/256 are rounded to even; 2 itself is replaced
  // by 1.
  double middle = GetParam() == kFloat16 ? 1.5 : 1.5 - 3.0 / 512;
  expect_moments("uniform_", fresh().uniform_(1, 2), 1, 1 + below, middle,
                 third);
  expect_moments("randn", randn({kCount}, options), -6, 6, 0, 1);
  expect_moments("normal_", fresh().normal_(1, 0.5), -2, 4, 1, 0.5);
  expect_moments("exponential_", fresh().exponential_(2), 0, 10, 0.5, 0.5);
  expect_moments("log_normal_", fresh().log_normal_(0, 0.25), 0.2, 5,
                 std::exp(0.03125),
                 std::sqrt(std::expm1(0.0625)) * std::exp(0.03125));
  expect_moments("geometric_", fresh().geometric_(0.5), 1, 60, 2,
                 std::sqrt(2.0));
  expect_moments("dropout", F::dropout(ones({kCount}, options), 0.1), 0, 1.12,
                 1, 1.0 / 3);
  expect_moments("bernoulli_", fresh().bernoulli_(0.999), 0, 1, 0.999,
                 std::sqrt(0.000999), 0.25);
  expect_moments("poisson", poisson(full({kCount}, 3.0, options)), 0, 30, 3,
                 std::sqrt(3.0));
  expect_moments("trunc_normal_", nn::init::trunc_normal_(fresh(), 0, 1, -2, 2),
                 -2, 2, 0, 0.87963);
  for (double value : numbers(fresh().exponential_()))
    ASSERT_GT(value, 0);
  for (double value : numbers(fresh().cauchy_()))
    ASSERT_FALSE(std::isnan(value));
}

TEST_P(Bf16Mode, GumbelSoftmaxIsADistribution) {
  TensorOptions options = on_xla(GetParam());
  Tensor soft = F::gumbel_softmax(zeros({2000, 10}, options), 1, false, -1);
  for (double value : numbers(soft)) {
    ASSERT_GE(value, 0);
    ASSERT_LE(value, 1);
  }
  for (double sum : numbers(soft.cpu().to(kFloat64).sum(1)))
    EXPECT_NEAR(sum, 1, 0.03);
}

TEST_P(Bf16Mode, ChoicesGoByWeight) {
  Tensor weights = tensor({0.001, 0.999}, on_xla(GetParam()));
  Tensor drawn = multinomial(weights, kCount, true);
  double rare = static_cast<double>((drawn.cpu() == 0).sum().item<int64_t>());
  EXPECT_NEAR(rare / kCount, 0.001, 0.0006);
}

TEST(Bf16Items, AreWhatTheDeviceHolds) {
  Device xla("xla:0");
  for (Dtype dtype : {kFloat32, kFloat64}) {
    EXPECT_EQ(tensor({1.001}, on_xla(dtype)).item<double>(), 1.0);
    EXPECT_EQ(tensor(1.001, on_xla(dtype)).item<double>(), 1.0);
    EXPECT_EQ(tensor({1.001}).to(dtype).to(xla).cpu().item<double>(), 1.0);
    EXPECT_EQ(full({1}, 1.001, on_xla(dtype)).item<double>(), 1.0);
    EXPECT_EQ(tensor({1.001}, on_xla(dtype)).clone().item<double>(), 1.0);
  }
  EXPECT_EQ(tensor({1.001}).item<float>(), 1.001f);
  EXPECT_EQ(tensor({1.001}, on_xla(kFloat16)).item<float>(),
            static_cast<float>(half(1.001f)));
}

TEST(Bf16Items, OfViewsConvertNothingElse) {
  using Clock = std::chrono::steady_clock;
  for (Dtype dtype : {kFloat32, kFloat64}) {
    Tensor x = arange(int64_t{1} << 20, on_xla(dtype));
    auto start = Clock::now();
    double last = numbers(x).back();
    auto whole = Clock::now() - start;
    EXPECT_EQ(x[-1].item<double>(), last);
    start = Clock::now();
    // Integers up to 256 are exact in bf16.
    Tensor rows = x.view({2, -1});
    for (int i = 0; i < 100; ++i)
      EXPECT_EQ(rows[0][i].item<double>(), i);
    EXPECT_LT(Clock::now() - start, 20 * whole);
  }
  for (Dtype dtype : {kFloat32, kFloat64}) {
    Tensor x = tensor({1.0, 2.0, 3.0, 4.0}, on_xla(dtype));
    EXPECT_EQ(x.view({2, 2}).t()[1][0].item<double>(), 2);
    EXPECT_EQ(view_as_complex(x.view({2, 2}))[1].item<std::complex<double>>(),
              std::complex<double>(3, 4));
    EXPECT_EQ(x.view(dtype == kFloat32 ? kInt32 : kInt64)[0].item<int64_t>(),
              dtype == kFloat32 ? 0x3F800000 : 0x3FF0000000000000);
  }
}

TEST(Bf16Programs, ShowNoMarks) {
  Tensor drawn = randn({4}, on_xla(kFloat32));
  std::string text = xm::get_stablehlo({drawn});
  EXPECT_EQ(text.find("xlac.exact"), std::string::npos) << text;
  EXPECT_NE(text.find("tensor<4xf32>"), std::string::npos) << text;
}

} // namespace
} // namespace xlac
