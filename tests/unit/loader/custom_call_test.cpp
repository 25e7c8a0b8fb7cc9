// User functions that a program's text calls.
#include "xlac/custom_call.h"
#include "xlac/library/custom_calls.h"
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"

#include <atomic>
#include <cstring>
#include <gtest/gtest.h>

namespace xlac {
namespace {

std::string program_of(std::string_view target,
                       std::string_view attributes = "") {
  return "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
         "  %0 = stablehlo.custom_call @" +
         std::string(target) + "(%x) {" + std::string(attributes) +
         "} : (tensor<2x3xf32>) -> tensor<2x3xf32>\n"
         "  %1 = stablehlo.add %0, %0 : tensor<2x3xf32>\n"
         "  return %1 : tensor<2x3xf32>\n}\n";
}

Result<std::shared_ptr<const runtime::Executable>>
load(const std::string &text) {
  auto loaded =
      load_or_compile(Source{text, "calls.mlir"}, ProgramLoadOptions{});
  if (!loaded)
    return loaded.error();
  return loaded->executable;
}

/// Returns the program's result for six values, or its failure.
Result<std::vector<float>>
run(const std::shared_ptr<const runtime::Executable> &executable,
    std::vector<float> values) {
  auto device = runtime::find_device(0);
  if (!device)
    return device.error();
  auto input = (*device)->upload(std::as_bytes(std::span(values)));
  if (!input)
    return input.error();
  auto results = (*device)->launch(executable, {*input});
  auto data = results.at(0)->read();
  if (!data)
    return data.error();
  std::memcpy(values.data(), *data, values.size() * sizeof(float));
  return values;
}

/// The same for 0, 1, … .
Result<std::vector<float>> run(const std::string &text) {
  auto executable = load(text);
  if (!executable)
    return executable.error();
  return run(*executable, {0, 1, 2, 3, 4, 5});
}

TEST(CustomCallTest, CallsTheUsersFunction) {
  ASSERT_TRUE(
      library::add_custom_call("test.scale", [](const CustomCall &call) {
        double factor = call.attribute<double>("factor");
        const auto &offsets = call.attribute<std::vector<int64_t>>("offsets");
        const CustomCallTensor &x = call.operands[0], &y = call.results[0];
        EXPECT_EQ(x.element_type, "f32");
        EXPECT_EQ(x.sizes, (std::vector<int64_t>{2, 3}));
        EXPECT_EQ(x.strides, (std::vector<int64_t>{3, 1}));
        call.parallel_for(x.numel(), [&](int64_t begin, int64_t end) {
          for (int64_t i = begin; i < end; ++i)
            y.as<float>()[i] =
                static_cast<float>(x.as<float>()[i] * factor + offsets[i % 3]);
        });
      }));
  auto result = run(program_of(
      "test.scale", "mhlo.backend_config = {factor = 1.5 : f64, offsets = "
                    "array<i64: 1, 10, 100>}"));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(*result, (std::vector<float>{2, 23, 206, 11, 32, 215}));
}

TEST(CustomCallTest, HandsBuffersOverInTheLayoutAskedFor) {
  ASSERT_TRUE(library::add_custom_call("test.copy", [](const CustomCall &call) {
    EXPECT_EQ(call.operands[0].strides, (std::vector<int64_t>{1, 2}));
    EXPECT_EQ(call.results[0].strides, (std::vector<int64_t>{3, 1}));
    for (int64_t row = 0; row < 2; ++row)
      for (int64_t column = 0; column < 3; ++column)
        call.results[0].as<float>()[row * 3 + column] =
            call.operands[0].as<float>()[row + column * 2];
  }));
  auto result = run(program_of(
      "test.copy", "operand_layouts = [dense<[0, 1]> : tensor<2xindex>], "
                   "result_layouts = [dense<[1, 0]> : tensor<2xindex>]"));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(*result, (std::vector<float>{0, 2, 4, 6, 8, 10}));
}

TEST(CustomCallTest, MakesOneCallFromWithinItself) {
  static std::shared_ptr<const runtime::Executable> program;
  // Each level calls the program with values smaller by one, down to zero.
  ASSERT_TRUE(
      library::add_custom_call("test.descend", [](const CustomCall &call) {
        const auto *x = call.operands[0].as<float>();
        std::vector<float> below(x, x + 6), made(6, 1);
        for (float &value : below)
          value -= 1;
        if (x[0] > 0) {
          auto result = run(program, below);
          ASSERT_TRUE(result) << result.error().message;
          made = *result;
        }
        EXPECT_EQ(call.operands[0].as<float>(), x);
        std::copy(made.begin(), made.end(), call.results[0].as<float>());
      }));
  auto loaded = load(program_of("test.descend"));
  ASSERT_TRUE(loaded) << loaded.error().message;
  program = *loaded;
  for (int repetition = 0; repetition < 3; ++repetition) {
    auto result = run(program, std::vector<float>(6, 4));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_EQ(*result, std::vector<float>(6, 32)); // doubled at each level
  }
  program.reset();
}

TEST(CustomCallTest, KeepsCallsWithEffectsAndDropsUnusedOnes) {
  static std::atomic<int> calls = 0;
  ASSERT_TRUE(library::add_custom_call("test.count",
                                       [](const CustomCall &) { ++calls; }));
  auto text = [](std::string_view effect) {
    return "func.func @main(%x: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
           "  stablehlo.custom_call @test.count(%x) {has_side_effect = " +
           std::string(effect) +
           "} : (tensor<2x3xf32>) -> ()\n"
           "  return %x : tensor<2x3xf32>\n}\n";
  };
  ASSERT_TRUE(run(text("true")));
  EXPECT_EQ(calls, 1);
  ASSERT_TRUE(run(text("false")));
  EXPECT_EQ(calls, 1);
}

TEST(CustomCallTest, SaysWhatWentWrong) {
  ASSERT_TRUE(library::add_custom_call("test.throw", [](const CustomCall &) {
    throw std::runtime_error("the moon is down");
  }));
  auto thrown = run(program_of("test.throw"));
  ASSERT_FALSE(thrown);
  EXPECT_NE(thrown.error().message.find(
                "custom_call @test.throw at calls.mlir:2:8: the moon is down"),
            std::string::npos)
      << thrown.error().message;
  auto missing = run(program_of("test.nobody"));
  ASSERT_FALSE(missing);
  EXPECT_NE(missing.error().message.find(
                "custom_call @test.nobody at calls.mlir:2:8: no function is "
                "registered for this target"),
            std::string::npos)
      << missing.error().message;
  auto wrong = run(program_of("lapack_spotrf_ffi"));
  ASSERT_FALSE(wrong);
  EXPECT_NE(
      wrong.error().message.find("takes 1 operands and gives 2 results, not "),
      std::string::npos)
      << wrong.error().message;
}

TEST(CustomCallTest, TakesANameOnce) {
  auto nothing = [](const CustomCall &) {};
  EXPECT_TRUE(library::add_custom_call("test.once", nothing));
  EXPECT_FALSE(library::add_custom_call("test.once", nothing));
  EXPECT_FALSE(library::add_custom_call("", nothing));
  EXPECT_FALSE(library::add_custom_call("test.empty", nullptr));
}

} // namespace
} // namespace xlac
