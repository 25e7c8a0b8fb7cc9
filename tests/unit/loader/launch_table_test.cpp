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

/// The records of the table that is the last constant of a program.
int64_t records_of(const runtime::Executable &program) {
  const SharedBytes &bytes = program.image().constants.back();
  std::vector<int64_t> words(bytes.size() / sizeof(int64_t));
  std::memcpy(words.data(), bytes.data(), words.size() * sizeof(int64_t));
  int64_t records = 0;
  for (size_t at = 0; at + XLAC_LAUNCH_BUFFERS < words.size(); ++records) {
    EXPECT_LT(words[at + XLAC_LAUNCH_ENTRY],
              int64_t(program.image().kernels.size()));
    at += XLAC_LAUNCH_WORDS + size_t(words[at + XLAC_LAUNCH_BUFFERS]);
  }
  return records;
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
  EXPECT_GE(records_of(*program), 6);
  EXPECT_EQ(first_element(program), 11.390625f); // 1.5^6
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
