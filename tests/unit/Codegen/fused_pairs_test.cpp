// Every elementwise op of half floats on the result of every other one, fused
// into one kernel. The kernel must compile without a library and give the same
// bits as two kernels.
#include "kernel_runner.h"

#include "xlac/ops/elementwise.h"

#include "gtest/gtest.h"

using namespace xlac;
using namespace xlac::test;

namespace {

using Halves = std::vector<uint16_t>;

/// One vector of eight lanes and one more element.
constexpr size_t kCount = 9;

struct Format {
  std::string name;
  uint16_t infinity;
  Halves values; ///< the operands, of both signs
};

const Format kFormats[] = {
    {"f16",
     0x7c00,
     {0x3c00, 0xb800, 0x0000, 0x8000, 0x4248, 0xc500, 0x2e66, 0x7c00, 0xbbff}},
    {"bf16",
     0x7f80,
     {0x3f80, 0xbf00, 0x0000, 0x8000, 0x4049, 0xc0a0, 0x3dcd, 0x7f80, 0xbf7f}},
};

/// Returns the ops of one or two floats whose result is a float of the same
/// type.
std::vector<ops::OpKind> opsOfFloats() {
  using ops::OpKind;
  std::vector<OpKind> kinds;
  for (int i = 0; i < ops::kOpKindCount; ++i) {
    auto kind = static_cast<OpKind>(i);
    const ops::ElementwiseFacts *facts = ops::elementwise_facts(kind);
    if (!facts || !facts->has_lanes || !(facts->elements & ops::kFloat))
      continue;
    bool otherResult = ops::short_name(kind).starts_with("is_") ||
                       kind == OpKind::Compare || kind == OpKind::Complex ||
                       kind == OpKind::Real || kind == OpKind::Imag;
    bool needsAttributes = kind == OpKind::Convert ||
                           kind == OpKind::ReducePrecision ||
                           kind == OpKind::ChloConstantLike;
    if (ops::facts(kind).operands.size() <= 2 && !otherResult &&
        !needsAttributes)
      kinds.push_back(kind);
  }
  return kinds;
}

/// Returns the line that computes `result` as `kind` of `operand`, and of %b
/// for binary ops.
std::string line(const std::string &result, ops::OpKind kind,
                 const std::string &operand, const std::string &type) {
  bool two = ops::facts(kind).operands.size() == 2;
  return result + " = \"" + std::string(ops::op_name(kind)) + "\"(" + operand +
         (two ? ", %b" : "") + ") : (" + type + (two ? ", " + type : "") +
         ") -> " + type + "\n";
}

/// Returns a kernel of operands %a and %b with `count` elements. It computes
/// every op of `kinds` on %a, or on the result of `first` for %a.
std::string kernelOf(const std::vector<ops::OpKind> &kinds,
                     const ops::OpKind *first, size_t count,
                     const std::string &element) {
  std::string type = "tensor<" + std::to_string(count) + "x" + element + ">";
  std::string text =
      "xlac.kernel @k <loop> {\n^bb0(%a: " + type + ", %b: " + type + "):\n";
  if (first)
    text += line("%first", *first, "%a", type);
  std::string results, types;
  for (size_t i = 0; i < kinds.size(); ++i) {
    std::string result = "%r" + std::to_string(i);
    text += line(result, kinds[i], first ? "%first" : "%a", type);
    results += (i ? ", " : "") + result;
    types += (i ? ", " : "") + type;
  }
  return text + "xlac.yield " + results + " : " + types + "\n}\n";
}

void expectEqualBits(const uint16_t *fused, const uint16_t *apart,
                     uint16_t infinity) {
  for (size_t i = 0; i < kCount; ++i) {
    bool bothNan =
        (fused[i] & 0x7fff) > infinity && (apart[i] & 0x7fff) > infinity;
    EXPECT_TRUE(bothNan || fused[i] == apart[i])
        << "element " << i << ": " << std::hex << fused[i] << " fused, "
        << apart[i] << " apart";
  }
}

/// Pairs are divided into parts, each of which has every op as the first and as
/// the second one.
constexpr size_t kParts = 4;

class FusedPairs : public testing::TestWithParam<
                       std::tuple<size_t, const TargetProfile *, size_t>> {};

TEST_P(FusedPairs, GiveTheBitsOfTwoKernels) {
  const Format &format = kFormats[std::get<0>(GetParam())];
  const TargetProfile &profile = *std::get<1>(GetParam());
  std::vector<ops::OpKind> kinds = opsOfFloats();
  ASSERT_GT(kinds.size(), 40u);
  Halves a = format.values, b(a.rbegin(), a.rend());

  RunOutcome firsts = runKernelOnce(
      kernelOf(kinds, nullptr, kCount, format.name), {a, b}, profile);
  ASSERT_EQ(firsts.error, "");
  Halves allFirsts, allB;
  for (const Data &first : firsts.results) {
    Halves values = first.as<uint16_t>();
    allFirsts.insert(allFirsts.end(), values.begin(), values.end());
    allB.insert(allB.end(), b.begin(), b.end());
  }
  RunOutcome apart =
      runKernelOnce(kernelOf(kinds, nullptr, allB.size(), format.name),
                    {allFirsts, allB}, profile);
  ASSERT_EQ(apart.error, "");

  for (size_t i = 0; i < kinds.size(); ++i)
    for (size_t j = (i + std::get<2>(GetParam())) % kParts; j < kinds.size();
         j += kParts) {
      SCOPED_TRACE(std::string(ops::op_name(kinds[i])) + " then " +
                   std::string(ops::op_name(kinds[j])));
      // One pair per kernel, so that LLVM sees both ops: several results would
      // share functions.
      RunOutcome fused =
          runKernelOnce(kernelOf({kinds[j]}, &kinds[i], kCount, format.name),
                        {a, b}, profile);
      EXPECT_EQ(fused.error, "");
      if (fused.error.empty())
        expectEqualBits(fused.results[0].as<uint16_t>().data(),
                        apart.results[j].as<uint16_t>().data() + i * kCount,
                        format.infinity);
    }
}

std::string nameOf(const testing::TestParamInfo<FusedPairs::ParamType> &info) {
  return kFormats[std::get<0>(info.param)].name + "_" +
         std::get<1>(info.param)->name + "_" +
         std::to_string(std::get<2>(info.param));
}

INSTANTIATE_TEST_SUITE_P(
    Halves, FusedPairs,
    testing::Combine(testing::Range(size_t{0}, std::size(kFormats)),
                     testing::Values(&avx2Profile(), &baselineProfile()),
                     testing::Range(size_t{0}, kParts)),
    nameOf);

} // namespace
