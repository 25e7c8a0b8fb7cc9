// Deeply nested programs, compiled by threads with a small stack.
#include "xlac/loader/compiler_library.h"
#include "xlac/loader/program_loader.h"

#include <functional>
#include <gtest/gtest.h>
#include <pthread.h>

namespace xlac {
namespace {

/// Nested conditionals.
std::string nested(int depth) {
  std::string text =
      "func.func @main(%p: tensor<i1>, %a: tensor<f32>) -> tensor<f32> {\n";
  for (int level = 0; level < depth; ++level)
    text += "%r" + std::to_string(level) + " = \"stablehlo.if\"(%p) ({\n";
  text += "%last = stablehlo.negate %a : tensor<f32>\n";
  std::string last = "%last";
  for (int level = depth; level-- > 0;) {
    text += "\"stablehlo.return\"(" + last +
            ") : (tensor<f32>) -> ()\n}, {\n"
            "\"stablehlo.return\"(%a) : (tensor<f32>) -> ()\n}) : "
            "(tensor<i1>) -> tensor<f32>\n";
    last = "%r" + std::to_string(level);
  }
  return text + "return " + last + " : tensor<f32>\n}\n";
}

/// Runs `work` on a thread with 128 KiB of stack.
void run_on_small_stack(std::function<void()> work) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, 128 << 10), 0);
  pthread_t thread;
  auto call = [](void *state) -> void * {
    (*static_cast<std::function<void()> *>(state))();
    return nullptr;
  };
  ASSERT_EQ(pthread_create(&thread, &attributes, call, &work), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

TEST(SmallStackTest, ReadsPrintsAndCompilesNestedPrograms) {
  std::string text = nested(300);
  Source source{text, "deep.mlir"};
  auto compiler = open_compiler();
  ASSERT_TRUE(compiler) << compiler.error().message;
  run_on_small_stack([&] {
    auto types = (*compiler)->signature(source);
    ASSERT_TRUE(types) << types.error().message;
    EXPECT_EQ(types->arguments.size(), 2U);
    auto parsed = (*compiler)->parse(source);
    ASSERT_TRUE(parsed) << parsed.error().message;
    EXPECT_TRUE((*parsed)->key());
    EXPECT_TRUE((*compiler)->print(source, {}));
    EXPECT_TRUE((*compiler)->artifact(source, {}));
    EXPECT_TRUE((*compiler)->run_passes(source, "builtin.module(cse)"));
    auto loaded = load_or_compile(source, ProgramLoadOptions{});
    EXPECT_TRUE(loaded) << loaded.error().message;
  });
}

TEST(SmallStackTest, RefusesWhatNestsTooDeep) {
  std::string text = nested(600);
  run_on_small_stack([&] {
    auto loaded =
        load_or_compile(Source{text, "deep.mlir"}, ProgramLoadOptions{});
    ASSERT_FALSE(loaded);
    EXPECT_NE(loaded.error().message.find("nest deeper than 1000"),
              std::string::npos)
        << loaded.error().message;
  });
}

} // namespace
} // namespace xlac
