// A module and the graph that it becomes have one key, for every program at
// hand: module -> graph -> module -> graph changes nothing.
#include "xlac/Import/Import.h"

#include "xlac/Dialect/AllDialects.h"
#include "xlac/graph/program.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBuffer.h"

#include <filesystem>
#include <gtest/gtest.h>

namespace xlac {
namespace {

/// The pieces of a file between lines `// -----`.
std::vector<std::string> pieces(llvm::StringRef text) {
  std::vector<std::string> list;
  llvm::SmallVector<llvm::StringRef> parts;
  text.split(parts, "// -----");
  for (llvm::StringRef part : parts)
    list.push_back(part.str());
  return list;
}

struct Counts {
  int equal = 0, different = 0, unreadable = 0, refused = 0;
};

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
}

TEST(Keys, GraphAndModuleAgreeOnAllConformanceFiles) {
  std::filesystem::path root(XLAC_SHARED_DIR);
  if (!std::filesystem::exists(root))
    GTEST_SKIP() << root << " is absent: no conformance files to compare";
  Counts counts;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  for (const char *folder : {"conformance/interpret", "conformance/testdata",
                             "conformance/roundtrip", "models"}) {
    for (const auto &file :
         std::filesystem::recursive_directory_iterator(root / folder)) {
      if (file.path().extension() != ".mlir")
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
  std::printf("keys: %d equal, %d different, %d refused, %d unreadable\n",
              counts.equal, counts.different, counts.refused,
              counts.unreadable);
  EXPECT_GT(counts.equal, 0);
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
