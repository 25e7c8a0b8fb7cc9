// The text of interpreter.print for every kind of element and shape.
#include "run/print_call.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace xlac::cli {
namespace {

template <class T>
std::string text_of(std::string_view element, std::vector<int64_t> sizes,
                    std::vector<T> values) {
  std::vector<int64_t> strides(sizes.size());
  int64_t stride = 1;
  for (size_t dim = sizes.size(); dim-- > 0;) {
    strides[dim] = stride;
    stride *= sizes[dim];
  }
  return interpreter_text({element, sizes, strides, values.data()});
}

TEST(PrintCall, LaysRanksOut) {
  EXPECT_EQ(text_of<uint8_t>("ui8", {}, {1}), "tensor<ui8> {1}");
  EXPECT_EQ(text_of<int8_t>("i8", {2}, {1, -3}),
            "tensor<2xi8> {\n  [1, -3]\n}");
  EXPECT_EQ(text_of<int64_t>("i64", {2, 1, 2}, {0, 1, 2, 3}),
            "tensor<2x1x2xi64> {\n  [\n    [\n      [0, 1]\n    ],\n    [\n"
            "      [2, 3]\n    ]\n  ]\n}");
  EXPECT_EQ(text_of<uint8_t>("ui8", {0}, {}), "tensor<0xui8> {\n  []\n}");
  EXPECT_EQ(text_of<int8_t>("i8", {0, 2}, {}), "tensor<0x2xi8> {\n  []\n}");
  EXPECT_EQ(text_of<int8_t>("i8", {2, 0}, {}),
            "tensor<2x0xi8> {\n  [\n    [],\n    []\n  ]\n}");
}

TEST(PrintCall, FollowsStrides) {
  int32_t data[] = {1, 2, 3, 4};
  EXPECT_EQ(interpreter_text({"i32", {2, 2}, {1, 2}, data}),
            "tensor<2x2xi32> {\n  [\n    [1, 3],\n    [2, 4]\n  ]\n}");
}

TEST(PrintCall, WritesElementsAsMlirDoes) {
  EXPECT_EQ(text_of<uint8_t>("i1", {2}, {1, 0}),
            "tensor<2xi1> {\n  [true, false]\n}");
  EXPECT_EQ(text_of<int8_t>("i2", {2}, {1, -2}),
            "tensor<2xi2> {\n  [1, -2]\n}");
  EXPECT_EQ(text_of<float>("complex<f32>", {}, {3.140625f, 1}),
            "tensor<complex<f32>> {[3.140625, 1.000000e+00]}");
  EXPECT_EQ(text_of<uint8_t>("f8E8M0FNU", {3}, {0x7f, 0x80, 0xff}),
            "tensor<3xf8E8M0FNU> {\n  [1.000000e+00, 2.000000e+00, 0xFF]\n}");
  EXPECT_EQ(text_of<uint8_t>("f6E2M3FN", {2}, {0x08, 0x34}),
            "tensor<2xf6E2M3FN> {\n  [1.000000e+00, -3.000000e+00]\n}");
  EXPECT_EQ(text_of<uint16_t>("f16", {}, {0x7e00}), "tensor<f16> {0x7E00}");
}

/// The notations of MLIR's printer: few digits, all digits, bits.
TEST(PrintCall, ChoosesDigits) {
  auto one = [](float value) {
    std::string text = text_of<float>("f32", {}, {value});
    return text.substr(13, text.size() - 14);
  };
  EXPECT_EQ(one(0), "0.000000e+00");
  EXPECT_EQ(one(-0.0f), "-0.000000e+00");
  EXPECT_EQ(one(100), "1.000000e+02");
  EXPECT_EQ(one(0x1.921fb6p+1f), "3.14159274");
  EXPECT_EQ(one(-1.0f / 3), "-0.333333343");
  EXPECT_EQ(one(1.0f / 3000), "3.3333333E-4");
  EXPECT_EQ(one(16777215.0f), "0x4B7FFFFF");
  EXPECT_EQ(one(1.0f / 0.0f), "0x7F800000");
  EXPECT_EQ(one(12345678848.0f), "1.23456788E+10");
  EXPECT_EQ(text_of<double>("f64", {}, {0.1 + 0.2}),
            "tensor<f64> {0.30000000000000004}");
}

} // namespace
} // namespace xlac::cli
