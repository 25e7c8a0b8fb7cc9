#include "comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>

namespace xlac::tool {
namespace {

using Kind = CheckCase::Comparison::Kind;

HostArray floats(std::vector<float> values) {
  HostArray array;
  array.type.dims = {static_cast<int64_t>(values.size())};
  auto bytes = std::as_bytes(std::span(values));
  array.bytes.assign(bytes.begin(), bytes.end());
  return array;
}

bool passes(Kind kind, float a, float b) {
  CheckCase::Comparison comparison;
  comparison.kind = kind;
  return !compare(comparison, floats({a}), floats({b}));
}

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

TEST(Comparison, EqualMeansTheSameBits) {
  EXPECT_TRUE(passes(Kind::Equal, 1.5f, 1.5f));
  EXPECT_FALSE(passes(Kind::Equal, 0.0f, -0.0f));
  EXPECT_TRUE(passes(Kind::Equal, kNan, kNan));
  EXPECT_FALSE(passes(Kind::Equal, 1.0f, std::nextafter(1.0f, 2.0f)));
}

TEST(Comparison, AlmostEqualHoldsWithinTheTolerance) {
  EXPECT_TRUE(passes(Kind::AlmostEqual, 1.0f, 1.00009f));
  EXPECT_FALSE(passes(Kind::AlmostEqual, 1.0f, 1.0002f));
  EXPECT_TRUE(passes(Kind::AlmostEqual, kInfinity, kInfinity));
  EXPECT_FALSE(passes(Kind::AlmostEqual, kInfinity, -kInfinity));
  EXPECT_FALSE(passes(Kind::AlmostEqual, kNan, 0));
  EXPECT_TRUE(passes(Kind::AlmostEqual, kNan, kNan));
}

TEST(Comparison, CloseCountsUnitsInTheLastPlace) {
  float next = std::nextafter(1.0f, 2.0f);
  float far = 1.0f;
  for (int i = 0; i < 4; ++i)
    far = std::nextafter(far, 2.0f);
  EXPECT_TRUE(passes(Kind::Close, 1.0f, next));
  EXPECT_FALSE(passes(Kind::Close, 1.0f, far));
  float tiny = std::numeric_limits<float>::denorm_min();
  EXPECT_TRUE(passes(Kind::Close, tiny, -tiny));
  EXPECT_FALSE(passes(Kind::Close, kInfinity, 3e38f));
}

TEST(Comparison, NamesTheFirstDifference) {
  CheckCase::Comparison comparison;
  auto text = compare(comparison, floats({1, 2, 3}), floats({1, 5, 4}));
  ASSERT_TRUE(text);
  EXPECT_NE(text->find("2 of 3 elements differ, first at [1]: got 2, wanted 5"),
            std::string::npos)
      << *text;
}

TEST(Comparison, NoMutationPasses) {
  for (Kind kind : {Kind::Equal, Kind::AlmostEqual, Kind::Close})
    for (float value :
         {0.0f, -0.0f, 1.0f, -2.5f, 1e-30f, 3e38f, kInfinity, kNan, 1e-42f}) {
      HostArray expected = floats({value});
      CheckCase::Comparison comparison;
      comparison.kind = kind;
      ASSERT_TRUE(mutate(expected));
      EXPECT_TRUE(compare(comparison, floats({value}), expected)) << value;
    }
  HostArray empty = floats({});
  EXPECT_FALSE(mutate(empty));
}

} // namespace
} // namespace xlac::tool
