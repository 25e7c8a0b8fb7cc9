// Runs the conformance files with the host evaluator. It is the reference
// implementation of other tests, so its own correctness is checked here.
#include "xlac/Import/Import.h"

#include "xlac/Dialect/AllDialects.h"
#include "xlac/Dialect/Stablehlo/ShapeRules.h"
#include "xlac/host/evaluate.h"

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "llvm/Support/MemoryBuffer.h"

#include <cmath>
#include <cstring>
#include <filesystem>
#include <gtest/gtest.h>
#include <map>

namespace xlac {
namespace {

using host::Literal;

struct Check {
  std::string kind; ///< "expect_eq", "expect_almost_eq", "expect_close"
  uint32_t actual = 0, expected = 0;
  double tolerance = 1e-4;
  int64_t min_ulp = 0, max_ulp = 3;
};

/// A function without its checks, whose operands become results to compare.
struct Case {
  graph::Program program;
  std::vector<Check> checks;
};

graph::Value constantOf(mlir::Attribute value) {
  std::optional<ops::DenseElements> elements = readElements(value);
  if (!elements)
    return {};
  Type type(elements->type);
  return {graph::Node::make_op(ops::OpKind::Constant,
                               ops::ConstantAttributes{*elements}, {}, {type}),
          0};
}

std::string checkKind(const graph::Node &node) {
  std::string name;
  if (node.kind() == graph::NodeKind::Foreign)
    name = node.foreign_name();
  else if (node.kind() == graph::NodeKind::Op &&
           node.op() == ops::OpKind::CustomCall)
    name = node.attributes().get<ops::CustomCallAttributes>().call_target_name;
  return name.starts_with("check.") ? name.substr(6) : std::string();
}

/// Returns false when the function has an unsupported check, or none.
bool split(const graph::Program &program, mlir::MLIRContext &context,
           Case &result) {
  auto entry = std::make_shared<graph::Function>();
  entry->name = program.entry;
  const graph::Block &body = program.entry_function()->body;
  entry->body.arguments = body.arguments;
  for (const graph::NodeRef &node : body.nodes) {
    std::string kind = checkKind(*node);
    if (kind.empty()) {
      entry->body.nodes.push_back(node);
      continue;
    }
    Check check;
    mlir::DictionaryAttr attributes;
    std::string text = node->kind() == graph::NodeKind::Foreign
                           ? node->foreign_attributes()
                           : node->extra_attributes();
    if (!text.empty())
      attributes = llvm::dyn_cast_or_null<mlir::DictionaryAttr>(
          mlir::parseAttribute(text, &context));
    auto number = [&](const char *name, auto &to) {
      if (!attributes)
        return;
      if (auto f = attributes.getAs<mlir::FloatAttr>(name))
        to = f.getValueAsDouble();
      else if (auto i = attributes.getAs<mlir::IntegerAttr>(name))
        to = i.getInt();
    };
    number("tolerance", check.tolerance);
    number("min_ulp_difference", check.min_ulp);
    number("max_ulp_difference", check.max_ulp);
    graph::Value actual = node->operands()[0], expected;
    if (kind.ends_with("_const")) {
      kind.resize(kind.size() - 6);
      if (attributes)
        expected = constantOf(attributes.get("value"));
      if (expected)
        entry->body.nodes.push_back(expected.node);
    } else if (node->operands().size() == 2) {
      expected = node->operands()[1];
    }
    if (!expected || (kind != "expect_eq" && kind != "expect_almost_eq" &&
                      kind != "expect_close"))
      return false;
    check.kind = kind;
    check.actual = entry->body.results.size();
    check.expected = check.actual + 1;
    entry->body.results.push_back(actual);
    entry->body.results.push_back(expected);
    result.checks.push_back(check);
  }
  result.program.entry = program.entry;
  result.program.functions = {entry};
  return !result.checks.empty() && entry->body.arguments.empty();
}

/// Maps floats to integers in the order of their values: neighbors differ by 1.
int64_t ordered(ElementType type, double value) {
  if (type == ElementType::F64) {
    int64_t bits;
    std::memcpy(&bits, &value, 8);
    return bits < 0 ? INT64_MIN - bits : bits;
  }
  if (type == ElementType::F32) {
    auto narrow = static_cast<float>(value);
    int32_t bits;
    std::memcpy(&bits, &narrow, 4);
    return bits < 0 ? int64_t{INT32_MIN} - bits : bits;
  }
  int64_t bits = host::encode_small_float(type, std::fabs(value));
  return std::signbit(value) ? -bits : bits;
}

bool holds(const Check &check, ElementType type, double a, double b) {
  if (std::isnan(a) || std::isnan(b))
    return std::isnan(a) && std::isnan(b);
  if (check.kind == "expect_almost_eq")
    return a == b || std::fabs(a - b) <= check.tolerance;
  if (std::isinf(a) || std::isinf(b))
    return a == b;
  int64_t distance = std::abs(ordered(type, a) - ordered(type, b));
  return distance >= check.min_ulp && distance <= check.max_ulp;
}

/// Returns an empty string, or the difference.
std::string compare(const Check &check, const Literal &a, const Literal &b) {
  ElementType type = a.type().element;
  if (a.type().dims != b.type().dims || type != b.type().element)
    return to_string(a.type()) + " instead of " + to_string(b.type());
  bool exact =
      check.kind == "expect_eq" || !(is_float(type) || is_complex(type));
  for (int64_t i = 0; i < a.count(); ++i) {
    size_t size = byte_size(type);
    std::complex<double> x, y;
    host::load(a, i, 1, &x);
    host::load(b, i, 1, &y);
    ElementType part = real_part_type(type);
    bool fine =
        exact ? std::memcmp(a.data() + i * size, b.data() + i * size, size) == 0
              : holds(check, part, x.real(), y.real()) &&
                    holds(check, part, x.imag(), y.imag());
    if (!fine)
      return "element " + std::to_string(i) + " is " +
             std::to_string(x.real()) + "+" + std::to_string(x.imag()) +
             "i, wanted " + std::to_string(y.real()) + "+" +
             std::to_string(y.imag()) + "i";
  }
  return {};
}

struct Totals {
  int passed = 0, failed = 0, unsupported = 0, skipped = 0;
  std::map<std::string, int> missing;
};

void run(mlir::ModuleOp module, llvm::StringRef entry, Totals &totals,
         const std::string &name) {
  llvm::Expected<graph::Program> program = exportGraph(module, entry);
  if (!program) {
    llvm::consumeError(program.takeError());
    ++totals.skipped;
    return;
  }
  Case test;
  if (!split(*program, *module.getContext(), test)) {
    ++totals.skipped;
    return;
  }
  auto results = host::evaluate(test.program, {});
  if (!results) {
    ++(results.error().failure_kind == FailureKind::Unsupported
           ? totals.unsupported
           : totals.failed);
    ++totals.missing[results.error().message.substr(0, 60)];
    return;
  }
  for (const Check &check : test.checks) {
    std::string difference =
        compare(check, (*results)[check.actual], (*results)[check.expected]);
    if (difference.empty())
      continue;
    std::printf("%s @%s: %s\n", name.c_str(), entry.str().c_str(),
                difference.c_str());
    ++totals.failed;
    return;
  }
  ++totals.passed;
}

TEST(Host, PassesTheConformanceFiles) {
  std::filesystem::path root(XLAC_SHARED_DIR);
  if (!std::filesystem::exists(root))
    GTEST_SKIP() << root << " is absent: no conformance files to run";
  Totals totals;
  mlir::DialectRegistry registry;
  registerAllDialects(registry);
  for (const char *folder : {"conformance/interpret", "conformance/testdata"}) {
    for (const auto &file :
         std::filesystem::directory_iterator(root / folder)) {
      auto buffer = llvm::MemoryBuffer::getFile(file.path().string());
      ASSERT_TRUE(buffer);
      llvm::SmallVector<llvm::StringRef> parts;
      (*buffer)->getBuffer().split(parts, "// -----");
      for (llvm::StringRef part : parts) {
        mlir::MLIRContext context(mlir::MLIRContext::Threading::DISABLED);
        context.appendDialectRegistry(registry);
        context.allowUnregisteredDialects();
        Source source;
        source.bytes = std::string_view(part.data(), part.size());
        source.name = file.path().string();
        std::string error;
        auto module = parseModule(source, context, error);
        if (!module)
          continue;
        bool whole =
            module->lookupSymbol<mlir::func::FuncOp>("main") != nullptr;
        for (auto function : module->getOps<mlir::func::FuncOp>())
          if (function.getNumArguments() == 0 && function.isPublic() &&
              (!whole || function.getSymName() == "main"))
            run(*module, function.getSymName(), totals,
                file.path().filename().string());
      }
    }
  }
  std::printf("host: %d passed, %d failed, %d unsupported, %d skipped\n",
              totals.passed, totals.failed, totals.unsupported, totals.skipped);
  for (const auto &[message, count] : totals.missing)
    std::printf("%5d  %s\n", count, message.c_str());
  EXPECT_GT(totals.passed, 9 * totals.failed);
}

} // namespace
} // namespace xlac
