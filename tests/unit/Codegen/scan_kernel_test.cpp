// Cumulative sums and products as whole kernels: along rows, in chunks of long
// rows and along columns, in both directions, with prologues and epilogues.
#include "kernel_runner.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <string>

using namespace xlac;
using namespace xlac::test;

namespace {

struct Shape {
  int64_t outer, count, inner;
  int64_t size() const { return outer * count * inner; }
  std::string type(const char *element) const {
    return "tensor<" + std::to_string(outer) + "x" + std::to_string(count) +
           "x" + std::to_string(inner) + "x" + element + ">";
  }
};

/// A scan of -x by `op`; the results are the negatives and the scan.
std::string scanText(const Shape &shape, const char *element, const char *op,
                     const char *init, bool reverse) {
  std::string t = shape.type(element),
              one = std::string("tensor<") + element + ">";
  std::string pad = std::to_string(shape.count - 1);
  return "xlac.kernel @k <scan> {\n^bb0(%x: " + t + "):\n" +
         "%init = \"stablehlo.constant\"() <{value = dense<" + init +
         "> : " + one + "}> : () -> " + one +
         "\n%n = \"stablehlo.negate\"(%x) : (" + t + ") -> " + t +
         "\n%s = \"stablehlo.reduce_window\"(%n, %init) " +
         "<{window_dimensions = array<i64: 1, " + std::to_string(shape.count) +
         ", 1>, padding = dense<[[0, 0], " +
         (reverse ? "[0, " + pad + "]" : "[" + pad + ", 0]") +
         ", [0, 0]]> : tensor<3x2xi64>}> ({\n^bb0(%a: " + one + ", %b: " + one +
         "):\n%c = \"stablehlo." + op + "\"(%a, %b) : (" + one + ", " + one +
         ") -> " + one + "\n\"stablehlo.return\"(%c) : (" + one +
         ") -> ()\n}) : (" + t + ", " + one + ") -> " + t +
         "\n%r = \"stablehlo.negate\"(%s) : (" + t + ") -> " + t +
         "\nxlac.yield %r, %s : " + t + ", " + t + "\n}\n";
}

const Shape kShapes[] = {{1, 5, 1},     {3, 16, 1},    {1, 33, 1}, {4, 64, 1},
                         {7, 1000, 1},  {2, 40, 3},    {3, 9, 16}, {2, 20, 300},
                         {1, 70000, 1}, {3, 131093, 1}};

template <class T, class Combine>
std::vector<T> expected(const Shape &shape, const std::vector<T> &x,
                        bool reverse, Combine combine) {
  std::vector<T> result(x.size());
  for (int64_t o = 0; o < shape.outer; ++o)
    for (int64_t i = 0; i < shape.inner; ++i)
      for (int64_t k = 0; k < shape.count; ++k) {
        auto at = [&](int64_t place) {
          if (reverse)
            place = shape.count - 1 - place;
          return (o * shape.count + place) * shape.inner + i;
        };
        T value = T(-x[at(k)]);
        result[at(k)] = k == 0 ? value : combine(result[at(k - 1)], value);
      }
  return result;
}

const TargetProfile *const kProfiles[] = {&avx2Profile(), &baselineProfile()};

} // namespace

TEST(ScanKernel, IntegersExactly) {
  for (const Shape &shape : kShapes)
    for (bool reverse : {false, true}) {
      std::vector<int32_t> x(shape.size());
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<int32_t>(i * 2654435761u) >> 8;
      auto wrap = [](int32_t a, int32_t b) {
        return static_cast<int32_t>(uint32_t(a) + uint32_t(b));
      };
      auto least = [](int32_t a, int32_t b) { return std::min(a, b); };
      for (const TargetProfile *profile : kProfiles) {
        RunOutcome sums = runKernel(scanText(shape, "i32", "add", "0", reverse),
                                    {x}, *profile);
        ASSERT_EQ(sums.error, "");
        EXPECT_EQ(sums.results[1].as<int32_t>(),
                  expected(shape, x, reverse, wrap))
            << shape.type("i32");
        RunOutcome minima =
            runKernel(scanText(shape, "i32", "minimum", "2147483647", reverse),
                      {x}, *profile);
        EXPECT_EQ(minima.results[1].as<int32_t>(),
                  expected(shape, x, reverse, least));
      }
    }
}

/// A scan by a reducer of several ops. `body` makes %c0 and %c1 from %a0, %a1,
/// %b0 and %b1; the results are both scanned values.
static std::string pairScanText(const Shape &shape, const std::string &body,
                                bool reverse) {
  std::string t = shape.type("ui32");
  std::string pad = std::to_string(shape.count - 1);
  return "xlac.kernel @k <scan> {\n^bb0(%x: " + t + ", %y: " + t +
         "):\n"
         "%i0 = \"stablehlo.constant\"() <{value = dense<1> : tensor<ui32>}> : "
         "() -> tensor<ui32>\n"
         "%i1 = \"stablehlo.constant\"() <{value = dense<0> : tensor<ui32>}> : "
         "() -> tensor<ui32>\n"
         "%s:2 = \"stablehlo.reduce_window\"(%x, %y, %i0, %i1) "
         "<{window_dimensions = array<i64: 1, " +
         std::to_string(shape.count) + ", 1>, padding = dense<[[0, 0], " +
         (reverse ? "[0, " + pad + "]" : "[" + pad + ", 0]") +
         ", [0, 0]]> : tensor<3x2xi64>}> ({\n"
         "^bb0(%a0: tensor<ui32>, %a1: tensor<ui32>, %b0: tensor<ui32>, "
         "%b1: tensor<ui32>):\n" +
         body +
         "\"stablehlo.return\"(%c0, %c1) : (tensor<ui32>, tensor<ui32>) -> ()\n"
         "}) : (" +
         t + ", " + t + ", tensor<ui32>, tensor<ui32>) -> (" + t + ", " + t +
         ")\nxlac.yield %s#0, %s#1 : " + t + ", " + t + "\n}\n";
}

static std::string binaryText(const std::string &result, const char *op,
                              const std::string &left,
                              const std::string &right) {
  return result + " = \"stablehlo." + op + "\"(" + left + ", " + right +
         ") : (tensor<ui32>, tensor<ui32>) -> tensor<ui32>\n";
}

/// Returns the body that composes x -> a x + b, with `more` steps that cancel.
static std::string compositionText(int more) {
  // The element with the higher index is applied last.
  std::string body = binaryText("%c0", "multiply", "%b0", "%a0") +
                     binaryText("%p", "multiply", "%b0", "%a1") +
                     binaryText("%q0", "add", "%p", "%b1");
  for (int i = 0; i < more; ++i)
    body += binaryText("%q" + std::to_string(i + 1), i % 2 ? "subtract" : "add",
                       "%q" + std::to_string(i), "%p");
  std::string last = "%q" + std::to_string(more);
  return body + binaryText("%c1", "or", last, last);
}

/// Composition is associative, not commutative, and exact for integers that
/// wrap. Long bodies are scanned across rows.
TEST(ScanKernel, ComposesInOrder) {
  const Shape more[] = {{40, 70, 1}, {3, 300, 1}, {20, 33, 2}};
  std::vector<Shape> shapes(std::begin(kShapes), std::end(kShapes));
  shapes.insert(shapes.end(), std::begin(more), std::end(more));
  for (const Shape &shape : shapes)
    for (bool reverse : {false, true}) {
      std::vector<uint32_t> a(shape.size()), b(shape.size());
      for (size_t i = 0; i < a.size(); ++i) {
        a[i] = uint32_t(i * 2654435761u) | 1;
        b[i] = uint32_t(i * 2246822519u) >> 3;
      }
      std::vector<uint32_t> products = a, sums = b;
      for (int64_t o = 0; o < shape.outer; ++o)
        for (int64_t i = 0; i < shape.inner; ++i)
          for (int64_t k = 1; k < shape.count; ++k) {
            auto at = [&](int64_t place) {
              if (reverse)
                place = shape.count - 1 - place;
              return (o * shape.count + place) * shape.inner + i;
            };
            int64_t first = at(reverse ? k : k - 1);
            int64_t second = at(reverse ? k - 1 : k);
            uint32_t product = products[second] * products[first];
            uint32_t sum = products[second] * sums[first] + sums[second];
            products[at(k)] = product;
            sums[at(k)] = sum;
          }
      for (int steps : {0, 16})
        for (const TargetProfile *profile : kProfiles) {
          RunOutcome outcome =
              runKernel(pairScanText(shape, compositionText(steps), reverse),
                        {a, b}, *profile);
          ASSERT_EQ(outcome.error, "");
          EXPECT_EQ(outcome.results[0].as<uint32_t>(), products)
              << shape.type("ui32") << reverse << steps;
          EXPECT_EQ(outcome.results[1].as<uint32_t>(), sums)
              << shape.type("ui32") << reverse << steps;
        }
    }
}

/// Sums of small integers are exact, so that each block shows whether all
/// previous ones were added.
TEST(ScanKernel, BlocksOfFloatsExactly) {
  const Shape longer[] = {{1, 65, 1},    {1, 70, 40},  {2, 1031, 1},
                          {2, 500, 3},   {2, 300, 20}, {1, 3000, 9},
                          {1, 70000, 1}, {1, 90000, 2}};
  for (const Shape &shape : longer)
    for (bool reverse : {false, true}) {
      std::vector<float> x(shape.size());
      for (size_t i = 0; i < x.size(); ++i)
        x[i] = static_cast<float>(i * 2654435761u >> 8 & 7) - 3;
      std::vector<float> exact =
          expected(shape, x, reverse, [](float a, float b) { return a + b; });
      for (const TargetProfile *profile : kProfiles) {
        RunOutcome outcome = runKernel(
            scanText(shape, "f32", "add", "0.0", reverse), {x}, *profile);
        ASSERT_EQ(outcome.error, "");
        EXPECT_EQ(outcome.results[1].as<float>(), exact) << shape.type("f32");
      }
    }
}

TEST(ScanKernel, FloatsWithEpilogue) {
  for (const Shape &shape : kShapes)
    for (bool reverse : {false, true}) {
      std::vector<float> x = someFloats(shape.size(), 5);
      std::vector<double> exact(x.begin(), x.end());
      exact = expected(shape, exact, reverse,
                       [](double a, double b) { return a + b; });
      // Sums that cancel keep the rounding error of the largest one.
      double largest = 10;
      for (double sum : exact)
        largest = std::max(largest, std::abs(sum));
      for (const TargetProfile *profile : kProfiles) {
        RunOutcome outcome = runKernel(
            scanText(shape, "f32", "add", "0.0", reverse), {x}, *profile);
        ASSERT_EQ(outcome.error, "");
        std::vector<float> got = outcome.results[1].as<float>();
        std::vector<float> negative = outcome.results[0].as<float>();
        for (size_t i = 0; i < got.size(); ++i) {
          ASSERT_NEAR(got[i], exact[i], 3e-6 * largest)
              << i << " of " << shape.type("f32");
          ASSERT_EQ(negative[i], -got[i]);
        }
      }
    }
}

/// Only the operands of a result may affect it: NaNs and infinities affect only
/// later results, and leading zeros keep their signs.
TEST(ScanKernel, SpecialValues) {
  Shape shape{2, 100, 1};
  std::vector<float> x(shape.size(), 1.0f);
  x[30] = NAN;
  x[140] = INFINITY;
  x[100] = 0.0f; // negated: -0
  x[101] = 0.0f;
  std::vector<float> got =
      runKernel(scanText(shape, "f32", "add", "-0.0", false), {x})
          .results[1]
          .as<float>();
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(std::isnan(got[i]), i >= 30) << i;
    EXPECT_EQ(std::isinf(got[100 + i]), i >= 40) << i;
  }
  EXPECT_TRUE(std::signbit(got[100]) && got[100] == 0);
  EXPECT_TRUE(std::signbit(got[101]) && got[101] == 0);
}
