// Compares whole kernels with plain loops: the loop, reduction, scatter and
// sort kinds with all movement ops, at two vector widths.
#include "kernel_runner.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <tuple>

using namespace xlac;
using namespace xlac::test;

using Floats = std::vector<float>;

/// Runs on floats at both widths. The results must be equal and close to
/// `expected`.
static void expectFloats(const std::string &text, const std::vector<Data> &in,
                         const std::vector<Floats> &expected,
                         float tolerance = 0) {
  for (const TargetProfile *profile : {&avx2Profile(), &baselineProfile()}) {
    RunOutcome outcome = runKernel(text, in, *profile);
    ASSERT_EQ(outcome.error, "") << text;
    ASSERT_EQ(outcome.results.size(), expected.size());
    for (size_t number = 0; number < expected.size(); ++number) {
      Floats got = outcome.results[number].as<float>();
      ASSERT_EQ(got.size(), expected[number].size());
      for (size_t i = 0; i < got.size(); ++i)
        ASSERT_NEAR(got[i], expected[number][i],
                    tolerance * std::max(1.0f, std::abs(got[i])))
            << "result " << number << " element " << i << " for "
            << profile->name << "\n"
            << text;
    }
  }
}

static std::string type(const std::vector<int64_t> &sizes,
                        const std::string &element = "f32") {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

static std::string kernel(const std::string &kind, const std::string &arguments,
                          const std::string &body) {
  return "xlac.kernel @k <" + kind + "> {\n^bb0(" + arguments + "):\n" + body +
         "\n}\n";
}

TEST(LoopKernel, ElementwiseOfAnyLength) {
  for (int64_t n : {0, 1, 2, 3, 7, 8, 9, 31, 100, 5000}) {
    std::string t = type({n});
    std::string text =
        kernel("loop", "%a: " + t + ", %b: " + t,
               "%0 = \"stablehlo.add\"(%a, %b) : (" + t + ", " + t + ") -> " +
                   t + "\n%1 = \"stablehlo.multiply\"(%0, %b) : (" + t + ", " +
                   t + ") -> " + t + "\nxlac.yield %0, %1 : " + t + ", " + t);
    Floats a = someFloats(n, 1), b = someFloats(n, 2), sum(n), product(n);
    for (int64_t i = 0; i < n; ++i) {
      sum[i] = a[i] + b[i];
      product[i] = sum[i] * b[i];
    }
    expectFloats(text, {a, b}, {sum, product});
  }
}

TEST(LoopKernel, BiasAndTranspose) {
  for (auto [rows, columns] : {std::pair{5, 3}, {3, 17}, {64, 40}, {1, 9}}) {
    std::string t = type({rows, columns}), back = type({columns, rows});
    std::string bias = type({columns});
    std::string text =
        kernel("loop", "%x: " + back + ", %b: " + bias,
               "%0 = \"stablehlo.transpose\"(%x) <{permutation = array<i64: 1, "
               "0>}> : (" +
                   back + ") -> " + t +
                   "\n%1 = \"stablehlo.broadcast_in_dim\"(%b) "
                   "<{broadcast_dimensions = "
                   "array<i64: 1>}> : (" +
                   bias + ") -> " + t + "\n%2 = \"stablehlo.add\"(%0, %1) : (" +
                   t + ", " + t + ") -> " + t + "\nxlac.yield %2 : " + t);
    Floats x = someFloats(rows * columns, 3), b = someFloats(columns, 4);
    Floats expected(rows * columns);
    for (int r = 0; r < rows; ++r)
      for (int c = 0; c < columns; ++c)
        expected[r * columns + c] = x[c * rows + r] + b[c];
    expectFloats(text, {x, b}, {expected});
  }
}

TEST(LoopKernel, SliceReverseReshape) {
  std::string text = kernel("loop", "%x: tensor<6x20xf32>", R"(
    %0 = "stablehlo.slice"(%x) <{start_indices = array<i64: 1, 2>,
      limit_indices = array<i64: 6, 20>, strides = array<i64: 2, 1>}>
      : (tensor<6x20xf32>) -> tensor<3x18xf32>
    %1 = "stablehlo.reverse"(%0) <{dimensions = array<i64: 1>}>
      : (tensor<3x18xf32>) -> tensor<3x18xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<3x18xf32>) -> tensor<2x1x27xf32>
    xlac.yield %2 : tensor<2x1x27xf32>)");
  Floats x = someFloats(120, 5), expected;
  for (int r = 1; r < 6; r += 2)
    for (int c = 19; c >= 2; --c)
      expected.push_back(x[r * 20 + c]);
  expectFloats(text, {x}, {expected});
}

/// Rows of the result are contiguous with the next ones, except where the
/// broadcast separates their groups.
TEST(LoopKernel, ReshapeBehindABroadcast) {
  std::string text = kernel(
      "loop",
      "%a: tensor<2x2x2x3xf32>, %b: tensor<2x2xf32>, %c: tensor<2x4x3xf32>", R"(
    %0 = "stablehlo.broadcast_in_dim"(%b) <{broadcast_dimensions =
      array<i64: 0, 1>}> : (tensor<2x2xf32>) -> tensor<2x2x2x3xf32>
    %1 = "stablehlo.add"(%a, %0)
      : (tensor<2x2x2x3xf32>, tensor<2x2x2x3xf32>) -> tensor<2x2x2x3xf32>
    %2 = "stablehlo.reshape"(%1) : (tensor<2x2x2x3xf32>) -> tensor<2x4x3xf32>
    %3 = "stablehlo.multiply"(%2, %c)
      : (tensor<2x4x3xf32>, tensor<2x4x3xf32>) -> tensor<2x4x3xf32>
    xlac.yield %3 : tensor<2x4x3xf32>)");
  Floats a = someFloats(24, 1), b = someFloats(4, 2), c = someFloats(24, 3),
         expected(24);
  for (int64_t i = 0; i < 24; ++i)
    expected[i] = (a[i] + b[i / 6]) * c[i];
  expectFloats(text, {a, b, c}, {expected});
}

TEST(LoopKernel, ConcatenateAtTheRootAndInside) {
  for (bool inside : {false, true}) {
    std::string tail = inside ? R"(
    %1 = "stablehlo.negate"(%0) : (tensor<4x24xf32>) -> tensor<4x24xf32>
    xlac.yield %1 : tensor<4x24xf32>)"
                              : "xlac.yield %0 : tensor<4x24xf32>";
    std::string text = kernel(
        "loop",
        "%a: tensor<4x8xf32>, %b: tensor<4x3xf32>, %c: tensor<4x13xf32>",
        R"(%0 = "stablehlo.concatenate"(%a, %b, %c) <{dimension = 1 : i64}>
      : (tensor<4x8xf32>, tensor<4x3xf32>, tensor<4x13xf32>) -> tensor<4x24xf32>
    )" + tail);
    Floats a = someFloats(32, 6), b = someFloats(12, 7), c = someFloats(52, 8);
    Floats expected;
    for (int r = 0; r < 4; ++r) {
      expected.insert(expected.end(), a.begin() + r * 8, a.begin() + r * 8 + 8);
      expected.insert(expected.end(), b.begin() + r * 3, b.begin() + r * 3 + 3);
      expected.insert(expected.end(), c.begin() + r * 13,
                      c.begin() + r * 13 + 13);
    }
    if (inside)
      for (float &value : expected)
        value = -value;
    expectFloats(text, {a, b, c}, {expected});
  }
}

TEST(LoopKernel, PadWithHolesAndNegativeEdges) {
  for (bool holes : {false, true}) {
    std::string text = kernel(
        "loop", "%x: tensor<3x10xf32>, %p: tensor<f32>",
        std::string(R"(%0 = "stablehlo.pad"(%x, %p) <{
      edge_padding_low = array<i64: 1, )") +
            (holes ? "-1" : "2") +
            R"(>, edge_padding_high = array<i64: 2, 3>, interior_padding = array<i64: )" +
            (holes ? "1, 2" : "0, 0") +
            ">}> : (tensor<3x10xf32>, tensor<f32>) -> " +
            (holes ? "tensor<8x30xf32>" : "tensor<6x15xf32>") +
            "\nxlac.yield %0 : " +
            (holes ? "tensor<8x30xf32>" : "tensor<6x15xf32>"));
    int rows = holes ? 8 : 6, columns = holes ? 30 : 15;
    Floats x = someFloats(30, 9), expected(rows * columns, 7.0f);
    for (int r = 0; r < 3; ++r)
      for (int c = 0; c < 10; ++c) {
        int row = 1 + r * (holes ? 2 : 1);
        int column = (holes ? -1 : 2) + c * (holes ? 3 : 1);
        if (column >= 0 && column < columns)
          expected[row * columns + column] = x[r * 10 + c];
      }
    expectFloats(text, {x, Floats{7.0f}}, {expected});
  }
}

TEST(LoopKernel, IotaAndConstants) {
  std::string text = kernel("loop", "%x: tensor<2x5xf32>", R"(
    %c = "stablehlo.constant"() <{value = dense<[1.0, 2.0, 3.0, 4.0, 5.0]> : tensor<5xf32>}> : () -> tensor<5xf32>
    %0 = "stablehlo.broadcast_in_dim"(%c) <{broadcast_dimensions = array<i64: 1>}> : (tensor<5xf32>) -> tensor<2x5xf32>
    %1 = "stablehlo.iota"() <{iota_dimension = 0 : i64}> : () -> tensor<2x5xf32>
    %2 = "stablehlo.multiply"(%0, %x) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    %3 = "stablehlo.add"(%1, %2) : (tensor<2x5xf32>, tensor<2x5xf32>) -> tensor<2x5xf32>
    xlac.yield %3 : tensor<2x5xf32>)");
  Floats x = someFloats(10, 10), expected(10);
  for (int i = 0; i < 10; ++i)
    expected[i] = float(i / 5) + float(i % 5 + 1) * x[i];
  expectFloats(text, {x}, {expected});
}

TEST(LoopKernel, DynamicSliceAndUpdate) {
  for (int start : {-5, 0, 3, 100})
    for (bool inPlace : {false, true}) {
      std::string text = kernel("loop",
                                "%x: tensor<8x9xf32>, %u: tensor<3x9xf32>, "
                                "%i: tensor<i32>, %z: tensor<i32>",
                                R"(
    %0 = "stablehlo.dynamic_update_slice"(%x, %u, %i, %z) : (tensor<8x9xf32>,
      tensor<3x9xf32>, tensor<i32>, tensor<i32>) -> tensor<8x9xf32>
    xlac.yield %0 : tensor<8x9xf32>)");
      if (inPlace)
        text.insert(text.find("{\n"),
                    "attributes {in_place = array<i64: 0, 0>} ");
      Floats x = someFloats(72, 11), u = someFloats(27, 12), expected = x;
      int at = std::clamp(start, 0, 5);
      std::copy(u.begin(), u.end(), expected.begin() + at * 9);
      std::vector<int32_t> i{start}, z{0};
      expectFloats(text, {x, u, i, z}, {expected});
      std::string read =
          kernel("loop", "%x: tensor<8x9xf32>, %i: tensor<i32>", R"(
    %0 = "stablehlo.dynamic_slice"(%x, %i, %i) <{slice_sizes = array<i64: 3, 8>}>
      : (tensor<8x9xf32>, tensor<i32>, tensor<i32>) -> tensor<3x8xf32>
    xlac.yield %0 : tensor<3x8xf32>)");
      Floats part;
      for (int r = 0; r < 3; ++r)
        for (int c = 0; c < 8; ++c)
          part.push_back(x[(at + r) * 9 + std::clamp(start, 0, 1) + c]);
      expectFloats(read, {x, i}, {part});
    }
}

TEST(LoopKernel, Gather) {
  std::string text =
      kernel("loop", "%x: tensor<10x6xf32>, %i: tensor<2x3xi32>", R"(
    %0 = "stablehlo.gather"(%x, %i) <{dimension_numbers = #stablehlo.gather<
      offset_dims = [2], collapsed_slice_dims = [0], start_index_map = [0],
      index_vector_dim = 2>, slice_sizes = array<i64: 1, 6>,
      indices_are_sorted = false}> : (tensor<10x6xf32>, tensor<2x3xi32>) -> tensor<2x3x6xf32>
    xlac.yield %0 : tensor<2x3x6xf32>)");
  Floats x = someFloats(60, 13), expected;
  std::vector<int32_t> indices{3, -2, 9, 12, 0, 5};
  for (int32_t index : indices)
    for (int c = 0; c < 6; ++c)
      expected.push_back(x[std::clamp(index, 0, 9) * 6 + c]);
  expectFloats(text, {x, indices}, {expected});
}

TEST(LoopKernel, HalvesRoundAfterEveryOp) {
  std::string text =
      kernel("loop", "%x: tensor<19xbf16>, %y: tensor<19xbf16>", R"(
    %0 = "stablehlo.add"(%x, %y) : (tensor<19xbf16>, tensor<19xbf16>) -> tensor<19xbf16>
    %1 = "stablehlo.convert"(%0) : (tensor<19xbf16>) -> tensor<19xf32>
    xlac.yield %1, %0 : tensor<19xf32>, tensor<19xbf16>)");
  auto widen = [](uint16_t bits) {
    uint32_t wide = uint32_t(bits) << 16;
    float value;
    std::memcpy(&value, &wide, 4);
    return value;
  };
  std::vector<uint16_t> x(19), y(19);
  for (int i = 0; i < 19; ++i) {
    x[i] = 0x3F80 + i * 3;
    y[i] = 0x3C00 + i * 7;
  }
  RunOutcome outcome = runKernel(text, {x, y});
  ASSERT_EQ(outcome.error, "");
  std::vector<uint16_t> narrow = outcome.results[1].as<uint16_t>();
  Floats wide = outcome.results[0].as<float>();
  for (int i = 0; i < 19; ++i) {
    float exact = widen(x[i]) + widen(y[i]);
    EXPECT_EQ(wide[i], widen(narrow[i]));
    EXPECT_LE(std::abs(wide[i] - exact), exact / 256);
  }
}

TEST(LoopKernel, DotAndConvolutionAsInnerLoops) {
  std::string text =
      kernel("loop", "%a: tensor<5x7xf32>, %b: tensor<7x9xf32>", R"(
    %0 = "stablehlo.dot_general"(%a, %b) <{dot_dimension_numbers = #stablehlo.dot<
      lhs_contracting_dimensions = [1], rhs_contracting_dimensions = [0]>}>
      : (tensor<5x7xf32>, tensor<7x9xf32>) -> tensor<5x9xf32>
    xlac.yield %0 : tensor<5x9xf32>)");
  Floats a = someFloats(35, 14), b = someFloats(63, 15), expected(45, 0.0f);
  for (int m = 0; m < 5; ++m)
    for (int n = 0; n < 9; ++n)
      for (int k = 0; k < 7; ++k)
        expected[m * 9 + n] += a[m * 7 + k] * b[k * 9 + n];
  expectFloats(text, {a, b}, {expected}, 1e-5f);

  std::string convolution =
      kernel("loop", "%x: tensor<1x6x6x2xf32>, %w: tensor<3x3x2x4xf32>", R"(
    %0 = "stablehlo.convolution"(%x, %w) <{window_strides = array<i64: 2, 2>,
      padding = dense<1> : tensor<2x2xi64>, dimension_numbers =
      #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>,
      feature_group_count = 1 : i64, batch_group_count = 1 : i64}>
      : (tensor<1x6x6x2xf32>, tensor<3x3x2x4xf32>) -> tensor<1x3x3x4xf32>
    xlac.yield %0 : tensor<1x3x3x4xf32>)");
  Floats x = someFloats(72, 16), w = someFloats(72, 17), out(36, 0.0f);
  for (int y = 0; y < 3; ++y)
    for (int z = 0; z < 3; ++z)
      for (int f = 0; f < 4; ++f)
        for (int i = 0; i < 3; ++i)
          for (int j = 0; j < 3; ++j)
            for (int c = 0; c < 2; ++c) {
              int r = y * 2 + i - 1, s = z * 2 + j - 1;
              if (r >= 0 && r < 6 && s >= 0 && s < 6)
                out[(y * 3 + z) * 4 + f] +=
                    x[(r * 6 + s) * 2 + c] * w[((i * 3 + j) * 2 + c) * 4 + f];
            }
  expectFloats(convolution, {x, w}, {out}, 1e-5f);
}

static const char *const kSum = R"(({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %s = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }))";
static const char *const kMax = R"(({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %s = "stablehlo.maximum"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%s) : (tensor<f32>) -> ()
    }))";

static std::string reduce(const std::string &result, const std::string &input,
                          const std::string &init, const char *body,
                          const std::string &dims, const std::string &from,
                          const std::string &to) {
  return result + " = \"stablehlo.reduce\"(" + input + ", " + init +
         ") <{dimensions = array<i64: " + dims + ">}> " + body + " : (" + from +
         ", tensor<f32>) -> " + to + "\n";
}

TEST(ReductionKernel, RowsColumnsMiddlesAndAll) {
  for (auto [a, b, c] : {std::tuple{2, 3, 5},
                         {4, 5, 70},
                         {3, 40, 33},
                         {1, 2, 64},
                         {7, 300, 64},
                         {60, 50, 41},
                         {2, 9, 5000}}) {
    std::string t = type({a, b, c});
    Floats x = someFloats(a * b * c, 18);
    for (const char *dims :
         {"2", "1", "0", "0, 1", "1, 2", "0, 2", "0, 1, 2"}) {
      bool over[3] = {strchr(dims, '0') != nullptr,
                      strchr(dims, '1') != nullptr,
                      strchr(dims, '2') != nullptr};
      std::vector<int64_t> kept;
      int64_t sizes[3] = {a, b, c}, count = 1;
      for (int d = 0; d < 3; ++d)
        if (!over[d]) {
          kept.push_back(sizes[d]);
          count *= sizes[d];
        }
      std::string to = type(kept);
      std::string text =
          kernel("reduction", "%x: " + t + ", %z: tensor<f32>",
                 reduce("%0", "%x", "%z", kSum, dims, t, to) +
                     "%1 = \"stablehlo.negate\"(%0) : (" + to + ") -> " + to +
                     "\nxlac.yield %1, %0 : " + to + ", " + to);
      std::vector<double> sum(count, 10.0);
      for (int i = 0; i < a; ++i)
        for (int j = 0; j < b; ++j)
          for (int k = 0; k < c; ++k) {
            int64_t at = 0, index[3] = {i, j, k};
            for (int d = 0; d < 3; ++d)
              if (!over[d])
                at = at * sizes[d] + index[d];
            sum[at] += x[(i * b + j) * c + k];
          }
      Floats minus, plus;
      for (double value : sum) {
        plus.push_back(value);
        minus.push_back(-value);
      }
      expectFloats(text, {x, Floats{10.0f}}, {minus, plus}, 1e-4f);
    }
  }
}

/// Neighbouring reduced dimensions count as one where all values allow it:
/// those of an argument, but not of a transposed or partly broadcast value.
TEST(ReductionKernel, CollapsesReducedDimensions) {
  for (auto [a, b, c] :
       {std::array{16, 64, 300}, {7, 5, 9000}, {64, 1, 5000}, {3, 400, 100}}) {
    std::string t = type({a, b, c}), r = type({c});
    Floats x = someFloats(a * b * c, 7), v = someFloats(b, 8);
    std::string arguments = "%x: " + t + ", %y: " + type({b, a, c}) +
                            ", %v: " + type({b}) + ", %z: tensor<f32>";
    std::string transposed =
        "%t = \"stablehlo.transpose\"(%y) <{permutation = array<i64: 1, 0, "
        "2>}> : (" +
        type({b, a, c}) + ") -> " + t + "\n";
    std::string spread =
        "%w = \"stablehlo.broadcast_in_dim\"(%v) <{broadcast_dimensions = "
        "array<i64: 1>}> : (" +
        type({b}) + ") -> " + t + "\n%u = \"stablehlo.add\"(%x, %w) : (" + t +
        ", " + t + ") -> " + t + "\n";
    Floats y(x.size());
    std::vector<double> plain(c, 10.0), moved(c, 10.0);
    for (int i = 0; i < a; ++i)
      for (int j = 0; j < b; ++j)
        for (int k = 0; k < c; ++k) {
          float value = x[(i * b + j) * c + k];
          y[(j * a + i) * c + k] = value;
          plain[k] += value;
          moved[k] += value + v[j];
        }
    auto expect = [&](const std::string &body, const char *input,
                      const std::vector<double> &sums) {
      expectFloats(kernel("reduction", arguments,
                          body + reduce("%0", input, "%z", kSum, "0, 1", t, r) +
                              "xlac.yield %0 : " + r),
                   {x, y, v, Floats{10.0f}}, {Floats(sums.begin(), sums.end())},
                   1e-4f);
    };
    expect("", "%x", plain);
    expect(transposed, "%t", plain);
    expect(spread, "%u", moved);
  }
}

TEST(ReductionKernel, SoftmaxIsOneKernel) {
  for (auto [rows, columns] : {std::pair{3, 5}, {9, 64}, {2, 1000}, {50, 10}}) {
    std::string t = type({rows, columns}), r = type({rows});
    auto spread = [&](const std::string &to, const std::string &from) {
      return to + " = \"stablehlo.broadcast_in_dim\"(" + from +
             ") <{broadcast_dimensions = array<i64: 0>}> : (" + r + ") -> " +
             t + "\n";
    };
    std::string text = kernel(
        "reduction", "%x: " + t + ", %z: tensor<f32>, %m: tensor<f32>",
        reduce("%0", "%x", "%m", kMax, "1", t, r) + spread("%1", "%0") +
            "%2 = \"stablehlo.subtract\"(%x, %1) : (" + t + ", " + t + ") -> " +
            t + "\n%3 = \"stablehlo.exponential\"(%2) : (" + t + ") -> " + t +
            "\n" + reduce("%4", "%3", "%z", kSum, "1", t, r) +
            spread("%5", "%4") + "%6 = \"stablehlo.divide\"(%3, %5) : (" + t +
            ", " + t + ") -> " + t + "\nxlac.yield %6, %4 : " + t + ", " + r);
    Floats x = someFloats(rows * columns, 19), expected, sums;
    for (int i = 0; i < rows; ++i) {
      const float *row = &x[i * columns];
      float largest = *std::max_element(row, row + columns);
      double sum = 0;
      for (int j = 0; j < columns; ++j)
        sum += std::exp(double(row[j]) - largest);
      for (int j = 0; j < columns; ++j)
        expected.push_back(std::exp(double(row[j]) - largest) / sum);
      sums.push_back(sum);
    }
    expectFloats(text, {x, Floats{0.0f}, Floats{-INFINITY}}, {expected, sums},
                 1e-5f);
  }
}

TEST(ReductionKernel, ResultsMayReadWhatWasReducedInAnyOrder) {
  // x e^x / sum e^x, with the exponentials in order or reversed.
  constexpr int rows = 3, columns = 70;
  std::string t = type({rows, columns}), r = type({rows});
  for (bool reversed : {false, true}) {
    std::string other = reversed ? "%r" : "%e", pair = "(" + t + ", " + t + ")";
    std::string text = kernel(
        "reduction", "%x: " + t + ", %z: tensor<f32>",
        "%e = \"stablehlo.exponential\"(%x) : (" + t + ") -> " + t + "\n" +
            reduce("%s", "%e", "%z", kSum, "1", t, r) +
            "%b = \"stablehlo.broadcast_in_dim\"(%s) <{broadcast_dimensions = "
            "array<i64: 0>}> : (" +
            r + ") -> " + t +
            "\n%r = \"stablehlo.reverse\"(%e) <{dimensions = array<i64: 1>}> : "
            "(" +
            t + ") -> " + t + "\n%p = \"stablehlo.multiply\"(%x, " + other +
            ") : " + pair + " -> " + t +
            "\n%q = \"stablehlo.divide\"(%p, %b) : " + pair + " -> " + t +
            "\nxlac.yield %q : " + t);
    Floats x = someFloats(rows * columns, 23), expected;
    for (int i = 0; i < rows; ++i) {
      const float *row = &x[i * columns];
      double sum = 0;
      for (int j = 0; j < columns; ++j)
        sum += std::exp(double(row[j]));
      for (int j = 0; j < columns; ++j)
        expected.push_back(
            row[j] * std::exp(double(row[reversed ? columns - 1 - j : j])) /
            sum);
    }
    expectFloats(text, {x, Floats{0.0f}}, {expected}, 1e-5f);
  }
}

TEST(ReductionKernel, AnyBodyOverSeveralOperands) {
  std::string text = kernel(
      "reduction", "%x: tensor<4x9xf32>, %m: tensor<f32>, %n: tensor<i32>", R"(
    %i = "stablehlo.iota"() <{iota_dimension = 1 : i64}> : () -> tensor<4x9xi32>
    %0:2 = "stablehlo.reduce"(%x, %i, %m, %n) <{dimensions = array<i64: 1>}> ({
      ^bb0(%a: tensor<f32>, %ai: tensor<i32>, %b: tensor<f32>, %bi: tensor<i32>):
        %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %v = "stablehlo.select"(%c, %a, %b) : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
        %p = "stablehlo.select"(%c, %ai, %bi) : (tensor<i1>, tensor<i32>, tensor<i32>) -> tensor<i32>
        "stablehlo.return"(%v, %p) : (tensor<f32>, tensor<i32>) -> ()
    }) : (tensor<4x9xf32>, tensor<4x9xi32>, tensor<f32>, tensor<i32>) -> (tensor<4xf32>, tensor<4xi32>)
    xlac.yield %0#0, %0#1 : tensor<4xf32>, tensor<4xi32>)");
  Floats x = someFloats(36, 20);
  RunOutcome outcome =
      runKernel(text, {x, Floats{-INFINITY}, std::vector<int32_t>{-1}});
  ASSERT_EQ(outcome.error, "");
  for (int i = 0; i < 4; ++i) {
    auto best = std::max_element(x.begin() + i * 9, x.begin() + i * 9 + 9);
    EXPECT_EQ(outcome.results[0].as<float>()[i], *best);
    EXPECT_EQ(outcome.results[1].as<int32_t>()[i], best - x.begin() - i * 9);
  }
}

TEST(LoopKernel, ReduceWindow) {
  std::string text = kernel(
      "loop", "%x: tensor<1x9x9x3xf32>, %m: tensor<f32>",
      std::string(R"(
    %0 = "stablehlo.reduce_window"(%x, %m) <{window_dimensions = array<i64: 1, 3, 3, 1>,
      window_strides = array<i64: 1, 2, 2, 1>,
      padding = dense<[[0, 0], [1, 1], [1, 1], [0, 0]]> : tensor<4x2xi64>}> )") +
          kMax + R"( : (tensor<1x9x9x3xf32>, tensor<f32>) -> tensor<1x5x5x3xf32>
    xlac.yield %0 : tensor<1x5x5x3xf32>)");
  Floats x = someFloats(243, 21), expected;
  for (int r = 0; r < 5; ++r)
    for (int s = 0; s < 5; ++s)
      for (int c = 0; c < 3; ++c) {
        float best = -INFINITY;
        for (int i = r * 2 - 1; i < r * 2 + 2; ++i)
          for (int j = s * 2 - 1; j < s * 2 + 2; ++j)
            if (i >= 0 && i < 9 && j >= 0 && j < 9)
              best = std::max(best, x[(i * 9 + j) * 3 + c]);
        expected.push_back(best);
      }
  expectFloats(text, {x, Floats{-INFINITY}}, {expected});
}

TEST(ScatterKernel, AddsRowsAndSkipsWhatIsOutside) {
  for (int width : {1, 6, 41})
    for (bool inPlace : {false, true}) {
      std::string x = type({10, width}), u = type({7, width});
      std::string text = kernel(
          "scatter", "%x: " + x + ", %i: tensor<7x1xi32>, %u: " + u,
          "%0 = \"stablehlo.scatter\"(%x, %i, %u) <{scatter_dimension_numbers "
          "= "
          "#stablehlo.scatter<update_window_dims = [1], inserted_window_dims = "
          "[0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, "
          "indices_are_sorted = false, unique_indices = false}> " +
              std::string(kSum) + " : (" + x + ", tensor<7x1xi32>, " + u +
              ") -> " + x + "\nxlac.yield %0 : " + x);
      if (inPlace)
        text.insert(text.find("{\n"),
                    "attributes {in_place = array<i64: 0, 0>} ");
      Floats in = someFloats(10 * width, 22),
             updates = someFloats(7 * width, 23);
      Floats expected = in;
      std::vector<int32_t> indices{3, 3, -1, 9, 0, 10, 3};
      for (int i = 0; i < 7; ++i)
        if (indices[i] >= 0 && indices[i] < 10)
          for (int c = 0; c < width; ++c)
            expected[indices[i] * width + c] += updates[i * width + c];
      expectFloats(text, {in, indices, updates}, {expected}, 1e-6f);
    }
}

TEST(ScatterKernel, SelectAndScatter) {
  std::string text = kernel(
      "scatter",
      "%x: tensor<2x6x6x3xf32>, %s: tensor<2x3x3x3xf32>, %z: tensor<f32>",
      std::string(R"(
    %0 = "stablehlo.select_and_scatter"(%x, %s, %z) <{window_dimensions = array<i64: 1, 2, 2, 1>,
      window_strides = array<i64: 1, 2, 2, 1>}> ({
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %c = "stablehlo.compare"(%l, %r) <{comparison_direction = #stablehlo<comparison_direction GE>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }, {
      ^bb0(%l: tensor<f32>, %r: tensor<f32>):
        %c = "stablehlo.add"(%l, %r) : (tensor<f32>, tensor<f32>) -> tensor<f32>
        "stablehlo.return"(%c) : (tensor<f32>) -> ()
    }) : (tensor<2x6x6x3xf32>, tensor<2x3x3x3xf32>, tensor<f32>) -> tensor<2x6x6x3xf32>
    xlac.yield %0 : tensor<2x6x6x3xf32>)"));
  Floats x = someFloats(216, 24), s = someFloats(54, 25), expected(216, 0.5f);
  for (int b = 0; b < 2; ++b)
    for (int r = 0; r < 3; ++r)
      for (int q = 0; q < 3; ++q)
        for (int c = 0; c < 3; ++c) {
          int best = -1;
          for (int i = 0; i < 2; ++i)
            for (int j = 0; j < 2; ++j) {
              int at = ((b * 6 + r * 2 + i) * 6 + q * 2 + j) * 3 + c;
              if (best < 0 || !(x[best] >= x[at]))
                best = at;
            }
          expected[best] += s[((b * 3 + r) * 3 + q) * 3 + c];
        }
  expectFloats(text, {x, s, Floats{0.5f}}, {expected}, 1e-6f);
}

/// A comparator of several ops is not a simple order: slices are merged.
TEST(SortKernel, PairsStably) {
  for (int n : {1, 2, 3, 17, 1000}) {
    std::string t = type({2, n}), i = type({2, n}, "i32");
    std::string text = kernel("sort", "%x: " + t + ", %i: " + i,
                              "%0:2 = \"stablehlo.sort\"(%x, %i) <{dimension = "
                              "1 : i64, is_stable = true}> " +
                                  std::string(R"(({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %ai: tensor<i32>, %bi: tensor<i32>):
        %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction LT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %d = "stablehlo.and"(%c, %c) : (tensor<i1>, tensor<i1>) -> tensor<i1>
        "stablehlo.return"(%d) : (tensor<i1>) -> ()
    }) : ()") + t + ", " + i + ") -> (" +
                                  t + ", " + i +
                                  ")\nxlac.yield %0#0, %0#1 : " + t + ", " + i);
    Floats x = someFloats(2 * n, 26);
    for (float &value : x)
      value = std::floor(value * 8);
    std::vector<int32_t> numbers(2 * n);
    std::iota(numbers.begin(), numbers.end(), 0);
    std::vector<int32_t> expected = numbers;
    for (int row = 0; row < 2; ++row)
      std::stable_sort(expected.begin() + row * n,
                       expected.begin() + (row + 1) * n,
                       [&](int32_t a, int32_t b) { return x[a] < x[b]; });
    RunOutcome outcome = runKernel(text, {x, numbers});
    ASSERT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.results[1].as<int32_t>(), expected);
  }
}

TEST(Kernels, WhatCannotBeEmittedIsNamed) {
  std::string text =
      kernel("sort", "%x: tensor<3xf32>", "xlac.yield %x : tensor<3xf32>");
  EXPECT_NE(runKernel(text, {Floats(3)}).error.find("sorts nothing"),
            std::string::npos);
}

TEST(TransposeKernel, TilesAndTheirEdges) {
  for (auto [a, b, c] : {std::tuple{1, 8, 8},
                         {3, 9, 17},
                         {2, 64, 130},
                         {5, 3, 40},
                         {1, 200, 70}}) {
    std::string from = type({a, b, c}), to = type({a, c, b});
    std::string text = kernel(
        "transpose", "%x: " + from + ", %y: " + to,
        "%0 = \"stablehlo.transpose\"(%x) <{permutation = array<i64: 0, 2, "
        "1>}> : (" +
            from + ") -> " + to + "\n%1 = \"stablehlo.add\"(%0, %y) : (" + to +
            ", " + to + ") -> " + to + "\nxlac.yield %1 : " + to);
    Floats x = someFloats(a * b * c, 30), y = someFloats(a * b * c, 31);
    Floats expected(a * b * c);
    for (int i = 0; i < a; ++i)
      for (int j = 0; j < b; ++j)
        for (int k = 0; k < c; ++k) {
          int at = (i * c + k) * b + j;
          expected[at] = x[(i * b + j) * c + k] + y[at];
        }
    expectFloats(text, {x, y}, {expected});
  }
}

TEST(TransposeKernel, MergesDimensionsAndTakesAnyType) {
  std::string text = kernel("transpose", "%x: tensor<2x3x5x20xi16>", R"(
    %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 2, 3, 0, 1>}>
      : (tensor<2x3x5x20xi16>) -> tensor<5x20x2x3xi16>
    xlac.yield %0 : tensor<5x20x2x3xi16>)");
  std::vector<int16_t> x(600), expected(600);
  for (int i = 0; i < 600; ++i)
    x[i] = i * 7;
  for (int i = 0; i < 6; ++i)
    for (int j = 0; j < 100; ++j)
      expected[j * 6 + i] = x[i * 100 + j];
  RunOutcome outcome = runKernel(text, {x});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results[0].as<int16_t>(), expected);
}

TEST(LoopKernel, ComplexNumbersBooleansAndBits) {
  std::string text =
      kernel("loop", "%x: tensor<11xcomplex<f32>>, %m: tensor<11xi1>", R"(
    %0 = "stablehlo.multiply"(%x, %x) : (tensor<11xcomplex<f32>>, tensor<11xcomplex<f32>>) -> tensor<11xcomplex<f32>>
    %1 = "stablehlo.select"(%m, %0, %x) : (tensor<11xi1>, tensor<11xcomplex<f32>>, tensor<11xcomplex<f32>>) -> tensor<11xcomplex<f32>>
    %2 = "stablehlo.reverse"(%1) <{dimensions = array<i64: 0>}> : (tensor<11xcomplex<f32>>) -> tensor<11xcomplex<f32>>
    %3 = "stablehlo.not"(%m) : (tensor<11xi1>) -> tensor<11xi1>
    xlac.yield %2, %3 : tensor<11xcomplex<f32>>, tensor<11xi1>)");
  Floats x = someFloats(22, 32);
  std::vector<uint8_t> mask{1, 0, 1, 1, 0, 0, 1, 0, 1, 0, 1};
  for (const TargetProfile *profile : {&avx2Profile(), &baselineProfile()}) {
    RunOutcome outcome = runKernel(text, {x, mask}, *profile);
    ASSERT_EQ(outcome.error, "");
    Floats got = outcome.results[0].as<float>();
    std::vector<uint8_t> flipped = outcome.results[1].as<uint8_t>();
    for (int i = 0; i < 11; ++i) {
      float re = x[2 * i], im = x[2 * i + 1];
      if (mask[i])
        std::tie(re, im) = std::pair(re * re - im * im, 2 * re * im);
      EXPECT_NEAR(got[2 * (10 - i)], re, 1e-5);
      EXPECT_NEAR(got[2 * (10 - i) + 1], im, 1e-5);
      EXPECT_EQ(flipped[i], !mask[i]);
    }
  }
  std::string bits = kernel("loop", "%x: tensor<5xui32>", R"(
    %0 = "stablehlo.bitcast_convert"(%x) : (tensor<5xui32>) -> tensor<5x4xui8>
    xlac.yield %0 : tensor<5x4xui8>)");
  std::vector<uint32_t> words{1, 0x01020304, 0xFFFFFFFF, 0x80000000, 77};
  RunOutcome outcome = runKernel(bits, {words});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results[0].bytes, Data(words).bytes);
  std::string back = kernel("loop", "%x: tensor<5x4xui8>", R"(
    %0 = "stablehlo.bitcast_convert"(%x) : (tensor<5x4xui8>) -> tensor<5xui32>
    xlac.yield %0 : tensor<5xui32>)");
  outcome = runKernel(back, {words});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results[0].as<uint32_t>(), words);
}

TEST(LoopKernel, ThreefryKnowsItsVectors) {
  std::string text = kernel("loop", "%s: tensor<2xui64>", R"(
    %0, %1 = "stablehlo.rng_bit_generator"(%s) <{rng_algorithm = #stablehlo<rng_algorithm THREE_FRY>}>
      : (tensor<2xui64>) -> (tensor<2xui64>, tensor<9xui64>)
    xlac.yield %1 : tensor<9xui64>)");
  // Random123's known answers: key and counter all zeros, then all ones.
  std::vector<uint64_t> zeros{0, 0}, ones{~0ull, ~0ull};
  RunOutcome outcome = runKernel(text, {zeros});
  ASSERT_EQ(outcome.error, "");
  EXPECT_EQ(outcome.results[0].as<uint64_t>()[0], 0x99ba4efe6b200159ull);
  outcome = runKernel(text, {ones});
  EXPECT_EQ(outcome.results[0].as<uint64_t>()[0], 0xbb002be71cb996fcull);
}

TEST(LoopKernel, StraddlesShortRows) {
  std::string text =
      kernel("loop", "%x: tensor<100x3xf32>, %b: tensor<3xf32>", R"(
    %0 = "stablehlo.broadcast_in_dim"(%b) <{broadcast_dimensions = array<i64: 1>}> : (tensor<3xf32>) -> tensor<100x3xf32>
    %1 = "stablehlo.add"(%x, %0) : (tensor<100x3xf32>, tensor<100x3xf32>) -> tensor<100x3xf32>
    xlac.yield %1 : tensor<100x3xf32>)");
  Floats x = someFloats(300, 33), b = someFloats(3, 34), expected(300);
  for (int i = 0; i < 300; ++i)
    expected[i] = x[i] + b[i % 3];
  expectFloats(text, {x, b}, {expected});
}

TEST(Kernels, CompileForAvx512) {
  TargetProfile avx512{"avx512", kFeatureAvx2 | kFeatureAvx512, 512};
  std::string text = kernel("transpose", "%x: tensor<64x70xf32>", R"(
    %0 = "stablehlo.transpose"(%x) <{permutation = array<i64: 1, 0>}> : (tensor<64x70xf32>) -> tensor<70x64xf32>
    %1 = "stablehlo.exponential"(%0) : (tensor<70x64xf32>) -> tensor<70x64xf32>
    xlac.yield %1 : tensor<70x64xf32>)");
  EXPECT_EQ(compileKernel(text, avx512), "");
}

/// A single 1 is transformed to ones everywhere; two passes, the second one in
/// blocks.
TEST(LibraryKernel, TransformsInPasses) {
  std::string text = kernel("library", "%x: tensor<3x24x40xcomplex<f32>>", R"(
    %0 = "stablehlo.fft"(%x) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 24, 40>}>
      : (tensor<3x24x40xcomplex<f32>>) -> tensor<3x24x40xcomplex<f32>>
    xlac.yield %0 : tensor<3x24x40xcomplex<f32>>)");
  Floats x(3 * 24 * 40 * 2), ones(x.size());
  for (size_t i = 0; i < x.size(); i += 2) {
    x[i] = i % (24 * 40 * 2) == 0;
    ones[i] = 1;
  }
  expectFloats(text, {x}, {ones}, 1e-6f);
}

TEST(LibraryKernel, Compiles) {
  std::string text = kernel("library", "%x: tensor<3x8xcomplex<f32>>", R"(
    %0 = "stablehlo.fft"(%x) <{fft_type = #stablehlo<fft_type FFT>, fft_length = array<i64: 8>}>
      : (tensor<3x8xcomplex<f32>>) -> tensor<3x8xcomplex<f32>>
    xlac.yield %0 : tensor<3x8xcomplex<f32>>)");
  EXPECT_EQ(compileKernel(text, avx2Profile()), "");
}
