// Programs of one family: kernels that were compiled for two sizes serve the
// other sizes, with the same results as code of their own.
#include "kernel_stores.h"

#include "xlac/loader/background_compiler.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/loader/program_loader.h"
#include "xlac/runtime/device.h"

#include <array>
#include <cmath>
#include <cstring>
#include <gtest/gtest.h>
#include <set>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

#include <fmt/format.h>

namespace xlac {
namespace {

/// The norm of each row, and the rows divided by it; all sizes from N.
std::string normalized(int64_t n) {
  return fmt::format(R"(
func.func @main(%x: tensor<{0}x24xf32>) -> (tensor<{0}x24xf32>, tensor<{0}xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = stablehlo.multiply %x, %x : tensor<{0}x24xf32>
  %1 = stablehlo.reduce(%0 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x24xf32>, tensor<f32>) -> tensor<{0}xf32>
  %2 = stablehlo.sqrt %1 : tensor<{0}xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<{0}xf32>) -> tensor<{0}x24xf32>
  %4 = stablehlo.divide %x, %3 : tensor<{0}x24xf32>
  return %4, %2 : tensor<{0}x24xf32>, tensor<{0}xf32>
}}
)",
                     n);
}

std::vector<float>
run(const std::shared_ptr<const runtime::Executable> &program, int64_t rows,
    int64_t columns = 24) {
  auto device = runtime::find_device(0);
  EXPECT_TRUE(device);
  std::vector<float> values(rows * 24);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = 0.5f + 0.25f * static_cast<float>(i % 37);
  std::vector<runtime::BufferRef> results = (*device)->launch(
      program, {*(*device)->upload(std::as_bytes(std::span(values)))});
  std::vector<float> all;
  for (const runtime::BufferRef &result : results) {
    Result<const std::byte *> data = result->read();
    EXPECT_TRUE(data) << (data ? "" : data.error().message);
    size_t old = all.size();
    all.resize(old + size_t(old == 0 ? rows * columns : rows));
    if (data)
      std::memcpy(all.data() + old, *data, (all.size() - old) * sizeof(float));
  }
  return all;
}

/// Softmax of a product with a matrix, divided by the size; all from N.
std::string attention(int64_t n) {
  return fmt::format(R"(
func.func @main(%x: tensor<{0}x24xf32>) -> (tensor<{0}x{0}xf32>, tensor<{0}xf32>) {{
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %least = stablehlo.constant dense<0xFF800000> : tensor<f32>
  %size = stablehlo.constant dense<{0}.0> : tensor<{0}x{0}xf32>
  %0 = stablehlo.dot_general %x, %x, contracting_dims = [1] x [1] : (tensor<{0}x24xf32>, tensor<{0}x24xf32>) -> tensor<{0}x{0}xf32>
  %1 = stablehlo.divide %0, %size : tensor<{0}x{0}xf32>
  %2 = stablehlo.reduce(%1 init: %least) applies stablehlo.maximum across dimensions = [1] : (tensor<{0}x{0}xf32>, tensor<f32>) -> tensor<{0}xf32>
  %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<{0}xf32>) -> tensor<{0}x{0}xf32>
  %4 = stablehlo.subtract %1, %3 : tensor<{0}x{0}xf32>
  %5 = stablehlo.exponential %4 : tensor<{0}x{0}xf32>
  %6 = stablehlo.reduce(%5 init: %zero) applies stablehlo.add across dimensions = [1] : (tensor<{0}x{0}xf32>, tensor<f32>) -> tensor<{0}xf32>
  %7 = stablehlo.broadcast_in_dim %6, dims = [0] : (tensor<{0}xf32>) -> tensor<{0}x{0}xf32>
  %8 = stablehlo.divide %5, %7 : tensor<{0}x{0}xf32>
  return %8, %2 : tensor<{0}x{0}xf32>, tensor<{0}xf32>
}}
)",
                     n);
}

LoadedProgram load(int64_t rows, const ProgramLoadOptions &options) {
  auto loaded = load_or_compile(Source{normalized(rows), "rows.mlir"}, options);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  return loaded ? std::move(*loaded) : LoadedProgram();
}

/// All sizes are below 256 KiB, from which on reductions and loops of the same
/// values become one kernel.
TEST(KernelSharing, ThirdSizeIsNotCompiled) {
  ProgramLoadOptions shared, own;
  shared.compile.kernels = &kernels_in_memory();
  own.keep_in_memory = false;
  int64_t reused = 0;
  for (int64_t rows : {1000, 1504, 2008, 2504, 1240}) {
    LoadedProgram program = load(rows, shared);
    if (rows > 2000)
      EXPECT_EQ(program.report.kernels_for_other_sizes, program.report.kernels)
          << rows;
    reused += program.report.kernels_for_other_sizes;
    EXPECT_EQ(run(program.executable, rows),
              run(load(rows, own).executable, rows))
        << rows;
  }
  EXPECT_GT(reused, 0);
}

/// The second size is compiled for any size: with more rows and columns than
/// vectors have lanes, no other size is compiled.
TEST(KernelSharing, TwoCompilationsForAllSizes) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "code for any size needs AVX2";
  ProgramLoadOptions shared, own;
  shared.compile.kernels = &kernels_in_memory();
  own.keep_in_memory = false;
  int programs = 0;
  for (int64_t n : {70, 101, 83, 128, 65, 79, 120, 97, 111, 66}) {
    std::string text = attention(n);
    Source source{text, "attention.mlir"};
    auto program = load_or_compile(source, shared),
         alone = load_or_compile(source, own);
    ASSERT_TRUE(program && alone);
    if (++programs > 2) {
      EXPECT_EQ(program->report.kernels_for_other_sizes,
                program->report.kernels)
          << n;
      EXPECT_TRUE(program->report.driver_for_other_sizes) << n;
    }
    EXPECT_EQ(run(program->executable, n, n), run(alone->executable, n, n))
        << n;
  }
}

LoadedProgram load_attention(int64_t n, const ProgramLoadOptions &options) {
  std::string text = attention(n);
  auto loaded = load_or_compile(Source{text, "attention.mlir"}, options);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  return loaded ? std::move(*loaded) : LoadedProgram();
}

/// Compiles `attention` of these sizes, and expects the results of programs
/// that share nothing. Returns how many kernels got new code, one number for
/// each.
std::vector<int64_t> new_kernels(std::initializer_list<int64_t> sizes,
                                 const ProgramLoadOptions &options) {
  ProgramLoadOptions own;
  own.keep_in_memory = false;
  std::vector<int64_t> numbers;
  for (int64_t n : sizes) {
    LoadedProgram program = load_attention(n, options);
    const CompileReport &report = program.report;
    numbers.push_back(report.kernels - report.kernels_from_cache -
                      report.kernels_for_other_sizes);
    EXPECT_EQ(run(program.executable, n, n),
              run(load_attention(n, own).executable, n, n))
        << n;
    BackgroundCompiler::process().wait();
  }
  return numbers;
}

/// A family of its own for a test, so that it does not depend on others.
ProgramLoadOptions options_of_family(const char *name) {
  ProgramLoadOptions options;
  options.compile.kernels = &kernels_in_memory();
  options.compile.family = name;
  options.keep_in_memory = false;
  return options;
}

/// Results of two sizes from the same ops. `second` multiplies the second one.
LoadedProgram load_two(int64_t n, int64_t m, float second,
                       const ProgramLoadOptions &options) {
  std::string text = "func.func @main(%x: tensor<2048x24xf32>) -> "
                     "(tensor<N0x24xf32>, tensor<N1x24xf32>) {\n",
              results;
  int64_t rows[] = {n, m};
  for (int i : {0, 1}) {
    text += fmt::format(R"(
  %c{0} = stablehlo.constant dense<{2:e}> : tensor<{1}x24xf32>
  %s{0} = stablehlo.slice %x [0:{1}, 0:24] : (tensor<2048x24xf32>) -> tensor<{1}x24xf32>
  %t{0} = stablehlo.tanh %s{0} : tensor<{1}x24xf32>
  %r{0} = stablehlo.multiply %t{0}, %c{0} : tensor<{1}x24xf32>
)",
                        i, rows[i], i ? second : 0.75f);
    std::string place = fmt::format("N{}", i);
    text.replace(text.find(place), place.size(), std::to_string(rows[i]));
  }
  text += fmt::format(
      "  return %r0, %r1 : tensor<{}x24xf32>, tensor<{}x24xf32>\n}}\n", n, m);
  auto loaded = load_or_compile(Source{text, "two.mlir"}, options);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  return loaded ? std::move(*loaded) : LoadedProgram();
}

std::vector<std::vector<std::byte>> run_two(const LoadedProgram &program) {
  auto device = runtime::find_device(0);
  std::vector<float> values(2048 * 24);
  for (size_t i = 0; i < values.size(); ++i)
    values[i] = 0.01f * static_cast<float>(i % 997) - 3;
  std::vector<std::vector<std::byte>> all;
  for (const runtime::BufferRef &result : (*device)->launch(
           program.executable,
           {*(*device)->upload(std::as_bytes(std::span(values)))})) {
    Result<const std::byte *> data = result->read();
    EXPECT_TRUE(data) << (data ? "" : data.error().message);
    if (data)
      all.emplace_back(*data, *data + result->bytes());
  }
  return all;
}

size_t blobs_of(const LoadedProgram &program) {
  std::set<uint32_t> blobs;
  for (const runtime::KernelEntry &kernel : program.executable->image().kernels)
    blobs.insert(kernel.blob);
  return blobs.size();
}

/// Kernels of one program that differ in sizes and factors have one code. The
/// smallest size has a tail, which is another form.
TEST(KernelSharing, SimilarKernelsOfOneProgram) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "only code with AVX2 reads numbers";
  ProgramLoadOptions own;
  own.keep_in_memory = false;
  // Other sizes for each number of threads: the process keeps kernels.
  struct Case {
    int threads;
    int64_t n;
    std::array<int64_t, 3> others;
  };
  for (const auto &[threads, n, others] :
       {Case{1, 1280, {1664, 1920, 3}}, Case{3, 1408, {1792, 2048, 5}}})
    for (int64_t m : others) {
      ProgramLoadOptions shared = options_of_family("similar");
      shared.compile.family += fmt::format(" {} {}", m, threads);
      shared.compile.threads = threads;
      LoadedProgram program = load_two(n, m, 0.3f, shared);
      LoadedProgram alone = load_two(n, m, 0.3f, own);
      EXPECT_EQ(program.report.kernels, 2);
      EXPECT_EQ(blobs_of(program), m > 1000 ? 1 : 2) << m << " " << threads;
      EXPECT_EQ(program.report.kernels_for_any_size, 0);
      EXPECT_EQ(run_two(program), run_two(alone)) << m;
    }
}

/// Loads a program of one argument, which `run_two` passes.
LoadedProgram load_lines(const std::string &types, const std::string &lines,
                         const ProgramLoadOptions &options) {
  std::string text = "func.func @main(%x: tensor<2048x24xf32>) -> (" + types +
                     ") {\n" + lines + "  return %0, %1 : " + types + "\n}\n";
  auto loaded = load_or_compile(Source{text, "lines.mlir"}, options);
  EXPECT_TRUE(loaded) << (loaded ? "" : loaded.error().message);
  return loaded ? std::move(*loaded) : LoadedProgram();
}

/// Inner loops share code if few of their distances differ.
TEST(KernelSharing, DistancesOfOneProgram) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "only code with AVX2 reads numbers";
  struct Case {
    const char *name, *types, *lines;
    size_t blobs;
  };
  for (const auto &[name, types, lines, blobs] :
       {Case{"one distance", "tensor<16x1024xf32>, tensor<16x1024xf32>", R"(
  %a = stablehlo.reshape %x : (tensor<2048x24xf32>) -> tensor<16x3072xf32>
  %b = stablehlo.slice %a [0:16, 512:1536] : (tensor<16x3072xf32>) -> tensor<16x1024xf32>
  %c = stablehlo.slice %a [0:16, 1536:2560] : (tensor<16x3072xf32>) -> tensor<16x1024xf32>
  %0 = stablehlo.tanh %b : tensor<16x1024xf32>
  %1 = stablehlo.tanh %c : tensor<16x1024xf32>
)",
             1},
        Case{"three distances", "tensor<16x512xf32>, tensor<16x512xf32>", R"(
  %a = stablehlo.reshape %x : (tensor<2048x24xf32>) -> tensor<16x3072xf32>
  %b = stablehlo.slice %a [0:16, 128:640] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
  %c = stablehlo.slice %a [0:16, 640:1152] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
  %d = stablehlo.slice %a [0:16, 1280:1792] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
  %e = stablehlo.slice %a [0:16, 384:896] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
  %f = stablehlo.slice %a [0:16, 1536:2048] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
  %g = stablehlo.slice %a [0:16, 2304:2816] : (tensor<16x3072xf32>) -> tensor<16x512xf32>
  %h = stablehlo.multiply %b, %c : tensor<16x512xf32>
  %0 = stablehlo.add %h, %d : tensor<16x512xf32>
  %i = stablehlo.multiply %e, %f : tensor<16x512xf32>
  %1 = stablehlo.add %i, %g : tensor<16x512xf32>
)",
             2}}) {
    ProgramLoadOptions shared = options_of_family(name), own;
    own.keep_in_memory = false;
    LoadedProgram program = load_lines(types, lines, shared);
    EXPECT_EQ(blobs_of(program), blobs)
        << name << ", " << program.report.kernels;
    EXPECT_EQ(run_two(program), run_two(load_lines(types, lines, own))) << name;
  }
}

/// Sets how many kernels are cold, in its lifetime.
class ColdPercent {
public:
  explicit ColdPercent(const char *percent) {
    ::setenv("XLAC_COLD_PERCENT", percent, 1);
  }
  ~ColdPercent() { ::unsetenv("XLAC_COLD_PERCENT"); }
};

/// Bytes of machine code, which is larger if it is not optimized.
uint64_t code_size(const LoadedProgram &program) {
  uint64_t size = 0;
  for (const runtime::Blob &blob : program.executable->image().blobs)
    for (const runtime::BlobSymbol &symbol : blob.symbols)
      size += symbol.size;
  return size;
}

/// Optimized code serves a cold kernel of the same program.
TEST(KernelSharing, ColdKernelsOfOneProgram) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "only code with AVX2 reads numbers";
  ProgramLoadOptions own;
  own.keep_in_memory = false;
  // Kernels are ordered by their hashes, which depend on the factor.
  for (float second : {0.21f, 0.22f, 0.23f, 0.24f}) {
    std::string family = fmt::format("cold {}", second);
    LoadedProgram program =
        load_two(2048, 16, second, options_of_family(family.c_str()));
    EXPECT_EQ(program.report.kernels, 2);
    EXPECT_EQ(blobs_of(program), 1);
    EXPECT_EQ(run_two(program), run_two(load_two(2048, 16, second, own)));
    ColdPercent none("0");
    family += " optimized";
    LoadedProgram optimized =
        load_two(2048, 16, second + 0.5f, options_of_family(family.c_str()));
    EXPECT_EQ(code_size(program), code_size(optimized));
  }
}

/// Optimized code serves cold kernels of other programs, which are other
/// kernels. Code that is not optimized serves only cold kernels.
TEST(KernelSharing, OnlyColdKernelsUseColdCode) {
  for (bool coldFirst : {false, true}) {
    ProgramLoadOptions options =
        options_of_family(coldFirst ? "cold first" : "cold second");
    float second = coldFirst ? 0.4f : 0.6f; // the process keeps kernels
    std::vector<std::vector<std::byte>> results[2];
    std::vector<int64_t> served;
    for (bool isCold : {coldFirst, !coldFirst}) {
      ColdPercent percent(isCold ? "1000000" : "0");
      LoadedProgram program = load_two(1536, 1152, second, options);
      EXPECT_EQ(program.report.kernels_from_cache, 0);
      served.push_back(program.report.kernels_for_other_sizes);
      results[isCold] = run_two(program);
    }
    EXPECT_EQ(served[0], 0);
    EXPECT_EQ(served[1], coldFirst ? 0 : 2);
    EXPECT_EQ(results[0], results[1]);
  }
}

TEST(KernelSharing, OtherSizesAreCompiledAtOnce) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "code for any size needs AVX2";
  ProgramLoadOptions options = options_of_family("at once");
  options.compile.other_sizes = {{{0, {141, 24}}}};
  std::vector<int64_t> kernels = new_kernels({71, 102, 84, 129}, options);
  EXPECT_GT(kernels[0], 0);
  EXPECT_EQ(kernels[1] + kernels[2] + kernels[3], 0);
}

/// Sizes that the program cannot have are ignored.
TEST(KernelSharing, ImpossibleOtherSizes) {
  ProgramLoadOptions options = options_of_family("impossible");
  options.compile.other_sizes = {
      {{0, {72, 25, 1}}}, {{7, {1}}}, {{0, {-1, 24}}}};
  EXPECT_GT(new_kernels({72}, options)[0], 0);
}

TEST(KernelSharing, SecondSizeCompilesForAnySizeInTheBackground) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "code for any size needs AVX2";
  ProgramLoadOptions options = options_of_family("second size");
  options.in_background = true;
  std::vector<int64_t> kernels = new_kernels({73, 103, 85, 130}, options);
  EXPECT_GT(kernels[0], 0);
  EXPECT_GT(kernels[1], 0);
  EXPECT_EQ(kernels[2] + kernels[3], 0);
}

TEST(KernelSharing, FirstSizeCompilesForAnySizeInTheBackground) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "code for any size needs AVX2";
  ProgramLoadOptions options = options_of_family("first size");
  options.in_background = true;
  options.compile.other_sizes = {{{0, {149, 24}}}, {{0, {222, 24}}}};
  std::vector<int64_t> kernels = new_kernels({74, 104, 86, 131}, options);
  EXPECT_GT(kernels[0], 0);
  EXPECT_EQ(kernels[1] + kernels[2] + kernels[3], 0);
}

/// Runs `code` until it is hot.
void run_until_hot(ProgramCode &code) {
  int64_t runs = 1;
  while (!code.count_run())
    ASSERT_LT(++runs, 100'000'000);
  EXPECT_FALSE(code.count_run()) << "only once";
}

TEST(KernelSharing, OwnCodeReplacesCodeForAnySize) {
  if (!(host_profile().features & kFeatureAvx2))
    GTEST_SKIP() << "code for any size needs AVX2";
  ProgramLoadOptions options = options_of_family("hot");
  options.in_background = true;
  int replaced = 0;
  for (int64_t n : {71, 102, 84, 129, 77, 91, 118, 73, 95, 106, 88, 124}) {
    LoadedProgram program = load_attention(n, options);
    BackgroundCompiler::process().wait();
    ASSERT_TRUE(program.code);
    EXPECT_EQ(program.code->executable(), program.executable);
    if (program.report.kernels_for_any_size == 0) {
      EXPECT_FALSE(program.code->count_run()) << n << " has code of its own";
      continue;
    }
    run_until_hot(*program.code);
    std::string text = attention(n);
    specialize(Source{text, "attention.mlir"}, options, program.code);
    BackgroundCompiler::process().wait();
    ProgramCode::Executable own = program.code->executable();
    if (own == program.executable)
      continue;
    ++replaced;
    EXPECT_EQ(run(own, n, n), run(program.executable, n, n)) << n;
    for (const SharedBytes &numbers : own->whole_image().constants)
      EXPECT_TRUE(numbers.empty()) << "sizes are in the code";
  }
  EXPECT_EQ(replaced, 8) << "XLAC_MAX_SPECIALIZATIONS";
}

TEST(BackgroundCompiler, CancelsWorkForForks) {
  BackgroundCompiler &compiler = BackgroundCompiler::process();
  std::atomic<bool> has_begun = false, was_cancelled = false;
  compiler.add("fork", [&](const std::atomic<bool> &is_cancelled) {
    ForkSection section;
    has_begun = true;
    while (!is_cancelled)
      std::this_thread::yield();
    was_cancelled = true;
  });
  while (!has_begun)
    std::this_thread::yield();
  compiler.add("later", [](const std::atomic<bool> &) {});
  pid_t child = fork();
  if (child == 0) {
    // The child has no work, and can have some.
    compiler.wait();
    std::atomic<bool> has_run = false;
    compiler.add("child", [&](const std::atomic<bool> &) { has_run = true; });
    compiler.wait();
    _exit(has_run ? 0 : 1);
  }
  ASSERT_GT(child, 0);
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(was_cancelled);
  compiler.wait();
  EXPECT_EQ(compiler.enter("later"), BackgroundCompiler::Family::Visited);
}

/// Work for a family that has not begun is left to the caller.
TEST(BackgroundCompiler, EnteringDropsWaitingWork) {
  BackgroundCompiler &compiler = BackgroundCompiler::process();
  std::atomic<bool> may_end = false, has_run = false;
  compiler.add("busy", [&](const std::atomic<bool> &) {
    while (!may_end)
      std::this_thread::yield();
  });
  compiler.add("waiting", [&](const std::atomic<bool> &) { has_run = true; });
  EXPECT_EQ(compiler.enter("waiting"), BackgroundCompiler::Family::Visited);
  may_end = true;
  compiler.wait();
  EXPECT_FALSE(has_run);
}

TEST(KernelSharing, ProgramsOfOtherOpsAreAnotherFamily) {
  auto key = [](std::string_view text) {
    auto compiler = open_compiler();
    EXPECT_TRUE(compiler);
    auto program = (*compiler)->parse(Source{text, "family.mlir"});
    EXPECT_TRUE(program);
    return *(*program)->family();
  };
  std::string rows = normalized(100), more = normalized(200), other = rows;
  other.replace(other.find("stablehlo.sqrt"), 14, "stablehlo.cbrt");
  EXPECT_EQ(key(rows), key(more));
  EXPECT_NE(key(rows), key(other));
}

} // namespace
} // namespace xlac
