// Planned GEMMs of bf16 and of integers.
#include "gemm_checks.h"

using namespace gemm_checks;

TEST(NarrowProduct, WidenedWhilePacking) {
  for (const char *name : {"baseline", "avx2", "avx512"}) {
    TargetProfile profile = *find_profile(name);
    if (!host_supports(profile.features)) {
      std::puts("not all profiles run on this machine");
      continue;
    }
    std::mt19937 random(5);
    auto size = [&](int most) { return int64_t(1 + random() % most); };
    for (int i = 0; i < 10; ++i)
      check<Brain, float>(
          matrices(size(70), size(70), size(70), i & 1, i & 2, i & 4), profile);
    for (int64_t m : {1, 2, 5})
      check<Brain, float>(matrices(m, 100, 90, false, m == 5, true), profile);
    check<Brain, float>(matrices(130, 201, 500, false, false, true), profile);
    check<Brain, float>(convolution(2, 5, 9, 13, 14, 3, 3, 1), profile);
    check<Brain, float>(nhwcConvolution(10, 24, 33, 3), profile);
  }
}

TEST(IntegerProduct, Matrices) {
  for (const char *name : {"baseline", "avx2", "avx512"}) {
    TargetProfile profile = *find_profile(name);
    if (!host_supports(profile.features)) {
      std::puts("not all profiles run on this machine");
      continue;
    }
    check<int32_t>(matrices(37, 70, 65, false, false, true), profile);
    check<int32_t>(matrices(60, 33, 500, true, true, false), profile);
    check<int8_t, int32_t>(matrices(41, 39, 80, false, true, true), profile);
    check<int64_t>(matrices(29, 40, 47, false, true, true), profile);
  }
}

//===- Cells of narrow integers -------------------------------------------===//

namespace {
struct CellProfile {
  const char *name;
  TargetProfile profile;
};

/// Products of narrow integers with and without VNNI.
class CellProduct : public testing::TestWithParam<CellProfile> {
protected:
  void SetUp() override {
    if (!host_supports(profile.features))
      GTEST_SKIP() << "this machine has no " << GetParam().name;
  }

  /// Checks one GEMM with operands of all narrow types.
  void checkAll(const Gemm &gemm) {
    check<int8_t, int32_t>(gemm, profile);
    check<uint8_t, int32_t>(gemm, profile);
    check<int8_t, int32_t, uint8_t>(gemm, profile);
    check<uint8_t, int32_t, int8_t>(gemm, profile);
    check<int16_t, int32_t>(gemm, profile);
    check<int16_t, int32_t, uint8_t>(gemm, profile);
    check<uint16_t, int32_t>(gemm, profile);
  }

  const TargetProfile profile = GetParam().profile;
};
} // namespace

INSTANTIATE_TEST_SUITE_P(
    Profiles, CellProduct,
    testing::Values(
        CellProfile{"Baseline", {"baseline", 0, 128}},
        CellProfile{"Avx2", {"avx2", kFeatureAvx2, 256}},
        CellProfile{"Avx2Vnni", *find_profile("avx2-vnni")},
        CellProfile{"Avx512", {"avx512", kFeatureAvx2 | kFeatureAvx512, 512}},
        CellProfile{"Avx512Vnni",
                    {"avx512-vnni",
                     kFeatureAvx2 | kFeatureAvx512 | kFeatureAvx512Vnni, 512}},
        CellProfile{"ShortVnni",
                    {"avx512-vnni",
                     kFeatureAvx2 | kFeatureAvx512 | kFeatureAvx512Vnni, 256}}),
    [](const auto &info) { return info.param.name; });

TEST_P(CellProduct, ChoosesInstructions) {
  Gemm gemm = matrices(37, 70, 65, false, false, true);
  gemm.isInteger = true;
  gemm.a = gemm.b = NumberFormat::I8;
  bool hasVnni = profile.features & (kFeatureAvx512Vnni | kFeatureAvxVnni);
  ContractionPlan plan = planContraction(gemm, profile);
  EXPECT_EQ(plan.cells, hasVnni ? CellKind::Bytes : CellKind::Words);
  EXPECT_EQ(plan.flipsA, hasVnni);
  EXPECT_EQ(plan.kBlocks(), 1);
  gemm.unsignedB = true;
  EXPECT_FALSE(planContraction(gemm, profile).flipsA);
  gemm.a = NumberFormat::I16;
  EXPECT_EQ(planContraction(gemm, profile).cells, CellKind::Words);
  gemm.unsignedA = true; // words of the instruction have signs
  EXPECT_EQ(planContraction(gemm, profile).cells, CellKind::None);
  gemm.unsignedA = false;
  gemm.isDouble = true; // sums have 64 bits
  EXPECT_EQ(planContraction(gemm, profile).cells, CellKind::None);
}

TEST(CellPlan, AvxVnniMultipliesBytes) {
  Gemm gemm = matrices(37, 70, 65, false, false, true);
  gemm.isInteger = true;
  gemm.a = gemm.b = NumberFormat::I8;
  ContractionPlan plan = planContraction(gemm, *find_profile("avx2-vnni"));
  EXPECT_EQ(plan.cells, CellKind::Bytes);
  EXPECT_EQ(plan.lanes, 8u);
}

TEST_P(CellProduct, OneRowIsReadInPlace) {
  Gemm gemm = matrices(1, 70, 65, false, false, true);
  gemm.isInteger = true;
  gemm.a = gemm.b = NumberFormat::I8;
  EXPECT_FALSE(planContraction(gemm, profile).packB);
  EXPECT_TRUE(planContraction(gemm, profile, /*anySize=*/true).packB);
  checkAll(gemm);
}

TEST_P(CellProduct, Matrices) {
  std::mt19937 random(11);
  auto size = [&](int most) { return int64_t(1 + random() % most); };
  for (int i = 0; i < 4; ++i) {
    Gemm gemm = matrices(size(70), size(90), size(70), i & 1, i & 2, i == 2);
    if (i % 3 == 0)
      gemm.batch = {{3, 5000, 70 * 90, 70 * 90}};
    checkAll(gemm);
  }
}

/// Each remainder of K, and single rows and columns.
TEST_P(CellProduct, PartialCells) {
  for (int64_t k : {3, 5, 6})
    for (bool transposed : {false, true}) {
      check<int8_t, int32_t>(matrices(15, 33, k, transposed, !transposed, true),
                             profile);
      check<uint8_t, int32_t>(matrices(1, 40, k, false, transposed, true),
                              profile);
      check<uint8_t, int32_t, int8_t>(
          matrices(19, 1, k, transposed, false, false), profile);
      check<int16_t, int32_t>(matrices(7, 17, k, transposed, transposed, true),
                              profile);
    }
}

/// Several blocks of K and of columns, with sums that wrap.
TEST_P(CellProduct, LargeMatrices) {
  for (int i = 0; i < 4; ++i) {
    check<int8_t, int32_t>(
        matrices(40 + i, 301, 3200 + i, i & 1, i & 2, i != 2), profile);
    check<uint8_t, int32_t>(
        matrices(61, 90 + i, 2000 + i, i & 1, i & 2, i != 2), profile);
  }
  check<int8_t, int32_t>(matrices(5, 17, 140001, false, true, true), profile);
  check<uint8_t, int32_t>(matrices(3, 33, 140001, false, false, true), profile);
  check<int16_t, int32_t>(matrices(20, 50, 5001, true, false, true), profile);
}

TEST_P(CellProduct, Convolutions) {
  checkAll(convolution(2, 5, 9, 13, 14, 3, 3, 1));
  checkAll(nhwcConvolution(10, 24, 33, 3));
  check<int8_t, int32_t>(convolution(1, 64, 70, 9, 9, 3, 3, 1), profile);
  check<uint8_t, int32_t, int8_t>(convolution(2, 3, 16, 31, 29, 7, 7, 2),
                                  profile);
  check<int8_t, int32_t>(convolution(1, 130, 40, 8, 8, 2, 3, 2), profile);
  for (int64_t ci : {3, 65, 600})
    check<int8_t, int32_t>(nhwcConvolution(10, ci, 33, 3), profile);
}

//===- VNNI pairs of bf16 -------------------------------------------------===//

namespace {
/// On tile registers, and on vectors.
class PairProduct : public testing::TestWithParam<const char *> {
protected:
  void SetUp() override {
    if (!host_supports(profile.features))
      GTEST_SKIP() << "this machine has no " << GetParam();
  }
  const TargetProfile profile = *find_profile(GetParam());
};
} // namespace

INSTANTIATE_TEST_SUITE_P(Profiles, PairProduct,
                         testing::Values("avx512-bf16", "amx"),
                         [](const auto &info) {
                           return std::string(info.param) == "amx" ? "Tiles"
                                                                   : "Vectors";
                         });

TEST_P(PairProduct, Matrices) {
  std::mt19937 random(3);
  for (int i = 0; i < 40; ++i) {
    auto size = [&](int most) { return int64_t(1 + random() % most); };
    Gemm gemm = matrices(size(70), size(70), size(70), i & 1, i & 2, false);
    if (i % 5 == 0)
      gemm.batch = {{3, 5000, 70 * 70, 70 * 70}};
    check<Brain, float>(gemm, profile);
  }
}

/// Columns along K are packed as pairs for two rows already, since they must be
/// packed in any case.
TEST_P(PairProduct, FewRows) {
  for (int64_t rows : {2, 3, 7})
    for (bool transposed : {false, true}) {
      Gemm gemm = matrices(rows, 90, 129, false, transposed, false);
      gemm.a = gemm.b = NumberFormat::BF16;
      gemm.mayUsePairs = true;
      bool isAmx = profile.features & kFeatureAmxTile;
      EXPECT_EQ(planContraction(gemm, profile).usesPairs, transposed || isAmx);
      check<Brain, float>(gemm, profile);
      // Several blocks of K.
      check<Brain, float>(matrices(rows, 40, 2501, false, transposed, false),
                          profile);
    }
}

TEST_P(PairProduct, LargeMatrices) {
  for (int i = 0; i < 2; ++i) {
    check<Brain, float>(matrices(230 + i, 301, 1400 + i, i & 1, i & 2, false),
                        profile);
    check<Brain, float>(matrices(1040, 90, 600, i & 1, i & 2, true), profile);
  }
  check<Brain, float>(matrices(256, 320, 1024, false, false, false), profile);
  check<Brain, float>(matrices(1, 2000, 700, false, true, false), profile);
  for (int64_t k : {4 * 4096 + 31, 9 * 2048, 5 * 4096})
    check<Brain, float>(matrices(70, 41, k, false, true, true), profile);
}

TEST_P(PairProduct, Convolutions) {
  check<Brain, float>(convolution(2, 5, 9, 13, 14, 3, 3, 1), profile);
  check<Brain, float>(convolution(1, 64, 70, 9, 9, 3, 3, 1), profile);
  check<Brain, float>(convolution(2, 3, 16, 31, 29, 7, 7, 2), profile);
  check<Brain, float>(convolution(1, 130, 40, 8, 8, 2, 3, 2), profile);
  for (int64_t ci : {3, 24, 65})
    check<Brain, float>(nhwcConvolution(10, ci, 33, 3), profile);
}

//===- Bytes on tile registers --------------------------------------------===//

namespace {
class TileBytes : public testing::Test {
protected:
  void SetUp() override {
    if (!host_supports(profile.features))
      GTEST_SKIP() << "this machine has no tile registers";
  }

  /// Checks one GEMM with bytes of all signs.
  void checkAll(const Gemm &gemm) {
    check<int8_t, int32_t>(gemm, profile);
    check<uint8_t, int32_t>(gemm, profile);
    check<int8_t, int32_t, uint8_t>(gemm, profile);
    check<uint8_t, int32_t, int8_t>(gemm, profile);
  }

  const TargetProfile profile = *find_profile("amx");
};
} // namespace

TEST(TileBytesPlan, NeedsTheirInstructions) {
  const TargetProfile profile = *find_profile("amx");
  Gemm gemm = matrices(37, 70, 65, false, false, true);
  gemm.isInteger = gemm.mayUsePairs = true;
  gemm.a = gemm.b = NumberFormat::I8;
  ContractionPlan plan = planContraction(gemm, profile);
  EXPECT_TRUE(plan.usesPairs);
  EXPECT_EQ(plan.registerK(), 64);
  EXPECT_FALSE(plan.flipsA);
  EXPECT_TRUE(plan.directTiles);
  TargetProfile other = profile;
  other.features &= ~uint64_t(kFeatureAmxInt8);
  EXPECT_FALSE(planContraction(gemm, other).usesPairs);
  EXPECT_EQ(planContraction(gemm, other).cells, CellKind::Bytes);
  gemm.unsignedB = true;
  gemm.b = NumberFormat::I16;
  EXPECT_FALSE(planContraction(gemm, profile).usesPairs);
}

/// A task has all columns of C, so that A is packed once, but not all of B.
TEST(TileBytesPlan, PacksSharedOperandInTasks) {
  const TargetProfile profile = *find_profile("amx");
  Gemm gemm = matrices(1024, 1024, 1024, false, false, true);
  gemm.isInteger = gemm.mayUsePairs = true;
  gemm.a = gemm.b = NumberFormat::I8;
  ContractionPlan plan = planContraction(gemm, profile);
  EXPECT_EQ(plan.kBlocks(), 1);
  EXPECT_EQ(plan.columnBlocks, 1);
  EXPECT_TRUE(plan.shareB);
  EXPECT_GE(plan.packTasks(), kFewTasks);
  gemm.plainResult = false; // an epilogue reads finished tiles
  EXPECT_FALSE(planContraction(gemm, profile).directTiles);
}

TEST_F(TileBytes, Matrices) {
  std::mt19937 random(9);
  auto size = [&](int most) { return int64_t(1 + random() % most); };
  for (int i = 0; i < 12; ++i) {
    Gemm gemm = matrices(size(70), size(70), size(900), i & 1, i & 2, i & 4);
    if (i % 3 == 0)
      gemm.batch = {{3, 70 * 900, 70 * 900, 70 * 70}};
    checkAll(gemm);
  }
  check<int8_t, int32_t>(matrices(16, 16, 5000, false, false, true), profile);
}

/// Each remainder of a group of four and of a register, in all layouts.
TEST_F(TileBytes, PartialGroups) {
  for (int64_t k : {4, 5, 61, 62, 63, 64, 65, 127, 515})
    for (int layout = 0; layout < 4; ++layout) {
      check<int8_t, int32_t>(matrices(33, 47, k, layout & 1, layout & 2, true),
                             profile);
      check<uint8_t, int32_t, int8_t>(
          matrices(2, 300, k, layout & 1, layout & 2, true), profile);
    }
}

/// Several blocks of K and of columns, parts of K, and sums that wrap.
TEST_F(TileBytes, LargeMatrices) {
  for (int i = 0; i < 4; ++i) {
    checkAll(matrices(120 + i, 301, 1400 + i, i & 1, i & 2, true));
    check<int8_t, int32_t>(matrices(256, 320, 1024, i & 1, i & 2, true),
                           profile);
  }
  check<int8_t, int32_t>(matrices(1040, 90, 600, false, true, true), profile);
  check<uint8_t, int32_t>(matrices(3, 33, 140001, false, false, true), profile);
  check<uint8_t, int32_t>(matrices(40, 41, 70000, true, true, true), profile);
}

TEST_F(TileBytes, Convolutions) {
  checkAll(convolution(2, 5, 9, 13, 14, 3, 3, 1));
  checkAll(nhwcConvolution(10, 65, 33, 3));
  check<int8_t, int32_t>(convolution(1, 64, 70, 9, 9, 3, 3, 1), profile);
  check<uint8_t, int32_t, int8_t>(convolution(2, 3, 16, 31, 29, 7, 7, 2),
                                  profile);
  for (int64_t ci : {3, 64, 600})
    check<int8_t, int32_t>(nhwcConvolution(10, ci, 33, 3), profile);
}

//===- Special values -----------------------------------------------------===//

TEST_P(PairProduct, SpecialValues) {
  // 40 is not a whole number of registers: the padding must not be multiplied
  // with the infinity and the NaN.
  constexpr int64_t m = 20, n = 18, k = 40;
  Gemm gemm = matrices(m, n, k, false, false, false);
  gemm.a = gemm.b = NumberFormat::BF16;
  gemm.mayUsePairs = true;
  ContractionPlan plan = planContraction(gemm, profile);
  ASSERT_TRUE(plan.usesPairs);
  std::vector<Brain> a(m * k, Brain(1)), b(k * n, Brain(2));
  a[3 * k + 39] = Brain(INFINITY);
  a[19 * k + 7] = Brain(NAN);
  a[5 * k + 1] = Brain(1e-39f); // a denormal is flushed to zero
  std::vector<float> c(m * n);
  CompiledProduct code(plan, profile);
  ASSERT_TRUE(code.multiply) << code.error;
  void *shared = aligned_alloc(64, code.sharedBytes() + 64);
  void *scratch = aligned_alloc(64, (plan.scratchBytes() + 127) / 64 * 64);
  memset(scratch, 0xff, plan.scratchBytes());
  code.pack(a.data(), b.data(), c.data(), shared, scratch, 0, code.packTasks());
  code.multiply(a.data(), b.data(), c.data(), shared, scratch, 0, plan.tasks());
  for (int64_t row = 0; row < m; ++row)
    for (int64_t column = 0; column < n; ++column) {
      float value = c[row * n + column];
      if (row == 3)
        EXPECT_EQ(value, INFINITY);
      else if (row == 19)
        EXPECT_TRUE(std::isnan(value));
      else
        EXPECT_EQ(value, row == 5 ? 78 : 80);
    }
  free(shared);
  free(scratch);
}
