// A module and its graph have the same key, for every available program: the
// round trip module -> graph -> module -> graph changes nothing.
#include "xlac/Import/Import.h"

#include "parsed.h"

#include "xlac/Dialect/AllDialects.h"
#include "xlac/Import/PortableArtifact.h"
#include "xlac/graph/program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>
#include <gtest/gtest.h>
#include <optional>
#include <set>

namespace xlac {
namespace {

/// Splits a file at lines `// -----`.
std::vector<std::string> pieces(llvm::StringRef text) {
  std::vector<std::string> list;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, "// -----");
  for (llvm::StringRef part : parts)
    list.push_back(part.str());
  return list;
}

struct Counts {
  int equal = 0, different = 0, unreadable = 0, refused = 0, artifacts = 0;
};

/// Returns the key of `module` after writing and reading it as a portable
/// artifact; nothing if it has no such form.
std::optional<std::string> keyOfArtifact(mlir::ModuleOp module,
                                         llvm::StringRef entry) {
  llvm::Expected<std::string> bytes =
      writePortableArtifact(module, vhlo::kCurrentVersion);
  if (!bytes) {
    llvm::consumeError(bytes.takeError());
    return std::nullopt;
  }
  test::Parsed again(*bytes);
  EXPECT_TRUE(again.module) << again.error;
  if (!again.module)
    return std::nullopt;
  llvm::Expected<std::string> key = programKey(*again.module, entry);
  EXPECT_TRUE(static_cast<bool>(key));
  return key ? *key : llvm::toString(key.takeError());
}

void compare(mlir::ModuleOp module, llvm::StringRef entry, Counts &counts,
             const std::string &name) {
  llvm::Expected<graph::Program> program = exportGraph(module, entry);
  if (!program) {
    llvm::errs() << name << ": " << llvm::toString(program.takeError()) << "\n";
    ++counts.refused;
    return;
  }
  auto again = importGraph(*program, *module.getContext(), false);
  if (!again) {
    ADD_FAILURE() << name << ": " << llvm::toString(again.takeError());
    ++counts.different;
    return;
  }
  llvm::Expected<std::string> key = programKey(**again, entry);
  if (!key) {
    ADD_FAILURE() << name << ": " << llvm::toString(key.takeError());
    return;
  }
  bool same = *key == *graph::program_key(*program);
  ++(same ? counts.equal : counts.different);
  EXPECT_TRUE(same) << name << " @" << entry.str();
  if (auto written = keyOfArtifact(module, entry)) {
    ++counts.artifacts;
    EXPECT_EQ(*written, *key) << name << " @" << entry.str();
  }
}

TEST(Keys, GraphAndModuleAgreeOnAllConformanceFiles) {
#ifdef XLAC_TEST_SANITIZED
  constexpr int kStep = 8;
#else
  constexpr int kStep = 1;
#endif
  std::filesystem::path root(XLAC_SHARED_DIR);
  if (!std::filesystem::exists(root))
    GTEST_SKIP() << root << " is absent: no conformance files to compare";
  Counts counts;
  int files = 0;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  for (const char *folder : {"conformance/interpret", "conformance/testdata",
                             "conformance/roundtrip", "models"}) {
    for (const auto &file :
         std::filesystem::recursive_directory_iterator(root / folder)) {
      if (file.path().extension() != ".mlir" || files++ % kStep != 0)
        continue;
      auto buffer = llvm::MemoryBuffer::getFile(file.path().string());
      ASSERT_TRUE(buffer);
      for (const std::string &piece : pieces((*buffer)->getBuffer())) {
        mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
        context.appendDialectRegistry(registry);
        context.allowUnregisteredDialects();
        Source source;
        source.bytes = piece;
        source.name = file.path().string();
        std::string error;
        auto module = parseModule(source, context, error);
        if (!module) {
          ++counts.unreadable;
          continue;
        }
        for (auto function : module->getOps<mlir::func::FuncOp>())
          if (function.isPublic() && !function.isExternal())
            compare(*module, function.getSymName(), counts, source.name);
      }
    }
  }
  std::printf("keys: %d equal, %d different, %d rejected, %d unreadable, "
              "%d compared through artifacts\n",
              counts.equal, counts.different, counts.refused, counts.unreadable,
              counts.artifacts);
  EXPECT_GT(counts.equal, 0);
}

/// Attributes with default values give the same key as absent ones, and other
/// values do not.
TEST(Keys, BytecodeChangesNoKey) {
  const char *start = "func.func @main(%a: tensor<2x4x4x2xf32>, %k: "
                      "tensor<3x3x2x2xf32>) -> ";
  const char *convolve =
      "dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]";
  auto convolution = [&](const std::string &window, const std::string &rest) {
    return "%0 = stablehlo.convolution(%a, %k) " + std::string(convolve) +
           ", window = {" + window +
           "} {batch_group_count = 1 : i64, feature_group_count = 1 : i64" +
           rest +
           "} : (tensor<2x4x4x2xf32>, tensor<3x3x2x2xf32>) -> "
           "tensor<2x2x2x2xf32>";
  };
  auto dot = [](const std::string &rest) {
    return "%0 = stablehlo.dot_general %a, %a, batching_dims = [0, 1] x [0, "
           "1], contracting_dims = [3] x [3]" +
           rest +
           " : (tensor<2x4x4x2xf32>, tensor<2x4x4x2xf32>) -> "
           "tensor<2x4x4x4xf32>";
  };
  auto call = [](const std::string &rest) {
    return "%0 = stablehlo.custom_call @f(%a) {a.b = 1 : i32" + rest +
           "} : (tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>";
  };
  auto exponential = [](const std::string &mode) {
    return "%0 = stablehlo.exponential %a" + mode + " : tensor<2x4x4x2xf32>";
  };
  auto reduceAll = [](const std::string &rest) {
    return "%0 = \"stablehlo.all_reduce\"(%a) <{replica_groups = dense<0> : "
           "tensor<1x1xi64>" +
           rest +
           "}> ({\n^bb0(%x: tensor<f32>, %y: tensor<f32>):\n"
           "%s = stablehlo.add %x, %y : tensor<f32>\n"
           "stablehlo.return %s : tensor<f32>\n}) : "
           "(tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xf32>";
  };
  auto keyOf = [&](const std::string &op, bool throughArtifact) {
    std::string type = op.substr(op.rfind("tensor<"));
    test::Parsed parsed(start + type + " {\n" + op + "\nreturn %0 : " + type +
                        "\n}");
    EXPECT_TRUE(parsed.module) << parsed.error << op;
    if (!parsed.module)
      return std::string();
    std::string key = llvm::cantFail(programKey(*parsed.module, "main"));
    if (!throughArtifact)
      return key;
    return keyOfArtifact(*parsed.module, "main").value_or("not written");
  };
  // Each group lists equivalent ops; different groups are not equivalent.
  const std::vector<std::vector<std::string>> groups = {
      {convolution("", ""),
       convolution("stride = [1, 1], pad = [[0, 0], [0, 0]], lhs_dilate = [1, "
                   "1], rhs_dilate = [1, 1], reverse = [0, 0]",
                   ", precision_config = [#stablehlo<precision DEFAULT>, "
                   "#stablehlo<precision DEFAULT>]"),
       convolution("reverse = [false, false]", "")},
      {convolution("reverse = [0, 1]", "")},
      {convolution("", ", precision_config = [#stablehlo<precision HIGHEST>, "
                       "#stablehlo<precision DEFAULT>]")},
      {dot(""), dot(", precision = [DEFAULT, DEFAULT]")},
      {dot(", precision = [HIGH, DEFAULT]")},
      {call(""), call(", backend_config = \"\""),
       call(", api_version = 1 : i32"), call(", has_side_effect = false"),
       call(", called_computations = []"),
       call(", operand_layouts = [], result_layouts = []")},
      {call(", backend_config = \"x\"")},
      {call(", api_version = 2 : i32")},
      {exponential(""),
       exponential(" {result_accuracy = #stablehlo.result_accuracy<mode = "
                   "#stablehlo.result_accuracy_mode<DEFAULT>>}")},
      {exponential(" {result_accuracy = #stablehlo.result_accuracy<mode = "
                   "#stablehlo.result_accuracy_mode<HIGHEST>>}")},
      {reduceAll(""),
       reduceAll(", channel_handle = #stablehlo.channel_handle<handle = 0, "
                 "type = 0>")},
      {reduceAll(", channel_handle = #stablehlo.channel_handle<handle = 1, "
                 "type = 0>"),
       reduceAll(", channel_handle = #stablehlo.channel_handle<handle = 1, "
                 "type = 1>")},
      {"%0 = stablehlo.compare LT, %a, %a : (tensor<2x4x4x2xf32>, "
       "tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xi1>",
       "%0 = stablehlo.compare LT, %a, %a, NOTYPE : (tensor<2x4x4x2xf32>, "
       "tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xi1>"},
      {"%0 = stablehlo.compare LT, %a, %a, TOTALORDER : (tensor<2x4x4x2xf32>, "
       "tensor<2x4x4x2xf32>) -> tensor<2x4x4x2xi1>"}};
  std::set<std::string> keys;
  for (const std::vector<std::string> &group : groups) {
    std::string first = keyOf(group[0], false);
    EXPECT_TRUE(keys.insert(first).second) << group[0];
    for (const std::string &op : group)
      for (bool throughArtifact : {false, true})
        EXPECT_EQ(keyOf(op, throughArtifact), first) << op;
  }
}

// Two programs with one key share an executable, so whatever the compiler reads
// beside the ops must be in the key.
TEST(Keys, ContainAttributesThatAffectCompilation) {
  auto keyOf = [](const std::string &module, const std::string &argument,
                  const std::string &result, const std::string &mesh) {
    test::Parsed parsed("module" + module + " {\n" + mesh +
                        "func.func @main(%a: tensor<8x8xf32>" + argument +
                        ") -> (tensor<8x8xf32>" + result +
                        ") {\n%0 = stablehlo.negate %a : tensor<8x8xf32>\n"
                        "return %0 : tensor<8x8xf32>\n}\n}");
    EXPECT_TRUE(parsed.module) << parsed.error;
    return parsed.module ? llvm::cantFail(programKey(*parsed.module, "main"))
                         : std::string();
  };
  const std::string sharded =
      " {sdy.sharding = #sdy.sharding<@mesh, [{\"x\"}, {\"y\"}]>}";
  const std::string plain = keyOf("", "", "", "");
  EXPECT_EQ(keyOf("", " {mhlo.layout_mode = \"default\"}",
                  " {jax.result_info = \"result\"}", ""),
            plain);
  EXPECT_EQ(keyOf(" @name attributes {mhlo.num_partitions = 1 : i32, "
                  "mhlo.use_auto_spmd_partitioning = false}",
                  " {jax.arg_info = \"x\"}", "", ""),
            plain);
  const std::vector<std::string> keys = {
      plain,
      keyOf(" attributes {mhlo.num_partitions = 4 : i32}", "", "", ""),
      keyOf(" attributes {mhlo.num_replicas = 4 : i32}", "", "", ""),
      keyOf(" attributes {mhlo.use_auto_spmd_partitioning = true}", "", "", ""),
      keyOf("", " {tf.aliasing_output = 0 : i32}", "", ""),
      keyOf("", " {jax.buffer_donor = true}", "", ""),
      keyOf("", "", " {mhlo.memory_kind = \"pinned_host\"}", ""),
      keyOf("", " {mhlo.layout_mode = \"{0,1}\"}", "", ""),
      keyOf("", "", " {mhlo.layout_mode = \"{0,1}\"}", ""),
      keyOf("", "", " {mhlo.layout_mode = \"auto\"}", ""),
      keyOf("", " {mhlo.sharding = \"{replicated}\"}", "", ""),
      keyOf("", sharded, "", "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4]>\n"),
      keyOf("", sharded, "", "sdy.mesh @mesh = <[\"x\"=4, \"y\"=2]>\n"),
      keyOf("", sharded, "",
            "sdy.mesh @mesh = <[\"x\"=2, \"y\"=4], "
            "device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>\n")};
  for (size_t i = 0; i < keys.size(); ++i)
    for (size_t j = 0; j < i; ++j)
      EXPECT_NE(keys[i], keys[j]) << i << " and " << j;
}

TEST(Keys, GraphAndModuleAgreeOnPartitions) {
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  Type type(TensorType{ElementType::F32, {8, 4}, {}, {}});
  graph::Value argument{graph::Node::make_parameter(type), 0};
  graph::Value sum{
      graph::Node::make_op(ops::OpKind::Add, {}, {argument, argument}, {type}),
      0};
  graph::Program program = graph::make_program({&sum, 1});
  std::string whole = *graph::program_key(program);
  program.partitions = 4;
  program.argument_shardings = {*parse_sharding("{devices=[4,1]0,1,2,3}")};
  program.result_shardings = {std::nullopt};
  auto module = importGraph(program, context, false);
  ASSERT_TRUE(static_cast<bool>(module));
  llvm::Expected<std::string> key = programKey(**module, "main");
  ASSERT_TRUE(static_cast<bool>(key));
  EXPECT_EQ(*key, *graph::program_key(program));
  EXPECT_NE(*key, whole);
  auto entry = *(*module)->getOps<mlir::func::FuncOp>().begin();
  EXPECT_EQ(mlir::cast<mlir::StringAttr>(entry.getArgAttr(0, "mhlo.sharding"))
                .getValue(),
            "{devices=[4,1]0,1,2,3}");
  EXPECT_FALSE(entry.getResultAttr(0, "mhlo.sharding"));
}

} // namespace
} // namespace xlac
