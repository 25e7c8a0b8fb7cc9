#include "op_table.h"

#include "llvm/Support/raw_ostream.h"

#include <set>

namespace xlac_tblgen {
namespace {

const char *boolean(bool value) { return value ? "true" : "false"; }

void emit_operands(const char *what, const Op &op,
                   const std::vector<Operand> &operands,
                   llvm::raw_ostream &out) {
  if (operands.empty())
    return;
  out << "constexpr OperandFacts k" << op.kind << what << "[] = {";
  for (const Operand &operand : operands)
    out << "{\"" << operand.name << "\", OperandCategory::" << operand.category
        << ", " << boolean(operand.variadic) << ", " << boolean(operand.sizes)
        << "}, ";
  out << "};\n";
}

std::string span_of(const char *what, const Op &op, bool empty) {
  return empty ? "{}" : "k" + op.kind + what;
}

} // namespace

void emit_kinds(const Table &table, llvm::raw_ostream &out) {
  out << "enum class OpKind : uint16_t {\n";
  for (const Op &op : table.ops)
    out << "  " << op.kind << ", ///< " << op.name << "\n";
  out << "};\ninline constexpr int kOpKindCount = " << table.ops.size()
      << ";\n";
}

void emit_facts(const Table &table, llvm::raw_ostream &out) {
  for (const Op &op : table.ops) {
    emit_operands("Operands", op, op.operands, out);
    emit_operands("Results", op, op.results, out);
  }
  out << "\nconstexpr OpFacts kFacts[] = {\n";
  for (const Op &op : table.ops)
    out << "  {\"" << op.name << "\", OpClass::" << op.op_class << ", "
        << boolean(op.commutative) << ", " << boolean(op.inferable) << ", "
        << boolean(op.side_effects) << ", " << boolean(op.terminator) << ", "
        << boolean(!op.attributes.empty()) << ", " << op.regions << ", "
        << boolean(op.variadic_regions) << ", "
        << span_of("Operands", op, op.operands.empty()) << ", "
        << span_of("Results", op, op.results.empty()) << "},\n";
  out << "};\n";
}

void emit_rules(const Table &table, llvm::raw_ostream &out) {
  std::set<std::string> rules;
  for (const Op &op : table.ops)
    rules.insert(op.rule);
  out << "#ifdef XLAC_RULE_DECLARATIONS\n";
  for (const std::string &rule : rules)
    out << "Inferred infer_" << rule << "(const Rule &rule);\n";
  out << "#else\nconstexpr RuleFunction kRules[] = {\n";
  for (const Op &op : table.ops)
    out << "  rules::infer_" << op.rule << ", // " << op.name << "\n";
  out << "};\n#endif\n";
}

} // namespace xlac_tblgen
