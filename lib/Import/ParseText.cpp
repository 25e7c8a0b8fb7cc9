#include "xlac/Import/Import.h"

#include "BoolConstants.h"
#include "JaxExport.h"
#include "TextLimits.h"
#include "xlac/Import/BytecodeValidator.h"
#include "xlac/Import/PortableArtifact.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "llvm/ADT/ScopeExit.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;

namespace xlac {

static constexpr size_t kMaxReportedErrors = 20;

static StringRef severityName(DiagnosticSeverity severity) {
  switch (severity) {
  case DiagnosticSeverity::Note:
    return "note";
  case DiagnosticSeverity::Warning:
    return "warning";
  case DiagnosticSeverity::Error:
    return "error";
  case DiagnosticSeverity::Remark:
    return "remark";
  }
  return "error";
}

std::string placeOf(Location location) {
  auto place = location->findInstanceOf<FileLineColLoc>();
  if (!place)
    return {};
  return (place.getFilename().getValue() + ":" + Twine(place.getLine()) + ":" +
          Twine(place.getColumn()))
      .str();
}

static void printDiagnostic(llvm::raw_ostream &os, Diagnostic &diagnostic,
                            StringRef fallback) {
  std::string place = placeOf(diagnostic.getLocation());
  os << (place.empty() ? fallback : StringRef(place)) << ": "
     << severityName(diagnostic.getSeverity()) << ": " << diagnostic;
  for (Diagnostic &note : diagnostic.getNotes()) {
    os << "\n";
    printDiagnostic(os, note, fallback);
  }
}

/// Returns a copy that MLIR can read: its lexer requires a zero after the text,
/// its bytecode reader an aligned start. Null if there is too little memory.
static std::unique_ptr<llvm::WritableMemoryBuffer> copyBytes(StringRef bytes,
                                                             StringRef name) {
  std::unique_ptr<llvm::WritableMemoryBuffer> copy =
      llvm::WritableMemoryBuffer::getNewUninitMemBuffer(
          bytes.size(), name, llvm::Align(kBytecodeAlignment));
  if (copy)
    llvm::copy(bytes, copy->getBufferStart());
  return copy;
}

static ArrayRef<uint8_t> bytesOf(const llvm::MemoryBuffer &buffer) {
  return llvm::arrayRefFromStringRef(buffer.getBuffer());
}

/// Copies the program to memory that MLIR can read. If the source is a
/// container of jax.export, copies its module and fills in `container`. On
/// failure, returns null and writes one line to `os`.
static std::unique_ptr<llvm::MemoryBuffer>
copySource(const Source &source, MLIRContext &context,
           std::optional<JaxExport> &container, llvm::raw_ostream &os) {
  auto copy = copyBytes(source.bytes, source.name);
  if (copy) {
    auto read = readJaxExport(bytesOf(*copy), context);
    if (!read) {
      os << source.name << ": error: " << llvm::toString(read.takeError());
      return {};
    }
    container = std::move(*read);
  }
  if (container) {
    copy = copyBytes(llvm::toStringRef(container->module), source.name);
    container->module = {};
  }
  if (!copy)
    os << source.name << ": error: too large for the memory there is";
  else if (!isBytecode(bytesOf(*copy)))
    packBoolConstants(copy->getBuffer());
  return copy;
}

/// Rejects input that would crash MLIR's readers, and writes one line to `os`.
static LogicalResult checkSource(llvm::MemoryBufferRef source,
                                 MLIRContext &context, llvm::raw_ostream &os) {
  StringRef name = source.getBufferIdentifier(), text = source.getBuffer();
  if (isBytecode(llvm::arrayRefFromStringRef(text))) {
    llvm::Error error =
        validateBytecode(llvm::arrayRefFromStringRef(text), context);
    if (!error)
      return success();
    os << name << ": error: " << llvm::toString(std::move(error));
    return mlir::failure();
  }
  if (size_t nul = text.find('\0'); nul != StringRef::npos) {
    os << name << ": error: not StableHLO text: a zero byte at offset " << nul;
    return mlir::failure();
  }
  if (std::optional<TextError> rejection = findTextError(text)) {
    os << name << ":" << rejection->line << ":" << rejection->column
       << ": error: " << rejection->reason;
    return mlir::failure();
  }
  return success();
}

/// Rejects ops of unknown dialects, because no verifier or pass knows their
/// semantics. Attributes of such dialects are only annotations.
static LogicalResult rejectUnknownOps(ModuleOp module) {
  WalkResult result = module->walk([](Operation *op) {
    if (op->isRegistered())
      return WalkResult::advance();
    return WalkResult(emitError(op->getLoc())
                      << "'" << op->getName() << "' is an op of the dialect '"
                      << op->getName().getDialectNamespace()
                      << "', which is not supported");
  });
  return mlir::failure(result.wasInterrupted());
}

/// Verifies the parsed module, and converts a portable artifact to StableHLO.
static OwningOpRef<ModuleOp> finishModule(OwningOpRef<ModuleOp> module) {
  if (!module || failed(rejectUnknownOps(*module)) || failed(verify(*module)))
    return {};
  if (!holdsVhlo(*module))
    return module;
  module = vhloToStablehlo(*module);
  if (!module || failed(verify(*module)))
    return {};
  return module;
}

OwningOpRef<ModuleOp> parseModule(const Source &source, MLIRContext &context,
                                  std::string &error) {
  error.clear();
  llvm::raw_string_ostream os(error);
  std::optional<JaxExport> container;
  std::unique_ptr<llvm::MemoryBuffer> copy =
      copySource(source, context, container, os);
  if (!copy || failed(checkSource(*copy, context, os)))
    return {};

  size_t errors = 0;
  // Do not print ops in diagnostics: they are not shown and may be large.
  bool printOps = context.shouldPrintOpOnDiagnostic();
  context.printOpOnDiagnostic(false);
  auto restore =
      llvm::make_scope_exit([&] { context.printOpOnDiagnostic(printOps); });
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() != DiagnosticSeverity::Error)
      return success();
    if (errors++ < kMaxReportedErrors) {
      if (errors > 1)
        os << "\n";
      printDiagnostic(os, diagnostic, source.name);
    }
    return success();
  });
  ParserConfig config(&context, /*verifyAfterParse=*/false);
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(std::move(copy), llvm::SMLoc());
  OwningOpRef<ModuleOp> module =
      finishModule(parseSourceFile<ModuleOp>(sources, config));
  if (module && container &&
      (failed(completeArguments(*module, *container)) ||
       failed(verify(*module))))
    module = {};
  // The parser continues after an unterminated string.
  if (errors > 0)
    module = {};
  if (!module && errors == 0)
    os << source.name << ": error: cannot be parsed as StableHLO";
  if (errors > kMaxReportedErrors)
    os << "\n" << errors - kMaxReportedErrors << " more errors";
  return module;
}

} // namespace xlac
