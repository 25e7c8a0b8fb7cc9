#include "run/comparison.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <span>

namespace xlac::cli {
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

/// Bounds apply to values, not to bit patterns.
TEST(Comparison, ReadsNarrowFloats) {
  auto passes = [](ElementType type, Kind kind, uint8_t a, uint8_t b,
                   double tolerance = 1e-4) {
    CheckCase::Comparison comparison;
    comparison.kind = kind;
    comparison.tolerance = tolerance;
    comparison.max_ulp = 1;
    HostArray got{{type, {1}}, {std::byte(a)}};
    HostArray wanted{{type, {1}}, {std::byte(b)}};
    return !compare(comparison, got, wanted);
  };
  constexpr ElementType e8m0 = ElementType::F8E8M0FNU;
  EXPECT_TRUE(passes(e8m0, Kind::Close, 0x7f, 0x80)); // 1 and 2
  EXPECT_FALSE(passes(e8m0, Kind::Close, 0x80, 0x01));
  EXPECT_FALSE(passes(e8m0, Kind::Close, 0xfe, 0xff));      // 2^127 and NaN
  EXPECT_TRUE(passes(e8m0, Kind::AlmostEqual, 0x01, 0x02)); // 2^-126, 2^-125
  EXPECT_FALSE(passes(e8m0, Kind::AlmostEqual, 0x7f, 0x80));
  EXPECT_TRUE(passes(e8m0, Kind::AlmostEqual, 0x7f, 0x80, 1.0));
  constexpr ElementType e5m2 = ElementType::F8E5M2;
  EXPECT_TRUE(passes(e5m2, Kind::AlmostEqual, 0x7d, 0x7e)); // two NaNs
  EXPECT_TRUE(passes(e5m2, Kind::Close, 0x00, 0x80));       // 0 and -0
  constexpr ElementType e2m1 = ElementType::F4E2M1FN;
  EXPECT_TRUE(passes(e2m1, Kind::Close, 0x01, 0x08)); // 0.5 and -0
  EXPECT_FALSE(passes(e2m1, Kind::Close, 0x02, 0x08));
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
  for (ElementType type : {ElementType::F4E2M1FN, ElementType::F6E3M2FN,
                           ElementType::F8E5M2, ElementType::F8E8M0FNU})
    for (int bits = 0; bits < 1 << bit_width(type); ++bits) {
      HostArray given{{type, {1}}, {std::byte(bits)}}, expected = given;
      ASSERT_TRUE(mutate(expected));
      EXPECT_TRUE(compare({}, given, expected)) << bits;
    }
  HostArray empty = floats({});
  EXPECT_FALSE(mutate(empty));
}

} // namespace
} // namespace xlac::cli
