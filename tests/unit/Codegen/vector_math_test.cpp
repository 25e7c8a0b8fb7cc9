// The accuracy of vector functions, compared with wider arithmetic of the C
// library.
#include "scalar_jit.h"

#include "xlac/ops/elementwise.h"

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
                double limit, const std::vector<T> &samples,
                const Target &target = {}) {
  for (unsigned width : {8u, 1u}) {
    ScalarProgram program(op, {type, type}, width, "", target);
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

// Without fused multiply-add.
const Target kBaseline = {{"baseline", 0, 128}, "x86-64"};

const Target kAvx512 = {{"avx512", kFeatureAvx2 | kFeatureAvx512, 512}, ""};

struct Case {
  std::string op;
  Reference reference;
  ops::Accuracy limits; ///< from the op table
};

Case caseOf(ops::OpKind kind, Reference reference) {
  const ops::Accuracy *accuracy = ops::accuracy_of(kind);
  ops::Accuracy rounded{};
  rounded.ulps32 = rounded.ulps64 = 0.5;
  rounded.unfused32 = rounded.unfused64 = 0.5;
  return {std::string(ops::op_name(kind)), reference,
          accuracy ? *accuracy : rounded};
}

/// The functions of the C library, and two more.
const std::vector<Case> &cases() {
  static const std::vector<Case> list = {
      caseOf(ops::OpKind::Logistic, logisticOf),
      caseOf(ops::OpKind::Rsqrt, rsqrtOf),
#define XLAC_LIBM_1(kind, function)                                            \
  caseOf(ops::OpKind::kind, [](long double x) { return std::function(x); }),
#include "xlac/ops/elementwise_functions.inc"
  };
  return list;
}

TEST(VectorMath, SingleFunctionsKeepTheirUlps) {
  std::vector<float> samples = floatSamples();
  for (const Case &c : cases())
    checkUnary<float>(c.op, "f32", c.reference, c.limits.ulps32, samples);
}

TEST(VectorMath, SingleFunctionsKeepTheirUlpsWithAvx512) {
  if (!host_supports(kFeatureAvx512))
    GTEST_SKIP() << "this machine has no AVX512";
  std::vector<float> samples = floatSamples();
  for (const Case &c : cases())
    checkUnary<float>(c.op, "f32", c.reference, c.limits.ulps32, samples,
                      kAvx512);
}

/// The instructions of AVX512 give the same bits as other code, in vectors of
/// any width.
TEST(VectorMath, InstructionsOfAvx512GiveTheSameBits) {
  if (!host_supports(kFeatureAvx512))
    GTEST_SKIP() << "this machine has no AVX512";
  std::vector<float> a = floatSamples();
  while (a.size() % 160)
    a.push_back(0.25f);
  // Pairs of different magnitudes, and some equal ones.
  std::vector<float> b(a.rbegin(), a.rend());
  for (size_t i = 0; i < b.size(); i += 7)
    b[i] = a[i];
  struct Op {
    std::string name;
    int operands;
    bool anywhere; ///< the same bits without AVX512
  };
  for (const auto &[op, operands, anywhere] :
       {Op{"stablehlo.exponential", 1, true}, Op{"stablehlo.maximum", 2, true},
        Op{"stablehlo.minimum", 2, true}, Op{"chlo.erf", 1, false},
        Op{"stablehlo.tanh", 1, false}}) {
    std::vector<std::string> types(operands + 1, "f32");
    std::vector<const void *> inputs{a.data(), b.data()};
    inputs.resize(operands);
    std::vector<float> wanted(a.size());
    ScalarProgram plain(op, types, 8, "", anywhere ? Target() : kAvx512);
    ASSERT_EQ(plain.error(), "") << op;
    plain.run(inputs, {wanted.data()}, a.size());
    for (unsigned width : {1u, 5u, 8u, 16u, 32u, 40u}) {
      std::vector<float> got(a.size());
      ScalarProgram program(op, types, width, "", kAvx512);
      ASSERT_EQ(program.error(), "") << op;
      program.run(inputs, {got.data()}, a.size());
      for (size_t i = 0; i < a.size(); ++i)
        if (!std::isnan(wanted[i]) || !std::isnan(got[i]))
          ASSERT_EQ(std::bit_cast<uint32_t>(got[i]),
                    std::bit_cast<uint32_t>(wanted[i]))
              << op << " of " << a[i] << " in " << width << " lanes";
    }
  }
}

TEST(VectorMath, SingleFunctionsNeedNoFusedMultiply) {
  std::vector<float> samples = floatSamples();
  for (const Case &c : cases())
    checkUnary<float>(c.op, "f32", c.reference, c.limits.unfused32, samples,
                      kBaseline);
}

TEST(VectorMath, DoubleFunctionsKeepTheirUlps) {
  std::vector<double> samples = doubleSamples();
  for (const Case &c : cases())
    checkUnary<double>(c.op, "f64", c.reference, c.limits.ulps64, samples);
}

TEST(VectorMath, DoubleFunctionsNeedNoFusedMultiply) {
  std::vector<double> samples = doubleSamples();
  for (const Case &c : cases())
    checkUnary<double>(c.op, "f64", c.reference, c.limits.unfused64, samples,
                       kBaseline);
}

template <typename T>
void checkBinary(const std::string &op, const char *type, Reference2 reference,
                 double limit, const Target &target = {}) {
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
  ScalarProgram program(op, {type, type, type}, 8, "", target);
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

/// Uses the limit of the op table, with and without fused multiply-add.
template <typename T>
void checkBinary(ops::OpKind kind, const char *type, Reference2 reference,
                 const Target &target) {
  const ops::Accuracy &accuracy = *ops::accuracy_of(kind);
  checkBinary<T>(std::string(ops::op_name(kind)), type, reference,
                 sizeof(T) == 4 ? accuracy.ulps32 : accuracy.ulps64, target);
}

TEST(VectorMath, BinaryFunctionsKeepTheirUlps) {
  for (const Target &target : {Target(), kBaseline}) {
    checkBinary<float>("stablehlo.remainder", "f32", std::fmod, 0, target);
    checkBinary<double>("stablehlo.remainder", "f64", std::fmod, 0, target);
#define XLAC_LIBM_2(kind, function)                                            \
  checkBinary<float>(ops::OpKind::kind, "f32", std::function, target);         \
  checkBinary<double>(ops::OpKind::kind, "f64", std::function, target);
#include "xlac/ops/elementwise_functions.inc"
  }
}

struct Point {
  const char *op;
  double x, want;
};
struct Point2 {
  const char *op;
  double x, y, want;
};

double valueAt(const Point &p, const Target &target) {
  ScalarProgram program(p.op, {"f64", "f64"}, 1, "", target);
  EXPECT_EQ(program.error(), "");
  double got = 0;
  program.run({&p.x}, {&got}, 1);
  return got;
}

double valueAt(const Point2 &p, const Target &target) {
  ScalarProgram program(p.op, {"f64", "f64", "f64"}, 1, "", target);
  EXPECT_EQ(program.error(), "");
  double got = 0;
  program.run({&p.x, &p.y}, {&got}, 1);
  return got;
}

TEST(VectorMath, AnglesOfAnySize) {
  constexpr double largest = std::numeric_limits<double>::max();
  // The f64 number nearest to a multiple of pi / 2.
  constexpr double nearest = 0x1.6ac5b262ca1ffp+849;
  const Point points[] = {
      {"stablehlo.sine", 1e22, -0.852200849767188801773},
      {"stablehlo.cosine", 1e22, 0.523214785395138945498},
      {"stablehlo.tan", 1e22, -1.62877822560689887855},
      {"stablehlo.sine", -1e22, 0.852200849767188801773},
      {"stablehlo.cosine", nearest, -4.68716592425462761112e-19},
      {"stablehlo.sine", nearest, 1},
      {"stablehlo.tan", nearest, -2133485385753703843.67},
      {"stablehlo.sine", largest, 0.0049619547891840617905},
      {"stablehlo.cosine", largest, -0.999987689426559937465},
      {"stablehlo.cosine", 0x1p1000, 0.98724607759891348424},
      {"stablehlo.sine", 1000000000000000.5, 0.507167052484319212877}};
  for (const Target &target : {Target(), kBaseline})
    for (const Point &p : points) {
      double got = valueAt(p, target);
      EXPECT_LE(std::fabs(got - p.want), 0x1p-52 * std::fabs(p.want))
          << p.op << " " << p.x;
    }
}

TEST(VectorMath, RemaindersOfFarOperands) {
  const Point2 points[] = {
      {"stablehlo.remainder", 1.7e308, 5e-324, 0},
      {"stablehlo.remainder", 1.7e308, 3e-323, std::fmod(1.7e308, 3e-323)},
      {"stablehlo.remainder", -1e300, 1.1e-310, std::fmod(-1e300, 1.1e-310)},
      {"stablehlo.remainder", 2e-308, 1.5e-323, std::fmod(2e-308, 1.5e-323)},
      {"stablehlo.remainder", 1e22, -0.7, std::fmod(1e22, -0.7)}};
  for (const Target &target : {Target(), kBaseline})
    for (const Point2 &p : points)
      EXPECT_EQ(valueAt(p, target), p.want) << p.x << " by " << p.y;
}

TEST(VectorMath, SpecialFunctionsAtKnownPoints) {
  const Point points[] = {{"chlo.digamma", 1.0, -0.57721566490153286061},
                          {"chlo.digamma", 0.5, -1.9635100260214234794},
                          {"chlo.digamma", -1.5, 0.70315664064524318723},
                          {"chlo.digamma", 100.0, 4.6001618527380874002},
                          {"chlo.lgamma", 0.5, 0.57236494292470008707},
                          {"chlo.lgamma", -1.5, 0.86004701537648101451},
                          {"chlo.lgamma", -100.5, -364.900968309427351823},
                          {"chlo.lgamma", 2.5e305, 1.75551186023764525e308},
                          {"chlo.lgamma", 1e-300, 690.77552789821370518},
                          {"chlo.lgamma", 1.000001, -5.77214842387414665e-7},
                          {"chlo.digamma", -100000.25, 14.6545256185360634},
                          {"chlo.erf_inv", 0.5, 0.47693627620446987338},
                          {"chlo.erf_inv", -0.999, -2.3267537655135246714},
                          {"chlo.erf_inv", 1e-12, 8.8622692545275801e-13},
                          {"chlo.bessel_i1e", 1.0, 0.20791041534970844887},
                          {"chlo.bessel_i1e", -20.0, -0.087506222183288665254},
                          {"chlo.bessel_i1e", 0.0, 0.0}};
  for (const Point &p : points)
    EXPECT_NEAR(valueAt(p, {}), p.want, 0x1p-51 * std::fabs(p.want))
        << p.op << " " << p.x;
  const Point2 points2[] = {
      {"chlo.zeta", 2.0, 1.0, 1.6449340668482264365},
      {"chlo.zeta", 1.5, 3.25, 1.2012173113703717397},
      {"chlo.zeta", 2.0, -0.5, 8.93480220054467930942},
      {"chlo.zeta", 3.0, -0.5, 0.414398322117159997798},
      {"chlo.zeta", 2.0, -10.5, 9.77875773981481238450},
      {"chlo.zeta", 3.0, -10.25, -62.0082360107435524583},
      {"chlo.polygamma", 0.0, 2.0, 0.42278433509846713939},
      {"chlo.polygamma", 1.0, 1.0, 1.6449340668482264365},
      {"chlo.polygamma", 3.0, 2.5, 0.22390584881725205125},
      {"chlo.polygamma", 21.0, 0.75, 2.864152384535022849e+22},
      {"chlo.polygamma", 40.0, -2.5, -4.025963223635952081e+25},
      {"chlo.polygamma", 170.0, 1000.0, -4.642275481885540898e-206},
      {"chlo.polygamma", 200.0, 1000.0, -4.350819270597101567e-228},
      {"chlo.polygamma", 1000.0, 500.25, -6.048150364868072471e-135},
  };
  for (const Point2 &p : points2)
    EXPECT_NEAR(valueAt(p, {}), p.want, 0x1p-51 * std::fabs(p.want))
        << p.op << " " << p.x << " " << p.y;
}

TEST(VectorMath, PolesOfZeta) {
  EXPECT_EQ(valueAt(Point2{"chlo.zeta", 2, -1, 0}, {}), HUGE_VAL);
  EXPECT_EQ(valueAt(Point2{"chlo.zeta", 4, 0, 0}, {}), HUGE_VAL);
  EXPECT_EQ(valueAt(Point2{"chlo.zeta", 1, -1, 0}, {}), HUGE_VAL);
  EXPECT_TRUE(std::isnan(valueAt(Point2{"chlo.zeta", 3, -1, 0}, {})));
  EXPECT_TRUE(std::isnan(valueAt(Point2{"chlo.zeta", 2.5, -0.5, 0}, {})));
  EXPECT_TRUE(std::isnan(valueAt(Point2{"chlo.zeta", 0.5, 2, 0}, {})));
}

} // namespace
} // namespace xlac::codegen::test
