#include "op_table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <map>

namespace xlac_tblgen {
namespace {

std::string code(const std::string &text) {
  return text.empty() ? "" : "`" + text + "`";
}

std::string list_of(const std::vector<Operand> &values, bool results) {
  std::vector<std::string> words;
  for (const Operand &value : values) {
    std::string word = value.name.empty() && results ? "result" : value.name;
    if (value.variadic)
      word += "…";
    if (value.category == "Token")
      word += " (token)";
    words.push_back(std::move(word));
  }
  return llvm::join(words, ", ");
}

std::string list_of(const std::vector<Attribute> &attributes) {
  std::vector<std::string> words;
  for (const Attribute &attribute : attributes) {
    std::string word = code(attribute.name) + " " + code(attribute.cpp_type);
    if (!attribute.default_value.empty())
      word += " = " + code(attribute.default_value);
    else if (attribute.optional || attribute.has_default)
      word += ", optional";
    words.push_back(std::move(word));
  }
  return llvm::join(words, "; ");
}

std::string notes_on(const Op &op) {
  std::vector<std::string> words;
  if (op.commutative)
    words.push_back("commutative");
  if (op.inferable)
    words.push_back("result types inferred");
  if (op.side_effects)
    words.push_back("side effects");
  if (op.terminator)
    words.push_back("terminator");
  if (op.variadic_regions)
    words.push_back("regions");
  else if (op.regions > 0)
    words.push_back(std::to_string(op.regions) +
                    (op.regions == 1 ? " region" : " regions"));
  return llvm::join(words, ", ");
}

} // namespace

void emit_docs(const Table &table, llvm::raw_ostream &out) {
  std::map<std::string, std::vector<const Op *>> by_dialect;
  for (const Op &op : table.ops)
    by_dialect[op.name.substr(0, op.name.find('.'))].push_back(&op);
  out << "# Ops\n\nEvery op that a program may hold, as lib/ops/Ops.td has it: "
         "its class, operands, attributes with their plain C++ types and "
         "defaults, results, and the name of its shape rule in lib/ops, which "
         "checks the specification's constraints under their labels. `./dev "
         "docs` writes this page.\n";
  for (const auto &[dialect, ops] : by_dialect) {
    out << "\n## " << dialect << "\n\n"
        << "| op | class | operands | attributes | results | shape rule | "
           "notes |\n|---|---|---|---|---|---|---|\n";
    for (const Op *op : ops)
      out << "| " << code(op->name.substr(dialect.size() + 1)) << " | "
          << llvm::StringRef(op->op_class).lower() << " | "
          << list_of(op->operands, false) << " | " << list_of(op->attributes)
          << " | " << list_of(op->results, true) << " | " << code(op->rule)
          << " | " << notes_on(*op) << " |\n";
  }
}

} // namespace xlac_tblgen
