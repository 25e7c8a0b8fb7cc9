#include "xlac/Codegen/SizeVariants.h"

#include "Kernels/KernelEmitters.h"

#include "xlac/support/hash.h"

#include "mlir/Parser/Parser.h"
#include "llvm/ADT/StringExtras.h"

namespace xlac::codegen {

/// Limit on the sizes of which texts are kept. More distinguish more of the
/// numbers that depend on sizes, but take longer to emit.
static constexpr size_t kMostSizes = 4;

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

static void addText(std::vector<std::string> &texts, const std::string &text) {
  if (texts.size() < kMostSizes && !llvm::is_contained(texts, text))
    texts.push_back(text);
}

void addKernelTexts(mlir::ModuleOp module, KernelTexts &texts) {
  for (ir::KernelOp kernel : module.getOps<ir::KernelOp>()) {
    std::string text = textOf(kernel);
    addText(texts[keyOf(kernel, text)], text);
  }
}

namespace {
class FindSizeVariants
    : public mlir::PassWrapper<FindSizeVariants,
                               mlir::OperationPass<mlir::ModuleOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(FindSizeVariants)

  FindSizeVariants(KernelTexts &texts, SizeVariants &variants, bool *onlyNote)
      : texts(texts), variants(variants), onlyNote(onlyNote) {}

  llvm::StringRef getArgument() const override {
    return "xlac-find-size-variants";
  }
  llvm::StringRef getDescription() const override {
    return "finds kernels that an earlier program has with other sizes";
  }

  void runOnOperation() override {
    for (ir::KernelOp kernel : getOperation().getOps<ir::KernelOp>()) {
      std::string text = textOf(kernel);
      std::vector<std::string> &known = texts[keyOf(kernel, text)];
      std::vector<std::string> others;
      for (const std::string &other : known)
        if (other != text)
          others.push_back(other);
      addText(known, text);
      if (others.empty())
        continue;
      if (onlyNote) {
        *onlyNote = true;
        continue;
      }
      variants[kernel.getSymName().str()] = std::move(others);
      kernel.setAnySize(true);
    }
  }

private:
  KernelTexts &texts;
  SizeVariants &variants;
  bool *onlyNote;
};
} // namespace

std::unique_ptr<mlir::Pass> createFindSizeVariantsPass(KernelTexts &texts,
                                                       SizeVariants &variants,
                                                       bool *onlyNote) {
  return std::make_unique<FindSizeVariants>(texts, variants, onlyNote);
}

mlir::OwningOpRef<mlir::ModuleOp>
makeSizeVariant(ir::KernelOp kernel, llvm::StringRef variant,
                const TargetProfile &profile) {
  mlir::ScopedDiagnosticHandler silent(
      kernel.getContext(), [](mlir::Diagnostic &) { return mlir::success(); });
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      variant, mlir::ParserConfig(kernel.getContext()));
  if (!module || !llvm::hasSingleElement(module->getOps<ir::KernelOp>()))
    return nullptr;
  ir::KernelOp parsed = *module->getOps<ir::KernelOp>().begin();
  parsed.setAnySize(true);
  parsed.setStreamed(kernel.getStreamed());
  if (mlir::failed(
          kernelKind(parsed.getSchedule().getKind()).schedule(parsed, profile)))
    return nullptr;
  return module;
}

} // namespace xlac::codegen
