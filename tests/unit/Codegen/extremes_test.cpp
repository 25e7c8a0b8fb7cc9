// Maxima and minima with constants, which compiled code computes without a test
// for NaN.
#include "kernel_runner.h"

#include "gtest/gtest.h"

#include <fmt/format.h>

#include <cmath>

using namespace xlac;
using namespace xlac::test;

/// IEEE maximum and minimum: NaN propagates, and -0 is less than 0.
static float extreme(bool isMaximum, float a, float b) {
  if (std::isnan(a) || std::isnan(b))
    return NAN;
  if (a == b)
    return std::signbit(a) == isMaximum ? b : a;
  return (a > b) == isMaximum ? a : b;
}

TEST(LoopKernel, MaximaAndMinimaWithConstants) {
  std::vector<float> x = {NAN, -0.0f, 0,  1e-40f,   -1e-40f,
                          6,   7,     -7, INFINITY, -INFINITY};
  while (x.size() < 100)
    x.push_back(x[x.size() % 10]);
  std::pair<const char *, float> constants[] = {{"0.0", 0.0f},
                                                {"-0.0", -0.0f},
                                                {"6.0", 6},
                                                {"0x7F800000", INFINITY},
                                                {"0x7FC00000", NAN}};
  for (auto [text, constant] : constants)
    for (bool isMaximum : {true, false})
      for (const char *operands : {"(%c, %x)", "(%x, %c)"}) {
        std::string op = isMaximum ? "maximum" : "minimum";
        RunOutcome outcome =
            runKernel(fmt::format(R"(xlac.kernel @k <loop> {{
^bb0(%x: {0}):
  %c = "stablehlo.constant"() <{{value = dense<{1}> : {0}}}> : () -> {0}
  %0 = "stablehlo.{2}"{3} : ({0}, {0}) -> {0}
  xlac.yield %0 : {0}
}})",
                                  "tensor<100xf32>", text, op, operands),
                      {x});
        ASSERT_EQ(outcome.error, "");
        std::vector<float> got = outcome.results[0].as<float>();
        for (size_t i = 0; i < x.size(); ++i) {
          SCOPED_TRACE(testing::Message() << op << operands << " of " << x[i]
                                          << " and " << constant);
          float wanted = extreme(isMaximum, x[i], constant);
          EXPECT_EQ(std::isnan(got[i]), std::isnan(wanted));
          if (std::isnan(wanted))
            continue;
          EXPECT_EQ(got[i], wanted);
          EXPECT_EQ(std::signbit(got[i]), std::signbit(wanted));
        }
      }
}
