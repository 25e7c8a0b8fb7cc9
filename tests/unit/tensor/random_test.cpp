// Random numbers on both devices: generator states, bits, distributions.
#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>
#include <numeric>

namespace xlac {
namespace {

using Floats = std::vector<float>;
using Doubles = std::vector<double>;
using Distribution = std::function<double(double)>;

class Random : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override { manual_seed(7); }
  void TearDown() override { manual_seed(101); }
  Device device() const { return Device(GetParam()); }
  TensorOptions with(Dtype dtype) const {
    return TensorOptions(device()).dtype(dtype);
  }
};

INSTANTIATE_TEST_SUITE_P(Devices, Random, testing::Values("cpu", "xla:0"),
                         [](const auto &info) {
                           return std::string(info.param).substr(0, 3);
                         });

double mean_of(const Doubles &values) {
  return std::accumulate(values.begin(), values.end(), 0.0) /
         static_cast<double>(values.size());
}

double deviation_of(const Doubles &values) {
  double mean = mean_of(values), sum = 0;
  for (double value : values)
    sum += (value - mean) * (value - mean);
  return std::sqrt(sum / static_cast<double>(values.size() - 1));
}

/// Returns the greatest distance of the sample's distribution from
/// `cumulative`, times the square root of its size. It exceeds 1.95 in one
/// sample of a thousand.
double kolmogorov_smirnov(Doubles values, const Distribution &cumulative) {
  std::sort(values.begin(), values.end());
  auto count = static_cast<double>(values.size());
  double greatest = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    double expected = cumulative(values[i]);
    greatest = std::max({greatest, expected - static_cast<double>(i) / count,
                         static_cast<double>(i + 1) / count - expected});
  }
  return greatest * std::sqrt(count);
}

void expect_distribution(const Tensor &sample, const Distribution &cumulative) {
  EXPECT_LT(kolmogorov_smirnov(sample.to_vector<double>(), cumulative), 1.95);
}

double normal_cumulative(double x) {
  return std::erfc(-x / std::sqrt(2.0)) / 2;
}

//===- States -------------------------------------------------------------===//

TEST_P(Random, SameSeedSameBits) {
  auto draw = [&] {
    return cat({randn({33}, device()), rand({7}, device())}).to_vector<float>();
  };
  Floats first = draw(), second = draw();
  EXPECT_NE(first, second);
  manual_seed(7);
  EXPECT_EQ(draw(), first);
  EXPECT_EQ(draw(), second);
  manual_seed(8);
  EXPECT_NE(draw(), first);
  manual_seed(7, device());
  EXPECT_EQ(draw(), first);
}

TEST_P(Random, StateMovesWithEachDraw) {
  xm::set_rng_state(5, device());
  EXPECT_EQ(xm::get_rng_state(device()), 5);
  Tensor first = rand({4}, device());
  int64_t after = xm::get_rng_state(device());
  EXPECT_NE(after, 5);
  {
    xm::ForkRng fork(device());
    rand({4}, device());
    EXPECT_NE(xm::get_rng_state(device()), after);
  }
  EXPECT_EQ(xm::get_rng_state(device()), after);
  xm::set_rng_state(5, device());
  EXPECT_TRUE(equal(rand({4}, device()), first));
}

TEST_P(Random, RefusedCallsDrawNothing) {
  Tensor two = zeros({2}, device());
  int64_t before = xm::get_rng_state(device());
  Tensor t = zeros({3}, device()), whole = zeros({3}, with(kInt8));
  EXPECT_THROW(t.random_(3, 1), ValueError);
  EXPECT_THROW(whole.random_(0, 300), ValueError);
  EXPECT_THROW(whole.random_(-200, 3), ValueError);
  EXPECT_THROW(whole.uniform_(), UnsupportedError);
  EXPECT_THROW(t.uniform_(1, 0), ValueError);
  EXPECT_THROW(t.normal_(0, -1), ValueError);
  EXPECT_THROW(t.exponential_(0), ValueError);
  EXPECT_THROW(t.geometric_(1), ValueError);
  EXPECT_THROW(t.cauchy_(0, 0), ValueError);
  EXPECT_THROW(t.log_normal_(0, 0), ValueError);
  EXPECT_THROW(t.bernoulli_(1.5), ValueError);
  EXPECT_THROW(t.bernoulli_(two), ShapeError);
  EXPECT_THROW(dropout(t, -0.1), ValueError);
  EXPECT_THROW(feature_dropout(t), ShapeError);
  EXPECT_THROW(dropout(whole), DtypeError);
  EXPECT_THROW(rand({-1}, device()), ShapeError);
  EXPECT_THROW(rand({1}, with(kInt32)), UnsupportedError);
  EXPECT_THROW(randint(5, 5, {2}, device()), ValueError);
  EXPECT_EQ(xm::get_rng_state(device()), before);
}

TEST(RandomStates, DevicesAreApart) {
  manual_seed(3);
  int64_t cpu = xm::get_rng_state(Device(kCPU));
  randn({2}, xlac::device());
  EXPECT_EQ(xm::get_rng_state(Device(kCPU)), cpu);
  EXPECT_NE(xm::get_rng_state(), cpu);
  manual_seed(101);
}

TEST(RandomStates, UniformBitsAgreeOnBothDevices) {
  manual_seed(11);
  for (Dtype dtype : {kFloat16, kBFloat16, kFloat32, kFloat64}) {
    Tensor host = rand({129}, TensorOptions(dtype));
    Tensor compiled = rand({129}, TensorOptions(xlac::device()).dtype(dtype));
    EXPECT_TRUE(equal(host, compiled.cpu())) << name(dtype);
  }
  Tensor host = randint(-5, 100, {65});
  EXPECT_TRUE(equal(host, randint(-5, 100, {65}, xlac::device()).cpu()));
  EXPECT_TRUE(allclose(randn({65}), randn({65}, xlac::device()).cpu(), 1e-6));
  manual_seed(101);
}

TEST(RandomStates, SeedsAndBoundsCompileOnce) {
  auto draw = [](int64_t i) {
    manual_seed(i);
    Tensor noise = randn({16}, xlac::device()).uniform_(-2.5 * i, 3.5 * i);
    Tensor whole = randint(10 + i, 20 + 3 * i, {16}, xlac::device());
    Tensor kept = dropout(noise, 0.1 + 0.1 * static_cast<double>(i));
    xlac::sync(true);
  };
  draw(2);
  int64_t compiled = xr::get_num_cached_compilation_graph();
  for (int64_t i = 3; i < 6; ++i)
    draw(i);
  EXPECT_EQ(xr::get_num_cached_compilation_graph(), compiled);
  manual_seed(101);
}

TEST(RandomStates, ComputedAgainGivesTheSame) {
  Tensor noise = randn({50}, xlac::device());
  Tensor doubled = noise * 2.0;
  // Reading one result runs only its graph. The other graph generates the same
  // random numbers again.
  Floats later = doubled.to_vector<float>(), values = noise.to_vector<float>();
  for (float &value : values)
    value *= 2;
  EXPECT_EQ(later, values);
}

//===- Continuous distributions -------------------------------------------===//

TEST_P(Random, UniformFillsTheUnitInterval) {
  Tensor sample = rand({20000}, device());
  expect_distribution(sample, [](double x) { return x; });
  for (float value : sample.to_vector<float>()) {
    EXPECT_TRUE(value >= 0 && value < 1);
    EXPECT_EQ(value * 0x1p24f, std::floor(value * 0x1p24f));
  }
  expect_distribution(rand({20000}, with(kFloat64)),
                      [](double x) { return x; });
  for (float value : rand({5000}, with(kBFloat16)).to_vector<float>())
    EXPECT_TRUE(value >= 0 && value < 1);
  expect_distribution(zeros({20000}, device()).uniform_(-3, 5),
                      [](double x) { return (x + 3) / 8; });
  EXPECT_EQ(rand({0, 3}, device()).sizes(), (Shape{0, 3}));
  EXPECT_EQ(rand_like(zeros({2, 3}, with(kFloat64))).dtype(), kFloat64);
}

TEST_P(Random, NormalHasItsMoments) {
  Tensor sample = randn({100000}, device());
  Doubles values = sample.to_vector<double>();
  EXPECT_NEAR(mean_of(values), 0, 0.015);
  EXPECT_NEAR(deviation_of(values), 1, 0.01);
  expect_distribution(sample, normal_cumulative);
  expect_distribution(randn({20000}, with(kFloat64)), normal_cumulative);
  expect_distribution(normal(2.0, 3.0, {20000}, device()),
                      [](double x) { return normal_cumulative((x - 2) / 3); });
  expect_distribution(
      zeros({20000}, device()).log_normal_(1, 0.5),
      [](double x) { return normal_cumulative((std::log(x) - 1) / 0.5); });
  Tensor mean = tensor({-10.0, 10.0}, device());
  Floats near = normal(mean, 1e-3).to_vector<float>();
  EXPECT_NEAR(near[0], -10, 0.1);
  EXPECT_NEAR(near[1], 10, 0.1);
  EXPECT_EQ(normal(mean, zeros({3, 2}, device())).sizes(), (Shape{3, 2}));
  EXPECT_EQ(normal(4.0, zeros({2}, device())).to_vector<float>(),
            (Floats{4, 4}));
  EXPECT_EQ(randn({2}, with(kFloat16)).dtype(), kFloat16);
}

TEST_P(Random, ComplexNormalHasUnitVariance) {
  Tensor sample = randn({20000}, with(kComplex64));
  double sum = 0;
  for (auto value : sample.to_vector<std::complex<float>>())
    sum += std::norm(value);
  EXPECT_NEAR(sum / 20000, 1, 0.03);
}

TEST_P(Random, OthersFollowTheirDistributions) {
  auto fresh = [&] { return zeros({20000}, device()); };
  expect_distribution(fresh().exponential_(2.5),
                      [](double x) { return 1 - std::exp(-2.5 * x); });
  expect_distribution(fresh().cauchy_(1, 2), [](double x) {
    return 0.5 + std::atan((x - 1) / 2) / std::numbers::pi;
  });
  Doubles trials = fresh().geometric_(0.25).to_vector<double>();
  EXPECT_NEAR(mean_of(trials), 4, 0.12);
  EXPECT_EQ(*std::min_element(trials.begin(), trials.end()), 1);
}

//===- Integers and events ------------------------------------------------===//

TEST_P(Random, IntegersAreUniform) {
  Tensor sample = randint(-3, 5, {16000}, device());
  EXPECT_EQ(sample.dtype(), kInt64);
  std::vector<int64_t> counts(8);
  for (int64_t value : sample.to_vector<int64_t>()) {
    ASSERT_TRUE(value >= -3 && value < 5);
    ++counts[value + 3];
  }
  double chi_squared = 0;
  for (int64_t count : counts)
    chi_squared += std::pow(static_cast<double>(count) - 2000, 2) / 2000;
  EXPECT_LT(chi_squared, 24.3); // 7 degrees of freedom: one in a thousand
  Tensor wide =
      randint(-(int64_t{1} << 60), int64_t{1} << 60, {2000}, device());
  std::vector<int64_t> values = wide.to_vector<int64_t>();
  EXPECT_LT(*std::min_element(values.begin(), values.end()),
            -(int64_t{1} << 59));
  EXPECT_GT(*std::max_element(values.begin(), values.end()), int64_t{1} << 59);
  for (uint8_t value :
       zeros({500}, with(kUInt8)).random_().to_vector<uint8_t>())
    EXPECT_LE(value, 255);
  for (float value : zeros({500}, device()).random_(6).to_vector<float>())
    EXPECT_TRUE(value >= 0 && value < 6 && value == std::floor(value));
  EXPECT_EQ(randint(4, {2, 3}, with(kInt32)).dtype(), kInt32);
  EXPECT_EQ(randint_like(sample, 7, 8).to_vector<int64_t>()[100], 7);
}

TEST_P(Random, EventsHaveTheirProbability) {
  Tensor p = tensor({0.0, 0.25, 1.0}, device()).unsqueeze(1).expand({3, 20000});
  Doubles share = bernoulli(p).mean({1}).to_vector<double>();
  EXPECT_EQ(share[0], 0);
  EXPECT_NEAR(share[1], 0.25, 0.012);
  EXPECT_EQ(share[2], 1);
  Tensor flags = zeros({20000}, with(kBool)).bernoulli_(0.75);
  EXPECT_NEAR(flags.sum().item<double>() / 20000, 0.75, 0.012);
  EXPECT_EQ(zeros({3}, device())
                .bernoulli_(tensor({0.0, 1.0, 1.0}, device()))
                .to_vector<float>(),
            (Floats{0, 1, 1}));
  EXPECT_EQ(bernoulli(zeros({3}, with(kInt32)), 1.0).to_vector<int>(),
            (std::vector{1, 1, 1}));
}

//===- Choices ------------------------------------------------------------===//

TEST_P(Random, PermutationsHaveEveryNumberOnce) {
  std::vector<int64_t> order = randperm(1000, device()).to_vector<int64_t>();
  EXPECT_NE(order, randperm(1000, device()).to_vector<int64_t>());
  std::sort(order.begin(), order.end());
  for (int64_t i = 0; i < 1000; ++i)
    EXPECT_EQ(order[i], i);
  std::vector<int> first(4);
  for (int i = 0; i < 400; ++i)
    ++first[randperm(4, device())[0].item<int64_t>()];
  for (int count : first)
    EXPECT_NEAR(count, 100, 33);
  EXPECT_EQ(randperm(0, device()).numel(), 0);
  EXPECT_EQ(randperm(3, with(kInt32)).dtype(), kInt32);
  EXPECT_TRUE(randperm(3, with(kFloat32).requires_grad(true)).requires_grad());
  EXPECT_EQ(randperm(128, with(kInt8)).numel(), 128);
  EXPECT_THROW(randperm(129, with(kInt8)), ValueError);
  EXPECT_THROW(randperm(2, with(kBool)), UnsupportedError);
  EXPECT_THROW(randperm(-1, device()), ValueError);
}

TEST_P(Random, MultinomialFollowsItsWeights) {
  Tensor weights = tensor({{1.0, 0.0, 3.0}, {0.0, 5.0, 0.0}}, device());
  Tensor drawn = multinomial(weights, 8000, true);
  EXPECT_EQ(drawn.dtype(), kInt64);
  EXPECT_EQ(drawn.sizes(), (Shape{2, 8000}));
  std::vector<int64_t> values = drawn.to_vector<int64_t>();
  std::vector<int64_t> counts(3);
  for (size_t i = 0; i < 8000; ++i)
    ++counts[values[i]];
  EXPECT_NEAR(static_cast<double>(counts[0]), 2000, 130);
  EXPECT_EQ(counts[1], 0);
  for (size_t i = 8000; i < values.size(); ++i)
    EXPECT_EQ(values[i], 1);

  // Without replacement the first of two is picked by weight, and both differ.
  Tensor pairs = multinomial(
      tensor({1.0, 2.0, 5.0}, device()).unsqueeze(0).expand({4000, 3}), 2);
  values = pairs.to_vector<int64_t>();
  int64_t last = 0;
  for (size_t i = 0; i < values.size(); i += 2) {
    EXPECT_NE(values[i], values[i + 1]);
    last += values[i] == 2;
  }
  EXPECT_NEAR(static_cast<double>(last), 2500, 105);
  // Half of the numbers are much smaller than the first, and some have weight
  // 0.
  Tensor many =
      cat({full({1000}, 3.0, with(kFloat16)),
           full({1000}, 1e-3, with(kFloat16)), zeros({100}, with(kFloat16))});
  drawn = multinomial(many, 20000, true);
  EXPECT_EQ(drawn.sizes(), (Shape{20000}));
  EXPECT_LT(drawn.max().item<int64_t>(), 2000);
  EXPECT_NEAR((drawn >= 1000).sum().item<int64_t>(), 6.7, 13);
  EXPECT_FALSE(
      multinomial(ones({3}, device()).requires_grad_(), 2).requires_grad());
  EXPECT_THROW(multinomial(weights, 4), ValueError);
  EXPECT_THROW(multinomial(zeros({2, 0}, device()), 1, true), ShapeError);
  EXPECT_THROW(multinomial(weights, 0), ValueError);
  EXPECT_THROW(multinomial(zeros({2, 2, 2}, device()), 1), ShapeError);
  EXPECT_THROW(multinomial(tensor({1, 2}, device()), 1), DtypeError);
}

TEST(RandomChoices, TheCpuChecksWeights) {
  EXPECT_THROW(multinomial(tensor({1.0, -1.0}), 1), ValueError);
  EXPECT_THROW(multinomial(tensor({0.0, 0.0}), 1, true), ValueError);
  EXPECT_THROW(multinomial(tensor({1.0, HUGE_VAL}), 1), ValueError);
  EXPECT_THROW(poisson(tensor({1.0, -1.0})), ValueError);
}

TEST_P(Random, PoissonHasItsMoments) {
  for (double rate : {0.0, 0.5, 4.0, 12.0, 300.0}) {
    Doubles counts = poisson(full({8000}, rate, device())).to_vector<double>();
    double deviation = std::sqrt(rate);
    EXPECT_NEAR(mean_of(counts), rate, 4 * deviation / std::sqrt(8000.0));
    EXPECT_NEAR(deviation_of(counts), deviation, 0.05 * deviation) << rate;
    for (double count : counts)
      EXPECT_TRUE(count >= 0 && count == std::floor(count));
  }
  // Uses both loops, and rates whose logarithms are equal in f32.
  Doubles mixed =
      poisson(tensor({0.0, 3.0, 1e7, 20.0}, device()).expand({2000, 4}))
          .t()
          .to_vector<double>();
  EXPECT_EQ(mean_of(Doubles(mixed.begin(), mixed.begin() + 2000)), 0);
  Doubles great(mixed.begin() + 4000, mixed.begin() + 6000);
  EXPECT_NEAR(mean_of(great), 1e7, 4 * std::sqrt(1e7 / 2000));
  EXPECT_NEAR(deviation_of(great), std::sqrt(1e7), 0.07 * std::sqrt(1e7));
  EXPECT_EQ(poisson(zeros({0}, device())).numel(), 0);
  EXPECT_EQ(poisson(ones({2}, with(kFloat16))).dtype(), kFloat16);
  EXPECT_TRUE(std::isnan(poisson(tensor(NAN, device())).item<float>()));
  EXPECT_THROW(poisson(ones({2}, with(kInt64))), UnsupportedError);
}

//===- Dropout and noise --------------------------------------------------===//

TEST_P(Random, DropoutScalesWhatItKeeps) {
  Tensor ones_in = ones({40000}, device());
  Doubles values = dropout(ones_in, 0.25).to_vector<double>();
  EXPECT_NEAR(mean_of(values), 1, 0.015);
  for (double value : values)
    EXPECT_TRUE(value == 0 || std::fabs(value - 4.0 / 3) < 1e-6);
  EXPECT_TRUE(dropout(ones_in, 0.5, false).is_same(ones_in));
  EXPECT_EQ(dropout(ones_in, 1).sum().item<float>(), 0);
  EXPECT_EQ(dropout(ones({2}, with(kBFloat16)), 0.5).dtype(), kBFloat16);
}

TEST_P(Random, FeatureDropoutDropsChannels) {
  Tensor input = ones({2, 64, 3, 3}, device());
  Doubles sums = dropout2d(input, 0.5).flatten(2).sum({2}).to_vector<double>();
  size_t dropped = 0;
  for (double sum : sums) {
    EXPECT_TRUE(sum == 0 || sum == 18);
    dropped += sum == 0;
  }
  EXPECT_GT(dropped, 32u);
  EXPECT_LT(dropped, 96u);
  EXPECT_EQ(dropout2d(input[0], 0.5).sizes(), (Shape{64, 3, 3}));
  EXPECT_EQ(dropout1d(input[0][0], 0.5).sizes(), (Shape{3, 3}));
  EXPECT_THROW(dropout3d(input[0][0]), ShapeError);
}

TEST_P(Random, AlphaDropoutKeepsMeanAndVariance) {
  Tensor input = randn({100000}, device());
  Doubles values = alpha_dropout(input, 0.2, true).to_vector<double>();
  EXPECT_NEAR(mean_of(values), 0, 0.02);
  EXPECT_NEAR(deviation_of(values), 1, 0.02);
  EXPECT_TRUE(alpha_dropout(input).is_same(input));
}

TEST_P(Random, RreluDrawsItsSlopes) {
  Tensor input = full({10000}, -1.0, device());
  Doubles values = rrelu(input, 0.1, 0.3, true).to_vector<double>();
  EXPECT_NEAR(mean_of(values), -0.2, 0.003);
  EXPECT_GE(*std::min_element(values.begin(), values.end()), -0.3001);
  EXPECT_LE(*std::max_element(values.begin(), values.end()), -0.0999);
  EXPECT_FLOAT_EQ(rrelu(input, 0.1, 0.3).to_vector<float>()[0], -0.2f);
  EXPECT_EQ(rrelu(ones({2}, device()), 0.1, 0.3, true).to_vector<float>(),
            (Floats{1, 1}));
}

TEST_P(Random, GumbelSoftmaxPicksByProbability) {
  Tensor logits = tensor({0.1, 0.2, 0.7}, device()).log().expand({20000, 3});
  Tensor hard = gumbel_softmax(logits, 1, true);
  Doubles share = hard.mean({0}).to_vector<double>();
  EXPECT_NEAR(share[0], 0.1, 0.01);
  EXPECT_NEAR(share[1], 0.2, 0.012);
  EXPECT_NEAR(share[2], 0.7, 0.014);
  Tensor soft = gumbel_softmax(logits, 0.5);
  for (float sum : soft.sum({1}).to_vector<float>())
    EXPECT_NEAR(sum, 1, 1e-5);
  EXPECT_THROW(gumbel_softmax(logits, 1, false, 2), IndexError);
}

TEST_P(Random, NarrowTypesKeepTheirRanges) {
  for (Dtype dtype : {kFloat32, kFloat16, kBFloat16, kFloat8_e4m3fn,
                      kFloat8_e4m3fnuz, kFloat8_e5m2, kFloat8_e5m2fnuz}) {
    auto numbers = [&](const Tensor &t) {
      return t.cpu().to(kFloat64).to_vector<double>();
    };
    double most = 0;
    for (double value : numbers(rand({20000}, with(dtype)))) {
      ASSERT_GE(value, 0) << name(dtype);
      ASSERT_LT(value, 1) << name(dtype);
      most = std::max(most, value);
    }
    EXPECT_GE(most, 0.87) << name(dtype);
    for (auto [low, high] : {std::pair(-1.0, 1.0), {1.0, 2.0}, {4.0, 6.0}})
      for (double value :
           numbers(empty({20000}, with(dtype)).uniform_(low, high))) {
        ASSERT_GE(value, low) << name(dtype);
        ASSERT_LT(value, high) << name(dtype);
      }
    for (double value : numbers(randn({20000}, with(dtype))))
      ASSERT_TRUE(std::isfinite(value)) << name(dtype);
    EXPECT_EQ(numbers(empty({3}, with(dtype)).uniform_(2, 2)),
              (Doubles{2, 2, 2}));
  }
}

} // namespace
} // namespace xlac
