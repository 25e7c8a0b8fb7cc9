// Accuracy of the vector functions against wider arithmetic of the C library.
#include "scalar_jit.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace xlac::codegen::test {
namespace {

using Reference = long double (*)(long double);
using Reference2 = long double (*)(long double, long double);

template <typename T> double ulpError(T got, long double want) {
  T rounded = static_cast<T>(want);
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) == std::isnan(got) ? 0 : 1e30;
  if (got == rounded)
    return std::signbit(got) == std::signbit(rounded) || got != 0 ? 0 : 1e30;
  T limit = std::numeric_limits<T>::max();
  if (std::isinf(got) && std::fabs(want) >= static_cast<long double>(limit))
    return 0.5;
  if (std::isinf(got) || std::isinf(rounded))
    return std::fabs(want) > 0.999999L * limit &&
                   std::fabs(got) > 0.99999L * limit
               ? 1
               : 1e30;
  int exponent;
  std::frexp(want, &exponent);
  exponent = std::max(exponent, std::numeric_limits<T>::min_exponent);
  long double ulp = std::ldexp(1.0L, exponent - std::numeric_limits<T>::digits);
  return static_cast<double>(std::fabs(got - want) / ulp);
}

std::vector<float> floatSamples() {
  std::vector<float> samples;
  for (uint64_t bits = 0; bits < (1ull << 32); bits += 9001)
    samples.push_back(std::bit_cast<float>(uint32_t(bits)));
  for (float x :
       {0.0f, -0.0f, 1.0f, -1.0f, 0.5f, HUGE_VALF, -HUGE_VALF, std::nanf(""),
        1e-45f, -1e-45f, 3.4e38f, -3.4e38f, 88.72f, -103.9f, 2.0f, -2.0f})
    samples.push_back(x);
  for (int i = 0; i < 100000; ++i)
    samples.push_back((i - 50000) * 2.1e-4f);
  while (samples.size() % 8)
    samples.push_back(1.0f);
  return samples;
}

std::vector<double> doubleSamples() {
  std::vector<double> samples;
  for (uint64_t i = 0; i < 200000; ++i)
    samples.push_back(std::bit_cast<double>(i * 92233720368547ull));
  for (double x : {0.0, -0.0, 1.0, -1.0, HUGE_VAL, -HUGE_VAL, std::nan(""),
                   5e-324, 1.7e308, 709.7, -745.0, -708.5})
    samples.push_back(x);
  for (int i = 0; i < 100000; ++i)
    samples.push_back((i - 50000) * 4.1e-4);
  while (samples.size() % 8)
    samples.push_back(1.0);
  return samples;
}

template <typename T>
void checkUnary(const std::string &op, const char *type, Reference reference,
                double limit, const std::vector<T> &samples) {
  for (unsigned width : {8u, 1u}) {
    ScalarProgram program(op, {type, type}, width);
    ASSERT_EQ(program.error(), "") << op;
    std::vector<T> results(samples.size());
    program.run({samples.data()}, {results.data()}, samples.size());
    double worst = 0;
    T at = 0, got = 0;
    for (size_t i = 0; i < samples.size(); ++i) {
      double error = ulpError(results[i], reference(samples[i]));
      if (error > worst)
        worst = error, at = samples[i], got = results[i];
    }
    EXPECT_LE(worst, limit)
        << op << " " << type << " at " << at << " (" << std::hexfloat << at
        << ") got " << got << " want " << reference(at);
    if (width == 8)
      std::cout << op << " " << type << ": " << std::defaultfloat << worst
                << " ULP at " << at << "\n";
  }
}

long double logisticOf(long double x) { return 1 / (1 + std::exp(-x)); }
long double rsqrtOf(long double x) { return 1 / std::sqrt(x); }

struct Case {
  const char *op;
  Reference reference;
  double limit32, limit64;
};

const Case kCases[] = {{"stablehlo.exponential", std::exp, 1, 1},
                       {"stablehlo.exponential_minus_one", std::expm1, 2, 2},
                       {"stablehlo.log", std::log, 1, 1},
                       {"stablehlo.log_plus_one", std::log1p, 2, 2},
                       {"stablehlo.tanh", std::tanh, 2, 2},
                       {"stablehlo.logistic", logisticOf, 2, 2},
                       {"stablehlo.sine", std::sin, 1, 1},
                       {"stablehlo.cosine", std::cos, 1, 1},
                       {"stablehlo.tan", std::tan, 1, 2},
                       {"stablehlo.cbrt", std::cbrt, 1, 1},
                       {"stablehlo.sqrt", std::sqrt, 0.5, 0.5},
                       {"stablehlo.rsqrt", rsqrtOf, 1, 1},
                       {"chlo.asin", std::asin, 1, 2},
                       {"chlo.acos", std::acos, 1, 2},
                       {"chlo.atan", std::atan, 1, 2},
                       {"chlo.sinh", std::sinh, 1, 2},
                       {"chlo.cosh", std::cosh, 1, 2},
                       {"chlo.asinh", std::asinh, 1, 2},
                       {"chlo.acosh", std::acosh, 1, 2},
                       {"chlo.atanh", std::atanh, 1, 2},
                       {"chlo.erf", std::erf, 1, 2},
                       {"chlo.erfc", std::erfc, 1, 4}};

TEST(VectorMath, SingleFunctionsKeepTheirUlps) {
  std::vector<float> samples = floatSamples();
  for (const Case &c : kCases)
    checkUnary<float>(c.op, "f32", c.reference, c.limit32, samples);
}

TEST(VectorMath, DoubleFunctionsKeepTheirUlps) {
  std::vector<double> samples = doubleSamples();
  for (const Case &c : kCases)
    checkUnary<double>(c.op, "f64", c.reference, c.limit64, samples);
}

template <typename T>
void checkBinary(const std::string &op, const char *type, Reference2 reference,
                 double limit) {
  std::vector<T> values = {0.0,
                           -0.0,
                           1,
                           -1,
                           2,
                           -2,
                           3,
                           -3,
                           0.5,
                           -0.5,
                           2.5,
                           7,
                           -8,
                           T(HUGE_VAL),
                           T(-HUGE_VAL),
                           T(std::nan("")),
                           T(1e-40),
                           T(1e30),
                           T(-1e30),
                           T(88.5),
                           T(1e-7),
                           T(0.99999),
                           T(1.0001),
                           T(1e7 + 1),
                           T(33.3)};
  for (int i = 0; i < 300; ++i)
    values.push_back(T(std::sin(i * 1.37) * std::exp(i % 23 - 11)));
  std::vector<T> a, b;
  for (T x : values)
    for (T y : values)
      a.push_back(x), b.push_back(y);
  while (a.size() % 8)
    a.push_back(1), b.push_back(1);
  std::vector<T> results(a.size());
  ScalarProgram program(op, {type, type, type}, 8);
  ASSERT_EQ(program.error(), "") << op;
  program.run({a.data(), b.data()}, {results.data()}, a.size());
  double worst = 0;
  size_t at = 0;
  for (size_t i = 0; i < a.size(); ++i) {
    double error = ulpError(results[i], reference(a[i], b[i]));
    if (error > worst)
      worst = error, at = i;
  }
  EXPECT_LE(worst, limit) << op << " " << type << " at " << a[at] << ", "
                          << b[at] << " got " << results[at] << " want "
                          << reference(a[at], b[at]);
  std::cout << op << " " << type << ": " << worst << " ULP\n";
}

TEST(VectorMath, BinaryFunctionsKeepTheirUlps) {
  checkBinary<float>("stablehlo.power", "f32", std::pow, 1);
  checkBinary<double>("stablehlo.power", "f64", std::pow, 1);
  checkBinary<float>("stablehlo.atan2", "f32", std::atan2, 1);
  checkBinary<double>("stablehlo.atan2", "f64", std::atan2, 1);
  checkBinary<float>("stablehlo.remainder", "f32", std::fmod, 0);
  checkBinary<double>("stablehlo.remainder", "f64", std::fmod, 0);
}

TEST(VectorMath, SpecialFunctionsAtKnownPoints) {
  struct Point {
    const char *op;
    double x, want;
  };
  const Point points[] = {{"chlo.digamma", 1.0, -0.57721566490153286061},
                          {"chlo.digamma", 0.5, -1.9635100260214234794},
                          {"chlo.digamma", -1.5, 0.70315664064524318723},
                          {"chlo.digamma", 100.0, 4.6001618527380874002},
                          {"chlo.lgamma", 0.5, 0.57236494292470008707},
                          {"chlo.lgamma", -1.5, 0.86004701537648101451},
                          {"chlo.erf_inv", 0.5, 0.47693627620446987338},
                          {"chlo.erf_inv", -0.999, -2.3267537655135246714},
                          {"chlo.erf_inv", 1e-12, 8.8622692545275801e-13},
                          {"chlo.bessel_i1e", 1.0, 0.20791041534970844887},
                          {"chlo.bessel_i1e", -20.0, -0.087506222183288665254},
                          {"chlo.bessel_i1e", 0.0, 0.0}};
  for (const Point &p : points) {
    ScalarProgram program(p.op, {"f64", "f64"}, 1);
    ASSERT_EQ(program.error(), "");
    double got = 0;
    program.run({&p.x}, {&got}, 1);
    EXPECT_NEAR(got, p.want, 4e-15 * std::fabs(p.want)) << p.op << " " << p.x;
  }
  struct Point2 {
    const char *op;
    double x, y, want;
  };
  const Point2 points2[] = {
      {"chlo.zeta", 2.0, 1.0, 1.6449340668482264365},
      {"chlo.zeta", 1.5, 3.25, 1.2012173113703717397},
      {"chlo.polygamma", 0.0, 2.0, 0.42278433509846713939},
      {"chlo.polygamma", 1.0, 1.0, 1.6449340668482264365},
      {"chlo.polygamma", 3.0, 2.5, 0.22390584881725205125},
  };
  for (const Point2 &p : points2) {
    ScalarProgram program(p.op, {"f64", "f64", "f64"}, 1);
    ASSERT_EQ(program.error(), "");
    double got = 0;
    program.run({&p.x, &p.y}, {&got}, 1);
    EXPECT_NEAR(got, p.want, 1e-13 * std::fabs(p.want)) << p.op << " " << p.x;
  }
}

} // namespace
} // namespace xlac::codegen::test
