#include "parsed.h"
#include "xlac/Import/PortableArtifact.h"

#include "jax_export_generated.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

using namespace jax_export;
using test::Parsed;

struct Argument {
  DType dtype;
  std::vector<std::string> shape;
};

/// What a container says; by default that of `f(x)` with x: f32[2].
struct Contents {
  std::string text = R"(
    func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
      return %x : tensor<2xf32>
    })";
  std::vector<std::string> platforms = {"cpu"};
  std::vector<Argument> arguments = {{DType::f32, {"2"}}};
  std::vector<uint16_t> kept = {0};
  /// Whether types are kept once, and indices of them, as by version 10.
  bool indexed = true;
  bool checksPlatform = true;
  std::vector<std::string> effects;
};

std::string artifactOf(const std::string &text) {
  Parsed parsed(text);
  EXPECT_TRUE(parsed.module) << parsed.error;
  llvm::Expected<std::string> bytes =
      writePortableArtifact(*parsed.module, vhlo::kCurrentVersion);
  EXPECT_TRUE(static_cast<bool>(bytes));
  return bytes ? *bytes : std::string();
}

flatbuffers::Offset<AbstractValue>
write(flatbuffers::FlatBufferBuilder &builder, const Argument &argument) {
  auto shape = builder.CreateVectorOfStrings(argument.shape);
  // The schema declares the strings by their offsets.
  return CreateAbstractValue(
      builder, AbstractValueKind::shapedArray,
      flatbuffers::Offset<flatbuffers::Vector<uint32_t>>(shape.o),
      argument.dtype);
}

std::string write(const Contents &contents) {
  flatbuffers::FlatBufferBuilder builder;
  std::vector<flatbuffers::Offset<AbstractValue>> values;
  std::vector<uint32_t> indices;
  for (const Argument &argument : contents.arguments) {
    indices.push_back(values.size());
    values.push_back(write(builder, argument));
  }
  std::vector<flatbuffers::Offset<DisabledSafetyCheck>> disabled;
  if (!contents.checksPlatform)
    disabled.push_back(
        CreateDisabledSafetyCheck(builder, DisabledSafetyCheckKind::platform));
  std::vector<flatbuffers::Offset<Effect>> effects;
  for (const std::string &effect : contents.effects)
    effects.push_back(CreateEffect(builder, builder.CreateString(effect)));
  std::string module = artifactOf(contents.text);
  auto types = builder.CreateVector(values);
  auto bytes = builder.CreateVector(
      reinterpret_cast<const uint8_t *>(module.data()), module.size());
  auto kept = builder.CreateVector(contents.kept);
  auto platforms = builder.CreateVectorOfStrings(contents.platforms);
  auto checks = builder.CreateVector(disabled);
  auto ordered = builder.CreateVector(effects);
  auto numbers = builder.CreateVector(indices);
  ExportedBuilder exported(builder);
  exported.add_serialization_version(3);
  exported.add_platforms(platforms);
  exported.add_ordered_effects(ordered);
  exported.add_disabled_checks(checks);
  exported.add_mlir_module_serialized(bytes);
  exported.add_module_kept_var_idx(kept);
  if (contents.indexed) {
    exported.add_unique_avals(types);
    exported.add_in_avals_idxs(numbers);
  } else {
    exported.add_in_avals(types);
  }
  builder.Finish(exported.Finish());
  return {reinterpret_cast<const char *>(builder.GetBufferPointer()),
          builder.GetSize()};
}

/// Returns the type of the function, or the error.
std::string read(std::string_view bytes) {
  Parsed parsed(bytes);
  if (!parsed.module)
    return parsed.error;
  auto main = parsed.module->lookupSymbol<mlir::func::FuncOp>("main");
  if (!main)
    return "no main";
  std::string text;
  llvm::raw_string_ostream(text) << main.getFunctionType();
  return text;
}

TEST(JaxExport, UnusedArgumentsAreInserted) {
  Contents contents;
  contents.arguments = {{DType::key_fry, {}},
                        {DType::f32, {"2"}},
                        {DType::bf16, {"b", "2*b + 1", "7"}},
                        {DType::bool_, {}}};
  contents.kept = {1};
  for (bool indexed : {true, false}) {
    contents.indexed = indexed;
    EXPECT_EQ(read(write(contents)),
              "(tensor<2xui32>, tensor<2xf32>, tensor<?x?x7xbf16>, tensor<i1>)"
              " -> tensor<2xf32>");
  }
}

TEST(JaxExport, EveryElementTypeIsRead) {
  Contents contents;
  std::string types;
  for (DType dtype : EnumValuesDType()) {
    contents.arguments.insert(contents.arguments.end() - 1, {dtype, {"3"}});
    ++contents.kept[0];
  }
  EXPECT_EQ(
      read(write(contents)),
      "(tensor<3xi1>, tensor<3xi8>, tensor<3xi16>, tensor<3xi32>, "
      "tensor<3xi64>, tensor<3xui8>, tensor<3xui16>, tensor<3xui32>, "
      "tensor<3xui64>, tensor<3xf16>, tensor<3xf32>, tensor<3xf64>, "
      "tensor<3xcomplex<f32>>, tensor<3xcomplex<f64>>, tensor<3xbf16>, "
      "tensor<3xi4>, tensor<3xui4>, tensor<3xf8E4M3B11FNUZ>, "
      "tensor<3xf8E4M3FN>, tensor<3xf8E4M3FNUZ>, tensor<3xf8E5M2>, "
      "tensor<3xf8E5M2FNUZ>, tensor<3xi1>, tensor<3xf8E4M3>, "
      "tensor<3xf8E3M4>, tensor<3xf8E8M0FNU>, tensor<3xf4E2M1FN>, "
      "tensor<3x2xui32>, tensor<3x4xui32>, tensor<3x4xui32>, tensor<2xf32>) "
      "-> tensor<2xf32>");
}

TEST(JaxExport, ThePlatformBecomesAConstant) {
  Contents contents;
  contents.text = R"(
    func.func @main(%p: tensor<i32> {jax.global_constant = "_platform_index"},
                    %x: tensor<2xf32>) -> tensor<i32> {
      return %p : tensor<i32>
    })";
  contents.platforms = {"tpu", "cpu"};
  std::string bytes = write(contents);
  EXPECT_EQ(read(bytes), "(tensor<2xf32>) -> tensor<i32>");
  Parsed parsed(bytes);
  std::string text;
  llvm::raw_string_ostream(text) << *parsed.module;
  EXPECT_NE(text.find(" dense<1> : tensor<i32>"), std::string::npos) << text;
}

TEST(JaxExport, OtherPlatformsAreRejectedUnlessTheCheckIsDisabled) {
  Contents contents;
  contents.platforms = {"cuda"};
  EXPECT_EQ(read(write(contents)),
            "test.mlir: error: exported for cuda, not for cpu; pass "
            "platforms=[\"cpu\"] to jax.export.export");
  contents.checksPlatform = false;
  EXPECT_EQ(read(write(contents)), "(tensor<2xf32>) -> tensor<2xf32>");
}

TEST(JaxExport, InconsistentContainersAreRejected) {
  Contents contents;
  contents.platforms = {"tpu", "cpu"};
  EXPECT_NE(read(write(contents))
                .find("'func.func' op of an export for several"
                      " platforms does not begin with the "
                      "position of the platform"),
            std::string::npos);
  contents = {};
  contents.kept = {};
  EXPECT_NE(read(write(contents))
                .find("has 1 arguments, but the export keeps 0 of 1"),
            std::string::npos);
  contents.kept = {1};
  EXPECT_EQ(read(write(contents)),
            "test.mlir: error: the kept arguments are not in order");
  contents = {};
  contents.kept = {};
  contents.arguments = {{static_cast<DType>(99), {}}};
  EXPECT_EQ(read(write(contents)),
            "test.mlir: error: argument 0 has an unknown or damaged type");
  for (const char *size : {"", "99999999999999999999", "5000000000"}) {
    contents.arguments = {{DType::f32, {size, size}}};
    EXPECT_EQ(read(write(contents)),
              "test.mlir: error: argument 0 has an unknown or damaged type");
  }
  contents.arguments.assign(70'000, {DType::f32, {}});
  EXPECT_EQ(read(write(contents)),
            "test.mlir: error: more than 65536 arguments");
  contents = {};
  contents.text = R"(
    func.func @main(%p: tensor<i32> {jax.global_constant = "_platform_index"})
        -> tensor<i32> {
      %0 = call @main(%p) : (tensor<i32>) -> tensor<i32>
      return %0 : tensor<i32>
    })";
  contents.platforms = {"tpu", "cpu"};
  contents.arguments = {};
  contents.kept = {};
  EXPECT_NE(read(write(contents)).find("incorrect number of operands"),
            std::string::npos)
      << read(write(contents));
  contents = {};
  contents.effects = {"IO"};
  EXPECT_EQ(read(write(contents)), "test.mlir: error: an exported function "
                                   "with ordered side effects is not "
                                   "supported");
}

// Every reading of damaged bytes ends, within the bytes, with a module or an
// error. The bytecode test damages modules.
TEST(JaxExport, DamagedContainersAreRead) {
  Contents contents;
  contents.arguments.push_back({DType::f32, {"b", "3"}});
  const std::string bytes = write(contents);
  const size_t module = artifactOf(contents.text).size();
  const size_t start = bytes.find("ML\xefR");
  for (size_t size = 0; size < bytes.size(); ++size)
    EXPECT_NE(read(std::string(bytes, 0, size)), "");
  for (size_t i = 0; i < bytes.size(); ++i)
    for (unsigned char mask : {0x01, 0xff}) {
      if (i >= start && i < start + module)
        continue;
      std::string damaged = bytes;
      damaged[i] ^= mask;
      EXPECT_NE(read(damaged), "") << i;
    }
}

} // namespace
} // namespace xlac
