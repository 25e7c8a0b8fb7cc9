// Custom calls that an embedder partitions, through the interface of the
// compiler.
#include "xlac/compiler.h"
#include "xlac/loader/compiler_library.h"
#include "xlac/loader/program_loader.h"

#include <gtest/gtest.h>

#include <atomic>
#include <fmt/format.h>

namespace xlac {
namespace {

/// Partitions calls of @split: its function adds one to the shards of its
/// operand, along the dimension that is sharded.
class Splitter : public CallPartitioner {
public:
  bool handles(std::string_view target) const override {
    return target == "split";
  }
  Result<std::vector<Sharding>>
  infer_results(const CallSite &site) const override {
    ++inferred;
    return std::vector<Sharding>{site.operands[0].sharding};
  }
  Result<std::vector<Sharding>>
  adapt_results(const CallSite &site) const override {
    return std::vector<Sharding>{site.results[0].sharding};
  }
  Result<PartitionedCall> partition(const CallSite &site) const override {
    ++partitioned;
    Sharding sharding = site.operands[0].sharding;
    std::vector<int64_t> dims = shard_dims(site.operands[0].dims, sharding);
    std::string type = fmt::format("tensor<{}x{}xf32>", dims[0], dims[1]);
    std::string module = fmt::format("func.func @main(%a: {0}) -> {0} {{\n"
                                     "  %0 = stablehlo.add %a, %a : {0}\n"
                                     "  return %0 : {0}\n}}\n",
                                     type);
    return PartitionedCall{std::move(module), {sharding}, {sharding}};
  }

  mutable std::atomic<int> inferred = 0, partitioned = 0;
};

constexpr char kRule[] = "([i, j])->([i, j]) {i=8, j=4}";

std::string program(std::string_view rule) {
  return fmt::format(
      R"(module attributes {{mhlo.num_partitions = 4 : i32}} {{
  func.func @main(%x: tensor<8x4xf32> {{mhlo.sharding = "{{devices=[4,1]<=[4]}}"}}) -> tensor<8x4xf32> {{
    %0 = stablehlo.custom_call @split(%x) {{api_version = 2 : i32{}}} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    return %0 : tensor<8x4xf32>
  }}
}}
)",
      rule.empty()
          ? ""
          : fmt::format(", sdy.sharding_rule = #sdy.op_sharding_rule<{}>",
                        rule));
}

/// Compiles the program and returns its text, or the error.
std::string compiled(const Splitter &splitter, std::string_view rule) {
  Compiler *compiler = *open_compiler();
  CompilerOptions options;
  options.call_partitioner = &splitter;
  CompileReport report;
  std::string text = program(rule);
  auto image = compiler->compile({text, "split.mlir"}, options, &report);
  return image ? report.partitioned : image.error().message;
}

TEST(CallPartitioner, ReplacesCalls) {
  for (bool has_rule : {true, false}) {
    Splitter splitter;
    std::string text = compiled(splitter, has_rule ? kRule : "");
    EXPECT_NE(text.find("stablehlo.add"), std::string::npos) << text;
    EXPECT_NE(text.find("tensor<2x4xf32>"), std::string::npos) << text;
    EXPECT_EQ(text.find("custom_call"), std::string::npos) << text;
    EXPECT_EQ(text.find("all_gather"), std::string::npos) << text;
    EXPECT_EQ(splitter.partitioned, 1);
    EXPECT_EQ(splitter.inferred > 0, !has_rule);
  }
}

TEST(CallPartitioner, RejectsRules) {
  Splitter splitter;
  for (auto rule :
       {"([i, j])->([i, j]) {i=8, j=5}", "([i, j])->([i, j]) {i=8}",
        "([i, i])->([i, i]) {i=8}", "([i])->([i]) {i=8}",
        "([i, j], [i, j])->([i, j]) {i=8, j=4}", "([i, j])->() {i=8, j=4}",
        "([i, j])->([i, j]) {i=8, j=0}", "([i, j])->([i, j]) {j=4, i=8}",
        "([i, j])->([i, j]) {i=8, j=4} reduction={k}",
        "([i, ])->([i, j]) {i=8, j=4}",
        "([i, z_99999999999])->([i, j]) {i=8, j=4}", "[i, j]"}) {
    std::string message = compiled(splitter, rule);
    EXPECT_NE(message.find("sharding rule"), std::string::npos)
        << rule << ": " << message;
    EXPECT_NE(message.find("@split"), std::string::npos) << message;
  }
  EXPECT_EQ(splitter.partitioned, 0);
}

TEST(CallPartitioner, AcceptsFactorsThatStayWhole) {
  Splitter splitter;
  for (auto rule :
       {"([i, jk])->([i, jk]) {i=8, j=2, k=2} need_replication={j}, custom",
        "([i, j])->([i, k]) {i=8, j=4, k=4} reduction={j}"})
    EXPECT_NE(compiled(splitter, rule).find("stablehlo.add"),
              std::string::npos);
}

TEST(CallPartitioner, GetsShardsOfProgramsForOneDevice) {
  Splitter splitter;
  CompilerOptions options;
  options.call_partitioner = &splitter;
  CompileReport report;
  auto image = (*open_compiler())
                   ->compile({R"(
module attributes {mhlo.num_partitions = 4 : i32} {
  func.func @main(%x: tensor<8x4xf32>) -> (tensor<8x4xf32>, tensor<ui32>) {
    %0 = stablehlo.custom_call @split(%x) {api_version = 2 : i32} : (tensor<8x4xf32>) -> tensor<8x4xf32>
    %1 = stablehlo.partition_id : tensor<ui32>
    return %0, %1 : tensor<8x4xf32>, tensor<ui32>
  }
}
)",
                              "manual.mlir"},
                             options, &report);
  ASSERT_TRUE(image) << image.error().message;
  EXPECT_NE(report.partitioned.find("tensor<8x4xf32>"), std::string::npos);
  EXPECT_EQ(report.partitioned.find("custom_call"), std::string::npos);
  EXPECT_EQ(splitter.inferred, 0);
}

TEST(CallPartitioner, ProgramsAreNotCached) {
  Splitter splitter;
  ProgramLoadOptions options;
  options.compile.call_partitioner = &splitter;
  std::string text = program(kRule);
  for (int round = 1; round <= 2; ++round) {
    auto loaded = load_or_compile({text, "split.mlir"}, options);
    ASSERT_TRUE(loaded) << loaded.error().message;
    EXPECT_EQ(loaded->cache, CacheStatus::Off);
    EXPECT_EQ(splitter.partitioned, round);
  }
}

} // namespace
} // namespace xlac
