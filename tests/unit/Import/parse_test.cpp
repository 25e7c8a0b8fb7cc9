#include "xlac/Import/Import.h"

#include "xlac/Dialect/AllDialects.h"

#include <gtest/gtest.h>

namespace xlac {
namespace {

struct Parsed {
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  std::string error;
  mlir::OwningOpRef<mlir::ModuleOp> module;

  explicit Parsed(std::string_view text) {
    mlir::DialectRegistry registry;
    registerAllDialects(registry);
    context.appendDialectRegistry(registry);
    context.allowUnregisteredDialects();
    Source source;
    source.bytes = text;
    source.name = "test.mlir";
    module = parseModule(source, context, error);
  }
};

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

TEST(Parse, RefusesDeepNesting) {
  for (char open : {'(', '[', '{', '<'}) {
    std::string text(100000, open);
    EXPECT_NE(Parsed(text).error.find("nest deeper than 1000"),
              std::string::npos);
  }
  // Arrows and strings do not nest.
  std::string arrows = "// ((((\nmodule {}\n// ";
  for (int i = 0; i < 2000; ++i)
    arrows += "->";
  EXPECT_TRUE(Parsed(arrows).module);
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
