// Drivers run launches from tables, except in loops.
#include "xlac/abi/launches.h"
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"

#include <cstring>
#include <gtest/gtest.h>

#include <fmt/format.h>

namespace xlac {
namespace {

/// Six products, each of the one before.
std::string products() {
  std::string text;
  for (int i = 0; i < 6; ++i)
    text += fmt::format(
        "  %{} = stablehlo.dot_general %{}, %w, contracting_dims = [1] x [0] : "
        "(tensor<24x24xf32>, tensor<24x24xf32>) -> tensor<24x24xf32>\n",
        i + 1, i);
  return text;
}

std::string outside_loops() {
  return "func.func @main(%0: tensor<24x24xf32>, %w: tensor<24x24xf32>) -> "
         "tensor<24x24xf32> {\n" +
         products() + "  return %6 : tensor<24x24xf32>\n}\n";
}

/// The products in each of two iterations.
std::string in_a_loop() {
  return R"(
func.func @main(%x: tensor<24x24xf32>, %w: tensor<24x24xf32>) -> tensor<24x24xf32> {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %two = stablehlo.constant dense<2> : tensor<i32>
  %r:2 = stablehlo.while(%i = %zero, %0 = %x) : tensor<i32>, tensor<24x24xf32>
  cond {
    %c = stablehlo.compare LT, %i, %two : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.return %c : tensor<i1>
  } do {
)" + products() +
         R"(
    %j = stablehlo.add %i, %one : tensor<i32>
    stablehlo.return %j, %6 : tensor<i32>, tensor<24x24xf32>
  }
  return %r#1 : tensor<24x24xf32>
}
)";
}

std::shared_ptr<const runtime::Executable> compiled(const std::string &text) {
  ProgramLoadOptions options;
  options.keep_in_memory = false;
  auto loaded = load_or_compile(Source{text, "products.mlir"}, options);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  return loaded ? loaded->executable : nullptr;
}

/// Reads the table that is the last constant of a program. Returns for each
/// record how many after it are joined with it.
std::vector<int64_t> joined_of(const runtime::Executable &program) {
  const SharedBytes &bytes = program.image().constants.back();
  std::vector<int64_t> words(bytes.size() / sizeof(int64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(int64_t));
  std::vector<int64_t> joined;
  for (size_t at = 0; at + XLAC_LAUNCH_WORDS < words.size();) {
    EXPECT_LT(words[at + XLAC_LAUNCH_ENTRY],
              int64_t(program.image().kernels.size()));
    joined.push_back(words[at + XLAC_LAUNCH_JOINED]);
    at += XLAC_LAUNCH_WORDS + size_t(words[at + XLAC_LAUNCH_BUFFERS]);
  }
  return joined;
}

/// The first element of the result for a matrix of ones and one of 1/16.
float first_element(const std::shared_ptr<const runtime::Executable> &program) {
  auto device = runtime::find_device(0);
  std::vector<float> ones(576, 1.0f), weights(576, 0.0625f);
  auto upload = [&](std::vector<float> &values) {
    return *(*device)->upload(std::as_bytes(std::span(values)));
  };
  std::vector<runtime::BufferRef> results =
      (*device)->launch(program, {upload(ones), upload(weights)});
  Result<const std::byte *> data = results.at(0)->read();
  EXPECT_TRUE(data) << (data ? "" : data.error().message);
  float first = 0;
  if (data)
    std::memcpy(&first, *data, sizeof first);
  return first;
}

TEST(LaunchTable, LaunchesOutsideOfLoopsAreData) {
  auto program = compiled(outside_loops());
  ASSERT_TRUE(program);
  ASSERT_FALSE(program->image().constants.empty());
  std::vector<int64_t> joined = joined_of(*program);
  EXPECT_GE(joined.size(), 6u);
  EXPECT_EQ(joined, std::vector<int64_t>(joined.size()));
  EXPECT_EQ(first_element(program), 11.390625f); // 1.5^6
}

/// `count` arrays, each squared. `donated` are the attributes of arguments.
std::string squares(int count, const std::vector<std::string> &donated = {}) {
  std::string arguments, results, types, text;
  for (int i = 0; i < count; ++i) {
    const char *comma = i ? ", " : "";
    std::string attributes = size_t(i) < donated.size() ? donated[i] : "";
    arguments +=
        fmt::format("{}%a{}: tensor<512x256xf32>{}", comma, i, attributes);
    results += fmt::format("{}%r{}", comma, i);
    types += fmt::format("{}tensor<512x256xf32>", comma);
    text += fmt::format("  %r{0} = stablehlo.multiply %a{0}, %a{0} : "
                        "tensor<512x256xf32>\n",
                        i);
  }
  return fmt::format("func.func @main({}) -> ({}) {{\n{}  return {} : {}\n}}\n",
                     arguments, types, text, results, types);
}

TEST(LaunchTable, IndependentLaunchesAreJoined) {
  auto program = compiled(squares(6));
  ASSERT_TRUE(program);
  ASSERT_FALSE(program->image().constants.empty());
  EXPECT_EQ(joined_of(*program), (std::vector<int64_t>{5, 4, 3, 2, 1, 0}));
  program = compiled(squares(20));
  ASSERT_TRUE(program);
  std::vector<int64_t> joined = joined_of(*program);
  ASSERT_EQ(joined.size(), 20u);
  EXPECT_EQ(joined[0], XLAC_MOST_JOINED - 1);
  EXPECT_EQ(joined[XLAC_MOST_JOINED - 1], 0);
  EXPECT_EQ(joined[XLAC_MOST_JOINED], 20 - XLAC_MOST_JOINED - 1);
}

/// A result in the memory of its own operand is no obstacle, one in that of
/// another launch's operand is.
TEST(LaunchTable, DonationsSeparateLaunches) {
  auto in_place = [](int result) {
    return fmt::format(" {{tf.aliasing_output = {} : i32}}", result);
  };
  auto own = compiled(squares(4, {in_place(0), in_place(1)}));
  auto other = compiled(squares(4, {in_place(1), in_place(2)}));
  ASSERT_TRUE(own && other);
  EXPECT_EQ(joined_of(*own), (std::vector<int64_t>{3, 2, 1, 0}));
  EXPECT_NE(joined_of(*other)[0], 3);
}

TEST(LaunchTable, LaunchesInLoopsAreCode) {
  auto program = compiled(in_a_loop());
  ASSERT_TRUE(program);
  for (const SharedBytes &constant : program->image().constants)
    EXPECT_LT(constant.size(), 6 * XLAC_LAUNCH_WORDS * sizeof(int64_t));
  EXPECT_EQ(first_element(program), 129.746337890625f); // 1.5^12
}

} // namespace
} // namespace xlac
