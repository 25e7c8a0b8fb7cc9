#include "xlac/Codegen/SizeVariants.h"

#include "xlac/support/hash.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

namespace xlac::codegen {

/// The nested module that contains kernels of other sizes.
static constexpr llvm::StringLiteral kVariants = "xlac_size_variants";

static std::string textOf(ir::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel->print(stream,
                mlir::OpPrintingFlags().useLocalScope().printGenericOpForm());
  return text;
}

/// Leaves numbers out, with their decimal points and exponents.
static std::string keyOf(ir::KernelOp kernel, llvm::StringRef text) {
  std::string structure;
  bool inNumber = false;
  for (char c : text) {
    inNumber =
        llvm::isDigit(c) || (inNumber && llvm::StringRef(".eE+-").contains(c));
    if (!inNumber)
      structure += c;
  }
  Hasher hasher;
  hasher.update(structure);
  return (kernel.getSymName() + "-" + to_hex(hasher.finish())).str();
}

/// Returns the kernel of a text that another program has written, or null if it
/// is malformed.
static mlir::OwningOpRef<mlir::ModuleOp> parse(llvm::StringRef text,
                                               mlir::MLIRContext *context) {
  mlir::ScopedDiagnosticHandler silent(
      context, [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, context);
  if (!module || !llvm::hasSingleElement(module->getOps<ir::KernelOp>()))
    return nullptr;
  return module;
}

namespace {
class FindSizeVariants
    : public mlir::PassWrapper<FindSizeVariants,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FindSizeVariants)

  explicit FindSizeVariants(KernelTexts &texts) : texts(texts) {}

  llvm::StringRef getArgument() const override {
    return "xlac-find-size-variants";
  }
  llvm::StringRef getDescription() const override {
    return "finds kernels that an earlier program has with other sizes";
  }

  void runOnOperation() override {
    mlir::OpBuilder builder(&getContext());
    builder.setInsertionPointToStart(getOperation().getBody());
    mlir::ModuleOp variants;
    for (ir::KernelOp kernel : llvm::make_early_inc_range(
             getOperation().getBody()->getOps<ir::KernelOp>())) {
      std::string text = textOf(kernel);
      auto [found, isNew] = texts.try_emplace(keyOf(kernel, text), text);
      if (isNew || found->second == text)
        continue;
      auto parsed = parse(found->second, &getContext());
      if (!parsed)
        continue;
      if (!variants)
        variants =
            mlir::ModuleOp::create(builder, getOperation().getLoc(), kVariants);
      ir::KernelOp other = *parsed->getOps<ir::KernelOp>().begin();
      other->remove();
      variants.push_back(other);
      other.setAnySize(true);
      kernel.setAnySize(true);
    }
  }

private:
  KernelTexts &texts;
};
} // namespace

std::unique_ptr<mlir::Pass> createFindSizeVariantsPass(KernelTexts &texts) {
  return std::make_unique<FindSizeVariants>(texts);
}

std::map<std::string, ir::KernelOp> sizeVariantsOf(mlir::ModuleOp module) {
  std::map<std::string, ir::KernelOp> variants;
  if (auto nested = module.lookupSymbol<mlir::ModuleOp>(kVariants))
    for (ir::KernelOp kernel : nested.getOps<ir::KernelOp>())
      variants[kernel.getSymName().str()] = kernel;
  return variants;
}

} // namespace xlac::codegen
