// Image files with names, programs and mapped constants, and images whose CPU
// features this machine lacks.
#include "image_cases.h"

#include "xlac/support/read_file.h"

#include <filesystem>

namespace xlac {
namespace {

using test::image_file;
using test::run_image;

/// A bit that no machine supports.
constexpr uint64_t kUnknownFeature = uint64_t(1) << 40;

ProgramLoadOptions without_cache() {
  ProgramLoadOptions options;
  options.keep_in_memory = false;
  return options;
}

TEST(ImageLoaderTest, FilesCarryNamesAndTheProgram) {
  runtime::ImageFile file =
      image_file(Source{test::kDouble, "twice.mlir", "twice"});
  auto back = runtime::read_image_file(runtime::image_file_bytes(file));
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->argument_names, std::vector<std::string>{"x"});
  EXPECT_EQ(back->result_names, std::vector<std::string>{"y"});
  auto artifact = program_of_image(*back);
  ASSERT_TRUE(artifact) << artifact.error().message;
  EXPECT_EQ(back->program->entry, "twice");
  // What is compiled from the artifact has the same names.
  runtime::ImageFile again =
      image_file(Source{*artifact, "artifact", back->program->entry});
  EXPECT_EQ(again.argument_names, back->argument_names);
  EXPECT_EQ(again.result_names, back->result_names);
  auto loaded = load_image(std::move(*back), "twice.xlax", without_cache());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_FALSE(loaded->was_compiled());
  EXPECT_EQ(run_image(*loaded->executable), (std::vector<float>{0, 2, 4, 6}));
}

TEST(ImageLoaderTest, FilesCanDoWithoutTheProgram) {
  runtime::ImageFile file = image_file(
      Source{test::kDouble, "twice.mlir", "twice"}, {}, ImageExtras::Names);
  EXPECT_EQ(file.argument_names, std::vector<std::string>{"x"});
  EXPECT_FALSE(file.program);
  auto artifact = program_of_image(file);
  ASSERT_FALSE(artifact);
  EXPECT_EQ(artifact.error().message,
            "the image does not contain the program that it was compiled from");
}

TEST(ImageLoaderTest, UsesConstantsOfTheMappedFile) {
  constexpr int64_t kCount = 20000;
  std::string text = test::with_weights(kCount);
  std::string path = testing::TempDir() + "/weights.xlax";
  ASSERT_TRUE(runtime::write_image_file(
      path, image_file(Source{text, "weights.mlir"})));
  auto bytes = map_file(path);
  ASSERT_TRUE(bytes) << bytes.error().message;
  auto file = runtime::read_image_file(*bytes, bytes->owner());
  ASSERT_TRUE(file) << file.error().message;
  auto loaded = load_image(std::move(*file), path, without_cache());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const auto &constants = loaded->executable->image().constants;
  ASSERT_FALSE(constants.empty());
  EXPECT_EQ((constants[0].data() - bytes->data()) % 4096, 0);
  size_t size = 0;
  for (const SharedBytes &constant : constants) {
    EXPECT_GE(constant.data(), bytes->data());
    EXPECT_LE(constant.data() + constant.size(), bytes->data() + bytes->size());
    size += constant.size();
  }
  EXPECT_GE(size, size_t(kCount) * 4);
  // The executable keeps the mapping, also of a file that is gone.
  *bytes = SharedBytes();
  std::filesystem::remove(path);
  std::vector<float> y = run_image(*loaded->executable);
  ASSERT_EQ(y.size(), size_t(kCount));
  for (int64_t i = 0; i < kCount; ++i)
    ASSERT_EQ(y[size_t(i)], float(i) + float(i * 7919 % 1000) + 0.5f) << i;
}

TEST(ImageLoaderTest, CompilesAgainWhereFeaturesAreMissing) {
  runtime::ImageFile file =
      image_file(Source{test::kDouble, "twice.mlir", "twice"});
  file.image.features |= kUnknownFeature;
  file.image.target_profile = "future";
  auto loaded = load_image(file, "twice.xlax", without_cache());
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_TRUE(loaded->was_compiled());
  EXPECT_EQ(loaded->executable->image().target_profile, host_profile().name);
  EXPECT_EQ(run_image(*loaded->executable), (std::vector<float>{0, 2, 4, 6}));

  file.program.reset();
  auto refused = load_image(file, "twice.xlax", without_cache());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().message,
            "the image was compiled for 'future'; this machine lacks an "
            "unknown feature; the image does not contain the program that it "
            "was compiled from");
}

TEST(ImageLoaderTest, GivenOptionsHavePrecedence) {
  runtime::ImageProgram program;
  program.invariant_arguments = {1};
  program.argument_sizes = {{0, {2}}, {2, {5, 6}}};
  program.ignore_callbacks = true;
  CompilerOptions compile;
  compile.argument_sizes = {{2, {7, 8}}};
  add_compile_options(program, compile);
  EXPECT_EQ(compile.invariant_arguments, std::vector<uint32_t>{1});
  EXPECT_EQ(compile.argument_sizes, (ArgumentSizes{{2, {7, 8}}, {0, {2}}}));
  EXPECT_TRUE(compile.ignore_callbacks);
  compile.invariant_arguments = {0, 3};
  add_compile_options(program, compile);
  EXPECT_EQ(compile.invariant_arguments, (std::vector<uint32_t>{0, 3}));
}

TEST(ImageLoaderTest, CompilesAgainWithTheSameOptions) {
  constexpr std::string_view kDynamic = R"(
func.func @main(%x: tensor<?xf32>, %w: tensor<?xf32>) -> tensor<?xf32> {
  %0 = stablehlo.exponential %w : tensor<?xf32>
  %1 = stablehlo.sine %0 : tensor<?xf32>
  %2 = stablehlo.exponential %1 : tensor<?xf32>
  %3 = stablehlo.add %x, %2 : tensor<?xf32>
  return %3 : tensor<?xf32>
}
)";
  CompilerOptions options;
  options.argument_sizes = {{0, {3}}, {1, {3}}};
  options.invariant_arguments = {1};
  runtime::ImageFile file = image_file(Source{kDynamic, "d.mlir"}, options);
  EXPECT_FALSE(file.image.prologue.empty());
  file.image.features |= kUnknownFeature;
  auto loaded = load_image(file, "d.xlax", without_cache());
  ASSERT_TRUE(loaded) << loaded.error().message;
  const runtime::ExecutableImage &image = loaded->executable->image();
  EXPECT_EQ(image.arguments, file.image.arguments);
  EXPECT_EQ(image.prologue.arguments, file.image.prologue.arguments);
}

} // namespace
} // namespace xlac
