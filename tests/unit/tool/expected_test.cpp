#include "run/expected.h"

#include "run/array_text.h"

#include <gtest/gtest.h>

namespace xlac::cli {
namespace {

std::string compared(const char *got, const char *expected,
                     Tolerances tolerances = {}) {
  auto a = parse_array(got), b = parse_array(expected);
  EXPECT_TRUE(a && b);
  auto found = find_mismatch(*a, *b, tolerances);
  return found ? to_string(*found) : "equal";
}

TEST(Expected, FindsTheWorstElement) {
  EXPECT_EQ(compared("2x2xf32=1,2,3,4", "2x2xf32=1,2.5,3,9"),
            "2 of 4 elements differ, worst at [1, 1]: got 4, expected 9 (error "
            "5, allowed 2.17e-05)");
  // Relative to the tolerance, the small element is worse.
  EXPECT_EQ(compared("2xf32=1000,0", "2xf32=1001,0.5"),
            "2 of 2 elements differ, worst at [1]: got 0, expected 0.5 (error "
            "0.5, allowed 1.07e-05)");
  EXPECT_EQ(compared("f64=1", "f64=2"),
            "1 of 1 elements differ, worst at []: got 1, expected 2 (error 1, "
            "allowed 3e-07)");
}

TEST(Expected, HasATolerancePerType) {
  EXPECT_EQ(compared("f32=1.000001", "f32=1"), "equal");
  EXPECT_NE(compared("f64=1.000001", "f64=1"), "equal");
  EXPECT_EQ(compared("bf16=1.0078125", "bf16=1"), "equal");
  EXPECT_NE(compared("f16=1.0078125", "f16=1"), "equal");
  EXPECT_EQ(compared("f8E4M3FN=1.125", "f8E4M3FN=1"), "equal");
  EXPECT_NE(compared("f8E4M3FN=1.25", "f8E4M3FN=1"), "equal");
  EXPECT_EQ(compared("f64=1.000001", "f64=1", {1e-3, 0}), "equal");
  EXPECT_EQ(compared("i32=7", "i32=6", {1, 0}), "equal");
  EXPECT_NE(compared("i32=7", "i32=6"), "equal");
  EXPECT_NE(compared("i1=true", "i1=false"), "equal");
}

TEST(Expected, DistinguishesLargeIntegers) {
  EXPECT_NE(compared("i64=9223372036854775807", "i64=9223372036854775806"),
            "equal");
  EXPECT_NE(compared("ui64=18446744073709551615", "ui64=18446744073709551614"),
            "equal");
}

TEST(Expected, ComparesSpecialValues) {
  EXPECT_EQ(compared("3xf32=nan,inf,-inf", "3xf32=nan,inf,-inf"), "equal");
  EXPECT_NE(compared("f32=nan", "f32=1", {1e30, 1}), "equal");
  EXPECT_NE(compared("f32=1", "f32=nan", {1e30, 1}), "equal");
  EXPECT_NE(compared("f32=1", "f32=inf", {1e30, 1}), "equal");
  EXPECT_NE(compared("f32=inf", "f32=-inf", {1e30, 1}), "equal");
  EXPECT_EQ(compared("f32=-0.0", "f32=0"), "equal");
  EXPECT_EQ(compared("complex<f32>=(1,2)", "complex<f32>=(1,2)"), "equal");
  EXPECT_NE(compared("complex<f32>=(1,2)", "complex<f32>=(1,3)"), "equal");
  EXPECT_EQ(compared("0xf32=", "0xf32="), "equal");
}

} // namespace
} // namespace xlac::cli
