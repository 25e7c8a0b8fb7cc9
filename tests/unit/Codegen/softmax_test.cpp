// The quotients of a softmax, which are computed without a division for each
// element, against the processor's division.
#include "kernel_runner.h"

#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include <fmt/format.h>

namespace xlac::test {
namespace {

/// Returns a kernel whose results are a softmax, its exponentials and sums.
std::string softmax(int rows, int columns, const char *element,
                    const char *lowest) {
  return fmt::format(
      R"(
xlac.kernel @k <reduction> {{
^bb0(%x: tensor<{0}x{1}x{2}>):
  %lowest = stablehlo.constant dense<{3}> : tensor<{2}>
  %zero = stablehlo.constant dense<0.0> : tensor<{2}>
  %0 = stablehlo.reduce(%x init: %lowest) applies stablehlo.maximum across dimensions = [1] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{0}x{2}>
  %1 = stablehlo.broadcast_in_dim %0, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %2 = stablehlo.subtract %x, %1 : tensor<{0}x{1}x{2}>
  %3 = stablehlo.exponential %2 : tensor<{0}x{1}x{2}>
  %4 = stablehlo.reduce(%3 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{1}x{2}>, tensor<{2}>) -> tensor<{0}x{2}>
  %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<{0}x{2}>) -> tensor<{0}x{1}x{2}>
  %6 = stablehlo.divide %3, %5 : tensor<{0}x{1}x{2}>
  xlac.yield %6, %3, %4 : tensor<{0}x{1}x{2}>, tensor<{0}x{1}x{2}>, tensor<{0}x{2}>
}}
)",
      rows, columns, element, lowest);
}

/// Rows of growing range, then rows with numbers that are not finite.
template <class T> std::vector<T> operandOf(int rows, int columns) {
  constexpr T inf = std::numeric_limits<T>::infinity();
  constexpr T nan = std::numeric_limits<T>::quiet_NaN();
  std::vector<T> values;
  for (int row = 0; row < rows; ++row)
    for (int column = 0; column < columns; ++column)
      values.push_back(T(std::sin(row * 1000 + column)) * T(row * row) / 2);
  auto fill = [&](int row, int count, T value) {
    std::fill_n(values.begin() + ptrdiff_t(row) * columns, count, value);
  };
  fill(rows - 4, 1, nan);
  fill(rows - 3, columns, -inf);
  fill(rows - 2, 1, inf);
  fill(rows - 1, columns / 2, -inf);
  return values;
}

template <class T>
void expectQuotients(const char *element, const char *lowest,
                     const TargetProfile &profile) {
  constexpr int rows = 24;
  for (int columns : {5, 133, 4096}) {
    RunOutcome outcome =
        runKernel(softmax(rows, columns, element, lowest),
                  {Data(operandOf<T>(rows, columns))}, profile);
    ASSERT_EQ(outcome.error, "");
    std::vector<T> quotients = outcome.results[0].as<T>();
    std::vector<T> exponentials = outcome.results[1].as<T>();
    std::vector<T> sums = outcome.results[2].as<T>();
    // The remainder of smaller ones is subnormal, and rounded.
    constexpr T least =
        std::numeric_limits<T>::min() / std::numeric_limits<T>::epsilon() * 4;
    int small = 0;
    for (size_t i = 0; i < quotients.size(); ++i) {
      T expected = exponentials[i] / sums[i / columns];
      if (std::isnan(expected)) {
        EXPECT_TRUE(std::isnan(quotients[i])) << i;
      } else if (exponentials[i] >= least || exponentials[i] == 0) {
        EXPECT_EQ(quotients[i], expected) << i;
      } else {
        ++small;
        T step = std::nextafter(expected, T(1)) - expected;
        EXPECT_NEAR(quotients[i], expected, step) << i;
      }
    }
    if (sizeof(T) == 4 && columns > 5)
      EXPECT_GT(small, 0) << "the operand has too small a range";
  }
}

TEST(Softmax, QuotientsOfF32) {
  expectQuotients<float>("f32", "0xFF800000", avx2Profile());
  expectQuotients<float>("f32", "0xFF800000", baselineProfile());
}

TEST(Softmax, QuotientsOfF64) {
  expectQuotients<double>("f64", "0xFFF0000000000000", avx2Profile());
  expectQuotients<double>("f64", "0xFFF0000000000000", baselineProfile());
}

} // namespace
} // namespace xlac::test
