// Sorts by keys as whole kernels: with prologues and epilogues, along any
// dimension, with several operands, and the first few of many elements.
#include "kernel_runner.h"

#include "gtest/gtest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

using namespace xlac;
using namespace xlac::test;

using Floats = std::vector<float>;
using Ints = std::vector<int32_t>;

namespace {

std::string type(const std::vector<int64_t> &sizes, const char *element) {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

/// `%out:2` sorts `%key` and positions along `dim` in descending order.
std::string sortText(const std::vector<int64_t> &sizes, int64_t dim) {
  std::string t = type(sizes, "f32"), i = type(sizes, "i32");
  return "%i = \"stablehlo.iota\"() <{iota_dimension = " + std::to_string(dim) +
         " : i64}> : () -> " + i +
         "\n%out:2 = \"stablehlo.sort\"(%key, %i) <{dimension = " +
         std::to_string(dim) + R"( : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>, %ai: tensor<i32>, %bi: tensor<i32>):
        %c = "stablehlo.compare"(%a, %b) <{comparison_direction = #stablehlo<comparison_direction GT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%c) : (tensor<i1>) -> ()
    }) : ()" +
         t + ", " + i + ") -> (" + t + ", " + i + ")\n";
}

/// Returns the positions of the elements of [outer, count, inner], each slice
/// in descending order.
Ints sortedPlaces(const Floats &x, int64_t outer, int64_t count,
                  int64_t inner) {
  Ints places(x.size());
  for (int64_t o = 0; o < outer; ++o)
    for (int64_t i = 0; i < inner; ++i) {
      auto at = [&](int64_t k) { return (o * count + k) * inner + i; };
      Ints order(count);
      std::iota(order.begin(), order.end(), 0);
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return x[at(a)] > x[at(b)]; });
      for (int64_t k = 0; k < count; ++k)
        places[at(k)] = order[k];
    }
  return places;
}

Floats repeating(size_t count, unsigned seed) {
  Floats values = someFloats(count, seed);
  for (float &value : values)
    value = std::floor(value * 50) + 1;
  return values;
}

} // namespace

TEST(SortByKeys, AnyDimensionWithPrologueAndEpilogue) {
  for (auto [outer, count, inner] : {std::array<int64_t, 3>{1, 2, 1},
                                     {3, 50, 1},
                                     {2, 37, 5},
                                     {1, 70001, 1},
                                     {2, 66000, 1},
                                     {1, 66000, 2}}) {
    std::vector<int64_t> sizes = {outer, count, inner};
    std::string t = type(sizes, "f32"), i = type(sizes, "i32");
    std::string text = "xlac.kernel @k <sort> {\n^bb0(%x: " + t +
                       "):\n%key = " + "\"stablehlo.negate\"(%x) : (" + t +
                       ") -> " + t + "\n" + sortText(sizes, 1) +
                       "%y = \"stablehlo.add\"(%out#0, %out#0) : (" + t + ", " +
                       t + ") -> " + t + "\nxlac.yield %y, %out#1 : " + t +
                       ", " + i + "\n}\n";
    Floats x = repeating(outer * count * inner, 7), negative = x;
    for (float &value : negative)
      value = -value;
    Ints places = sortedPlaces(negative, outer, count, inner);
    Floats values(x.size());
    for (size_t at = 0; at < x.size(); ++at) {
      int64_t o = at / (count * inner), k = at % inner;
      values[at] = 2 * negative[(o * count + places[at]) * inner + k];
    }
    for (const TargetProfile *profile : {&avx2Profile(), &baselineProfile()}) {
      RunOutcome outcome = runKernel(text, {x}, *profile);
      ASSERT_EQ(outcome.error, "");
      EXPECT_EQ(outcome.results[0].as<float>(), values);
      EXPECT_EQ(outcome.results[1].as<int32_t>(), places);
    }
  }
}

TEST(SortByKeys, FewOfMany) {
  for (auto [rows, count, keep] : {std::array<int64_t, 3>{3, 100, 5},
                                   {3, 100, 80},
                                   {2, 100000, 33},
                                   {20, 66000, 3}}) {
    std::vector<int64_t> sizes = {rows, count}, few = {rows, keep};
    std::string t = type(sizes, "f32"), i = type(sizes, "i32");
    std::string s = type(few, "f32"), p = type(few, "i32");
    std::string bounds = " <{start_indices = array<i64: 0, 0>, limit_indices = "
                         "array<i64: " +
                         std::to_string(rows) + ", " + std::to_string(keep) +
                         ">, strides = array<i64: 1, 1>}> : (";
    std::string text =
        "xlac.kernel @k <sort> {\n^bb0(%key: " + t + "):\n" +
        sortText(sizes, 1) + "%v = \"stablehlo.slice\"(%out#0)" + bounds + t +
        ") -> " + s + "\n%w = \"stablehlo.slice\"(%out#1)" + bounds + i +
        ") -> " + p + "\nxlac.yield %v, %w : " + s + ", " + p + "\n}\n";
    Floats x = repeating(rows * count, 9);
    Ints places = sortedPlaces(x, rows, count, 1), first;
    Floats values;
    for (int64_t row = 0; row < rows; ++row)
      for (int64_t k = 0; k < keep; ++k) {
        first.push_back(places[row * count + k]);
        values.push_back(x[row * count + first.back()]);
      }
    RunOutcome outcome = runKernel(text, {x});
    ASSERT_EQ(outcome.error, "");
    EXPECT_EQ(outcome.results[0].as<float>(), values);
    EXPECT_EQ(outcome.results[1].as<int32_t>(), first);
  }
}

/// JAX's comparator: all zeros are equal, and all NaNs are equal.
TEST(SortByKeys, MergedZerosAndNans) {
  for (int64_t count : {30, 70000}) {
    std::string t = type({count}, "f32");
    std::string side;
    for (std::string a : {"a", "b"})
      side +=
          "%z" + a + " = \"stablehlo.compare\"(%" + a +
          R"(, %zero) <{comparison_direction = #stablehlo<comparison_direction EQ>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %s)" +
          a + " = \"stablehlo.select\"(%z" + a + ", %zero, %" + a +
          R"() : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>
        %n)" +
          a + " = \"stablehlo.compare\"(%" + a + ", %" + a +
          R"() <{comparison_direction = #stablehlo<comparison_direction NE>, compare_type = #stablehlo<comparison_type FLOAT>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        %c)" +
          a + " = \"stablehlo.select\"(%n" + a + ", %nan, %s" + a +
          ") : (tensor<i1>, tensor<f32>, tensor<f32>) -> tensor<f32>\n";
    std::string text =
        "xlac.kernel @k <sort> {\n^bb0(%x: " + t + R"():
      %zero = "stablehlo.constant"() <{value = dense<0.0> : tensor<f32>}> : () -> tensor<f32>
      %nan = "stablehlo.constant"() <{value = dense<0x7FC00000> : tensor<f32>}> : () -> tensor<f32>
      %0 = "stablehlo.sort"(%x) <{dimension = 0 : i64, is_stable = true}> ({
      ^bb0(%a: tensor<f32>, %b: tensor<f32>):
        )" +
        side +
        R"(%less = "stablehlo.compare"(%ca, %cb) <{comparison_direction = #stablehlo<comparison_direction LT>, compare_type = #stablehlo<comparison_type TOTALORDER>}> : (tensor<f32>, tensor<f32>) -> tensor<i1>
        "stablehlo.return"(%less) : (tensor<i1>) -> ()
      }) : ()" +
        t + ") -> " + t + "\nxlac.yield %0 : " + t + "\n}\n";
    Floats x = repeating(count, 3);
    uint32_t nans[] = {0xffc00000, 0x7fc00001, 0x7fc00000};
    for (int64_t i = 0; i < count; ++i)
      if (i % 7 == 0)
        x[i] = i % 2 ? 0.0f : -0.0f;
      else if (i % 11 == 0)
        std::memcpy(&x[i], &nans[i % 3], 4);
      else if (i % 5 == 0)
        x[i] = -x[i];
    Floats expected = x;
    std::stable_sort(expected.begin(), expected.end(), [](float a, float b) {
      return std::isnan(a) || std::isnan(b) ? !std::isnan(a) && std::isnan(b)
                                            : a < b;
    });
    RunOutcome outcome = runKernel(text, {x});
    ASSERT_EQ(outcome.error, "");
    // Compares bits, since zeros have signs and NaNs payloads.
    EXPECT_EQ(outcome.results[0].as<uint32_t>(), Data(expected).as<uint32_t>());
  }
}
