// The compiler through its interface: pass pipelines, dump files of phases, and
// programs in sequence.
#include "xlac/compiler.h"
#include "xlac/loader/compiler_library.h"

#include <gtest/gtest.h>

#include <filesystem>

namespace xlac {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTwice = R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.exponential %x : tensor<4xf32>
  %1 = stablehlo.exponential %x : tensor<4xf32>
  %2 = stablehlo.add %0, %1 : tensor<4xf32>
  return %2 : tensor<4xf32>
}
)";

Compiler &compiler() {
  static Compiler *opened = *open_compiler();
  return *opened;
}

size_t count_of(const std::string &text, std::string_view word) {
  size_t count = 0;
  for (size_t at = 0; (at = text.find(word, at)) != std::string::npos; ++at)
    ++count;
  return count;
}

/// Counts `word` in kTwice after the passes of `pipeline`.
size_t left_by(std::string_view pipeline, std::string_view word) {
  Source source{kTwice, "twice.mlir"};
  auto text = compiler().run_passes(source, pipeline);
  EXPECT_TRUE(text) << text.error().message;
  return text ? count_of(*text, word) : 0;
}

TEST(RunPasses, RunsThoseOfTheModuleOnTheModule) {
  EXPECT_EQ(left_by("canonicalize", "exponential"), 2);
  for (auto pipeline :
       {"cse", "builtin.module(cse)", " builtin.module(func.func(cse))",
        "func.func(cse)", "builtin.module(canonicalize,cse)"})
    EXPECT_EQ(left_by(pipeline, "exponential"), 1) << pipeline;
  for (auto pipeline : {"xlac-to-kernels", "builtin.module(xlac-to-kernels)"})
    EXPECT_EQ(left_by(pipeline, "xlac.kernel @"), 1) << pipeline;
}

TEST(RunPasses, NamesWhatIsNoPass) {
  Source source{kTwice, "twice.mlir"};
  for (auto pipeline : {"no-such-pass", "builtin.module(no-such-pass)"}) {
    auto text = compiler().run_passes(source, pipeline);
    ASSERT_FALSE(text);
    EXPECT_EQ(text.error().failure_kind, FailureKind::User);
    EXPECT_NE(text.error().message.find("no-such-pass"), std::string::npos)
        << text.error().message;
  }
}

TEST(DumpDirectory, IsMade) {
  fs::path folder = fs::path(testing::TempDir()) / "xlac-phases";
  fs::remove_all(folder);
  CompilerOptions options;
  options.target = host_profile();
  options.dump_directory = folder / "of" / "twice";
  Source source{kTwice, "twice.mlir"};
  auto image = compiler().compile(source, options, nullptr);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_TRUE(fs::exists(folder / "of" / "twice" / "00-prepare.mlir"));
  EXPECT_TRUE(fs::exists(folder / "of" / "twice" / "07-program.mlir"));
  fs::remove_all(folder);
}

TEST(DumpDirectory, ThatCannotBeMadeIsNamed) {
  CompilerOptions options;
  options.target = host_profile();
  options.dump_directory = "/dev/null/phases";
  Source source{kTwice, "twice.mlir"};
  auto image = compiler().compile(source, options, nullptr);
  ASSERT_FALSE(image);
  EXPECT_NE(image.error().message.find("/dev/null/phases"), std::string::npos)
      << image.error().message;
}

/// The image of a program, as bytes.
std::vector<std::byte> image_of(std::string_view program) {
  CompilerOptions options;
  options.target = host_profile();
  Source source{program, "program.mlir"};
  auto image = compiler().compile(source, options, nullptr);
  EXPECT_TRUE(image) << image.error().message;
  return image ? runtime::serialize(*image) : std::vector<std::byte>();
}

// Programs pass their threads and contexts on to later ones, which must not
// depend on the programs before.
TEST(Sequence, OfProgramsLeavesNoTrace) {
  constexpr std::string_view kNamedData = R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %0 = stablehlo.constant dense_resource<data> : tensor<2xf32>
  %1 = stablehlo.add %x, %0 : tensor<2xf32>
  return %1 : tensor<2xf32>
}
{-#
  dialect_resources: {
    builtin: { data: "0x040000000000803F00000040" }
  }
#-}
)";
  auto printed = [&] {
    return *compiler().print(Source{kNamedData, "data.mlir"}, TextOptions());
  };
  const std::vector<std::byte> twice = image_of(kTwice);
  const std::string named = printed();
  for (int round = 0; round < 70; ++round) {
    std::string other = "func.func @main() -> tensor<2xi32> {\n  %0 = "
                        "stablehlo.constant dense<" +
                        std::to_string(round) +
                        "> : tensor<2xi32>\n  return %0 : tensor<2xi32>\n}\n";
    EXPECT_FALSE(image_of(other).empty());
    Source wrong{"func.func @main(", "wrong.mlir"};
    EXPECT_FALSE(compiler().signature(wrong));
    if (round % 10 == 0) {
      EXPECT_EQ(printed(), named);
      EXPECT_EQ(image_of(kTwice), twice);
    }
  }
}

} // namespace
} // namespace xlac
