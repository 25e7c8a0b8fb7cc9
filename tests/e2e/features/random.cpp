// RNG.
#include "feature_rows.h"

#include <cmath>
#include <numeric>

using namespace xlac;
using namespace xlac::features;

FEATURE(RNG_01) {
  Device dev = xlac::device();
  xm::set_rng_state(17);
  Floats first = randn({64}, dev).to_vector<float>();
  met::clear_all();
  xm::set_rng_state(18);
  EXPECT_NE(randn({64}, dev).to_vector<float>(), first);
  xm::set_rng_state(17, dev);
  EXPECT_EQ(randn({64}, dev).to_vector<float>(), first);
  EXPECT_EQ(counter("UncachedCompile"), 0);
}

FEATURE(RNG_02, "") {
  EXPECT_EQ(xm::get_rng_state(), 101);
  xm::set_rng_state(5);
  EXPECT_EQ(xm::get_rng_state(), 5);
  Tensor a = randn({3}, xlac::device());
  int64_t state = xm::get_rng_state();
  EXPECT_NE(state, 5);
  Tensor b = rand({3}, xlac::device());
  xm::set_rng_state(state);
  EXPECT_TRUE(equal(rand({3}, xlac::device()), b));
}

FEATURE(RNG_03, "CPU_NUM_DEVICES=2") {
  xm::set_rng_state(9);
  EXPECT_EQ(xm::get_rng_state(Device("xla:0")), 9);
  EXPECT_EQ(xm::get_rng_state(Device("xla:1")), 101);
  xlac::device(1);
  xm::set_rng_state(8);
  EXPECT_EQ(xm::get_rng_state(Device("xla:1")), 8);
  EXPECT_EQ(xm::get_rng_state(Device("xla:0")), 9);
}

FEATURE(RNG_04) {
  Device dev = xlac::device();
  Tensor sample = randn({1000000}, dev), other = randn({1000000}, dev);
  EXPECT_CONTAINS(xm::get_stablehlo({sample}), "stablehlo.rng_bit_generator");
  std::vector<double> values = sample.to_vector<double>();
  double sum = std::accumulate(values.begin(), values.end(), 0.0), squares = 0;
  for (double value : values)
    squares += value * value;
  EXPECT_NEAR(sum / 1e6, 0, 0.005);
  EXPECT_NEAR(std::sqrt(squares / 1e6), 1, 0.005);
  EXPECT_FALSE(equal(sample, other));
  xm::set_rng_state(3);
  Floats lazily = randn({100}, dev).to_vector<float>();
  xm::set_rng_state(3);
  experimental::EagerModeGuard eager(true);
  EXPECT_EQ(randn({100}, dev).to_vector<float>(), lazily);
}

FEATURE(RNG_04_devices, "CPU_NUM_DEVICES=2") {
  manual_seed(4);
  EXPECT_EQ(randn({1000}, Device("xla:0")).to_vector<float>(),
            randn({1000}, Device("xla:1")).to_vector<float>());
}
