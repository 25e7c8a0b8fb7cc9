#include "parsed.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

using test::Parsed;

TEST(Parse, SaysWhere) {
  Parsed parsed("func.func @main() {\n  %0 = nonsense\n}\n");
  EXPECT_FALSE(parsed.module);
  EXPECT_EQ(parsed.error.find("test.mlir:2:"), 0u) << parsed.error;
  EXPECT_NE(parsed.error.find("error:"), std::string::npos);
}

TEST(Parse, RefusesWhatIsNoText) {
  EXPECT_NE(Parsed("ML\xefR\x0d").error.find("bytecode"), std::string::npos);
  EXPECT_NE(Parsed(std::string_view("a\0b", 3)).error.find("zero byte"),
            std::string::npos);
}

TEST(Parse, RefusesWhatTheParserSkips) {
  Parsed parsed("func.func @f() {\n\"no end\n  func.return\n}\n");
  EXPECT_FALSE(parsed.module);
  EXPECT_NE(parsed.error.find("expected '\"'"), std::string::npos)
      << parsed.error;
}

TEST(Parse, RefusesOpsOfUnknownDialects) {
  auto with = [](const std::string &op) {
    return Parsed("func.func @main(%a: tensor<4xf32>) {\n  " + op +
                  "\n  return\n}\n")
        .error;
  };
  for (std::string name : {"llvm.call", "foo.bar", "a.b.c", "mhlo.add"}) {
    std::string dialect = name.substr(0, name.find('.'));
    std::string wanted = "test.mlir:2:3: error: '" + name +
                         "' is an op of the dialect '" + dialect +
                         "', which is not supported";
    EXPECT_EQ(with("\"" + name + "\"() : () -> ()"), wanted);
    // The error names the op itself, not ops inside of it, and comes before any
    // verifier error.
    EXPECT_EQ(with("\"" + name +
                   "\"(%a) ({\n\"stablehlo.return\"() : () -> ()\n}) : "
                   "(tensor<4xf32>) -> ()"),
              wanted);
  }
  // Unknown attributes that only annotate are allowed.
  EXPECT_EQ(Parsed("module attributes {foo.bar = #foo<baz>} {}").error, "");
}

TEST(Parse, RefusesDeepNesting) {
  for (char open : {'(', '[', '{', '<'}) {
    std::string text(100000, open);
    EXPECT_NE(Parsed(text).error.find("nest deeper than 1000"),
              std::string::npos);
  }
  // Brackets in comments and strings do not nest.
  std::string arrows = "// ((((\nmodule {}\n// ";
  for (int i = 0; i < 2000; ++i)
    arrows += "->";
  EXPECT_TRUE(Parsed(arrows).module);
}

TEST(Parse, RefusesWhatWouldTakeTimeOrMemoryWithoutBounds) {
  std::string manyDigits = "module attributes {x.a = " + std::string(5000, '1');
  std::string ranks = "module attributes {x.a = tensor<";
  for (int i = 0; i < 300; ++i)
    ranks += "1x";
  std::string aliases = "!a0 = i32\n";
  for (int i = 1; i < 40; ++i) {
    std::string last = "!a" + std::to_string(i - 1);
    aliases += "!a" + std::to_string(i) + " = tuple<" + last + ", " + last +
               ">\nmodule {}\n";
  }
  std::string chain = "!a0 = i32\n";
  for (int i = 1; i < 1100; ++i)
    chain += "!a" + std::to_string(i) + " = tuple<!a" + std::to_string(i - 1) +
             ">\n";
  std::string fused = "#f = loc(fused[";
  for (int i = 0; i < 1000; ++i)
    fused += "\"" + std::to_string(i) + "\", ";
  fused += "\"\"])\n";
  for (int i = 0; i < 1000; ++i)
    fused += "module {} loc(fused<\"m\">[#f, \"" + std::to_string(i) + "\"])\n";
  const std::pair<std::string, const char *> cases[] = {
      {manyDigits + "}", "a number of 5000 characters"},
      {ranks + "f32>}", "rank 300"},
      {fused, "fused locations unfold beyond bounds"},
      {aliases, "unfolds beyond bounds"},
      {chain, "alias !a1001 nests deeper than 1000"},
      {"\"a\"(%b#4000000000) : () -> ()", "result 4000000000 of %b"},
      {"\"a\"(%a-b#4000000000) : () -> ()", "result 4000000000 of %a-b"},
      {"module attributes {x.a = 1 : i16777215} {}", "more than 64 bits"},
      {"module attributes {x.a = tensor<?xi16777215>} {}", "more than 64 bits"},
      {"module attributes {x.a = tensor<2xui16777215>} {}",
       "more than 64 bits"},
      {"module attributes {x.a = affine_map<() -> (0)>} {}", "affine_map"},
      {"module attributes {x.a = tensor<4294967296x0x4294967296xi1>} {}",
       "more than 2^56 elements"},
  };
  for (const auto &[text, reason] : cases) {
    Parsed parsed(text);
    EXPECT_FALSE(parsed.module);
    EXPECT_NE(parsed.error.find(reason), std::string::npos) << parsed.error;
  }
}

TEST(Parse, DoesNotWriteOutSplats) {
  Parsed groups(
      "func.func @main(%x: tensor<2xf32>) {\n"
      "  %0 = \"stablehlo.all_gather\"(%x) {all_gather_dim = 0 : i64, "
      "replica_groups = dense<0> : tensor<1000000x100000xi64>} : "
      "(tensor<2xf32>) -> tensor<?xf32>\n  return\n}\n");
  EXPECT_NE(groups.error.find("test.mlir:2:8: error: 'stablehlo.all_gather' "
                              "op attribute 'replica_groups' has the form"),
            std::string::npos)
      << groups.error;
  // Sizes that the parser does not evaluate remain unknown.
  Parsed sizes("func.func @main(%x: tensor<2xf32>) {\n"
               "  %c = stablehlo.constant dense<1> : tensor<10000000000xi64>\n"
               "  %0 = stablehlo.dynamic_reshape %x, %c : (tensor<2xf32>, "
               "tensor<10000000000xi64>) -> tensor<?xf32>\n  return\n}\n");
  EXPECT_FALSE(sizes.module);
  EXPECT_NE(sizes.error.find("test.mlir:3:8: error:"), std::string::npos)
      << sizes.error;
}

TEST(Parse, TakesWhatOnlyLooksLikeIt) {
  std::string text = "!t = tuple<i32, i64>\n#loc = loc(\"i100000\")\n"
                     "module attributes {x.a = \"affine_map<\", x.b = !t} {\n"
                     "  func.func @i100000(%a-b: i64) -> i64 {\n"
                     "    return %a-b : i64 // tensor<99999999999999999xi1>\n"
                     "  } loc(#loc)\n}\n";
  Parsed parsed(text);
  EXPECT_TRUE(parsed.module) << parsed.error;
}

TEST(Parse, GivesTheSignature) {
  Parsed parsed("func.func @main(%a: tensor<2x3xf32>) -> tensor<2x3xf32> {\n"
                "  return %a : tensor<2x3xf32>\n}\n");
  ASSERT_TRUE(parsed.module) << parsed.error;
  llvm::Expected<Signature> signature = signatureOf(*parsed.module, "main");
  ASSERT_TRUE(static_cast<bool>(signature));
  ASSERT_EQ(signature->arguments.size(), 1u);
  EXPECT_EQ(to_string(signature->results[0]), "tensor<2x3xf32>");
  llvm::Expected<Signature> missing = signatureOf(*parsed.module, "other");
  EXPECT_FALSE(static_cast<bool>(missing));
  EXPECT_NE(llvm::toString(missing.takeError()).find("@other"),
            std::string::npos);
}

} // namespace
} // namespace xlac
