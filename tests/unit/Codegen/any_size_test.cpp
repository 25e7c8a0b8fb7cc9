// Kernels for any size beside those for fixed sizes: equal bits for many sizes,
// and no access beyond the buffers, which end at unmapped pages.
#include "kernel_runner.h"

#include "gtest/gtest.h"

#include <fmt/format.h>

#include <array>
#include <functional>

using namespace xlac;
using namespace xlac::test;

namespace {

const int64_t kSizes[] = {1, 2, 3, 7, 8, 9, 17, 31, 70};

/// Small numbers, of which some are zero, as elements of type T.
template <class T> Data numbers(int64_t count) {
  std::vector<T> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = T(int64_t(i * 7919 % 13) - 6);
  return values;
}

/// Numbers of type f16 between 1/2 and 1.
Data halves(int64_t count) {
  std::vector<uint16_t> values(count);
  for (int64_t i = 0; i < count; ++i)
    values[i] = uint16_t(0x3800 + i * 7919 % 1024);
  return values;
}

Data floats(int64_t count) { return someFloats(size_t(count), 3); }

/// Runs the kernel with both kinds of code and compares all results.
/// `attributes` are those of the code for fixed sizes.
void compare(const std::string &kind, const std::string &body,
             const std::vector<Data> &operands,
             const TargetProfile &profile = avx2Profile(),
             const char *attributes = "") {
  auto text = [&](const char *attributes) {
    return fmt::format("xlac.kernel @k <{}> {} {{\n{}}}\n", kind, attributes,
                       body);
  };
  RunOutcome fixed = runKernel(text(attributes), operands, profile);
  ASSERT_EQ(fixed.error, "") << text(attributes);
  RunOutcome any = runKernel(text("attributes {any_size}"), operands, profile);
  ASSERT_EQ(any.error, "") << text("attributes {any_size}");
  ASSERT_EQ(any.results.size(), fixed.results.size());
  for (size_t i = 0; i < fixed.results.size(); ++i)
    ASSERT_EQ(any.results[i].bytes, fixed.results[i].bytes)
        << "result " << i << "\n"
        << text("attributes {any_size}");
}

/// The profiles with masked loads that this machine runs.
std::vector<TargetProfile> profiles() {
  std::vector<TargetProfile> all = {avx2Profile()};
  if (TargetProfile wide = *find_profile("avx512");
      host_supports(wide.features))
    all.push_back(wide);
  return all;
}

void forSizes(const std::function<void(int64_t n, int64_t m,
                                       const TargetProfile &profile)> &body) {
  for (const TargetProfile &profile : profiles())
    for (int64_t n : kSizes)
      for (int64_t m : kSizes) {
        body(n, m, profile);
        if (testing::Test::HasFatalFailure())
          return;
      }
}

/// The lanes of a last vector without elements divide by zero.
TEST(AnySize, ElementwiseWithBroadcasts) {
  forSizes([](int64_t n, int64_t m, const TargetProfile &profile) {
    compare("loop",
            fmt::format(R"(
^bb0(%x: tensor<{0}x{1}xf32>, %i: tensor<{1}x{0}xi32>, %b: tensor<{1}xi8>):
  %t = "stablehlo.transpose"(%i) <{{permutation = array<i64: 1, 0>}}> : (tensor<{1}x{0}xi32>) -> tensor<{0}x{1}xi32>
  %c = "stablehlo.broadcast_in_dim"(%b) <{{broadcast_dimensions = array<i64: 1>}}> : (tensor<{1}xi8>) -> tensor<{0}x{1}xi8>
  %w = "stablehlo.convert"(%c) : (tensor<{0}x{1}xi8>) -> tensor<{0}x{1}xi32>
  %d = "stablehlo.divide"(%t, %w) : (tensor<{0}x{1}xi32>, tensor<{0}x{1}xi32>) -> tensor<{0}x{1}xi32>
  %r = "stablehlo.remainder"(%w, %t) : (tensor<{0}x{1}xi32>, tensor<{0}x{1}xi32>) -> tensor<{0}x{1}xi32>
  %s = "stablehlo.subtract"(%d, %r) : (tensor<{0}x{1}xi32>, tensor<{0}x{1}xi32>) -> tensor<{0}x{1}xi32>
  %f = "stablehlo.convert"(%s) : (tensor<{0}x{1}xi32>) -> tensor<{0}x{1}xf32>
  %e = "stablehlo.exponential"(%x) : (tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %p = "stablehlo.add"(%e, %f) : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %k = "stablehlo.compare"(%p, %x) <{{comparison_direction = #stablehlo<comparison_direction GT>}}> : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xi1>
  xlac.yield %p, %k : tensor<{0}x{1}xf32>, tensor<{0}x{1}xi1>
)",
                        n, m),
            {floats(n * m), numbers<int32_t>(n * m), numbers<int8_t>(m)},
            profile);
  });
}

/// Loops for fixed sizes are divided in two in the middle of the chains. The
/// values there are two quotients and a result.
TEST(AnySize, LongChains) {
  for (const TargetProfile &profile : profiles())
    for (const char *attributes :
         {"", "attributes {in_place = array<i64: 1, 0>} "})
      for (auto [n, m] : {std::pair{1, 128}, {1, 1000}, {5, 203}, {7, 1}}) {
        compare("loop",
                fmt::format(R"(
^bb0(%x: tensor<{0}x{1}xf32>, %b: tensor<{0}xf32>):
  %w = "stablehlo.broadcast_in_dim"(%b) <{{broadcast_dimensions = array<i64: 0>}}> : (tensor<{0}xf32>) -> tensor<{0}x{1}xf32>
  %e = "stablehlo.exponential"(%x) : (tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %p = "stablehlo.divide"(%e, %w) : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %q = "stablehlo.divide"(%w, %e) : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %k = "stablehlo.compare"(%p, %x) <{{comparison_direction = #stablehlo<comparison_direction GT>}}> : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xi1>
  %s = "stablehlo.select"(%k, %p, %q) : (tensor<{0}x{1}xi1>, tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %t = "stablehlo.tanh"(%s) : (tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %r = "stablehlo.multiply"(%t, %x) : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  xlac.yield %p, %r : tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>
)",
                            n, m),
                {floats(n * m), floats(n)}, profile, attributes);
        if (testing::Test::HasFatalFailure())
          return;
      }
}

TEST(AnySize, GatheredRowsAndShiftedColumns) {
  forSizes([](int64_t n, int64_t m, const TargetProfile &profile) {
    compare("loop",
            fmt::format(R"(
^bb0(%x: tensor<9x{1}xf32>, %i: tensor<{0}x1xi32>):
  %z = "stablehlo.constant"() <{{value = dense<0.5> : tensor<f32>}}> : () -> tensor<f32>
  %g = "stablehlo.gather"(%x, %i) <{{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, {1}>}}> : (tensor<9x{1}xf32>, tensor<{0}x1xi32>) -> tensor<{0}x{1}xf32>
  %p = "stablehlo.pad"(%g, %z) <{{edge_padding_low = array<i64: 0, 2>, edge_padding_high = array<i64: 0, -1>, interior_padding = array<i64: 0, 0>}}> : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}x{2}xf32>
  %n = "stablehlo.negate"(%p) : (tensor<{0}x{2}xf32>) -> tensor<{0}x{2}xf32>
  xlac.yield %n : tensor<{0}x{2}xf32>
)",
                        n, m, m + 1),
            {floats(9 * m), numbers<int32_t>(n)}, profile);
  });
}

TEST(AnySize, ComplexRows) {
  forSizes([](int64_t n, int64_t m, const TargetProfile &profile) {
    compare("reduction",
            fmt::format(R"(
^bb0(%x: tensor<{0}x{1}xcomplex<f32>>):
  %z = "stablehlo.constant"() <{{value = dense<(0.0, 0.0)> : tensor<complex<f32>>}}> : () -> tensor<complex<f32>>
  %q = "stablehlo.multiply"(%x, %x) : (tensor<{0}x{1}xcomplex<f32>>, tensor<{0}x{1}xcomplex<f32>>) -> tensor<{0}x{1}xcomplex<f32>>
  %s = "stablehlo.reduce"(%q, %z) <{{dimensions = array<i64: 1>}}> ({{
  ^bb0(%a: tensor<complex<f32>>, %b: tensor<complex<f32>>):
    %c = "stablehlo.add"(%a, %b) : (tensor<complex<f32>>, tensor<complex<f32>>) -> tensor<complex<f32>>
    "stablehlo.return"(%c) : (tensor<complex<f32>>) -> ()
  }}) : (tensor<{0}x{1}xcomplex<f32>>, tensor<complex<f32>>) -> tensor<{0}xcomplex<f32>>
  %t = "stablehlo.broadcast_in_dim"(%s) <{{broadcast_dimensions = array<i64: 0>}}> : (tensor<{0}xcomplex<f32>>) -> tensor<{0}x{1}xcomplex<f32>>
  %r = "stablehlo.subtract"(%q, %t) : (tensor<{0}x{1}xcomplex<f32>>, tensor<{0}x{1}xcomplex<f32>>) -> tensor<{0}x{1}xcomplex<f32>>
  xlac.yield %r : tensor<{0}x{1}xcomplex<f32>>
)",
                        n, m),
            {floats(2 * n * m)}, profile);
  });
}

/// Exponentials are kept in the result between the passes.
TEST(AnySize, Softmax) {
  forSizes([](int64_t n, int64_t m, const TargetProfile &profile) {
    compare("reduction",
            fmt::format(R"(
^bb0(%x: tensor<{0}x{1}xf32>):
  %z = "stablehlo.constant"() <{{value = dense<0.0> : tensor<f32>}}> : () -> tensor<f32>
  %l = "stablehlo.constant"() <{{value = dense<0xFF800000> : tensor<f32>}}> : () -> tensor<f32>
  %m = "stablehlo.reduce"(%x, %l) <{{dimensions = array<i64: 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.maximum"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }}) : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}xf32>
  %w = "stablehlo.broadcast_in_dim"(%m) <{{broadcast_dimensions = array<i64: 0>}}> : (tensor<{0}xf32>) -> tensor<{0}x{1}xf32>
  %d = "stablehlo.subtract"(%x, %w) : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %e = "stablehlo.exponential"(%d) : (tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  %s = "stablehlo.reduce"(%e, %z) <{{dimensions = array<i64: 1>}}> ({{
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>
    "stablehlo.return"(%c) : (tensor<f32>) -> ()
  }}) : (tensor<{0}x{1}xf32>, tensor<f32>) -> tensor<{0}xf32>
  %t = "stablehlo.broadcast_in_dim"(%s) <{{broadcast_dimensions = array<i64: 0>}}> : (tensor<{0}xf32>) -> tensor<{0}x{1}xf32>
  %q = "stablehlo.divide"(%e, %t) : (tensor<{0}x{1}xf32>, tensor<{0}x{1}xf32>) -> tensor<{0}x{1}xf32>
  xlac.yield %q, %m : tensor<{0}x{1}xf32>, tensor<{0}xf32>
)",
                        n, m),
            {floats(n * m)}, profile);
  });
}

TEST(AnySize, SumsOfColumnsAndOfLongRows) {
  auto sum = [](int64_t n, int64_t m, int64_t dim,
                const TargetProfile &profile) {
    compare("reduction",
            fmt::format(R"(
^bb0(%x: tensor<{0}x{1}xi32>):
  %z = "stablehlo.constant"() <{{value = dense<3> : tensor<i32>}}> : () -> tensor<i32>
  %q = "stablehlo.negate"(%x) : (tensor<{0}x{1}xi32>) -> tensor<{0}x{1}xi32>
  %s = "stablehlo.reduce"(%q, %z) <{{dimensions = array<i64: {2}>}}> ({{
  ^bb0(%a: tensor<i32>, %b: tensor<i32>):
    %c = "stablehlo.add"(%a, %b) : (tensor<i32>, tensor<i32>) -> tensor<i32>
    "stablehlo.return"(%c) : (tensor<i32>) -> ()
  }}) : (tensor<{0}x{1}xi32>, tensor<i32>) -> tensor<{3}xi32>
  xlac.yield %s : tensor<{3}xi32>
)",
                        n, m, dim, dim == 0 ? m : n),
            {numbers<int32_t>(n * m)}, profile);
  };
  forSizes([&](int64_t n, int64_t m, const TargetProfile &profile) {
    sum(n, m, 0, profile);
    sum(n, m, 1, profile);
  });
  for (const TargetProfile &profile : profiles())
    for (int64_t n : {1, 3, 20})
      for (int64_t m : {70'000, 33'333}) {
        sum(n, m, 1, profile);
        sum(m, n, 0, profile);
      }
}

/// A product with a bias and relu. The operands may be transposed.
void compareProduct(const char *element, int64_t bytes, int64_t m, int64_t n,
                    int64_t k, bool aT, bool bT, const TargetProfile &profile) {
  auto sizes = [](int64_t x, int64_t y, bool turned) {
    return turned ? fmt::format("{}x{}", y, x) : fmt::format("{}x{}", x, y);
  };
  std::string body = fmt::format(
      R"(
^bb0(%a: tensor<{0}x{5}>, %b: tensor<{1}x{5}>, %c: tensor<{3}x{5}>):
  %z = "stablehlo.constant"() <{{value = dense<0.0> : tensor<{2}x{3}x{5}>}}> : () -> tensor<{2}x{3}x{5}>
  %p = "stablehlo.dot_general"(%a, %b) <{{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [{4}], rhs_contracting_dimensions = [{6}]>}}> : (tensor<{0}x{5}>, tensor<{1}x{5}>) -> tensor<{2}x{3}x{5}>
  %w = "stablehlo.broadcast_in_dim"(%c) <{{broadcast_dimensions = array<i64: 1>}}> : (tensor<{3}x{5}>) -> tensor<{2}x{3}x{5}>
  %s = "stablehlo.add"(%p, %w) : (tensor<{2}x{3}x{5}>, tensor<{2}x{3}x{5}>) -> tensor<{2}x{3}x{5}>
  %r = "stablehlo.maximum"(%s, %z) : (tensor<{2}x{3}x{5}>, tensor<{2}x{3}x{5}>) -> tensor<{2}x{3}x{5}>
  xlac.yield %r : tensor<{2}x{3}x{5}>
)",
      sizes(m, k, aT), sizes(k, n, bT), m, n, aT ? 0 : 1, element, bT ? 1 : 0);
  auto data = [&](int64_t count) {
    return bytes == 4   ? floats(count)
           : bytes == 8 ? numbers<double>(count)
                        : halves(count);
  };
  compare("contraction", body, {data(m * k), data(k * n), data(n)}, profile);
}

TEST(AnySize, Products) {
#ifdef XLAC_TEST_SANITIZED
  const std::vector<int64_t> rows = {1, 33};
#else
  const std::vector<int64_t> rows = {1, 2, 7, 33, 90};
#endif
  for (const TargetProfile &profile : profiles())
    for (int64_t m : rows)
      for (int64_t n : {1, 8, 17, 200})
        for (int64_t k : {1, 9, 64})
          // Half of the combinations hold every pair of sizes and of layouts.
          for (int turned :
               (m + n + k) % 2 ? std::array{0, 3} : std::array{1, 2}) {
            compareProduct("f32", 4, m, n, k, turned & 1, turned & 2, profile);
            if (HasFatalFailure())
              return;
          }
}

/// The code for any size chooses sums along K, or short blocks of K, where the
/// code for fixed sizes does.
TEST(AnySize, ProductsOfFewRows) {
  for (const TargetProfile &profile : profiles())
    for (int64_t m : {1, 16, 17})
      for (int64_t k : {205, 2500}) {
        compareProduct("f32", 4, m, 17, k, false, true, profile);
        compareProduct("f64", 8, m, 1, k, false, true, profile);
        compareProduct("f16", 2, m, 17, k, false, true, profile);
        if (HasFatalFailure())
          return;
      }
  // Rows of the matrix far from each other.
  for (const TargetProfile &profile : profiles())
    for (int64_t m : {2, 50})
      compareProduct("f32", 4, m, 1100, 2000, false, false, profile);
}

/// An integer product whose operands may be transposed.
void compareIntegers(const char *element, int64_t m, int64_t n, int64_t k,
                     bool aT, bool bT, const TargetProfile &profile) {
  auto sizes = [](int64_t x, int64_t y, bool turned) {
    return turned ? fmt::format("{}x{}", y, x) : fmt::format("{}x{}", x, y);
  };
  std::string body = fmt::format(
      R"(
^bb0(%a: tensor<{0}x{5}>, %b: tensor<{1}x{5}>):
  %p = "stablehlo.dot_general"(%a, %b) <{{dot_dimension_numbers = #stablehlo.dot<lhs_contracting_dimensions = [{4}], rhs_contracting_dimensions = [{6}]>}}> : (tensor<{0}x{5}>, tensor<{1}x{5}>) -> tensor<{2}x{3}xi32>
  xlac.yield %p : tensor<{2}x{3}xi32>
)",
      sizes(m, k, aT), sizes(k, n, bT), m, n, aT ? 0 : 1, element, bT ? 1 : 0);
  compare("contraction", body, {numbers<int8_t>(m * k), numbers<int8_t>(k * n)},
          profile);
}

TEST(AnySize, ProductsOfIntegers) {
  std::vector<TargetProfile> all = profiles();
  all.push_back(host_profile());
  for (const TargetProfile &profile : all)
    for (int64_t m : {1, 33})
      for (int64_t n : {17, 200})
        for (int64_t k : {9, 3003})
          for (int turned : {0, 1, 2, 3}) {
            compareIntegers(turned & 1 ? "i8" : "ui8", m, n, k, turned & 1,
                            turned & 2, profile);
            if (HasFatalFailure())
              return;
          }
}

TEST(AnySize, ProductsOfOtherTypesAndManyBlocks) {
  for (const TargetProfile &profile : profiles())
    for (int64_t m : {2, 30})
      for (int64_t n : {17, 300}) {
        compareProduct("f64", 8, m, n, 40, false, true, profile);
        compareProduct("f16", 2, m, n, 40, false, false, profile);
        compareProduct("f32", 4, m, n, 1000, false, false, profile);
        compareProduct("f32", 4, m, n, 9000, true, false, profile);
      }
}

} // namespace
