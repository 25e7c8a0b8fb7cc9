// Weights that the prologue packs: results have the same bits as without it,
// other weights are never mistaken for packed ones, and memory is bounded.
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <numeric>
#include <random>

namespace xlac {
namespace {

/// Kernels for any size, which programs of other sizes get, do not read packed
/// weights. The process reads the setting once.
[[maybe_unused]] const int kSharesNoKernels =
    ::setenv("XLAC_SHARE_KERNELS", "0", 1);

using Program = std::shared_ptr<const runtime::Executable>;
using Bytes = std::vector<std::byte>;

Program load(const std::string &text, std::vector<uint32_t> invariant,
             bool finds = false, const char *target = nullptr) {
  ProgramLoadOptions options;
  options.compile.invariant_arguments = std::move(invariant);
  options.compile.find_invariant_arguments = finds;
  if (target) {
    auto profile = find_profile(target);
    EXPECT_TRUE(profile);
    options.compile.target = *profile;
  }
  auto loaded = load_or_compile(Source{text, "packed.mlir"}, options);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message) << "\n" << text;
  return loaded ? loaded->executable : nullptr;
}

runtime::VirtualDevice &device() {
  auto found = runtime::find_device(0);
  EXPECT_TRUE(found);
  return **found;
}

/// A buffer with random elements from -1 to 1, or any bytes for integers.
runtime::BufferRef random_buffer(const Type &type, unsigned seed) {
  std::mt19937 random(seed);
  size_t bytes = static_cast<size_t>(*type.tensor().byte_count());
  Bytes data(bytes);
  std::uniform_real_distribution<float> numbers(-1, 1);
  ElementType element = type.tensor().element;
  if (element == ElementType::F32) {
    for (size_t i = 0; i < bytes; i += 4) {
      float number = numbers(random);
      std::memcpy(&data[i], &number, 4);
    }
  } else if (element == ElementType::F64) {
    for (size_t i = 0; i < bytes; i += 8) {
      double number = numbers(random);
      std::memcpy(&data[i], &number, 8);
    }
  } else if (element == ElementType::BF16) {
    for (size_t i = 0; i < bytes; i += 2) {
      float number = numbers(random);
      uint32_t bits;
      std::memcpy(&bits, &number, 4);
      uint16_t half = static_cast<uint16_t>(bits >> 16);
      std::memcpy(&data[i], &half, 2);
    }
  } else {
    for (std::byte &byte : data)
      byte = static_cast<std::byte>(random());
  }
  return *device().upload(data);
}

Bytes run(const Program &program,
          const std::vector<runtime::BufferRef> &arguments) {
  auto results = device().launch(program, arguments);
  Result<const std::byte *> data = results.at(0)->read();
  EXPECT_TRUE(data) << (data ? "" : data.error().message);
  if (!data)
    return {};
  return Bytes(*data, *data + results[0]->bytes());
}

std::vector<runtime::BufferRef> random_arguments(const Program &program,
                                                 unsigned seed) {
  std::vector<runtime::BufferRef> arguments;
  for (const Type &type : program->image().arguments)
    arguments.push_back(random_buffer(type, seed++));
  return arguments;
}

std::string tensor(const std::vector<int64_t> &sizes, const char *element) {
  return fmt::format("tensor<{}x{}>", fmt::join(sizes, "x"), element);
}

/// A product of x and the weights, or of the weights and x, with an epilogue.
std::string random_product(std::mt19937 &random) {
  auto size = [&](std::initializer_list<int64_t> sizes) {
    return *(sizes.begin() + random() % sizes.size());
  };
  const char *element =
      std::array{"f32", "f32", "bf16", "f64", "i8", "ui8"}[random() % 6];
  const char *sum = element[0] == 'f' || element[0] == 'b' ? element : "i32";
  int64_t m = size({3, 65, 130, 200}), n = size({5, 33, 100, 200}),
          k = size({7, 65, 384, 500}), batch = size({1, 1, 1, 3});
  bool turnsW = random() % 2, turnsX = random() % 2,
       weightsFirst = random() % 4 == 0;
  std::vector<int64_t> x{batch, m, k}, w{batch, k, n}, result{batch, m, n};
  if (turnsX)
    std::swap(x[1], x[2]);
  if (turnsW)
    std::swap(w[1], w[2]);
  std::string lhs = "%x", rhs = "%w", lhs_type = tensor(x, element),
              rhs_type = tensor(w, element);
  int lhs_dim = turnsX ? 1 : 2, rhs_dim = turnsW ? 2 : 1;
  if (weightsFirst) {
    std::swap(lhs, rhs);
    std::swap(lhs_type, rhs_type);
    std::swap(lhs_dim, rhs_dim);
    result = {batch, n, m};
  }
  std::string out = tensor(result, sum);
  return fmt::format(R"(
func.func @main(%x: {}, %w: {}) -> {} {{
  %0 = stablehlo.dot_general {}, {}, batching_dims = [0] x [0], contracting_dims = [{}] x [{}] : ({}, {}) -> {}
  %1 = stablehlo.multiply %0, %0 : {}
  %2 = stablehlo.add %0, %1 : {}
  return %2 : {}
}}
)",
                     tensor(x, element), tensor(w, element), out, lhs, rhs,
                     lhs_dim, rhs_dim, lhs_type, rhs_type, out, out, out, out);
}

/// A convolution with the channels first or last.
std::string random_convolution(std::mt19937 &random) {
  auto size = [&](std::initializer_list<int64_t> sizes) {
    return *(sizes.begin() + random() % sizes.size());
  };
  const char *element = std::array{"f32", "f32", "bf16"}[random() % 3];
  int64_t batch = size({1, 1, 2}), in = size({1, 3, 16, 20}),
          channels = size({8, 20, 64}), image = size({5, 14, 20, 28}),
          window = size({1, 1, 3}), stride = size({1, 1, 2}),
          groups = size({1, 1, 1, 4});
  int64_t pad = window / 2, places = (image + 2 * pad - window) / stride + 1;
  channels *= groups;
  bool isFirst = random() % 2;
  std::vector<int64_t> x{batch, image, image, in * groups},
      w{window, window, in, channels}, out{batch, places, places, channels};
  const char *dims = "[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]";
  if (isFirst) {
    dims = "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]";
    x = {batch, in * groups, image, image};
    w = {channels, in, window, window};
    out = {batch, channels, places, places};
  }
  std::string result = tensor(out, element);
  return fmt::format(R"(
func.func @main(%x: {0}, %w: {1}) -> {2} {{
  %0 = stablehlo.convolution(%x, %w) dim_numbers = {3}, window = {{stride = [{4}, {4}], pad = [[{5}, {5}], [{5}, {5}]]}} {{batch_group_count = 1 : i64, feature_group_count = {6} : i64}} : ({0}, {1}) -> {2}
  %1 = stablehlo.abs %0 : {2}
  return %1 : {2}
}}
)",
                     tensor(x, element), tensor(w, element), result, dims,
                     stride, pad, groups);
}

int64_t packed_bytes(const Program &program) {
  const std::vector<int64_t> &sizes = program->image().prologue.result_bytes;
  return std::accumulate(sizes.begin(), sizes.end(), int64_t(0));
}

/// Compares programs with and without packed weights, for other inputs and
/// other weights. Returns whether the prologue packs.
bool compare(const std::string &text, unsigned seed, const char *target) {
  ::setenv("XLAC_PACK_LIMIT", "64M", 1);
  Program plain = load(text, {}, false, target),
          packed = load(text, {1}, false, target);
  ::unsetenv("XLAC_PACK_LIMIT");
  if (!plain || !packed)
    return false;
  std::vector<runtime::BufferRef> arguments = random_arguments(plain, seed);
  EXPECT_EQ(run(packed, arguments), run(plain, arguments)) << text;
  arguments[0] = random_buffer(plain->image().arguments[0], seed + 7);
  EXPECT_EQ(run(packed, arguments), run(plain, arguments)) << text;
  arguments[1] = random_buffer(plain->image().arguments[1], seed + 8);
  EXPECT_EQ(run(packed, arguments), run(plain, arguments)) << text;
  return !packed->image().prologue.empty();
}

TEST(PackedWeightsTest, ProductsHaveTheSameBits) {
  std::mt19937 random(1);
  int packs = 0;
  for (unsigned i = 0; i < 60; ++i)
    packs += compare(random_product(random), i, i % 4 == 3 ? "avx2" : nullptr);
  EXPECT_GE(packs, 15);
}

TEST(PackedWeightsTest, ConvolutionsHaveTheSameBits) {
  std::mt19937 random(2);
  int packs = 0;
  for (unsigned i = 0; i < 30; ++i)
    packs +=
        compare(random_convolution(random), i, i % 4 == 3 ? "avx2" : nullptr);
  EXPECT_GE(packs, 8);
}

/// Two layers of the same size, so that one kernel packs both weights. The
/// second weights are also looked up.
constexpr const char *kLayers = R"(
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>, %v: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  %all = stablehlo.broadcast_in_dim %most, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
  %0 = stablehlo.subtract %x, %all : tensor<64x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %2 = stablehlo.tanh %1 : tensor<64x256xf32>
  %3 = stablehlo.dot_general %2, %v, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %4 = stablehlo.tanh %3 : tensor<64x256xf32>
  return %4 : tensor<64x256xf32>
}
)";

TEST(PackedWeightsTest, WritesAreNoticed) {
  Program plain = load(kLayers, {}), packed = load(kLayers, {}, true);
  ASSERT_TRUE(plain && packed);
  EXPECT_EQ(packed->image().prologue.arguments, (std::vector<uint32_t>{1, 2}));
  std::vector<runtime::BufferRef> arguments = random_arguments(plain, 1);
  EXPECT_EQ(run(packed, arguments), run(plain, arguments));
  for (int i = 1; i < 3; ++i) {
    Bytes before = run(packed, arguments);
    Result<std::byte *> memory = arguments[i]->write();
    ASSERT_TRUE(memory);
    float number = 0.75f;
    std::memcpy(*memory + 400 * i, &number, 4);
    Bytes after = run(packed, arguments);
    EXPECT_NE(after, before);
    EXPECT_EQ(after, run(plain, arguments));
  }
}

TEST(PackedWeightsTest, MemoryOfDonatedWeightsIsNotMistaken) {
  // A step that replaces the weights in their own memory.
  constexpr const char *kStep = R"(
func.func @main(%w: tensor<256x256xf32> {tf.aliasing_output = 0 : i32}) -> tensor<256x256xf32> {
  %0 = stablehlo.sine %w : tensor<256x256xf32>
  return %0 : tensor<256x256xf32>
}
)";
  Program plain = load(kLayers, {}), packed = load(kLayers, {}, true),
          step = load(kStep, {});
  ASSERT_TRUE(plain && packed && step);
  std::vector<runtime::BufferRef> arguments = random_arguments(plain, 5);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(run(packed, arguments), run(plain, arguments));
    const std::byte *memory = arguments[1]->data();
    std::vector<runtime::BufferRef> weights{std::move(arguments[1])};
    auto results = device().launch(step, std::move(weights));
    arguments[1] = results.at(0);
    ASSERT_TRUE(arguments[1]->wait());
    EXPECT_EQ(arguments[1]->data(), memory);
  }
}

TEST(PackedWeightsTest, DonatedArgumentsAreNotPacked) {
  std::string text = kLayers;
  text.replace(text.find("%w: tensor<256x256xf32>"), 23,
               "%w: tensor<256x256xf32> {jax.buffer_donor = true}");
  Program packed = load(text, {1, 2}, true);
  ASSERT_TRUE(packed);
  EXPECT_EQ(packed->image().prologue.arguments, std::vector<uint32_t>{2});
}

TEST(PackedWeightsTest, TheLimitHolds) {
  Program both = load(kLayers, {1, 2});
  ASSERT_TRUE(both);
  int64_t all = packed_bytes(both);
  ASSERT_EQ(both->image().prologue.result_bytes.size(), 2u);
  for (int64_t limit : {all, all - 1, all / 2, all / 2 - 1, int64_t(0)}) {
    ::setenv("XLAC_PACK_LIMIT", std::to_string(limit).c_str(), 1);
    Program limited = load(kLayers, {1, 2});
    ::unsetenv("XLAC_PACK_LIMIT");
    ASSERT_TRUE(limited);
    EXPECT_LE(packed_bytes(limited), limit);
    EXPECT_EQ(limited->image().prologue.result_bytes.size(),
              static_cast<size_t>(limit / (all / 2)));
    std::vector<runtime::BufferRef> arguments = random_arguments(both, 3);
    EXPECT_EQ(run(limited, arguments), run(both, arguments));
  }
}

TEST(PackedWeightsTest, ArgumentsThatAreUpdatedAreNoWeights) {
  // A step without donation: the new weights depend on the old ones.
  Program step = load(R"(
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> (tensor<256x256xf32>, tensor<64x256xf32>) {
  %low = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %most = stablehlo.reduce(%x init: %low) applies stablehlo.maximum across dimensions = [1] : (tensor<64x256xf32>, tensor<f32>) -> tensor<64xf32>
  %all = stablehlo.broadcast_in_dim %most, dims = [0] : (tensor<64xf32>) -> tensor<64x256xf32>
  %0 = stablehlo.subtract %x, %all : tensor<64x256xf32>
  %1 = stablehlo.dot_general %0, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  %2 = stablehlo.add %w, %w : tensor<256x256xf32>
  return %2, %1 : tensor<256x256xf32>, tensor<64x256xf32>
}
)",
                      {}, true);
  ASSERT_TRUE(step);
  EXPECT_TRUE(step->image().prologue.empty());
  // Nothing tells which of two arguments changes.
  Program product = load(R"(
func.func @main(%x: tensor<64x256xf32>, %w: tensor<256x256xf32>) -> tensor<64x256xf32> {
  %0 = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<64x256xf32>, tensor<256x256xf32>) -> tensor<64x256xf32>
  return %0 : tensor<64x256xf32>
}
)",
                         {}, true);
  ASSERT_TRUE(product);
  EXPECT_TRUE(product->image().prologue.empty());
}

/// A product whose second operand another kernel computes: for it alone, or
/// also for the caller.
std::string product_of_computed(const char *element, bool turns, bool returns) {
  const char *sum = element[0] == 'i' ? "i32" : element;
  std::string x = tensor({2048, 512}, element), out = tensor({2048, 1030}, sum),
              w = turns ? tensor({1030, 512}, element)
                        : tensor({512, 1030}, element);
  return fmt::format(R"(
func.func @main(%x: {0}, %w: {1}) -> ({2}{3}) {{
  %0 = stablehlo.multiply %w, %w : {1}
  %1 = stablehlo.dot_general %x, %0, contracting_dims = [1] x [{4}] : ({0}, {1}) -> {2}
  return %1{5} : {2}{3}
}}
)",
                     x, w, out, returns ? ", " + w : "", turns ? 1 : 0,
                     returns ? ", %0" : "");
}

bool has_kernel(const Program &program, std::string_view name) {
  const auto &kernels = program->image().kernels;
  return std::any_of(kernels.begin(), kernels.end(), [&](const auto &kernel) {
    return kernel.name.starts_with(name);
  });
}

TEST(PackedOperandsTest, HaveTheSameBitsAsThoseThatTheProductPacks) {
  int packs = 0;
  for (const char *element : {"f32", "bf16", "f64", "i8"})
    for (bool turns : {false, true})
      for (const char *target : {static_cast<const char *>(nullptr), "avx2"}) {
        Program before = load(product_of_computed(element, turns, false), {},
                              false, target),
                within = load(product_of_computed(element, turns, true), {},
                              false, target);
        ASSERT_TRUE(before && within);
        EXPECT_FALSE(has_kernel(within, "pack_dot"));
        packs += has_kernel(before, "pack_dot");
        std::vector<runtime::BufferRef> arguments = random_arguments(before, 2);
        EXPECT_EQ(run(before, arguments), run(within, arguments))
            << element << turns << (target ? target : "");
      }
  EXPECT_GE(packs, 8);
}

} // namespace
} // namespace xlac
