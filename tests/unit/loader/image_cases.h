// Images of programs for tests, and their results.
#pragma once

#include "xlac/loader/compiler_library.h"
#include "xlac/loader/image_loader.h"

#include <cstring>
#include <gtest/gtest.h>
#include <string>
#include <vector>

namespace xlac::test {

/// A program with names and no constants: y = 2x.
inline constexpr std::string_view kDouble = R"(
func.func @twice(%x: tensor<4xf32> loc("x")) -> (tensor<4xf32> {jax.result_info = "y"}) {
  %0 = stablehlo.add %x, %x : tensor<4xf32>
  return %0 : tensor<4xf32>
}
)";

/// x + w for a constant w of `count` elements, whose pattern is not one number.
inline std::string with_weights(int64_t count) {
  std::string numbers;
  for (int64_t i = 0; i < count; ++i)
    numbers += (i ? "," : "") + std::to_string(i * 7919 % 1000) + ".5";
  std::string type = "tensor<" + std::to_string(count) + "xf32>";
  return "func.func @main(%x: " + type + " loc(\"x\")) -> " + type +
         " {\n  %w = stablehlo.constant dense<[" + numbers + "]> : " + type +
         "\n  %0 = stablehlo.add %x, %w : " + type + "\n  return %0 : " + type +
         "\n}\n";
}

/// Compiles a source for a file.
inline runtime::ImageFile
image_file(const Source &source, const CompilerOptions &options = {},
           ImageExtras extras = ImageExtras::NamesAndProgram) {
  runtime::ImageFile file;
  auto compiler = open_compiler();
  if (!compiler) {
    ADD_FAILURE() << compiler.error().message;
    return file;
  }
  auto image = (*compiler)->compile(source, options);
  if (!image) {
    ADD_FAILURE() << image.error().message;
    return file;
  }
  file.image = std::move(*image);
  auto described = describe_image(source, options, extras, file);
  EXPECT_TRUE(described) << described.error().message;
  return file;
}

/// The only result for 0, 1, 2, … as the only argument.
inline std::vector<float> run_image(const runtime::Executable &executable) {
  auto bytes = [](int64_t count) { return static_cast<size_t>(count); };
  std::vector<float> x(bytes(executable.argument_bytes().at(0)) / 4);
  for (size_t i = 0; i < x.size(); ++i)
    x[i] = static_cast<float>(i);
  size_t size = bytes(executable.result_bytes().at(0));
  std::shared_ptr<void> memory(std::aligned_alloc(64, (size + 63) / 64 * 64),
                               std::free);
  const void *arguments[] = {x.data()};
  void *results[] = {memory.get()};
  runtime::RunContext context;
  Status status = executable.run(context, arguments, results);
  EXPECT_TRUE(status) << status.error().message;
  std::vector<float> y(size / 4);
  std::memcpy(y.data(), memory.get(), size);
  return y;
}

} // namespace xlac::test
