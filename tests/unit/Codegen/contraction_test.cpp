// Compares contraction kernels with the loop kind, which computes every element
// by a plain inner loop. Operands are small integers, or any integers of
// integer types, so both are exact.
#include "kernel_runner.h"

#include "gtest/gtest.h"

#include <random>

using namespace xlac;
using namespace xlac::test;

using Sizes = std::vector<int64_t>;

static std::string type(const Sizes &sizes, const std::string &element) {
  std::string text = "tensor<";
  for (int64_t size : sizes)
    text += std::to_string(size) + "x";
  return text + element + ">";
}

static std::string list(const Sizes &values) {
  std::string text;
  for (int64_t value : values)
    text += (text.empty() ? "" : ", ") + std::to_string(value);
  return text;
}

static std::string array(const Sizes &values) {
  return values.empty() ? "array<i64>" : "array<i64: " + list(values) + ">";
}

static int64_t countOf(const Sizes &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

/// Small integers as `element`, which are exact in all types, and so are their
/// products.
static Data someData(const Sizes &sizes, const std::string &element,
                     unsigned seed) {
  std::mt19937 random(seed);
  int64_t count = countOf(sizes);
  if (element.find('i') != std::string::npos) {
    int64_t bytes = element.ends_with("16")   ? 2
                    : element.ends_with("32") ? 4
                                              : 1;
    std::vector<uint8_t> values(count * bytes);
    constexpr uint8_t extremes[] = {0, 0x7f, 0x80, 0xff};
    for (uint8_t &value : values)
      value = random() % 2 ? extremes[random() % 4] : random();
    return values;
  }
  std::vector<float> floats(count);
  for (float &value : floats)
    value = int(random() % 7) - 3;
  if (element == "f64")
    return std::vector<double>(floats.begin(), floats.end());
  if (element == "bf16") {
    std::vector<uint16_t> halves;
    for (float value : floats) {
      uint32_t bits;
      std::memcpy(&bits, &value, 4);
      halves.push_back(bits >> 16);
    }
    return halves;
  }
  return floats;
}

/// Runs `body` on the operands as a contraction and as a loop, and compares.
static void expectSame(const std::string &arguments, const std::string &body,
                       const std::vector<Data> &operands,
                       const TargetProfile &profile = avx2Profile()) {
  auto text = [&](const std::string &kind) {
    return "xlac.kernel @k <" + kind + "> {\n^bb0(" + arguments + "):\n" +
           body + "\n}\n";
  };
  RunOutcome expected = runKernel(text("loop"), operands);
  ASSERT_EQ(expected.error, "") << text("loop");
  RunOutcome got = runKernel(text("contraction"), operands, profile);
  ASSERT_EQ(got.error, "") << text("contraction");
  ASSERT_EQ(got.results.size(), expected.results.size());
  for (size_t i = 0; i < got.results.size(); ++i)
    ASSERT_TRUE(got.results[i].bytes == expected.results[i].bytes)
        << "result " << i << "\n"
        << text("contraction");
}

namespace {
struct Dot {
  Sizes lhs, rhs, result, lhsBatch, rhsBatch, lhsContracting, rhsContracting;
};
} // namespace

/// A dot_general whose dimensions are in random order in both operands.
static Dot randomDot(std::mt19937 &random, int most) {
  auto size = [&] { return int64_t(1 + random() % most); };
  Dot dot;
  int batches = random() % 2, depths = 1 + random() % 2;
  int lhsFree = random() % 3, rhsFree = random() % 3;
  struct Dim {
    int64_t size;
    int batch = -1, k = -1;
  };
  std::vector<Dim> lhs, rhs;
  Sizes batchSizes;
  for (int i = 0; i < batches; ++i) {
    batchSizes.push_back(1 + random() % 3);
    lhs.push_back({batchSizes[i], i, -1});
    rhs.push_back({batchSizes[i], i, -1});
  }
  for (int i = 0; i < depths; ++i) {
    int64_t extent = depths == 1 ? size() : 1 + size() / 4;
    lhs.push_back({extent, -1, i});
    rhs.push_back({extent, -1, i});
  }
  for (int i = 0; i < lhsFree; ++i)
    lhs.push_back({lhsFree == 1 ? size() : 1 + size() / 4});
  for (int i = 0; i < rhsFree; ++i)
    rhs.push_back({rhsFree == 1 ? size() : 1 + size() / 4});
  std::shuffle(lhs.begin(), lhs.end(), random);
  std::shuffle(rhs.begin(), rhs.end(), random);
  dot.lhsBatch.resize(batches), dot.rhsBatch.resize(batches);
  dot.lhsContracting.resize(depths), dot.rhsContracting.resize(depths);
  dot.result = batchSizes;
  auto note = [&](const std::vector<Dim> &dims, Sizes &sizes, Sizes &batch,
                  Sizes &k) {
    for (size_t i = 0; i < dims.size(); ++i) {
      sizes.push_back(dims[i].size);
      if (dims[i].batch >= 0)
        batch[dims[i].batch] = i;
      else if (dims[i].k >= 0)
        k[dims[i].k] = i;
      else
        dot.result.push_back(dims[i].size);
    }
  };
  note(lhs, dot.lhs, dot.lhsBatch, dot.lhsContracting);
  note(rhs, dot.rhs, dot.rhsBatch, dot.rhsContracting);
  return dot;
}

static std::string dotText(const Dot &dot, const std::string &lhsIn,
                           const std::string &rhsIn, const std::string &out,
                           const std::string &lhs, const std::string &rhs) {
  auto dims = [](const char *name, const Sizes &values) {
    return std::string(name) + " = [" + list(values) + "]";
  };
  return "\"stablehlo.dot_general\"(" + lhs + ", " + rhs +
         ") <{dot_dimension_numbers = #stablehlo.dot<" +
         dims("lhs_batching_dimensions", dot.lhsBatch) + ", " +
         dims("rhs_batching_dimensions", dot.rhsBatch) + ", " +
         dims("lhs_contracting_dimensions", dot.lhsContracting) + ", " +
         dims("rhs_contracting_dimensions", dot.rhsContracting) + ">}> : (" +
         type(dot.lhs, lhsIn) + ", " + type(dot.rhs, rhsIn) + ") -> " +
         type(dot.result, out);
}

static void checkMixedDot(const Dot &dot, const std::string &lhs,
                          const std::string &rhs, const std::string &out,
                          const TargetProfile &profile) {
  std::string arguments =
      "%a: " + type(dot.lhs, lhs) + ", %b: " + type(dot.rhs, rhs);
  std::string body = "%0 = " + dotText(dot, lhs, rhs, out, "%a", "%b") +
                     "\nxlac.yield %0 : " + type(dot.result, out);
  expectSame(arguments, body,
             {someData(dot.lhs, lhs, 1), someData(dot.rhs, rhs, 2)}, profile);
}

static void checkDot(const Dot &dot, const std::string &in,
                     const std::string &out) {
  checkMixedDot(dot, in, in, out, avx2Profile());
}

/// The profiles that multiply integers in different ways, as far as this
/// machine runs them.
static std::vector<TargetProfile> integerProfiles() {
  std::vector<TargetProfile> all = {baselineProfile(), avx2Profile()};
  constexpr uint64_t wide = kFeatureAvx2 | kFeatureAvx512;
  for (const TargetProfile &profile :
       {TargetProfile{"avx512", wide, 512},
        TargetProfile{"avx512-vnni", wide | kFeatureAvx512Vnni, 512},
        host_profile()})
    if (host_supports(profile.features))
      all.push_back(profile);
  return all;
}

TEST(Contraction, RandomDots) {
  std::mt19937 random(11);
  for (int i = 0; i < 20; ++i)
    checkDot(randomDot(random, 70), "f32", "f32");
}

TEST(Contraction, OtherTypes) {
  std::mt19937 random(12);
  for (auto [in, out] : {std::pair{"f64", "f64"},
                         {"bf16", "bf16"},
                         {"bf16", "f32"},
                         {"f32", "f64"},
                         {"f32", "bf16"}})
    for (int i = 0; i < 3; ++i)
      checkDot(randomDot(random, 40), in, out);
}

TEST(Contraction, Integers) {
  for (const TargetProfile &profile : integerProfiles()) {
    SCOPED_TRACE(profile.name);
    std::mt19937 random(15);
    for (auto [lhs, rhs, out] : {std::tuple{"i8", "i8", "i32"},
                                 {"ui8", "ui8", "i32"},
                                 {"ui8", "ui8", "ui32"},
                                 {"i8", "i8", "i8"},
                                 {"ui8", "ui8", "i16"},
                                 {"i8", "i8", "i64"},
                                 {"i16", "i16", "i32"},
                                 {"ui16", "ui16", "i32"},
                                 {"i32", "i32", "i32"}})
      for (int i = 0; i < 3; ++i)
        checkMixedDot(randomDot(random, 70), lhs, rhs, out, profile);
    Dot large{{40, 3001}, {3001, 50}, {40, 50}, {}, {}, {1}, {0}};
    checkMixedDot(large, "i8", "i8", "i32", profile);
    checkMixedDot(large, "ui8", "ui8", "i64", profile);
  }
}

TEST(Contraction, EmptyAndTiny) {
  for (auto [m, n, k] : {std::array<int64_t, 3>{0, 4, 4},
                         {4, 0, 4},
                         {4, 4, 0},
                         {1, 1, 1},
                         {1, 9, 1},
                         {9, 1, 1}})
    checkDot({{m, k}, {k, n}, {m, n}, {}, {}, {1}, {0}}, "f32", "f32");
}

TEST(Contraction, DeepProductsInBlocks) {
  checkDot({{40, 1000}, {1000, 50}, {40, 50}, {}, {}, {1}, {0}}, "f32", "f32");
  checkDot({{1000, 40}, {50, 1000}, {40, 50}, {}, {}, {0}, {1}}, "f32", "f32");
  checkDot({{1000, 40}, {50, 1000}, {40, 50}, {}, {}, {0}, {1}}, "bf16", "f32");
}

TEST(Contraction, Epilogues) {
  for (auto [m, n, k] :
       {std::array<int64_t, 3>{13, 37, 20}, {7, 5, 900}, {64, 16, 9}}) {
    Dot dot{{m, k}, {k, n}, {m, n}, {}, {}, {1}, {0}};
    std::string t = type(dot.result, "f32");
    std::string arguments = "%a: " + type(dot.lhs, "f32") +
                            ", %b: " + type(dot.rhs, "f32") +
                            ", %bias: " + type({n}, "f32") + ", %x: " + t;
    std::string flat = type({m * n}, "f32");
    std::string body =
        "%0 = " + dotText(dot, "f32", "f32", "f32", "%a", "%b") +
        "\n%1 = \"stablehlo.broadcast_in_dim\"(%bias) <{broadcast_dimensions "
        "= array<i64: 1>}> : (" +
        type({n}, "f32") + ") -> " + t +
        "\n%2 = \"stablehlo.add\"(%0, %1) : (" + t + ", " + t + ") -> " + t +
        "\n%3 = \"stablehlo.maximum\"(%2, %x) : (" + t + ", " + t + ") -> " +
        t + "\n%4 = \"stablehlo.reshape\"(%3) : (" + t + ") -> " + flat +
        "\nxlac.yield %3, %0, %4 : " + t + ", " + t + ", " + flat;
    expectSame(arguments, body,
               {someData(dot.lhs, "f32", 1), someData(dot.rhs, "f32", 2),
                someData({n}, "f32", 3), someData(dot.result, "f32", 4)});
  }
}

TEST(Contraction, ViewsAndComputedOperands) {
  std::string body = R"(
    %0 = "stablehlo.slice"(%a) <{start_indices = array<i64: 0, 16>,
      limit_indices = array<i64: 10, 48>, strides = array<i64: 1, 1>}>
      : (tensor<10x60xf32>) -> tensor<10x32xf32>
    %1 = "stablehlo.reshape"(%0) : (tensor<10x32xf32>) -> tensor<10x4x8xf32>
    %2 = "stablehlo.transpose"(%1) <{permutation = array<i64: 1, 0, 2>}>
      : (tensor<10x4x8xf32>) -> tensor<4x10x8xf32>
    %3 = "stablehlo.negate"(%b) : (tensor<4x9x8xf32>) -> tensor<4x9x8xf32>
    %4 = "stablehlo.dot_general"(%2, %3) <{dot_dimension_numbers =
      #stablehlo.dot<lhs_batching_dimensions = [0],
      rhs_batching_dimensions = [0], lhs_contracting_dimensions = [2],
      rhs_contracting_dimensions = [2]>}>
      : (tensor<4x10x8xf32>, tensor<4x9x8xf32>) -> tensor<4x10x9xf32>
    xlac.yield %4 : tensor<4x10x9xf32>)";
  expectSame("%a: tensor<10x60xf32>, %b: tensor<4x9x8xf32>", body,
             {someData({10, 60}, "f32", 1), someData({4, 9, 8}, "f32", 2)});
}

/// A convolution with random parameters.
static void checkConvolution(std::mt19937 &random, const std::string &element,
                             bool epilogue,
                             const TargetProfile &profile = avx2Profile()) {
  auto pick = [&](int least, int most) {
    return int64_t(least + random() % (most - least + 1));
  };
  int spatial = pick(0, 3) == 0 ? 1 : 2;
  int64_t features = pick(1, 9), outputs = pick(1, 20), batch = pick(1, 3);
  int64_t featureGroups = 1, batchGroups = 1;
  switch (pick(0, 5)) {
  case 0:
    featureGroups = pick(2, 3);
    break;
  case 1:
    batchGroups = pick(2, 3);
    break;
  }
  auto shuffled = [&](int rank) {
    Sizes order(rank);
    for (int i = 0; i < rank; ++i)
      order[i] = i;
    if (pick(0, 1))
      std::shuffle(order.begin(), order.end(), random);
    return order;
  };
  // The positions of batch (or output), feature (or input) and spatial
  // dimensions.
  Sizes in = shuffled(spatial + 2), kernel = shuffled(spatial + 2),
        out = shuffled(spatial + 2);
  Sizes lhs(spatial + 2), rhs(spatial + 2), result(spatial + 2);
  lhs[in[0]] = batch * batchGroups;
  lhs[in[1]] = features * featureGroups;
  rhs[kernel[0]] = outputs * featureGroups * batchGroups;
  rhs[kernel[1]] = features;
  result[out[0]] = batch;
  result[out[1]] = outputs * featureGroups * batchGroups;
  Sizes strides, lhsDilation, rhsDilation;
  std::string padding, reversal;
  for (int i = 0; i < spatial; ++i) {
    int64_t window = pick(1, 4), size = pick(5, 14);
    bool plain = pick(0, 1);
    strides.push_back(plain ? 1 : pick(1, 3));
    lhsDilation.push_back(plain ? 1 : pick(1, 2));
    rhsDilation.push_back(plain ? 1 : pick(1, 2));
    int64_t low = pick(0, 1) ? 0 : pick(-1, 3), high = pick(0, 1) ? low : 0;
    int64_t padded = (size - 1) * lhsDilation[i] + 1 + low + high;
    int64_t reach = (window - 1) * rhsDilation[i] + 1;
    if (padded < reach)
      window = 1, reach = 1;
    lhs[in[2 + i]] = size;
    rhs[kernel[2 + i]] = window;
    result[out[2 + i]] = (padded - reach) / strides[i] + 1;
    padding += (i ? ", [" : "[") + list({low, high}) + "]";
    reversal += std::string(i ? ", " : "") + (pick(0, 3) ? "false" : "true");
  }
  auto tail = [](const Sizes &dims) {
    return list(Sizes(dims.begin() + 2, dims.end()));
  };
  auto number = [](int64_t value) { return std::to_string(value); };
  std::string t = type(result, element);
  std::string body =
      "%0 = \"stablehlo.convolution\"(%a, %b) <{window_strides = " +
      array(strides) + ", padding = dense<[" + padding + "]> : tensor<" +
      number(spatial) + "x2xi64>, lhs_dilation = " + array(lhsDilation) +
      ", rhs_dilation = " + array(rhsDilation) +
      ", window_reversal = array<i1: " + reversal +
      ">, dimension_numbers = #stablehlo.conv<raw input_batch_dimension = " +
      number(in[0]) + ", input_feature_dimension = " + number(in[1]) +
      ", input_spatial_dimensions = [" + tail(in) +
      "], kernel_input_feature_dimension = " + number(kernel[1]) +
      ", kernel_output_feature_dimension = " + number(kernel[0]) +
      ", kernel_spatial_dimensions = [" + tail(kernel) +
      "], output_batch_dimension = " + number(out[0]) +
      ", output_feature_dimension = " + number(out[1]) +
      ", output_spatial_dimensions = [" + tail(out) +
      "]>, feature_group_count = " + number(featureGroups) +
      " : i64, batch_group_count = " + number(batchGroups) + " : i64}> : (" +
      type(lhs, element) + ", " + type(rhs, element) + ") -> " + t + "\n";
  std::string arguments =
      "%a: " + type(lhs, element) + ", %b: " + type(rhs, element);
  std::vector<Data> operands = {someData(lhs, element, 1),
                                someData(rhs, element, 2)};
  if (epilogue) {
    Sizes bias = {result[out[1]]};
    arguments += ", %c: " + type(bias, element);
    operands.push_back(someData(bias, element, 3));
    body +=
        "%1 = \"stablehlo.broadcast_in_dim\"(%c) <{broadcast_dimensions = " +
        array({out[1]}) + "}> : (" + type(bias, element) + ") -> " + t +
        "\n%2 = \"stablehlo.add\"(%0, %1) : (" + t + ", " + t + ") -> " + t +
        "\nxlac.yield %2 : " + t;
  } else {
    body += "xlac.yield %0 : " + t;
  }
  expectSame(arguments, body, operands, profile);
}

TEST(Contraction, RandomConvolutions) {
  std::mt19937 random(13);
  for (int i = 0; i < 40; ++i)
    checkConvolution(random, "f32", i % 2);
}

/// A convolution of a padded image with channels last to a few features, and an
/// addition.
static void checkFewFeatures(std::mt19937 &random, const std::string &element,
                             const TargetProfile &profile) {
  auto pick = [&](int least, int most) {
    return int64_t(least + random() % (most - least + 1));
  };
  int64_t channels = 16 * pick(1, 5), outputs = pick(1, 7), window = pick(2, 3);
  if (pick(0, 4) == 0)
    channels = 16 * pick(20, 40); // several blocks of K
  int64_t height = pick(5, 8), width = pick(5, 20), low = pick(0, 1);
  int64_t stride = pick(1, 2), dilation = pick(1, 4) / 4 + 1;
  auto count = [&](int64_t size) {
    int64_t reach = (window - 1) * dilation + 1;
    return (size + low - reach) / stride + 1;
  };
  Sizes lhs = {2, height, width, channels};
  Sizes rhs = {window, window, channels, outputs};
  Sizes result = {2, count(height), count(width), outputs};
  std::string pads = "[" + list({low, 0}) + "]", t = type(result, element);
  std::string operands = type(lhs, element) + ", " + type(rhs, element);
  expectSame(
      "%a: " + type(lhs, element) + ", %b: " + type(rhs, element) +
          ", %c: " + t,
      "%0 = \"stablehlo.convolution\"(%a, %b) <{window_strides = " +
          array({stride, stride}) + ", padding = dense<[" + pads + ", " + pads +
          "]> : tensor<2x2xi64>, rhs_dilation = " +
          array({dilation, dilation}) +
          ", dimension_numbers = #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->"
          "[b, 0, 1, f]>, feature_group_count = 1 : i64, batch_group_count = "
          "1 : i64}> : (" +
          operands + ") -> " + t + "\n%1 = \"stablehlo.add\"(%0, %c) : (" + t +
          ", " + t + ") -> " + t + "\nxlac.yield %1 : " + t,
      {someData(lhs, element, 1), someData(rhs, element, 2),
       someData(result, element, 3)},
      profile);
}

TEST(Contraction, ConvolutionsToFewFeatures) {
  TargetProfile wide{"avx512", kFeatureAvx2 | kFeatureAvx512, 512};
  for (const TargetProfile &profile : {baselineProfile(), avx2Profile(), wide})
    if (host_supports(profile.features)) {
      SCOPED_TRACE(profile.name);
      std::mt19937 random(17);
      for (int i = 0; i < 12; ++i)
        checkFewFeatures(random, i % 3 ? "f32" : "f64", profile);
    }
}

TEST(Contraction, ConvolutionsOfOtherTypes) {
  std::mt19937 random(14);
  for (int i = 0; i < 6; ++i)
    checkConvolution(random, i % 2 ? "f64" : "bf16", i & 2);
}

TEST(Contraction, ConvolutionsOfIntegers) {
  for (const TargetProfile &profile : integerProfiles()) {
    SCOPED_TRACE(profile.name);
    std::mt19937 random(16);
    for (int i = 0; i < 4; ++i)
      for (const char *element : {"i8", "ui8", "i16"})
        checkConvolution(random, element, i % 2, profile);
  }
}

TEST(Contraction, CompilesForAvx512) {
  Dot dot{{100, 900}, {900, 70}, {100, 70}, {}, {}, {1}, {0}};
  TargetProfile wide{"avx512", kFeatureAvx2 | kFeatureAvx512, 512};
  std::string text =
      "xlac.kernel @k <contraction> {\n^bb0(%a: " + type(dot.lhs, "f32") +
      ", %b: " + type(dot.rhs, "f32") +
      "):\n%0 = " + dotText(dot, "f32", "f32", "f32", "%a", "%b") +
      "\nxlac.yield %0 : " + type(dot.result, "f32") + "\n}\n";
  EXPECT_EQ(compileKernel(text, wide), "");
}

TEST(Contraction, CompilesForAvxVnni) {
  Dot dot{{100, 900}, {900, 70}, {100, 70}, {}, {}, {1}, {0}};
  for (const char *element : {"i8", "ui8", "i16"}) {
    std::string text =
        "xlac.kernel @k <contraction> {\n^bb0(%a: " + type(dot.lhs, element) +
        ", %b: " + type(dot.rhs, element) +
        "):\n%0 = " + dotText(dot, element, element, "i32", "%a", "%b") +
        "\nxlac.yield %0 : " + type(dot.result, "i32") + "\n}\n";
    EXPECT_EQ(compileKernel(text, *find_profile("avx2-vnni")), "");
  }
}
