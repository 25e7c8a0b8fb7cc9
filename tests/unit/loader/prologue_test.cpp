// A program with invariant arguments, from text to the device. Values that
// depend only on them are computed once for each version of the arguments.
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"

#include <cmath>
#include <cstring>
#include <gtest/gtest.h>

namespace xlac {
namespace {

constexpr std::string_view kProgram = R"(
func.func @main(%x: tensor<3x4xf32>, %w: tensor<4x5xf32>, %s: tensor<5xf32>) -> tensor<3x5xf32> {
  %table = stablehlo.constant dense<[0.5, 1.5, 2.5, 3.5, 4.5]> : tensor<5xf32>
  %0 = stablehlo.exponential %s : tensor<5xf32>
  %1 = stablehlo.multiply %0, %table : tensor<5xf32>
  %2 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<5xf32>) -> tensor<4x5xf32>
  %3 = stablehlo.multiply %w, %2 : tensor<4x5xf32>
  %4 = stablehlo.dot_general %x, %3, contracting_dims = [1] x [0] : (tensor<3x4xf32>, tensor<4x5xf32>) -> tensor<3x5xf32>
  return %4 : tensor<3x5xf32>
}
)";

std::shared_ptr<const runtime::Executable>
load(std::vector<uint32_t> invariant) {
  ProgramLoadOptions options;
  options.compile.invariant_arguments = std::move(invariant);
  auto loaded = load_or_compile(Source{kProgram, "prologue.mlir"}, options);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  return loaded ? loaded->executable : nullptr;
}

runtime::BufferRef upload(runtime::VirtualDevice &device, size_t count,
                          float start) {
  std::vector<float> values(count);
  for (size_t i = 0; i < count; ++i)
    values[i] = start + 0.25f * static_cast<float>(i);
  return *device.upload(std::as_bytes(std::span(values)));
}

std::vector<float>
run(runtime::VirtualDevice &device,
    const std::shared_ptr<const runtime::Executable> &program,
    const std::vector<runtime::BufferRef> &arguments) {
  std::vector<float> values(15);
  std::vector<runtime::BufferRef> results = device.launch(program, arguments);
  Result<const std::byte *> data = results.at(0)->read();
  EXPECT_TRUE(data) << (data ? "" : data.error().message);
  if (data)
    std::memcpy(values.data(), *data, values.size() * sizeof(float));
  return values;
}

TEST(PrologueTest, ComputesOnceForEachVersionOfTheWeights) {
  auto device = runtime::find_device(0);
  ASSERT_TRUE(device);
  auto plain = load({}), split = load({1, 2});
  ASSERT_TRUE(plain && split);
  EXPECT_TRUE(plain->image().prologue.empty());
  EXPECT_EQ(split->image().prologue.arguments, (std::vector<uint32_t>{1, 2}));
  EXPECT_EQ(split->image().prologue.result_bytes, std::vector<int64_t>{80});
  EXPECT_EQ(split->image().arguments.size(), 3u);

  runtime::BufferRef w = upload(**device, 20, -1),
                     s = upload(**device, 5, -0.5f);
  int64_t entries = -1;
  for (float start : {0.0f, 1.0f, 2.0f}) {
    runtime::BufferRef x = upload(**device, 12, start);
    EXPECT_EQ(run(**device, split, {x, w, s}), run(**device, plain, {x, w, s}));
    if (entries < 0)
      entries = (*device)->memory().prologue_entries;
    EXPECT_GT(entries, 0);
    EXPECT_EQ((*device)->memory().prologue_entries, entries);
  }
  // A write invalidates the saved values.
  float changed[5] = {1, 0, -1, 2, -2};
  Result<std::byte *> memory = s->write();
  ASSERT_TRUE(memory);
  std::memcpy(*memory, changed, sizeof changed);
  runtime::BufferRef x = upload(**device, 12, 3);
  EXPECT_EQ(run(**device, split, {x, w, s}), run(**device, plain, {x, w, s}));
}

TEST(PrologueTest, RefusesANumberBeyondTheArguments) {
  ProgramLoadOptions options;
  options.compile.invariant_arguments = {3};
  auto loaded = load_or_compile(Source{kProgram, "prologue.mlir"}, options);
  ASSERT_FALSE(loaded);
  EXPECT_NE(loaded.error().message.find("number 3 cannot be invariant"),
            std::string::npos)
      << loaded.error().message;
}

} // namespace
} // namespace xlac
