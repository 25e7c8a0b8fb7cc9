// The growth of errors with the length of inner products: GEMMs along K,
// batched and with vectors, contractions over several dimensions, and
// convolutions with large windows.
#include "error_growth.h"

#include "xlac/stablehlo.h"

namespace xlac::growth {
namespace {

/// Packed GEMMs have longer chains: a block along K has at most 480 steps, and
/// 16 blocks are added in a chain.
constexpr double kPacked = (480 + 16) / 2;

/// Operands of one length whose products have the same sign.
struct Factors {
  const char *name;
  Tensor x;
  long double squares; ///< the sum of squares
};

/// Equal numbers, which round in the same way in every step, and random ones.
std::vector<Factors> factors(Dtype dtype, int64_t count) {
  Tensor equal =
      full({count}, 0.25, TensorOptions(dtype).device(Device("xla:0"))) + 0.062;
  xlac::sync();
  long double each = held(dtype, 0.25L + held(dtype, 0.062));
  std::vector<double> values = period(dtype);
  long double squares = total(
      values, count, [](double v) { return static_cast<long double>(v) * v; });
  return {{"equal", equal, each * each * static_cast<long double>(count)},
          {"random", in_memory(values, dtype, count), squares}};
}

void check_products(const Factors &f) {
  int64_t k = f.x.numel();
  auto near = [&](const char *what, const Tensor &got) {
    expect_near(std::string(what) + " of " + f.name + " numbers", got,
                f.squares, f.squares, k, kPacked);
  };
  Tensor row = f.x.view({1, k}), column = f.x.view({k, 1});
  near("dot", dot(f.x, f.x));
  near("vdot", vdot(f.x, f.x));
  near("row by column", mm(row, column));
  near("few rows and columns", mm(row.expand({2, k}), column.expand({k, 3})));
  near("matrix by vector", mv(row.expand({20, k}), f.x));
  near("vector by matrix", matmul(f.x, column.expand({k, 40})));
  near("rows by rows", mm(row.expand({4, k}), row.expand({33, k}).t()));
  near("columns by columns",
       mm(column.expand({k, 30}).t(), column.expand({k, 50})));
  near("batches", bmm(row.expand({3, 5, k}), column.expand({3, k, 7})));
  near("computed on the way", mm(row * 2, column.expand({k, 3})) / 2);
  near("with an epilogue",
       mm(row.expand({2, k}), column.expand({k, 3})) * 2 / 2);
}

TEST(ErrorGrowth, OfMatrixProducts) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, 24); k += k < 16 ? 3 : 2)
      for (const Factors &f : factors(dtype, int64_t{1} << k))
        check_products(f);
}

/// Operands larger than memory: both repeat a period.
TEST(ErrorGrowth, OfContractionsOverSeveralDimensions) {
  for (Dtype dtype : kDtypes)
    for (int k = 12; k <= kMost; k += 6) {
      int64_t count = int64_t{1} << k;
      std::vector<double> values = period(dtype);
      long double squares = total(values, count, [](double v) {
        return static_cast<long double>(v) * v;
      });
      Tensor x = on_xla(tensor(values, kFloat64).to(dtype));
      Tensor many = x.expand({3, count / kPeriod, kPeriod});
      expect_near("contraction", einsum("iab,jab->ij", {many, many}), squares,
                  squares, count, kPacked);
    }
}

/// The dot product of two vectors in a StableHLO program.
TEST(ErrorGrowth, OfDotGeneral) {
  for (int k : {10, 16, 20, std::min(kMost, 26)}) {
    std::string type = "tensor<" + std::to_string(int64_t{1} << k) + "xf32>";
    auto program = stablehlo::build(stablehlo::Program::parse(
        "func.func @main(%a: " + type + ", %b: " + type +
        ") -> tensor<f32> {\n%0 = stablehlo.dot_general %a, %b, "
        "contracting_dims = [0] x [0] : (" +
        type + ", " + type + ") -> tensor<f32>\nreturn %0 : tensor<f32>\n}"));
    for (const Factors &f : factors(kFloat32, int64_t{1} << k))
      expect_near("dot_general", program.run({f.x, f.x})[0], f.squares,
                  f.squares, f.x.numel(), kPacked);
  }
}

/// Narrow operands are summed in f32 and rounded once.
TEST(ErrorGrowth, OfNarrowProducts) {
  for (Dtype dtype : {kBFloat16, kFloat16})
    for (int k = 10; k <= std::min(kMost, 20); k += 5) {
      int64_t count = int64_t{1} << k;
      double each =
          0.125 * 1.125 / std::sqrt(static_cast<double>(count) / 1024);
      Tensor x =
          full({count}, each, TensorOptions(dtype).device(Device("xla:0")));
      xlac::sync();
      each = x.slice(0, 0, 1).cpu().to(kFloat64).item<double>();
      double exact = each * each * static_cast<double>(count);
      for (int64_t rows : {1, 20}) {
        Tensor product = mm(x.view({1, count}).expand({rows, count}),
                            x.view({count, 1}).expand({count, 33}));
        for (double value :
             product.cpu().to(kFloat64).reshape({-1}).to_vector<double>())
          EXPECT_LE(std::abs(value - exact) / exact, 1.01 * unit_of(dtype))
              << rows << " rows of 2^" << k << " " << dtype;
      }
    }
}

TEST(ErrorGrowth, OfComplexProducts) {
  for (int k = 10; k <= std::min(kMost, 20); k += 5)
    for (const Factors &f : factors(kFloat32, int64_t{1} << k)) {
      // (x + ix) · (x - ix) = 2x².
      int64_t n = f.x.numel();
      Tensor z = complex(f.x, f.x).view({1, n});
      Tensor product = mm(z, conj(z).view({n, 1}).expand({n, 3}));
      expect_near("complex product", real(product), 2 * f.squares,
                  2 * f.squares, n);
    }
}

/// Windows as large as the image, with one channel and with many.
TEST(ErrorGrowth, OfConvolutions) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, 22); k += 4)
      for (const Factors &f : factors(dtype, int64_t{1} << k)) {
        int64_t n = f.x.numel();
        auto near = [&](const char *what, const Tensor &got) {
          expect_near(std::string(what) + " of " + f.name + " numbers", got,
                      f.squares, f.squares, n, kPacked);
        };
        Tensor line = f.x.view({1, 1, n});
        near("conv1d", F::conv1d(line, line));
        near("conv1d into channels", F::conv1d(line, line.expand({20, 1, n})));
        Tensor channels = f.x.view({1, n / 4, 4});
        near("conv1d of channels",
             F::conv1d(channels, channels.expand({9, n / 4, 4})));
        Tensor image = f.x.view({1, n / 1024, 32, 32});
        near("conv2d", F::conv2d(image, image.expand({5, n / 1024, 32, 32})));
      }
}

TEST(ErrorGrowth, OfProductsOnTheCpu) {
  for (Dtype dtype : kDtypes)
    for (int k = 10; k <= std::min(kMost, 22); k += 4)
      for (const Factors &f : factors(dtype, int64_t{1} << k)) {
        int64_t n = f.x.numel();
        Tensor x = f.x.cpu();
        Tensor row = x.view({1, n}), column = x.view({n, 1});
        Tensor line = x.view({1, 1, n});
        for (const Tensor &got : {dot(x, x), mm(row, column), mv(row, x),
                                  mm(row.expand({3, n}), column.expand({n, 5})),
                                  F::conv1d(line, line)})
          expect_near(std::string("products of ") + f.name + " numbers", got,
                      f.squares, f.squares, n, kPacked);
      }
}

} // namespace
} // namespace xlac::growth
