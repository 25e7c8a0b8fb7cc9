#include "xlac/Import/Import.h"

#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
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

/// Prints `location` as file:line:col, or the whole input's name where it has
/// none.
static void printPlace(llvm::raw_ostream &os, Location location,
                       StringRef fallback) {
  if (auto place = location->findInstanceOf<FileLineColLoc>())
    os << place.getFilename().getValue() << ":" << place.getLine() << ":"
       << place.getColumn();
  else
    os << fallback;
}

static void printDiagnostic(llvm::raw_ostream &os, Diagnostic &diagnostic,
                            StringRef fallback) {
  printPlace(os, diagnostic.getLocation(), fallback);
  os << ": " << severityName(diagnostic.getSeverity()) << ": " << diagnostic;
  for (Diagnostic &note : diagnostic.getNotes()) {
    // The generic form of the op that MLIR attaches can be megabytes long.
    if (StringRef(note.str()).starts_with("see current operation"))
      continue;
    os << "\n";
    printDiagnostic(os, note, fallback);
  }
}

namespace {
/// Walks raw text and finds how deep its brackets nest.
class NestingScanner {
public:
  explicit NestingScanner(StringRef text) : text(text) {}

  /// The line and column where kMaxNesting is passed, if it is.
  std::optional<std::pair<unsigned, unsigned>> scan();

private:
  void skipString();
  void skipComment();

  StringRef text;
  size_t position = 0;
};
} // namespace

void NestingScanner::skipString() {
  for (++position; position < text.size() && text[position] != '"'; ++position)
    if (text[position] == '\\')
      ++position;
}

void NestingScanner::skipComment() {
  while (position < text.size() && text[position] != '\n')
    ++position;
  --position;
}

std::optional<std::pair<unsigned, unsigned>> NestingScanner::scan() {
  int depth = 0;
  for (; position < text.size(); ++position) {
    char c = text[position];
    switch (c) {
    case '"':
      skipString();
      break;
    case '/':
      if (position + 1 < text.size() && text[position + 1] == '/')
        skipComment();
      break;
    case '(':
    case '[':
    case '{':
    case '<':
      if (++depth > kMaxNesting) {
        StringRef before = text.take_front(position);
        size_t lineStart = before.rfind('\n');
        unsigned line = before.count('\n') + 1;
        unsigned column =
            lineStart == StringRef::npos ? position + 1 : position - lineStart;
        return std::make_pair(line, column);
      }
      break;
    case '>':
      if (position > 0 && text[position - 1] == '-')
        break;
      [[fallthrough]];
    case ')':
    case ']':
    case '}':
      if (depth > 0)
        --depth;
      break;
    default:
      break;
    }
  }
  return std::nullopt;
}

OwningOpRef<ModuleOp> parseModule(const Source &source, MLIRContext &context,
                                  std::string &error) {
  error.clear();
  llvm::raw_string_ostream os(error);
  StringRef text(source.bytes.data(), source.bytes.size());
  if (text.starts_with("ML\xefR")) {
    os << source.name
       << ": error: bytecode is not supported, give StableHLO text";
    return {};
  }
  if (size_t nul = text.find('\0'); nul != StringRef::npos) {
    os << source.name << ": error: not StableHLO text: a zero byte at offset "
       << nul;
    return {};
  }
  if (auto place = NestingScanner(text).scan()) {
    os << source.name << ":" << place->first << ":" << place->second
       << ": error: brackets nest deeper than " << kMaxNesting;
    return {};
  }

  size_t errors = 0;
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
  // MLIR's lexer wants a zero behind the text, which a view need not have.
  std::string terminated = text.str();
  OwningOpRef<ModuleOp> module =
      parseSourceString<ModuleOp>(terminated, config, source.name);
  if (module && failed(verify(*module)))
    module = {};
  if (!module && errors == 0)
    os << source.name << ": error: cannot be parsed as StableHLO text";
  if (errors > kMaxReportedErrors)
    os << "\n" << errors - kMaxReportedErrors << " more errors";
  return module;
}

} // namespace xlac
