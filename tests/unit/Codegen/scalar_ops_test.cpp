// Compares integer ops exhaustively in 8 and 4 bits, conversions and narrow
// floats with APFloat, and complex functions with the C library in long double.
#include "scalar_jit.h"

#include "xlac/ops/elementwise.h"

#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <complex>
#include <functional>

namespace xlac::codegen::test {
namespace {

using llvm::APFloat;
using llvm::APInt;

struct IntegerCase {
  const char *op;
  std::function<APInt(APInt, APInt, bool)> reference; ///< (a, b, unsigned)
};

APInt quotient(APInt a, APInt b, bool isUnsigned) {
  if (b.isZero())
    return APInt::getAllOnes(a.getBitWidth());
  return isUnsigned ? a.udiv(b) : a.sdiv(b);
}

APInt rest(APInt a, APInt b, bool isUnsigned) {
  if (b.isZero())
    return a;
  return isUnsigned ? a.urem(b) : a.srem(b);
}

APInt power(APInt a, APInt b, bool isUnsigned) {
  APInt one(a.getBitWidth(), 1), result = one;
  if (!isUnsigned && b.isNegative()) {
    if (a.isAllOnes())
      return b[0] ? a : one;
    return a == one ? one : APInt(a.getBitWidth(), 0);
  }
  for (uint64_t i = 0; i < b.getZExtValue(); ++i)
    result *= a;
  return result;
}

APInt highProduct(APInt a, APInt b, bool isUnsigned) {
  unsigned bits = a.getBitWidth();
  APInt wide = isUnsigned ? a.zext(2 * bits) * b.zext(2 * bits)
                          : a.sext(2 * bits) * b.sext(2 * bits);
  return wide.extractBits(bits, bits);
}

const IntegerCase kIntegerCases[] = {
    {"stablehlo.add", [](APInt a, APInt b, bool) { return a + b; }},
    {"stablehlo.subtract", [](APInt a, APInt b, bool) { return a - b; }},
    {"stablehlo.multiply", [](APInt a, APInt b, bool) { return a * b; }},
    {"stablehlo.divide", quotient},
    {"stablehlo.remainder", rest},
    {"stablehlo.power", power},
    {"chlo.mulhi", highProduct},
    {"stablehlo.and", [](APInt a, APInt b, bool) { return a & b; }},
    {"stablehlo.or", [](APInt a, APInt b, bool) { return a | b; }},
    {"stablehlo.xor", [](APInt a, APInt b, bool) { return a ^ b; }},
    {"stablehlo.maximum",
     [](APInt a, APInt b, bool u) {
       return (u ? a.ugt(b) : a.sgt(b)) ? a : b;
     }},
    {"stablehlo.minimum",
     [](APInt a, APInt b, bool u) {
       return (u ? a.ult(b) : a.slt(b)) ? a : b;
     }},
    {"stablehlo.shift_left", [](APInt a, APInt b, bool) { return a.shl(b); }},
    {"stablehlo.shift_right_logical",
     [](APInt a, APInt b, bool) { return a.lshr(b); }},
    {"stablehlo.shift_right_arithmetic",
     [](APInt a, APInt b, bool) { return a.ashr(b); }},
    {"stablehlo.not", [](APInt a, APInt, bool) { return ~a; }},
    {"stablehlo.negate", [](APInt a, APInt, bool) { return -a; }},
    {"stablehlo.abs", [](APInt a, APInt, bool u) { return u ? a : a.abs(); }},
    {"stablehlo.popcnt",
     [](APInt a, APInt, bool) { return APInt(a.getBitWidth(), a.popcount()); }},
    {"stablehlo.count_leading_zeros",
     [](APInt a, APInt, bool) {
       return APInt(a.getBitWidth(), a.countl_zero());
     }},
    {"stablehlo.sign", [](APInt a, APInt, bool u) {
       unsigned bits = a.getBitWidth();
       if (a.isZero())
         return a;
       return !u && a.isNegative() ? APInt::getAllOnes(bits) : APInt(bits, 1);
     }}};

bool isUnary(const std::string &op) {
  for (const char *name : {"not", "negate", "abs", "popcnt", "zeros", "sign"})
    if (op.ends_with(name))
      return true;
  return false;
}

void checkInteger(const IntegerCase &c, const std::string &type,
                  unsigned bits) {
  bool isUnsigned = type[0] == 'u';
  std::vector<int8_t> a, b;
  for (int x = 0; x < (1 << bits); ++x)
    for (int y = 0; y < (1 << bits); ++y) {
      APInt p(bits, x), q(bits, y);
      a.push_back(isUnsigned ? p.getZExtValue() : p.getSExtValue());
      b.push_back(isUnsigned ? q.getZExtValue() : q.getSExtValue());
    }
  for (unsigned width : {1u, 8u}) {
    std::vector<std::string> types(isUnary(c.op) ? 2 : 3, type);
    ScalarProgram program(c.op, types, width);
    ASSERT_EQ(program.error(), "") << c.op << " " << type;
    std::vector<int8_t> results(a.size());
    std::vector<const void *> inputs{a.data()};
    if (!isUnary(c.op))
      inputs.push_back(b.data());
    program.run(inputs, {results.data()}, a.size());
    for (size_t i = 0; i < a.size(); ++i) {
      APInt want = c.reference(APInt(8, uint8_t(a[i])).trunc(bits),
                               APInt(8, uint8_t(b[i])).trunc(bits), isUnsigned);
      int8_t value = isUnsigned ? want.getZExtValue() : want.getSExtValue();
      ASSERT_EQ(int(results[i]), int(value))
          << c.op << " " << type << " of " << int(a[i]) << ", " << int(b[i]);
    }
  }
}

TEST(ScalarOps, IntegersWrapAndNeverTrap) {
  for (const IntegerCase &c : kIntegerCases) {
    checkInteger(c, "i8", 8);
    checkInteger(c, "ui8", 8);
    checkInteger(c, "i4", 4);
    checkInteger(c, "ui4", 4);
    checkInteger(c, "i2", 2);
  }
}

TEST(ScalarOps, WideIntegersDivide) {
  const int64_t low = std::numeric_limits<int64_t>::min();
  std::vector<int64_t> a = {low, low, 7, -7, 5, low, 1, 0};
  std::vector<int64_t> b = {-1, 0, 0, 2, -3, 1, low, 5};
  std::vector<int64_t> q = {low, -1, -1, -3, -1, low, 0, 0};
  std::vector<int64_t> r = {0, low, 7, -1, 2, 0, 1, 0};
  std::vector<int64_t> got(8);
  ScalarProgram divide("stablehlo.divide", {"i64", "i64", "i64"}, 4);
  divide.run({a.data(), b.data()}, {got.data()}, 8);
  EXPECT_EQ(got, q);
  ScalarProgram rem("stablehlo.remainder", {"i64", "i64", "i64"}, 2);
  rem.run({a.data(), b.data()}, {got.data()}, 8);
  EXPECT_EQ(got, r);
}

const llvm::fltSemantics &semanticsOf(const std::string &type) {
  if (type == "f16")
    return APFloat::IEEEhalf();
  if (type == "bf16")
    return APFloat::BFloat();
  if (type == "f8E4M3FN")
    return APFloat::Float8E4M3FN();
  if (type == "f8E5M2")
    return APFloat::Float8E5M2();
  if (type == "f8E4M3")
    return APFloat::Float8E4M3();
  if (type == "f8E3M4")
    return APFloat::Float8E3M4();
  if (type == "f8E4M3FNUZ")
    return APFloat::Float8E4M3FNUZ();
  if (type == "f8E5M2FNUZ")
    return APFloat::Float8E5M2FNUZ();
  if (type == "f8E4M3B11FNUZ")
    return APFloat::Float8E4M3B11FNUZ();
  if (type == "f6E2M3FN")
    return APFloat::Float6E2M3FN();
  if (type == "f6E3M2FN")
    return APFloat::Float6E3M2FN();
  return APFloat::Float4E2M1FN();
}

const char *const kNarrowTypes[] = {"f16",        "bf16",       "f8E4M3FN",
                                    "f8E5M2",     "f8E4M3",     "f8E3M4",
                                    "f8E4M3FNUZ", "f8E5M2FNUZ", "f8E4M3B11FNUZ",
                                    "f6E2M3FN",   "f6E3M2FN",   "f4E2M1FN"};

TEST(ScalarOps, NarrowFloatsDecodeAndEncodeExactly) {
  for (std::string type : kNarrowTypes) {
    const llvm::fltSemantics &semantics = semanticsOf(type);
    unsigned bits = APFloat::getSizeInBits(semantics);
    if (bits < 8)
      continue; // there is no integer type of that width to cast from
    std::string integer = "ui" + std::to_string(bits);
    std::vector<uint16_t> codes;
    std::vector<uint8_t> bytes;
    for (unsigned code = 0; code < (1u << bits); ++code) {
      codes.push_back(code);
      bytes.push_back(code);
    }
    const void *input = bits > 8 ? static_cast<void *>(codes.data())
                                 : static_cast<void *>(bytes.data());
    std::vector<float> values(codes.size());
    ScalarProgram decode("stablehlo.bitcast_convert", {integer, type}, 8);
    ASSERT_EQ(decode.error(), "") << type;
    decode.run({input}, {values.data()}, values.size());
    for (unsigned code = 0; code < values.size(); ++code) {
      APFloat want(semantics, APInt(bits, code));
      if (want.isNaN()) {
        EXPECT_TRUE(std::isnan(values[code])) << type << " " << code;
        continue;
      }
      bool lost;
      want.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
      EXPECT_EQ(std::bit_cast<uint32_t>(values[code]),
                std::bit_cast<uint32_t>(want.convertToFloat()))
          << type << " " << code;
    }
  }
}

TEST(ScalarOps, ConversionsToNarrowFloatsRoundOnce) {
  std::vector<double> samples;
  for (uint64_t i = 0; i < 4000; ++i) {
    uint64_t fraction = i * 0x9e3779b97f4a7c15ull >> 12;
    if (i % 3 == 0) // near a tie of some type
      fraction = ((i * 77773 % 4096) << 40) + (i % 5) - 2;
    uint64_t exponent = 1023 - 30 + i % 60;
    samples.push_back(std::bit_cast<double>((i % 2) << 63 | exponent << 52 |
                                            (fraction & 0xfffffffffffffull)));
  }
  samples.insert(samples.end(), {0.0, -0.0, 448.0, 464.0, 465.0, 480.0, 6.0,
                                 1e300, 65519.9, 65520.0, 1e-300, -7.0});
  while (samples.size() % 8)
    samples.push_back(0.1);
  for (std::string type : kNarrowTypes) {
    const llvm::fltSemantics &semantics = semanticsOf(type);
    ScalarProgram program("stablehlo.convert", {"f64", type}, 8);
    ASSERT_EQ(program.error(), "") << type;
    std::vector<float> results(samples.size());
    program.run({samples.data()}, {results.data()}, samples.size());
    for (size_t i = 0; i < samples.size(); ++i) {
      APFloat want(samples[i]);
      bool lost;
      want.convert(semantics, APFloat::rmNearestTiesToEven, &lost);
      if (want.isNaN()) {
        EXPECT_TRUE(std::isnan(results[i])) << type << " " << samples[i];
        continue;
      }
      want.convert(APFloat::IEEEsingle(), APFloat::rmNearestTiesToEven, &lost);
      EXPECT_EQ(results[i], want.convertToFloat())
          << type << " of " << samples[i];
    }
  }
}

template <typename From, typename To>
void checkConvert(const char *from, const char *to, std::vector<From> inputs,
                  std::vector<To> wanted) {
  ScalarProgram program("stablehlo.convert", {from, to}, 1);
  ASSERT_EQ(program.error(), "");
  std::vector<To> results(inputs.size());
  program.run({inputs.data()}, {results.data()}, inputs.size());
  EXPECT_EQ(results, wanted) << from << " to " << to;
}

TEST(ScalarOps, ConversionsSaturateAndTruncate) {
  const float inf = HUGE_VALF, nan = std::nanf("");
  checkConvert<float, int32_t>("f32", "i32", {1.9f, -1.9f, 3e9f, -inf, nan},
                               {1, -1, INT32_MAX, INT32_MIN, 0});
  checkConvert<float, uint8_t>("f32", "ui8", {255.9f, -3.f, 300.f, nan},
                               {255, 0, 255, 0});
  checkConvert<float, int8_t>("f32", "i4", {7.5f, -9.f, 100.f, 3.f},
                              {7, -8, 7, 3});
  checkConvert<float, uint8_t>("f32", "i1", {0.f, -0.f, 0.5f, nan},
                               {0, 0, 1, 1});
  checkConvert<int32_t, int8_t>("i32", "i8", {300, -129, 5}, {44, 127, 5});
  checkConvert<int32_t, int8_t>("i32", "i4", {9, -9, 5}, {-7, 7, 5});
  checkConvert<uint8_t, int32_t>("ui8", "i32", {255, 1}, {255, 1});
  checkConvert<uint8_t, float>("i1", "f32", {1, 0}, {1.f, 0.f});
  checkConvert<int64_t, float>("i64", "bf16",
                               {0x0101000000000001, 0x0101000000000000},
                               {0x1.02p56f, 0x1.00p56f});
  checkConvert<uint64_t, double>("ui64", "f64", {~0ull}, {0x1p64});
}

using LongComplex = std::complex<long double>;

struct ComplexCase {
  const char *op;
  LongComplex (*reference)(const LongComplex &);
  double tolerance; ///< relative to |want|
};

template <typename Part>
void checkComplex(const ComplexCase &c, const std::string &type,
                  double epsilon) {
  std::vector<Part> re, im;
  for (int i = 0; i < 64; ++i)
    for (int j = 0; j < 64; ++j) {
      re.push_back(Part((i - 31.5) * std::exp(i % 7 - 3) * 0.11));
      im.push_back(Part((j - 31.5) * std::exp(j % 5 - 3) * 0.13));
    }
  std::vector<Part> gotRe(re.size()), gotIm(re.size());
  ScalarProgram program(c.op, {type, type}, 4);
  ASSERT_EQ(program.error(), "") << c.op;
  program.run({re.data(), im.data()}, {gotRe.data(), gotIm.data()}, re.size());
  for (size_t i = 0; i < re.size(); ++i) {
    LongComplex want = c.reference({re[i], im[i]});
    LongComplex got(gotRe[i], gotIm[i]);
    if (std::abs(want) > std::numeric_limits<Part>::max() / 2)
      continue;
    EXPECT_LE(std::abs(got - want), c.tolerance * epsilon * std::abs(want))
        << c.op << " " << type << " of " << re[i] << ", " << im[i] << ": got "
        << got << " want " << want;
  }
}

TEST(ScalarOps, ComplexFunctions) {
  const ComplexCase cases[] = {
      {"stablehlo.exponential", std::exp, 4},
      {"stablehlo.log", std::log, 2},
      {"stablehlo.log_plus_one",
       [](const LongComplex &z) { return std::log(1.0L + z); }, 4},
      {"stablehlo.exponential_minus_one",
       [](const LongComplex &z) { return std::exp(z) - 1.0L; }, 8},
      {"stablehlo.sqrt", std::sqrt, 2},
      {"stablehlo.rsqrt",
       [](const LongComplex &z) { return 1.0L / std::sqrt(z); }, 3},
      {"stablehlo.sine", std::sin, 3},
      {"stablehlo.cosine", std::cos, 3},
      {"stablehlo.tan", std::tan, 5},
      {"stablehlo.tanh", std::tanh, 5},
      {"stablehlo.logistic",
       [](const LongComplex &z) { return 1.0L / (1.0L + std::exp(-z)); }, 6},
      {"chlo.sinh", std::sinh, 3},
      {"chlo.cosh", std::cosh, 3},
      {"chlo.asin", std::asin, 4},
      {"chlo.acos", std::acos, 4},
      {"chlo.atan", std::atan, 4},
      {"chlo.asinh", std::asinh, 4},
      {"chlo.acosh", std::acosh, 4},
      {"chlo.atanh", std::atanh, 4}};
  for (const ComplexCase &c : cases) {
    checkComplex<float>(c, "complex<f32>", 0x1p-24);
    checkComplex<double>(c, "complex<f64>", 0x1p-53);
  }
}

TEST(ScalarOps, ComplexFunctionsOfInfiniteParts) {
  const double inf = std::numeric_limits<double>::infinity();
  std::vector<double> re = {30, 30, inf, -inf, -inf, 1},
                      im = {inf, 1, inf, inf, 1, inf};
  std::string type = "complex<f64>";
  auto parts = [&](const char *op) {
    std::pair<std::vector<double>, std::vector<double>> got;
    got.first.resize(re.size());
    got.second.resize(re.size());
    ScalarProgram program(op, {type, type}, 2);
    EXPECT_EQ(program.error(), "");
    program.run({re.data(), im.data()}, {got.first.data(), got.second.data()},
                re.size());
    return got;
  };
  auto tanh = parts("stablehlo.tanh");
  auto expm1 = parts("stablehlo.exponential_minus_one");
  for (size_t i = 0; i < re.size(); ++i) {
    bool defined = std::isinf(re[i]) || !std::isinf(im[i]);
    EXPECT_EQ(!std::isnan(tanh.first[i]), defined) << i;
    EXPECT_EQ(!std::isnan(tanh.second[i]), defined) << i;
    EXPECT_EQ(std::isnan(expm1.second[i]), std::isinf(im[i])) << i;
  }
}

TEST(ScalarOps, ComplexQuotients) {
  std::vector<double> a = {1, 2, 1e300, 1, 0, 3, 1, -5};
  std::vector<double> b = {2, -1, 1e300, 0, 1, 4, 1, 1e-5};
  std::vector<double> c = {3, 1, 1e300, 1e-300, 1, 0, 1e-308, 7};
  std::vector<double> d = {4, 1, 1e299, 1e-300, 1, 2, 0, 1e5};
  std::vector<double> re(8), im(8);
  std::string type = "complex<f64>";
  ScalarProgram divide("stablehlo.divide", {type, type, type}, 4);
  ASSERT_EQ(divide.error(), "");
  divide.run({a.data(), b.data(), c.data(), d.data()}, {re.data(), im.data()},
             8);
  for (int i = 0; i < 8; ++i) {
    LongComplex want = LongComplex(a[i], b[i]) / LongComplex(c[i], d[i]);
    EXPECT_LE(std::abs(LongComplex(re[i], im[i]) - want),
              4 * 0x1p-53 * std::abs(want))
        << i;
  }
}

TEST(ScalarOps, ComparisonsAndSelection) {
  std::vector<float> a = {-0.0f, 0.0f, std::nanf(""), 1, 2, -1, 3, HUGE_VALF};
  std::vector<float> b = {0.0f, 0.0f, 1, std::nanf(""), 2, -2, 4, HUGE_VALF};
  std::vector<uint8_t> got(8);
  ScalarProgram less("stablehlo.compare", {"f32", "f32", "i1"}, 8,
                     "{comparison_direction = \"LT\"}");
  ASSERT_EQ(less.error(), "");
  less.run({a.data(), b.data()}, {got.data()}, 8);
  EXPECT_EQ(got, (std::vector<uint8_t>{0, 0, 0, 0, 0, 0, 1, 0}));
  ScalarProgram total(
      "stablehlo.compare", {"f32", "f32", "i1"}, 8,
      "{comparison_direction = \"LT\", compare_type = \"TOTALORDER\"}");
  total.run({a.data(), b.data()}, {got.data()}, 8);
  EXPECT_EQ(got, (std::vector<uint8_t>{1, 0, 0, 1, 0, 0, 1, 0}));
}

/// Compares with IEEE 754-2019: NaN propagates, and -0 is less than 0.
template <typename Float>
void checkExtremes(const std::string &type, unsigned width) {
  using Limits = std::numeric_limits<Float>;
  const Float values[] = {Limits::quiet_NaN(),
                          -Limits::infinity(),
                          -1,
                          -0.0,
                          0.0,
                          Limits::denorm_min(),
                          1,
                          Limits::infinity()};
  std::vector<Float> a, b, got(64);
  for (Float left : values)
    for (Float right : values) {
      a.push_back(left);
      b.push_back(right);
    }
  for (bool isMaximum : {false, true}) {
    ScalarProgram program(isMaximum ? "stablehlo.maximum" : "stablehlo.minimum",
                          {type, type, type}, width);
    ASSERT_EQ(program.error(), "");
    program.run({a.data(), b.data()}, {got.data()}, got.size());
    // The values are in their order, from the second on.
    for (size_t i = 0; i < got.size(); ++i) {
      SCOPED_TRACE(testing::Message() << type << " x " << width << ": " << a[i]
                                      << ", " << b[i] << ", " << isMaximum);
      size_t most = std::max(i / 8, i % 8), least = std::min(i / 8, i % 8);
      if (least == 0) {
        EXPECT_TRUE(std::isnan(got[i]));
        continue;
      }
      Float want = values[isMaximum ? most : least];
      EXPECT_EQ(got[i], want);
      EXPECT_EQ(std::signbit(got[i]), std::signbit(want));
    }
  }
}

TEST(ScalarOps, MaximaAndMinimaOfSpecialValues) {
  for (unsigned width : {1, 2, 8, 16, 32}) {
    checkExtremes<float>("f32", width);
    checkExtremes<double>("f64", width);
  }
}

TEST(ScalarOps, ReducedPrecision) {
  std::vector<float> a = {1.0009765625f, 70000.f, 1e-9f, -1e-9f};
  std::vector<float> got(4);
  ScalarProgram program("stablehlo.reduce_precision", {"f32", "f32"}, 1,
                        "{exponent_bits = 5 : i32, mantissa_bits = 9 : i32}");
  ASSERT_EQ(program.error(), "");
  program.run({a.data()}, {got.data()}, 4);
  EXPECT_EQ(got, (std::vector<float>{1.0f, HUGE_VALF, 0.0f, -0.0f}));
  EXPECT_TRUE(std::signbit(got[3]));
}

TEST(ScalarOps, MeaninglessCombinationsAreRefused) {
  ScalarProgram sine("stablehlo.sine", {"i32", "i32"}, 1);
  EXPECT_NE(sine.error().find("stablehlo.sine"), std::string::npos);
  ScalarProgram shift("stablehlo.shift_left", {"f32", "f32", "f32"}, 1);
  EXPECT_NE(shift.error(), "");
}

/// Returns the operand types of an op: the number of operands, and types that
/// differ from the given one.
std::vector<std::string> signatureOf(const std::string &op,
                                     const std::string &type) {
  if (op == "stablehlo.compare")
    return {type, type, "i1"};
  if (op == "stablehlo.select")
    return {"i1", type, type, type};
  if (op == "stablehlo.clamp")
    return {type, type, type, type};
  if (ops::facts(*ops::find_op(op)).operands.size() == 2)
    return {type, type, type};
  if (op.ends_with("finite") || op.ends_with("_inf"))
    return {type, "i1"};
  return {type, type};
}

TEST(ScalarOps, NoTargetNeedsALibrary) {
  const std::vector<Target> targets = {
      {{"baseline", 0, 128}, "x86-64"},
      {{"avx512", kFeatureAvx2 | kFeatureAvx512, 512}, "skylake-avx512"}};
  using ops::OpKind;
  std::vector<std::string> names;
  for (int i = 0; i < ops::kOpKindCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    const ops::ElementwiseFacts *facts = ops::elementwise_facts(kind);
    // Ops whose result has another type are tested separately.
    if (facts && facts->has_lanes && kind != OpKind::Complex &&
        kind != OpKind::Real && kind != OpKind::Imag &&
        kind != OpKind::Convert && kind != OpKind::ChloConstantLike)
      names.emplace_back(ops::op_name(kind));
  }
  EXPECT_GT(names.size(), 60u);
  for (const Target &target : targets)
    for (const std::string &op : names)
      for (const char *type :
           {"f32", "f64", "f16", "bf16", "i32", "ui64", "complex<f32>"}) {
        ScalarProgram program(
            op, signatureOf(op, type), 8,
            "{comparison_direction = \"LT\", exponent_bits = 5 : "
            "i32, mantissa_bits = 9 : i32}",
            target);
        bool refused = program.error().starts_with("no code for");
        EXPECT_TRUE(program.error().empty() || refused)
            << op << " " << type << " " << target.cpu << ": "
            << program.error();
      }
  for (const Target &target : targets)
    for (const char *from : {"f32", "f64", "f16", "f8E4M3FN", "i4", "ui8",
                             "i32", "i64", "ui64", "i1"})
      for (const char *to : {"f32", "f64", "f16", "bf16", "f8E5M2", "i4", "ui8",
                             "i32", "i64", "ui64", "i1"}) {
        ScalarProgram program("stablehlo.convert", {from, to}, 8, "", target);
        EXPECT_EQ(program.error(), "") << from << " to " << to;
      }
}

} // namespace
} // namespace xlac::codegen::test
