#include "xlac/support/environment.h"
#include "xlac/support/metrics.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>

namespace xlac {
namespace {

bool lists(const std::vector<std::string> &names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

TEST(Metrics, NamesAppearWithAValueAndGoWithAClear) {
  metrics::Counter &counter = metrics::counter("Test::Counter");
  EXPECT_FALSE(metrics::find_counter("Test::Counter"));
  counter.add(2);
  EXPECT_EQ(metrics::find_counter("Test::Counter"), 2);
  EXPECT_TRUE(lists(metrics::active_counters(), "Test::Counter"));
  metrics::reset_counters();
  EXPECT_FALSE(lists(metrics::active_counters(), "Test::Counter"));
  EXPECT_EQ(&metrics::counter("Test::Counter"), &counter);
}

TEST(Metrics, KeepTheLastSamplesAndCountAll) {
  metrics::Metric &metric = metrics::metric("Test::Metric");
  double sum = 0;
  for (int i = 0; i < 2000; ++i) {
    metric.add(i);
    sum += i;
  }
  auto state = metrics::find_metric("Test::Metric");
  ASSERT_TRUE(state);
  EXPECT_EQ(state->total, 2000);
  EXPECT_EQ(state->sum, sum);
  ASSERT_EQ(state->samples.size(), 1024u);
  for (size_t i = 0; i < state->samples.size(); ++i) {
    EXPECT_EQ(state->samples[i].value, 976.0 + static_cast<double>(i));
    if (i > 0)
      EXPECT_GE(state->samples[i].time, state->samples[i - 1].time);
  }
  metric.add(1, 64);
  EXPECT_EQ(metric.state().total, 2064);
  EXPECT_EQ(metric.state().sum, sum + 64);
  metrics::reset_metrics();
  EXPECT_FALSE(metrics::find_metric("Test::Metric"));
}

TEST(Environment, ReadsNumbersAndBytes) {
  setenv("XLAC_TEST_SETTING", "17", 1);
  EXPECT_EQ(environment_number("XLAC_TEST_SETTING"), 17);
  setenv("XLAC_TEST_SETTING", "true", 1);
  EXPECT_FALSE(environment_number("XLAC_TEST_SETTING"));
  setenv("XLAC_TEST_SETTING", "", 1);
  EXPECT_FALSE(environment_text("XLAC_TEST_SETTING"));
  EXPECT_EQ(parse_bytes("4096"), 4096);
  EXPECT_EQ(parse_bytes("512M"), int64_t{512} << 20);
  EXPECT_EQ(parse_bytes("8G"), int64_t{8} << 30);
  EXPECT_FALSE(parse_bytes("8X"));
  EXPECT_FALSE(parse_bytes("-1"));
  EXPECT_FALSE(parse_bytes("9999999999T"));
  EXPECT_FALSE(parse_bytes(""));
}

} // namespace
} // namespace xlac
