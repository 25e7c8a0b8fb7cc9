#include "xlac/Import/Import.h"
#include "xlac/Import/PortableArtifact.h"

#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;

namespace xlac {

namespace {
/// Collects all errors emitted in `context` in its lifetime, one a line.
class ErrorText {
public:
  explicit ErrorText(MLIRContext *context)
      : stream(text), handler(context, [this](Diagnostic &diagnostic) {
          if (diagnostic.getSeverity() == DiagnosticSeverity::Error)
            add(diagnostic);
          return success();
        }) {}

  llvm::Error take() {
    return llvm::createStringError(text.empty() ? "it cannot be written"
                                                : text);
  }

private:
  void add(Diagnostic &diagnostic) {
    if (!text.empty())
      stream << '\n';
    if (std::string place = placeOf(diagnostic.getLocation()); !place.empty())
      stream << place << ": error: ";
    stream << diagnostic.str();
  }

  std::string text;
  llvm::raw_string_ostream stream;
  ScopedDiagnosticHandler handler;
};
} // namespace

llvm::Expected<std::string> writePortableArtifact(ModuleOp module,
                                                  vhlo::Version target) {
  ErrorText errors(module.getContext());
  OwningOpRef<ModuleOp> converted = stablehloToVhlo(module, target);
  if (!converted)
    return errors.take();
  // The configuration only keeps a reference to the name.
  std::string producer = "StableHLO_v" + target.text();
  BytecodeWriterConfig config(producer);
  config.setDesiredBytecodeVersion(vhlo::bytecodeVersion(target));
  std::string bytes;
  llvm::raw_string_ostream stream(bytes);
  if (failed(writeBytecodeToFile(*converted, stream, config)))
    return errors.take();
  return bytes;
}

} // namespace xlac
