// Rounding errors of reductions on xla devices grow with the logarithm of the
// number of addends for every kernel schedule. There is one case for each
// schedule, at odd sizes. error_growth_test checks all functions at much larger
// sizes.
#include <xlac/xlac.h>

#include <cmath>
#include <gtest/gtest.h>

namespace xlac {
namespace {

struct Reduced {
  Shape sizes, dims;
};

void PrintTo(const Reduced &reduced, std::ostream *out) {
  *out << "sizes";
  for (int64_t size : reduced.sizes)
    *out << ' ' << size;
  *out << " dims";
  for (int64_t dim : reduced.dims)
    *out << ' ' << dim;
}

int64_t addends(const Reduced &reduced) {
  int64_t count = 1;
  for (int64_t dim : reduced.dims)
    count *= reduced.sizes[dim];
  return count;
}

/// The relative error bound of pairwise sums of `count` positive numbers.
double bound(int64_t count) { return std::log2(double(count)) * 0x1p-24; }

/// Returns the largest relative difference.
double worst(const Tensor &result, const Tensor &exact) {
  Tensor difference = (result.cpu().to(kFloat64) - exact) / exact;
  return difference.abs().max().item<double>();
}

class ReductionError : public testing::TestWithParam<Reduced> {
protected:
  Device xla_device{"xla:0"};
  Reduced reduced = GetParam();
};

/// Equal addends round in the same way in every step: the worst case of a
/// chain.
TEST_P(ReductionError, EqualAddendsFromMemory) {
  Tensor values = full(reduced.sizes, 0.062, xla_device);
  sync();
  double exact = double(0.062f) * double(addends(reduced));
  Tensor sums = values.sum(reduced.dims);
  EXPECT_LE(worst(sums, full(sums.sizes(), exact, kFloat64)),
            bound(addends(reduced)));
}

TEST_P(ReductionError, EqualAddendsComputedOnTheWay) {
  int64_t count = 1;
  for (int64_t size : reduced.sizes)
    count *= size;
  Tensor values = arange(count, TensorOptions(kFloat32).device(xla_device))
                          .reshape(reduced.sizes) *
                      1e-30 +
                  0.062;
  double exact = double(0.062f) * double(addends(reduced));
  Tensor sums = values.sum(reduced.dims);
  EXPECT_LE(worst(sums, full(sums.sizes(), exact, kFloat64)),
            bound(addends(reduced)));
}

TEST_P(ReductionError, RandomAddends) {
  manual_seed(7);
  Tensor values = rand(reduced.sizes), exact = values.to(kFloat64);
  Tensor input = values.to(xla_device);
  double most = bound(addends(reduced));
  EXPECT_LE(worst(input.sum(reduced.dims), exact.sum(reduced.dims)), most);
  EXPECT_LE(worst(input.mean(reduced.dims), exact.mean(reduced.dims)), most);
  EXPECT_LE(worst((input * input).sum(reduced.dims),
                  (exact * exact).sum(reduced.dims)),
            most);
  // Includes the errors of the mean and of the squares.
  EXPECT_LE(worst(var(input, reduced.dims), var(exact, reduced.dims)),
            3 * most);
}

INSTANTIATE_TEST_SUITE_P(
    Kernels, ReductionError,
    testing::Values(
        Reduced{{1 << 10}, {0}}, Reduced{{1 << 16}, {0}},
        Reduced{{(1 << 20) + 13}, {0}}, Reduced{{1 << 24}, {0}},
        // Rows in one pass each, and in blocks.
        Reduced{{512, 1000}, {1}}, Reduced{{64, 8192}, {1}},
        Reduced{{20, 99999}, {1}},
        // Columns: few, many, too few for a vector, in memory order.
        Reduced{{1 << 20, 16}, {0}}, Reduced{{1 << 18, 17}, {0}},
        Reduced{{1 << 17, 3}, {0}}, Reduced{{1 << 13, 1024}, {0}},
        // Several dimensions, with long ones at every position.
        Reduced{{1 << 19, 2, 3}, {0, 2}}, Reduced{{2, 1 << 17, 16}, {0, 1}},
        Reduced{{2, 1 << 17, 16}, {1}}, Reduced{{64, 8, 4096}, {0, 2}},
        Reduced{{3, 5, 1 << 16}, {0, 2}}));

} // namespace
} // namespace xlac
