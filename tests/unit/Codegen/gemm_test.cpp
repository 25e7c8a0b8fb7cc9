// Planned GEMMs of f32, f64 and f16: random sizes, strides, dimensions and
// epilogues.
#include "gemm_checks.h"

using namespace gemm_checks;

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

/// Rows of A that are far apart are copied for each block of columns.
TEST(Gemm, CopiedRowsHaveManyColumns) {
  Gemm gemm = matrices(512, 512, 512, false, false, true);
  gemm.isDouble = true;
  ContractionPlan plan = planContraction(gemm, *find_profile("avx512"));
  EXPECT_TRUE(plan.rowMajorA);
  EXPECT_EQ(plan.columnBlocks, 2);
}

/// A task of few tiles has several panels if each task copies the rows.
TEST(Gemm, TasksOfFewCopiedRows) {
  for (const TargetProfile &profile : vectorProfiles()) {
    if (profile.vector_bits != 512)
      continue;
    Gemm gemm = matrices(49, 512, 2048, false, false, true);
    ContractionPlan plan = planContraction(gemm, profile);
    EXPECT_TRUE(plan.rowMajorA && plan.packB && !plan.shareB);
    EXPECT_EQ(plan.rowBlocks, 1);
    EXPECT_EQ(plan.columnBlocks, kFewTasks / 2);
    check<float>(gemm, profile);
  }
}

/// Rows of A that conflict are read in place, in lower tiles, if there is one
/// panel of columns.
TEST(Gemm, OnePanelOfRowsThatConflict) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t columns : {1, 7, 13})
      for (bool plain : {false, true}) {
        Gemm gemm = matrices(45, columns, 1024, false, false, plain);
        ContractionPlan plan = planContraction(gemm, profile);
        EXPECT_FALSE(plan.packA);
        EXPECT_LE(plan.tileRows, 8);
        check<float>(gemm, profile);
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
    // The gradient of a convolution's weights, whose result is transposed, in
    // one task or several tasks for each panel.
    for (auto [co, ci, size] :
         {std::array{64, 20, 3}, std::array{40, 32, 3}, std::array{64, 15, 3}})
      for (bool plain : {true, false}) {
        Gemm gradient = weightGradient(40, co, ci, 14, size);
        gradient.plainResult = plain;
        ContractionPlan plan = planContraction(gradient, profile);
        if (profile.vector_bits == 512)
          EXPECT_TRUE(plan.swapped && plan.dividesK());
        check<float>(gradient, profile);
      }
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
                code.packTasks());
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

/// The weights of a convolution's gradient are contiguous along K in short runs
/// only. They are packed once for all images.
TEST(Gemm, PacksWeightsOfGradientsOnce) {
  for (TargetProfile profile : vectorProfiles())
    for (auto [batch, ci, co, size] :
         {std::array{17, 12, 256, 10}, std::array{34, 6, 300, 6},
          std::array{34, 150, 33, 6}, std::array{6, 5, 16, 26}}) {
      Gemm gemm = convolution(batch, ci, co, size, size, 3, 3, 1);
      gemm.m[0].a = 9;
      gemm.k[0].a = 9 * co;
      for (int cores : {2, 64}) {
        profile.divide_for(cores);
        gemm.plainResult = cores == 2;
        if (co >= 256)
          EXPECT_TRUE(planContraction(gemm, profile).shareA);
        check<float>(gemm, profile);
      }
    }
}

/// Rows of a transposed matrix are not contiguous along K. Without 512-bit
/// registers, they are packed once if many columns read them.
TEST(Gemm, PacksTransposedRowsOnce) {
  for (TargetProfile profile : vectorProfiles())
    for (auto [m, n, k] : {std::array{100, 600, 500}, std::array{13, 530, 900},
                           std::array{131, 513, 33}, std::array{40, 513, 20},
                           std::array{2, 530, 900}}) {
      Gemm gemm = matrices(m, n, k, true, false, true);
      // A short K, or a single tile of rows, does not pay for packing.
      EXPECT_EQ(planContraction(gemm, profile).shareA,
                profile.vector_bits < 512 && k > 32 && m > 2);
      for (int cores : {2, 64}) {
        profile.divide_for(cores);
        check<float>(gemm, profile);
        check<double>(gemm, profile);
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

/// Few pixels of many channels are read in place if the rows of the weights
/// would be copied, unless the pixels of a tile lie in many pages.
TEST(Gemm, TurnedPixelsByChannels) {
  for (const TargetProfile &profile : vectorProfiles()) {
    if (profile.vector_bits != 512)
      continue;
    auto isTurned = [&](int64_t ci, int64_t co, int64_t width) {
      Gemm gemm = convolution(1, ci, co, width, width, 1, 1, 1);
      return planContraction(gemm, profile).swapped;
    };
    EXPECT_TRUE(isTurned(2048, 512, 7));
    EXPECT_TRUE(isTurned(512, 1024, 14));
    EXPECT_FALSE(isTurned(512, 256, 28)); // far apart
    EXPECT_FALSE(isTurned(256, 1024, 14));
    EXPECT_FALSE(isTurned(2048, 128, 7)); // few tasks
    check<float>(convolution(1, 512, 260, 7, 7, 1, 1, 1), profile);
  }
}

TEST(Gemm, PixelsByChannels) {
  for (const TargetProfile &profile : vectorProfiles())
    for (int64_t ci : {64, 256, 300})
      for (int64_t width : {7, 14})
        check<float>(convolution(1, ci, 130, width, width, 1, 1, 1), profile);
}

TEST(Gemm, WeightGradient) {
  for (auto [i, o, b, h, k] :
       {std::array{6, 17, 5, 12, 3}, std::array{4, 8, 1, 20, 3}}) {
    Gemm gemm = weightGradient(i, o, b, h, k);
    gemm.plainResult = b == 5;
    check<float>(gemm, kAvx2);
  }
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
