// Rounding to bf16 in compiled kernels, on every bf16 and on floats at every
// boundary between two of them, against a rounding in plain C++.
#include "kernel_runner.h"

#include "xlac/ops/elementwise.h"

#include "gtest/gtest.h"

#include <bit>
#include <functional>

using namespace xlac;
using namespace xlac::test;

namespace {

using Floats = std::vector<float>;
using Codes = std::vector<uint16_t>;

float decode(uint16_t code) { return std::bit_cast<float>(code * 65536u); }

/// Rounds to nearest, ties to even.
uint16_t encode(float value) {
  uint32_t bits = std::bit_cast<uint32_t>(value);
  if (value != value)
    return uint16_t(bits >> 16 | 0x40);
  uint32_t rest = bits & 0xffff, code = bits >> 16;
  return uint16_t(code + (rest > 0x8000 || (rest == 0x8000 && code % 2 == 1)));
}

bool isNan(uint16_t code) { return (code & 0x7fff) > 0x7f80; }

/// The profiles that this machine can run.
std::vector<TargetProfile> profiles() {
  std::vector<TargetProfile> all = {baselineProfile(), avx2Profile()};
  for (const char *name : {"avx512", "avx512-bf16"})
    if (TargetProfile wide = *find_profile(name); host_supports(wide.features))
      all.push_back(wide);
  return all;
}

Codes everyCode() {
  Codes codes(1 << 16);
  for (size_t i = 0; i < codes.size(); ++i)
    codes[i] = uint16_t(i);
  return codes;
}

std::string type(size_t count, const std::string &element) {
  return "tensor<" + std::to_string(count) + "x" + element + ">";
}

std::string line(const std::string &result, const std::string &op,
                 const std::string &operands, const std::string &from,
                 const std::string &to) {
  bool two = operands.find(',') != std::string::npos;
  return result + " = \"" + op + "\"(" + operands + ") : (" + from +
         (two ? ", " + from : "") + ") -> " + to + "\n";
}

std::string kernel(const std::string &arguments, const std::string &body,
                   const std::string &result, const std::string &type) {
  return "xlac.kernel @k <loop> {\n^bb0(" + arguments + "):\n" + body +
         "xlac.yield " + result + " : " + type + "\n}\n";
}

/// Runs a kernel with one result on every profile and compares its bits; any
/// NaN equals any other.
void expectCodes(const std::string &text, const std::vector<Data> &operands,
                 const Codes &expected) {
  for (const TargetProfile &profile : profiles()) {
    RunOutcome outcome = runKernel(text, operands, profile);
    ASSERT_EQ(outcome.error, "") << text;
    Codes got = outcome.results[0].as<uint16_t>();
    ASSERT_EQ(got.size(), expected.size());
    for (size_t i = 0; i < got.size(); ++i)
      ASSERT_TRUE(got[i] == expected[i] ||
                  (isNan(got[i]) && isNan(expected[i])))
          << profile.name << ", element " << i << std::hex << ": got " << got[i]
          << ", expected " << expected[i] << "\n"
          << text;
  }
}

} // namespace

TEST(Bfloat, ConversionsRoundEveryBoundaryToEven) {
  Floats values;
  Codes expected;
  for (uint32_t code = 0; code < 1 << 16; ++code)
    for (uint32_t rest : {0u, 1u, 0x7fffu, 0x8000u, 0x8001u, 0xffffu}) {
      values.push_back(std::bit_cast<float>(code << 16 | rest));
      expected.push_back(encode(values.back()));
    }
  values.push_back(1); // a last partial vector
  expected.push_back(encode(1));
  std::string from = type(values.size(), "f32");
  std::string to = type(values.size(), "bf16");
  expectCodes(kernel("%a: " + from,
                     line("%0", "stablehlo.convert", "%a", from, to), "%0", to),
              {values}, expected);
}

TEST(Bfloat, ArithmeticRoundsAfterEachOp) {
  struct Case {
    const char *op;
    std::function<float(float, float)> function;
  };
  const Case cases[] = {
      {"stablehlo.add", [](float a, float b) { return a + b; }},
      {"stablehlo.subtract", [](float a, float b) { return a - b; }},
      {"stablehlo.multiply", [](float a, float b) { return a * b; }},
      {"stablehlo.divide", [](float a, float b) { return a / b; }}};
  Codes a = everyCode(), b;
  for (size_t i = 0; i < a.size(); ++i)
    b.push_back(uint16_t(i * 40503 >> 3 ^ i));
  std::string t = type(a.size(), "bf16");
  for (const Case &first : cases)
    for (const Case &second : cases) {
      Codes expected;
      for (size_t i = 0; i < a.size(); ++i) {
        float x = decode(a[i]), y = decode(b[i]);
        float between = decode(encode(first.function(x, y)));
        expected.push_back(encode(second.function(x, between)));
      }
      expectCodes(kernel("%a: " + t + ", %b: " + t,
                         line("%0", first.op, "%a, %b", t, t) +
                             line("%1", second.op, "%a, %0", t, t),
                         "%1", t),
                  {a, b}, expected);
    }
}

TEST(Bfloat, FunctionsRoundTheirF32ResultOnce) {
  Codes codes = everyCode();
  Floats values;
  for (uint16_t code : codes)
    values.push_back(decode(code));
  std::string narrow = type(codes.size(), "bf16");
  std::string wide = type(codes.size(), "f32");
  size_t functions = 0;
  for (int i = 0; i < ops::kOpKindCount; ++i) {
    auto kind = static_cast<ops::OpKind>(i);
    // Functions with an error bound are not correctly rounded in f32.
    const ops::ElementwiseFacts *facts = ops::elementwise_facts(kind);
    if (!facts || !facts->has_lanes || !(facts->elements & ops::kFloat) ||
        !facts->accuracy || ops::facts(kind).operands.size() != 1)
      continue;
    ++functions;
    std::string op(ops::op_name(kind));
    std::string inF32 =
        kernel("%a: " + wide, line("%0", op, "%a", wide, wide), "%0", wide);
    std::string inBfloat = kernel(
        "%a: " + narrow, line("%0", op, "%a", narrow, narrow), "%0", narrow);
    for (const TargetProfile &profile : profiles()) {
      RunOutcome exact = runKernel(inF32, {values}, profile);
      RunOutcome rounded = runKernel(inBfloat, {codes}, profile);
      ASSERT_EQ(exact.error + rounded.error, "") << op;
      Floats expected = exact.results[0].as<float>();
      Codes got = rounded.results[0].as<uint16_t>();
      for (size_t k = 0; k < got.size(); ++k)
        ASSERT_TRUE(got[k] == encode(expected[k]) ||
                    (isNan(got[k]) && expected[k] != expected[k]))
            << op << " of " << values[k] << " for " << profile.name << ": "
            << decode(got[k]) << ", in f32 " << expected[k];
    }
  }
  EXPECT_GT(functions, 20u);
}

TEST(Bfloat, MovementKeepsEveryBit) {
  Codes codes = everyCode(), expected(codes.rbegin(), codes.rend());
  std::string narrow = type(codes.size(), "bf16");
  std::string bits = type(codes.size(), "ui16");
  std::string text =
      kernel("%a: " + narrow,
             "%0 = \"stablehlo.reverse\"(%a) {dimensions = array<i64: 0>} : (" +
                 narrow + ") -> " + narrow + "\n" +
                 line("%1", "stablehlo.bitcast_convert", "%0", narrow, bits),
             "%0, %1", narrow + ", " + bits);
  for (const TargetProfile &profile : profiles()) {
    RunOutcome outcome = runKernel(text, {codes}, profile);
    ASSERT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.results[0].as<uint16_t>(), expected) << profile.name;
    EXPECT_EQ(outcome.results[1].as<uint16_t>(), expected) << profile.name;
  }
}
