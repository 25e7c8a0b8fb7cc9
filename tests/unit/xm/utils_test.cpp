// Synthetic data and helpers.
#include "xlac/utils.h"

#include <gtest/gtest.h>

#include <set>

namespace xlac::utils {
namespace {

static_assert(std::ranges::input_range<SampleGenerator<Tensor>>);

TEST(SampleGenerator, GivesTheSameAgain) {
  SampleGenerator generator(std::pair(ones({2}), zeros({2})), 3);
  EXPECT_EQ(generator.size(), 3u);
  int64_t first = generator.begin().operator*().first.id(), count = 0;
  for (int pass = 0; pass < 2; ++pass)
    for (auto &[data, target] : generator) {
      EXPECT_EQ(data.id(), first);
      ++count;
    }
  EXPECT_EQ(count, 6);
  SampleGenerator<int> none(1, 0);
  EXPECT_TRUE(none.begin() == none.end());
}

TEST(FnDataGenerator, GivesFreshPairs) {
  FnDataGenerator generator([](const Tensor &x) { return x * 2.0; }, 4, {3}, 2);
  std::vector<Tensor> seen;
  for (auto &[x, y] : generator) {
    EXPECT_EQ(x.sizes(), (Shape{4, 3}));
    EXPECT_TRUE(equal(y, x * 2.0));
    seen.push_back(x);
  }
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_FALSE(equal(seen[0], seen[1]));
  EXPECT_EQ(generator.size(), 2u);
  FnDataGenerator none([](const Tensor &x) { return x; }, 4, {3}, -1);
  EXPECT_EQ(none.size(), 0u);
  EXPECT_TRUE(none.begin() == none.end());
}

TEST(Enumerate, CountsElements) {
  std::vector<std::string> words{"a", "b"};
  for (auto [i, word] : enumerate(words))
    word += std::to_string(i);
  EXPECT_EQ(words, (std::vector<std::string>{"a0", "b1"}));
  SampleGenerator generator(5, 2);
  int64_t sum = 0;
  for (auto [i, value] : enumerate(generator))
    sum += i + value;
  EXPECT_EQ(sum, 11);
}

TEST(ParallelWork, KeepsTheOrder) {
  std::vector<std::function<int()>> work;
  for (int i = 0; i < 10; ++i)
    work.emplace_back([i] { return i * i; });
  std::vector<int> squares = parallel_work(3, work);
  for (int i = 0; i < 10; ++i)
    EXPECT_EQ(squares[i], i * i);
  work[4] = []() -> int { throw ValueError("four"); };
  work[7] = []() -> int { throw IndexError("seven"); };
  EXPECT_THROW(parallel_work(3, work), ValueError);
  EXPECT_THROW(parallel_work(0, work), ValueError);
  EXPECT_TRUE(parallel_work(2, std::vector<std::function<bool()>>{}).empty());
}

TEST(TmpFolder, IsGoneAfterwards) {
  std::filesystem::path name;
  {
    TmpFolder folder, other;
    name = folder.name();
    EXPECT_NE(name, other.name());
    EXPECT_TRUE(std::filesystem::is_directory(name));
    std::filesystem::create_directory(name / "inner");
  }
  EXPECT_FALSE(std::filesystem::exists(name));
}

TEST(TimedScope, SaysHowLong) {
  testing::internal::CaptureStderr();
  {
    TimedScope scope("Step: ");
  }
  std::string text = testing::internal::GetCapturedStderr();
  EXPECT_TRUE(text.starts_with("xlac: Step: 0.")) << text;
  EXPECT_TRUE(text.ends_with("ms\n")) << text;
}

TEST(FreePorts, AreDifferent) {
  std::vector<int> ports = get_free_tcp_ports(5);
  EXPECT_EQ(std::set<int>(ports.begin(), ports.end()).size(), 5u);
  for (int port : ports)
    EXPECT_GT(port, 0);
  EXPECT_TRUE(get_free_tcp_ports(0).empty());
  EXPECT_THROW(get_free_tcp_ports(-1), ValueError);
}

TEST(Environment, IsReadAsATypeOrRefused) {
  setenv("XLAC_TEST_VARIABLE", "12", 1);
  EXPECT_EQ(getenv_as<int>("XLAC_TEST_VARIABLE"), 12);
  EXPECT_EQ(getenv_as<double>("XLAC_TEST_VARIABLE", 1.0), 12.0);
  EXPECT_EQ(getenv_as<std::string>("XLAC_TEST_VARIABLE"), "12");
  EXPECT_THROW(getenv_as<bool>("XLAC_TEST_VARIABLE"), ValueError);
  setenv("XLAC_TEST_VARIABLE", "1", 1);
  EXPECT_EQ(getenv_as<bool>("XLAC_TEST_VARIABLE"), true);
  setenv("XLAC_TEST_VARIABLE", "false", 1);
  EXPECT_EQ(getenv_as("XLAC_TEST_VARIABLE", true), false);
  setenv("XLAC_TEST_VARIABLE", "300", 1);
  EXPECT_THROW(getenv_as<int8_t>("XLAC_TEST_VARIABLE"), ValueError);
  setenv("XLAC_TEST_VARIABLE", "12x", 1);
  EXPECT_THROW(getenv_as<int>("XLAC_TEST_VARIABLE"), ValueError);
  unsetenv("XLAC_TEST_VARIABLE");
  EXPECT_FALSE(getenv_as<int>("XLAC_TEST_VARIABLE").has_value());
  EXPECT_EQ(getenv_as("XLAC_TEST_VARIABLE", 7), 7);
}

} // namespace
} // namespace xlac::utils
