#include "xlac/Import/PortableArtifact.h"

#include "VhloAttributes.h"
#include "parsed.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

using test::Parsed;

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream(text) << module;
  return text;
}

/// Returns the program as bytes, or the reason why it cannot be written.
std::string write(std::string_view text, vhlo::Version version) {
  Parsed parsed(text);
  if (!parsed.module)
    return parsed.error;
  llvm::Expected<std::string> bytes =
      writePortableArtifact(*parsed.module, version);
  return bytes ? *bytes : llvm::toString(bytes.takeError());
}

/// Checks that the program is unchanged after writing and reading.
void expectSame(std::string_view text, vhlo::Version version) {
  Parsed parsed(text);
  ASSERT_TRUE(parsed.module) << parsed.error;
  std::string bytes = write(text, version);
  Parsed again(bytes);
  ASSERT_TRUE(again.module) << again.error << bytes;
  EXPECT_EQ(print(*again.module), print(*parsed.module));
}

TEST(Artifact, KeepsOtherDialectsAndTheirAttributes) {
  expectSame(R"(
    module @m attributes {mhlo.num_partitions = 2 : i32} {
      func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{replicated}"})
          -> (tensor<4xf32> {jax.result_info = "r", mhlo.layout_mode = "default"}) attributes {x.unit} {
        %0 = chlo.erf %a {x.list = [1, "two", 3.0 : f32]} : tensor<4xf32> -> tensor<4xf32>
        %1 = stablehlo.add %0, %0 {mhlo.frontend_attributes = {a = "1"}, x.type = f8E4M3} : tensor<4xf32>
        %2 = "stablehlo.sort"(%1) <{dimension = 0 : i64}> ({
        ^bb0(%l: tensor<f32>, %r: tensor<f32>):
          %e = chlo.erf %l : tensor<f32> -> tensor<f32>
          %c = stablehlo.compare LT, %e, %r : (tensor<f32>, tensor<f32>) -> tensor<i1>
          stablehlo.return %c : tensor<i1>
        }) : (tensor<4xf32>) -> tensor<4xf32>
        return %2 : tensor<4xf32>
      }
    })",
             vhlo::kCurrentVersion);
}

TEST(Artifact, KeepsQuantizedTypes) {
  // Negative zero points must not be read as sizes.
  expectSame(R"(
    func.func @main(%a: tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>> {
      %0 = stablehlo.bitcast_convert %a : (tensor<2xi8>) -> tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
      return %0 : tensor<2x!quant.uniform<i8:f32:0, {0.1:-30,0.5:-20}>>
    })",
             vhlo::kCurrentVersion);
}

TEST(Artifact, WritesOlderFormsWhereNothingIsLost) {
  const char *text = R"(
    func.func @main(%a: tensor<4x4xf32>) -> tensor<4x4xf32> {
      %0 = stablehlo.tanh %a : tensor<4x4xf32>
      %1 = stablehlo.dot_general %0, %a, contracting_dims = [1] x [0] : (tensor<4x4xf32>, tensor<4x4xf32>) -> tensor<4x4xf32>
      %2 = stablehlo.custom_call @f(%1) : (tensor<4x4xf32>) -> tensor<4x4xf32>
      return %2 : tensor<4x4xf32>
    })";
  const vhlo::Version versions[] = {
      {0, 9, 0}, {0, 14, 0}, {0, 15, 0}, {1, 0, 0}, {1, 9, 0}};
  for (vhlo::Version version : versions)
    expectSame(text, version);
  EXPECT_NE(write(text, {1, 0, 0}).find("dot_general_v1"), std::string::npos);
  EXPECT_NE(write(text, {1, 6, 0}).find("dot_general_v2"), std::string::npos);
}

TEST(Artifact, NamesWhatAVersionLacks) {
  const std::tuple<const char *, vhlo::Version, const char *> cases[] = {
      {"%0 = stablehlo.tan %a : tensor<4xf32>",
       {1, 3, 0},
       "version 1.3.0 lacks op stablehlo.tan, which came with 1.4.0"},
      {"%0 = stablehlo.exponential %a {result_accuracy = "
       "#stablehlo.result_accuracy<ulps = 2, mode = "
       "#stablehlo.result_accuracy_mode<TOLERANCE>>} : tensor<4xf32>",
       {1, 8, 0},
       "version 1.8.0 lacks attribute 'result_accuracy' of "
       "stablehlo.exponential, which came with 1.9.0"},
      {"%0 = stablehlo.convert %a : (tensor<4xf32>) -> tensor<4xf8E4M3>",
       {1, 6, 0},
       "version 1.6.0 lacks type 'f8E4M3', which came with 1.7.0"},
      {"%0:2 = \"stablehlo.all_gather\"(%a, %a) <{all_gather_dim = 0 : i64, "
       "replica_groups = dense<0> : tensor<1x1xi64>}> : (tensor<4xf32>, "
       "tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)",
       {1, 4, 0},
       "lacks stablehlo.all_gather of several values, which came with 1.5.0"},
      {"%0 = stablehlo.custom_call @f(%a) {backend_config = {a = 1 : i32}, "
       "api_version = 4 : i32} : (tensor<4xf32>) -> tensor<4xf32>",
       {1, 2, 0},
       "lacks a dictionary as the backend_config of stablehlo.custom_call"},
      {"%0 = stablehlo.add %a, %a {x.t = tf32} : tensor<4xf32>",
       {1, 5, 0},
       "lacks type 'tf32'"},
      {"%0 = stablehlo.add %a, %a {x.t = #stablehlo.result_accuracy_mode"
       "<HIGHEST>} : tensor<4xf32>",
       {1, 5, 0},
       "lacks attribute #stablehlo.result_accuracy_mode<HIGHEST>"}};
  for (const auto &[op, version, expected] : cases) {
    std::string said = write("func.func @main(%a: tensor<4xf32>) {\n" +
                                 std::string(op) + "\nreturn\n}",
                             version);
    EXPECT_NE(said.find(expected), std::string::npos) << said;
    EXPECT_EQ(said.find("test.mlir:2:"), 0u) << said;
  }
}

/// Returns a function around `ops` in VHLO's textual form.
std::string vhloText(const std::string &ops) {
  return R"("vhlo.func_v1"() <{arg_attrs = #vhlo.array_v1<[]>, function_type = #vhlo.type_v1<!vhlo.func_v1<(!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> ()>>, res_attrs = #vhlo.array_v1<[]>, sym_name = #vhlo.string_v1<"main">, sym_visibility = #vhlo.string_v1<"">}> ({
    ^bb0(%a: !vhlo.tensor_v1<4x!vhlo.f32_v1>):
    )" + ops +
         "\n\"vhlo.return_v1\"() : () -> ()\n}) : () -> ()";
}

TEST(Artifact, UpgradesOldForms) {
  Parsed parsed(vhloText(
      R"(%0 = "vhlo.exponential_v1"(%a) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>
         %1 = "vhlo.all_reduce_v1"(%0) <{channel_id = #vhlo.integer_v1<1 : i64>, replica_groups = #vhlo.tensor_v1<dense<0> : tensor<1x1xi64>>, use_global_device_ids = #vhlo.bool_v1<true>}> ({
         ^bb0(%l: !vhlo.tensor_v1<!vhlo.f32_v1>, %r: !vhlo.tensor_v1<!vhlo.f32_v1>):
           "vhlo.return_v1"(%l) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> ()
         }) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>)"));
  ASSERT_TRUE(parsed.module) << parsed.error;
  std::string text = print(*parsed.module);
  EXPECT_NE(text.find("stablehlo.exponential %arg0 : tensor<4xf32>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("channel_handle<handle = 1, type = 0>"),
            std::string::npos)
      << text;
  EXPECT_NE(text.find("use_global_device_ids"), std::string::npos) << text;
}

TEST(Artifact, RefusesWhatMakesNoSense) {
  const std::pair<const char *, const char *> cases[] = {
      {R"("vhlo.broadcast_v1"(%a) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>)",
       "requires attribute 'broadcast_sizes'"},
      {R"("vhlo.broadcast_v1"(%a) <{broadcast_sizes = #vhlo.string_v1<"2">}> : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<2x4x!vhlo.f32_v1>)",
       "attribute 'broadcast_sizes' of vhlo.broadcast_v1 makes no sense"},
      {R"("vhlo.negate_v1"(%a) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.tensor_v1<!vhlo.f32_v1>>)",
       "result type of vhlo.negate_v1 makes no sense"},
      {R"("vhlo.bitcast_convert_v1"() : () -> !vhlo.tensor_v1<0x!vhlo.quant_per_axis_v1<!vhlo.i8_v1:!vhlo.f32_v1, 0, [], [], -128:127, 1>>)",
       "result type of vhlo.bitcast_convert_v1 makes no sense"},
      {R"("vhlo.negate_v1"() : () -> !vhlo.tensor_v1<4x!vhlo.f32_v1>)",
       "stablehlo.negate"},
      {R"("vhlo.negate_v1"(%a) ({}) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>)",
       "has 1 regions, expected 0"},
      {R"("vhlo.negate_v1"(%a) {x = #vhlo.dict_v1<{#vhlo.bool_v1<true> = #vhlo.bool_v1<true>}>} : (!vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>)",
       "attribute 'x' of vhlo.negate_v1 makes no sense"},
      {R"("vhlo.all_to_all_v1"(%a, %a) <{split_dimension = #vhlo.integer_v1<0 : i64>, concat_dimension = #vhlo.integer_v1<0 : i64>, split_count = #vhlo.integer_v1<1 : i64>, replica_groups = #vhlo.tensor_v1<dense<0> : tensor<1x1xi64>>, channel_id = #vhlo.integer_v1<0 : i64>}> : (!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>)",
       "takes one operand and gives one result"},
      {R"("builtin.unrealized_conversion_cast"(%a, %a) : (!vhlo.tensor_v1<4x!vhlo.f32_v1>, !vhlo.tensor_v1<4x!vhlo.f32_v1>) -> !vhlo.tensor_v1<4x!vhlo.f32_v1>)",
       "an op of another dialect gives a type of vhlo"}};
  for (const auto &[ops, expected] : cases) {
    Parsed parsed(vhloText(ops));
    EXPECT_FALSE(parsed.module) << ops;
    EXPECT_NE(parsed.error.find(expected), std::string::npos) << parsed.error;
  }
}

TEST(Artifact, ConvertsWhatManyOpsShareOnce) {
  static int conversions;
  conversions = 0;
  RememberedConversion convert([](mlir::Attribute attribute) {
    ++conversions;
    return mlir::isa<mlir::UnitAttr>(attribute) ? mlir::Attribute() : attribute;
  });
  mlir::MLIRContext context;
  mlir::Builder builder(&context);
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(convert(builder.getUnitAttr()), mlir::Attribute());
    EXPECT_EQ(convert(builder.getIndexAttr(i % 3)),
              builder.getIndexAttr(i % 3));
  }
  EXPECT_EQ(conversions, 4);
}

TEST(Artifact, HasOneCopyOfWhatManyOpsShare) {
  // Converted separately for each op, these would need 2 * 80 GB.
  constexpr size_t kBytes = size_t(4) << 20, kOps = 20000;
  std::string digits;
  for (size_t i = 0; i < kBytes; ++i)
    digits += i % 251 < 128 ? "0F" : "F1";
  std::string text = "#big = dense<\"0x" + digits + "\"> : tensor<" +
                     std::to_string(kBytes) + "xi8>\n" +
                     "func.func @main(%a: tensor<f32>) -> tensor<f32> {\n";
  for (size_t i = 0; i < kOps; ++i)
    text += "%" + std::to_string(i) +
            " = stablehlo.add %a, %a {x.data = #big} : tensor<f32>\n";
  std::string bytes =
      write(text + "return %0 : tensor<f32>\n}\n", vhlo::kCurrentVersion);
  EXPECT_LT(bytes.size(), 2 * kBytes);
  Parsed again(bytes);
  ASSERT_TRUE(again.module) << again.error;
}

TEST(Artifact, RefusesUsesBeforeTheyAreThere) {
  Parsed parsed(
      R"(%0 = "vhlo.negate_v1"(%1) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>
         %1 = "vhlo.negate_v1"(%0) : (!vhlo.tensor_v1<!vhlo.f32_v1>) -> !vhlo.tensor_v1<!vhlo.f32_v1>)");
  EXPECT_FALSE(parsed.module);
  EXPECT_NE(parsed.error.find("used before it is there"), std::string::npos)
      << parsed.error;
}

} // namespace
} // namespace xlac
