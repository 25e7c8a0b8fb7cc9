// Compares planned GEMMs with a plain loop over their strides: random sizes,
// strides, dimensions and epilogues, as native code.
#include "compiled_gemm.h"

#include "gtest/gtest.h"

#include <cmath>
#include <cstring>
#include <random>

using namespace llvm;
using namespace xlac;
using namespace xlac::codegen;

namespace {
/// Calls `body` with the offsets in a, b and c of every index of `dims`.
template <class Body>
void forAll(ArrayRef<GemmDim> dims, int64_t a, int64_t b, int64_t c,
            Body body) {
  if (dims.empty()) {
    body(a, b, c);
    return;
  }
  for (int64_t i = 0; i < dims[0].size; ++i)
    forAll(dims.drop_front(), a + i * dims[0].a, b + i * dims[0].b,
           c + i * dims[0].c, body);
}

int64_t extent(ArrayRef<ArrayRef<GemmDim>> lists, int64_t GemmDim::*stride) {
  int64_t last = 0;
  for (ArrayRef<GemmDim> dims : lists)
    for (const GemmDim &dim : dims)
      last += (dim.size - 1) * (dim.*stride);
  return last + 1;
}

/// A bf16 as its bits.
struct Brain {
  uint16_t bits = 0;
  Brain(float value = 0) {
    uint32_t word;
    memcpy(&word, &value, 4);
    bits = word >> 16;
  }
  operator float() const {
    uint32_t word = uint32_t(bits) << 16;
    float value;
    memcpy(&value, &word, 4);
    return value;
  }
};

/// Returns a small number, or any value of a narrow integer type, whose sums
/// are exact. Every other one of these is an extreme value.
template <class T> T randomValue(std::mt19937 &random) {
  if constexpr (std::is_integral_v<T> && sizeof(T) <= 2) {
    using Limits = std::numeric_limits<T>;
    return random() % 2   ? T(random())
           : random() % 2 ? Limits::max()
                          : Limits::min();
  } else {
    return T(int(random() % 17) - 8);
  }
}

/// Checks one plan with operands of types `T` and `U` and accumulators of type
/// `Sum`. Sums of integers wrap.
template <class T, class U, class Sum>
void checkPlan(const Gemm &original, const ContractionPlan &plan,
               const TargetProfile &profile) {
  std::array<ArrayRef<GemmDim>, 4> lists = {original.batch, original.m,
                                            original.n, original.k};
  std::mt19937 random(7);
  std::vector<T> a(extent(lists, &GemmDim::a));
  std::vector<U> b(extent(lists, &GemmDim::b));
  std::generate(a.begin(), a.end(), [&] { return randomValue<T>(random); });
  std::generate(b.begin(), b.end(), [&] { return randomValue<U>(random); });
  std::vector<Sum> c(extent(lists, &GemmDim::c), Sum(-777)), expected = c;
  forAll(original.batch, 0, 0, 0, [&](int64_t a0, int64_t b0, int64_t c0) {
    forAll(original.m, a0, b0, c0, [&](int64_t a1, int64_t b1, int64_t c1) {
      forAll(original.n, a1, b1, c1, [&](int64_t a2, int64_t b2, int64_t c2) {
        using Wide = std::conditional_t<std::is_integral_v<Sum>, int64_t, Sum>;
        Wide sum = 0;
        forAll(original.k, a2, b2, 0, [&](int64_t a3, int64_t b3, int64_t) {
          sum += Wide(a[a3]) * Wide(b[b3]);
        });
        expected[c2] = Sum(sum);
      });
    });
  });
  CompiledProduct code(plan, profile);
  ASSERT_TRUE(code.multiply) << code.error;
  auto aligned = [](int64_t bytes) {
    return aligned_alloc(64, (bytes + 127) / 64 * 64);
  };
  void *shared = aligned(code.sharedBytes()),
       *scratch = aligned(plan.scratchBytes());
  // Filled with NaN, so that reads of uninitialized memory show.
  memset(shared, 0xff, code.sharedBytes());
  memset(scratch, 0xff, plan.scratchBytes());
  for (int64_t task = plan.packTasks(); task-- > 0;)
    code.pack(a.data(), b.data(), c.data(), shared, scratch, task, task + 1);
  for (int64_t task = plan.tasks(); task-- > 0;)
    code.multiply(a.data(), b.data(), c.data(), shared, scratch, task,
                  task + 1);
  for (int64_t task = plan.sumTasks(); task-- > 0;)
    code.sum(a.data(), b.data(), c.data(), shared, scratch, task, task + 1);
  EXPECT_EQ(c, expected) << "M " << original.mSize() << " N "
                         << original.nSize() << " K " << original.kSize()
                         << " any size " << plan.anySize << " direct "
                         << plan.directC << " packA " << plan.packA << " packB "
                         << plan.packB << " dots " << plan.dots << " shareB "
                         << plan.shareB << " pairs " << int(plan.pairsA) << ' '
                         << int(plan.pairsB) << " cells " << int(plan.cells)
                         << " parts " << plan.parts;
  free(shared);
  free(scratch);
}

template <class T> NumberFormat formatOf() {
  if constexpr (std::is_integral_v<T>)
    return sizeof(T) == 1   ? NumberFormat::I8
           : sizeof(T) == 2 ? NumberFormat::I16
                            : NumberFormat::Plain;
  return std::is_same_v<T, Brain> ? NumberFormat::BF16 : NumberFormat::Plain;
}

/// Checks the plan for these sizes and those for any size.
template <class T, class Sum = T, class U = T>
void check(Gemm gemm, const TargetProfile &profile) {
  gemm.isDouble = sizeof(Sum) == 8;
  gemm.isInteger = std::is_integral_v<Sum>;
  gemm.a = formatOf<T>();
  gemm.b = formatOf<U>();
  gemm.unsignedA = std::is_unsigned_v<T>;
  gemm.unsignedB = std::is_unsigned_v<U>;
  gemm.mayUsePairs = true;
  checkPlan<T, U, Sum>(gemm, planContraction(gemm, profile), profile);
  ContractionPlan any = planContraction(gemm, profile, /*anySize=*/true);
  if (any.anySize)
    checkPlan<T, U, Sum>(gemm, any, profile);
  if (any.forFewRows)
    checkPlan<T, U, Sum>(gemm, *any.forFewRows, profile);
}

Gemm matrices(int64_t m, int64_t n, int64_t k, bool aT, bool bT, bool plain) {
  Gemm gemm;
  gemm.m = {{m, aT ? 1 : k, 0, n}};
  gemm.n = {{n, 0, bT ? k : 1, 1}};
  gemm.k = {{k, aT ? m : 1, bT ? 1 : n, 0}};
  gemm.plainResult = plain;
  return gemm;
}
} // namespace

static const TargetProfile kAvx2{"avx2", kFeatureAvx2, 256};

/// Returns the vector profiles that this machine supports.
static std::vector<TargetProfile> vectorProfiles() {
  std::vector<TargetProfile> profiles = {kAvx2};
  if (TargetProfile wide = *find_profile("avx512");
      host_supports(wide.features))
    profiles.push_back(wide);
  else
    std::puts("not all profiles run on this machine");
  return profiles;
}

TEST(Gemm, Matrices) {
  std::mt19937 random(1);
  for (int i = 0; i < 24; ++i) {
    auto size = [&](int most) { return int64_t(1 + random() % most); };
    Gemm gemm = matrices(size(70), size(70), size(70), i & 1, i & 2, i & 4);
    if (i & 8)
      check<double>(gemm, kAvx2);
    else
      check<float>(gemm, kAvx2);
  }
}

TEST(Gemm, LargeMatrices) {
  for (int i = 0; i < 8; ++i)
    check<float>(matrices(230 + i, 301, 800 + i, i & 1, i & 2, i & 4), kAvx2);
}

/// Rows of A a whole number of pages apart (cache-set conflicts), in blocks of
/// tiles of both heights and with a partial last panel.
TEST(Gemm, RowsThatCrowdTheCache) {
  for (const TargetProfile &profile : vectorProfiles()) {
    for (int64_t k : {1024, 2000})
      for (bool plain : {true, false}) {
        Gemm gemm = matrices(53, 150, k, false, false, plain);
        gemm.m[0].a = 2048;
        EXPECT_TRUE(planContraction(gemm, profile).rowMajorA);
        check<float>(gemm, profile);
      }
    check<double>(matrices(43, 70, 512, false, true, true), profile);
    check<int32_t>(matrices(43, 70, 1024, false, false, true), profile);
  }
}

TEST(Gemm, ManyTilesOfTransposedRows) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t m : {128, 181, 400})
      check<float>(matrices(m, 301, 500, true, false, m != 128), profile);
}

TEST(Gemm, FewTilesAndDeep) {
  for (const TargetProfile &profile : vectorProfiles()) {
    Gemm shortLines = matrices(64, 120, 1100, false, false, true);
    EXPECT_FALSE(planContraction(shortLines, profile).packB);
    check<float>(shortLines, profile);
    Gemm ownPanels = matrices(60, 637, 800, false, false, true);
    ContractionPlan plan = planContraction(ownPanels, profile);
    EXPECT_TRUE(plan.packB && !plan.shareB);
    check<float>(ownPanels, profile);
  }
}

/// Windows of 2x2 over an image with channels last. Registers hold channels if
/// few columns would leave most lanes of a register empty.
TEST(Gemm, WindowsWithFewColumns) {
  constexpr int64_t channels = 32, width = 9;
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t columns : {2, 3, 16}) {
      Gemm gemm;
      gemm.m = {{5, width * channels, 0, 8 * columns},
                {8, channels, 0, columns}};
      gemm.n = {{columns, 0, 1, 1}};
      gemm.k = {{2, width * channels, 2 * channels * columns, 0},
                {2 * channels, 1, columns, 0}};
      for (bool plain : {true, false}) {
        gemm.plainResult = plain;
        EXPECT_EQ(planContraction(gemm, profile).lanesAlongK, columns < 16);
        check<float>(gemm, profile);
      }
      check<double>(gemm, profile);
      // Channels that do not fill registers are read one by one.
      gemm.k[1].size = 2 * channels - 1;
      EXPECT_FALSE(planContraction(gemm, profile).lanesAlongK);
      check<float>(gemm, profile);
    }
}

/// K so large that several block sums are added in a tree, with and without a
/// remainder, for each way to store the tiles in between.
TEST(Gemm, SumsOfBlocksMeet) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t k : {6145, 6144 * 2, 6144 * 7 + 5, 6144 * 8}) {
      Gemm gemm = matrices(9, 70, k, false, false, true);
      EXPECT_GT(planContraction(gemm, profile).sums(), 1);
      check<float>(gemm, profile);
      check<float>(matrices(33, 21, k, true, true, false), profile);
      check<float>(matrices(1, 3, k, false, true, true), profile);
      check<double>(matrices(5, 19, k, false, false, true), profile);
      check<Brain, float>(matrices(7, 40, k, false, true, true), profile);
      check<int32_t>(matrices(7, 40, k, false, true, true), profile);
    }
}

/// A small result with a large K: tasks multiply parts of K. Each form of the
/// operands, with tiles of both heights and a partial last panel.
TEST(Gemm, PartsOfK) {
  for (const TargetProfile &profile : vectorProfiles()) {
    auto divides = [&](const Gemm &gemm) {
      return planContraction(gemm, profile).dividesK();
    };
    for (int i = 0; i < 4; ++i) {
      Gemm gemm = matrices(31, 37, 6500 + i, i & 1, i & 2, i & 1);
      EXPECT_TRUE(divides(gemm));
      check<float>(gemm, profile);
      check<int32_t>(gemm, profile);
      check<uint8_t, int32_t>(gemm, profile);
      check<int16_t, int32_t>(gemm, profile);
      check<Brain, float>(gemm, profile);
    }
    // A matrix with itself, a dot product, and a window of an image.
    check<double>(matrices(16, 16, 9000, true, false, true), profile);
    check<float>(matrices(1, 1, 1 << 18, false, true, true), profile);
    Gemm batched = matrices(9, 33, 20000, false, false, false);
    batched.batch = {{2, 7, 3, 9 * 33}};
    EXPECT_TRUE(divides(batched));
    check<float>(batched, profile);
    Gemm window;
    window.m = {{3, 40, 0, 24 * 3}, {3, 1, 0, 24}};
    window.n = {{24, 0, 1, 1}};
    window.k = {
        {50, 1600, 38 * 38 * 24, 0}, {38, 40, 38 * 24, 0}, {38, 1, 24, 0}};
    EXPECT_TRUE(divides(window));
    check<float>(window, profile);
    // Enough tasks without parts, and no K to divide.
    EXPECT_FALSE(divides(matrices(2000, 37, 6000, false, false, true)));
    EXPECT_FALSE(divides(matrices(61, 37, 1000, false, false, true)));
  }
}

/// Blocks start from zero, so that no sum of equal addends is one chain of all
/// of them.
TEST(Gemm, ErrorsGrowWithTheLogarithm) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t k : {1 << 12, 1 << 16, 1 << 20, (1 << 20) + 77}) {
      Gemm gemm = matrices(2, 33, k, false, true, true);
      gemm.m[0].a = gemm.n[0].b = 0; // all rows are the same row
      ContractionPlan plan = planContraction(gemm, profile);
      std::vector<float> a(k, 0.062f), b(k, 1), c(2 * 33);
      CompiledProduct code(plan, profile);
      ASSERT_TRUE(code.multiply) << code.error;
      void *shared = aligned_alloc(64, code.sharedBytes() + 64);
      void *scratch = aligned_alloc(64, plan.scratchBytes() + 64);
      code.pack(a.data(), b.data(), c.data(), shared, scratch, 0,
                plan.packTasks());
      code.multiply(a.data(), b.data(), c.data(), shared, scratch, 0,
                    plan.tasks());
      code.sum(a.data(), b.data(), c.data(), shared, scratch, 0,
               plan.sumTasks());
      double exact = double(0.062f) * double(k);
      // Half of a chain of a block, of the blocks of a sum, and the tree.
      double most = double(plan.blockK() + plan.blocksPerSum) / 2 +
                    std::log2(double(plan.sums())) + 1;
      for (float value : c)
        ASSERT_LE(std::abs(value - exact) / exact, most * 0x1p-24) << k;
      free(shared);
      free(scratch);
    }
}

/// GEMMs of many sizes have plans for any size with one structure, which their
/// microkernels and flags show.
TEST(Gemm, PlansForAnySizeAreAlike) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t n : {100, 2000}) {
      ContractionPlan first = planContraction(
          matrices(2, n, 784, false, false, true), profile, true);
      EXPECT_EQ(first.forFewRows != nullptr, n == 2000);
      for (int64_t m = 1; m < 300; m += 7) {
        ContractionPlan plan = planContraction(
            matrices(m, n, 784, false, false, true), profile, true);
        ASSERT_TRUE(plan.anySize);
        EXPECT_EQ(plan.tileRows, first.tileRows) << m;
        EXPECT_EQ(plan.vectors, first.vectors) << m;
        EXPECT_EQ(plan.packA, first.packA) << m;
        EXPECT_EQ(plan.packB, first.packB) << m;
        EXPECT_EQ(plan.shareB, first.shareB) << m;
        EXPECT_EQ(plan.kBlocks(), first.kBlocks()) << m;
        // Sums have the bits of the plan for these sizes.
        ContractionPlan fixed =
            planContraction(matrices(m, n, 784, false, false, true), profile);
        const ContractionPlan &used = plan.hasFewRows ? *plan.forFewRows : plan;
        EXPECT_EQ(used.blockK(), fixed.blockK()) << m;
        EXPECT_EQ(used.farLines, fixed.farLines) << m;
        EXPECT_EQ(plan.forFewRows != nullptr, first.forFewRows != nullptr) << m;
      }
    }
}

TEST(Gemm, FewRowsOrColumns) {
  for (int64_t m : {1, 2, 3, 5})
    for (int64_t n : {1, 7, 8, 100})
      for (bool transposed : {false, true})
        check<float>(matrices(m, n, 90, false, transposed, true), kAvx2);
}

/// Few rows and columns along K: B is read in place, for each number of rows of
/// a tile, with partial groups of columns and partial registers of K.
TEST(Gemm, SumsAlongK) {
  for (const TargetProfile &profile : vectorProfiles()) {
    int number = 0;
    for (int64_t m : {1, 2, 3, 4, 5, 6, 7, 16}) {
      int64_t n = std::array{1, 5, 16, 39}[++number % 4];
      int64_t k = std::array{192, 205, 199}[number % 3];
      Gemm gemm = matrices(m, n, k, false, true, number % 8 < 4);
      ContractionPlan plan = planContraction(gemm, profile);
      EXPECT_TRUE(plan.dots && !plan.packA && !plan.packB);
      check<float>(gemm, profile);
      if (m < 4)
        check<double>(gemm, profile);
      if (m == 3)
        check<int32_t>(gemm, profile);
    }
    // Blocks of K, and a tree of sums.
    for (int64_t k : {1500, 40001}) {
      Gemm gemm = matrices(4, 21, k, false, true, k == 1500);
      EXPECT_GT(planContraction(gemm, profile).kBlocks(), 1);
      check<float>(gemm, profile);
    }
    check<int64_t>(matrices(2, 21, 1500, false, true, true), profile);
    // Batches, and rows and columns with other elements between them.
    Gemm batches = matrices(2, 19, 64, false, true, true);
    batches.m[0].a = 70;
    batches.n[0].b = 67;
    batches.batch = {{3, 2 * 70, 19 * 67, 2 * 19}};
    check<float>(batches, profile);
    // A single row of narrow elements, if registers of them are masked.
    Gemm row = matrices(1, 37, 77, false, true, true);
    check<Brain, float>(row, profile);
    check<int16_t, int32_t>(row, profile);
    check<Brain, float, float>(row, profile);
  }
}

/// Rows of B far from each other, on many pages, read in place by up to three
/// tiles, for columns that form several tasks and a partial panel.
TEST(Gemm, FewRowsReadFarLines) {
  auto distant = [](int64_t m, int64_t n, int64_t k, bool plain) {
    Gemm gemm = matrices(m, n, k, false, false, plain);
    gemm.k[0].b = (int64_t(9) << 20) / 4 / k;
    return gemm;
  };
  for (const TargetProfile &profile : vectorProfiles()) {
    for (int64_t m : {1, 4, 9, profile.vector_bits == 512 ? 42 : 18}) {
      Gemm gemm = distant(m, 1100, 70 + m, m % 2);
      EXPECT_TRUE(planContraction(gemm, profile).farLines);
      check<float>(gemm, profile);
    }
    EXPECT_FALSE(
        planContraction(distant(43, 1100, 70, true), profile).farLines);
    Gemm near = matrices(4, 1100, 70, false, false, true);
    EXPECT_FALSE(planContraction(near, profile).farLines);
    check<double>(distant(5, 601, 130, true), profile);
    check<int32_t>(distant(3, 300, 130, true), profile);
    // A tree of sums.
    Gemm deep = matrices(2, 1100, 6200, false, false, true);
    EXPECT_GT(planContraction(deep, profile).sums(), 1);
    EXPECT_TRUE(planContraction(deep, profile).farLines);
    check<float>(deep, profile);
  }
}

/// Adding the lanes of short sums takes longer than packing, and so do many
/// rows. Rows of A along M cannot be read in registers.
TEST(Gemm, SumsAlongKDoNotAlwaysPay) {
  for (const TargetProfile &profile : vectorProfiles())
    for (const Gemm &gemm : {matrices(8, 40, 64, false, true, true),
                             matrices(17, 40, 900, false, true, true),
                             matrices(4, 40, 900, true, true, true),
                             matrices(4, 40, 900, false, false, true)})
      EXPECT_FALSE(planContraction(gemm, profile).dots);
  // Code for any size that runs with many rows reserves no memory for them.
  for (bool along : {true, false}) {
    Gemm many = matrices(100'000, 2100, 1200, false, along, false);
    ContractionPlan plan = planContraction(many, kAvx2, true);
    ASSERT_TRUE(plan.forFewRows && !plan.hasFewRows);
    EXPECT_LT(plan.forFewRows->scratchBytes(), 4 << 20);
  }
}

/// An image [b][ci][h][w] with weights [co][ci][kh][kw], as strides.
static Gemm convolution(int64_t b, int64_t ci, int64_t co, int64_t h, int64_t w,
                        int64_t kh, int64_t kw, int64_t stride) {
  int64_t oh = (h - kh) / stride + 1, ow = (w - kw) / stride + 1;
  Gemm gemm;
  gemm.batch = {{b, 0, ci * h * w, co * oh * ow}};
  gemm.m = {{co, ci * kh * kw, 0, oh * ow}};
  gemm.n = {{oh, 0, w * stride, ow}, {ow, 0, stride, 1}};
  gemm.k = {{ci, kh * kw, h * w, 0}, {kh, kw, w, 0}, {kw, 1, 1, 0}};
  gemm.plainResult = true;
  return gemm;
}

TEST(Gemm, Convolutions) {
  check<float>(convolution(2, 5, 9, 13, 14, 3, 3, 1), kAvx2);
  check<float>(convolution(1, 64, 70, 9, 9, 3, 3, 1), kAvx2);
  check<float>(convolution(2, 3, 16, 31, 29, 7, 7, 2), kAvx2);
  check<float>(convolution(1, 130, 40, 8, 8, 2, 3, 2), kAvx2);
  check<double>(convolution(1, 12, 20, 12, 11, 3, 5, 1), kAvx2);
}

/// With many cores there are more tasks and the same blocks of K.
TEST(Gemm, DividesForManyCores) {
  Gemm transposed = matrices(90, 400, 500, false, true, true);
  Gemm wide = matrices(40, 1500, 96, false, false, true);
  Gemm window = convolution(1, 24, 64, 30, 30, 3, 3, 1);
  Gemm batched = convolution(3, 40, 64, 9, 9, 3, 3, 1);
  for (const Gemm &gemm : {transposed, wide, window, batched})
    for (TargetProfile profile : vectorProfiles()) {
      ContractionPlan few = planContraction(gemm, profile);
      for (int cores : {11, 64}) {
        profile.divide_for(cores);
        ContractionPlan many = planContraction(gemm, profile);
        EXPECT_GE(many.tasks(), few.tasks());
        if (cores == 64)
          EXPECT_GE(many.tasks(), cores / 2);
        EXPECT_EQ(many.blockK(), few.blockK());
        EXPECT_EQ(many.sums(), few.sums());
        check<float>(gemm, profile);
      }
    }
}

TEST(Gemm, TurnedConvolutions) {
  for (const TargetProfile &profile : vectorProfiles()) {
    auto checkTurned = [&](Gemm gemm) {
      if (profile.vector_bits == 512)
        EXPECT_TRUE(planContraction(gemm, profile).swapped);
      for (bool plain : {true, false}) {
        gemm.plainResult = plain;
        check<float>(gemm, profile);
      }
    };
    checkTurned(convolution(1, 64, 70, 16, 16, 3, 3, 1)); // blocks along K
    checkTurned(convolution(3, 40, 64, 9, 9, 3, 3, 1));   // rows of 7
    checkTurned(convolution(2, 3, 64, 37, 31, 7, 7, 2));  // strides
    checkTurned(convolution(2, 20, 32, 30, 58, 3, 3, 1)); // shared weights
    checkTurned(convolution(1, 24, 48, 33, 15, 1, 5, 1)); // rows of 11
    checkTurned(convolution(1, 700, 64, 9, 9, 3, 3, 1));  // several block sums
    check<double>(convolution(1, 32, 40, 16, 16, 3, 3, 1), profile);
  }
}

TEST(Gemm, PixelsByChannels) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t ci : {64, 256, 300})
      for (int64_t width : {7, 14})
        check<float>(convolution(1, ci, 130, width, width, 1, 1, 1), profile);
}

TEST(Gemm, WeightGradient) {
  // The result is [o][b][kh][kw], of image [i][b][h][w] and gradient
  // [i][o][oh][ow].
  for (auto [i, o, b, h, k] :
       {std::array{6, 17, 5, 12, 3}, std::array{4, 8, 1, 20, 3}}) {
    int64_t oh = h - k + 1;
    Gemm gemm;
    gemm.m = {{o, oh * oh, 0, b * k * k}};
    gemm.n = {{b, 0, h * h, k * k}, {k, 0, h, k}, {k, 0, 1, 1}};
    gemm.k = {{i, o * oh * oh, b * h * h, 0}, {oh, oh, h, 0}, {oh, 1, 1, 0}};
    gemm.plainResult = b == 5;
    check<float>(gemm, kAvx2);
  }
}

static Gemm nhwcConvolution(int64_t h, int64_t ci, int64_t co, int64_t k) {
  int64_t oh = h - k + 1;
  Gemm gemm;
  gemm.m = {{2, h * h * ci, 0, oh * oh * co},
            {oh, h * ci, 0, oh * co},
            {oh, ci, 0, co}};
  gemm.n = {{co, 0, 1, 1}};
  gemm.k = {{k, h * ci, k * ci * co, 0}, {k, ci, ci * co, 0}, {ci, 1, co, 0}};
  return gemm;
}

TEST(Gemm, NhwcConvolution) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t size : {9, 10, 16})
      for (bool plain : {false, true}) {
        Gemm gemm = nhwcConvolution(size, 24, 33, 3);
        gemm.plainResult = plain;
        if (profile.vector_bits == 512)
          EXPECT_TRUE(planContraction(gemm, profile).indirectA);
        check<float>(gemm, profile);
      }
  for (const TargetProfile &profile : vectorProfiles())
    // several block sums
    check<float>(nhwcConvolution(9, 1100, 33, 3), profile);
}

//===- Narrow operands ----------------------------------------------------===//

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

TEST_P(PairProduct, Bytes) {
  std::mt19937 random(9);
  for (int i = 0; i < 12; ++i) {
    auto size = [&](int most) { return int64_t(1 + random() % most); };
    check<int8_t, int32_t>(
        matrices(size(70), size(70), size(900), i & 1, i & 2, false), profile);
  }
  check<int8_t, int32_t>(matrices(16, 16, 5000, false, false, true), profile);
  check<int8_t, int32_t>(convolution(2, 5, 9, 13, 14, 3, 3, 1), profile);
  check<int8_t, int32_t>(nhwcConvolution(10, 65, 33, 3), profile);
}

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
  void *shared = aligned_alloc(64, plan.sharedBytes + 64);
  void *scratch = aligned_alloc(64, (plan.scratchBytes() + 127) / 64 * 64);
  memset(scratch, 0xff, plan.scratchBytes());
  code.pack(a.data(), b.data(), c.data(), shared, scratch, 0, plan.packTasks());
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
