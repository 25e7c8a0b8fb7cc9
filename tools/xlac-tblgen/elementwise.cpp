// Facts of elementwise ops. Every field must have a value in the table;
// otherwise the build fails.
#include "op_table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

using llvm::Record;
using llvm::StringRef;

namespace xlac_tblgen {
namespace {

/// Returns the record that `field` names. Returns null if there is none; it is
/// an error if the field is required.
const Record *part_of(const Record *record, StringRef field, bool required) {
  const llvm::RecordVal *value = record->getValue(field);
  auto *init =
      value ? llvm::dyn_cast<llvm::DefInit>(value->getValue()) : nullptr;
  if (!init && required)
    llvm::PrintFatalError(record, "an elementwise op has no '" + field.str() +
                                      "'; OpFacts.td describes the fields");
  return init ? init->getDef() : nullptr;
}

std::string text_of(const Record *record, StringRef field) {
  return record->getValueAsString(field).str();
}

std::vector<std::string> sets_of(const Record *elements) {
  std::vector<std::string> sets;
  for (StringRef set : elements->getValueAsListOfStrings("sets"))
    sets.push_back(set.str());
  return sets;
}

/// Formats sets as "0 | kFloat | kComplex".
std::string bits_of(const std::vector<std::string> &sets, StringRef prefix) {
  std::string text = "0";
  for (const std::string &set : sets)
    text += " | " + prefix.str() + set;
  return text;
}

void read_accuracy(const Record *record, Elementwise &facts) {
  facts.exact = record->getValueAsBit("exact");
  for (const char *field :
       {"f32", "f64", "unfusedF32", "unfusedF64", "referenceF64", "steepest",
        "floorF64", "referenceFloorF64", "aimF32"})
    facts.accuracy.push_back(text_of(record, field));
}

void read_gradient(const Record *record, Elementwise &facts) {
  std::string rule = text_of(record, "rule");
  facts.gradient = rule == "none" ? "" : rule + "_rule";
  facts.from = text_of(record, "from");
  facts.to = text_of(record, "to");
}

void read_lanes(const Record *record, Elementwise &facts) {
  facts.has_lanes = record->getValueAsBit("present");
  facts.lanes = text_of(record, "real");
  facts.complex_lanes = text_of(record, "complex");
  facts.rounding = text_of(record->getValueAsDef("rounding"), "name");
}

void read_evaluator(const Record *record, Op &op) {
  Elementwise &facts = *op.elementwise;
  facts.libm = text_of(record, "libm");
  facts.real = text_of(record, "real");
  if (!facts.libm.empty())
    facts.real =
        "std::" + facts.libm + (op.operands.size() == 2 ? "(x, y)" : "(x)");
  facts.complex = text_of(record, "complex");
  facts.predicate = text_of(record, "predicate");
}

void read_plan(const Record *record, Elementwise &facts) {
  facts.weight = record->getValueAsInt("weight");
  facts.plan = text_of(record, "function");
  facts.keeps_numbers = record->getValueAsBit("numbers");
  facts.fuzz_elements = sets_of(record->getValueAsDef("on"));
  if (facts.fuzz_elements.empty())
    facts.fuzz_elements = facts.elements;
}

/// The section of the generated file that `macro` enables.
class Section {
public:
  Section(llvm::raw_ostream &out, const char *macro)
      : out_(out), macro_(macro) {
    out_ << "#ifdef " << macro_ << "\n";
  }
  ~Section() { out_ << "#undef " << macro_ << "\n#endif\n\n"; }
  void add(const std::string &arguments) {
    out_ << macro_ << "(" << arguments << ")\n";
  }

private:
  llvm::raw_ostream &out_;
  const char *macro_;
};

} // namespace

void read_elementwise(const Record *record, Op &op) {
  bool required = op.op_class == "Elementwise";
  if (const Record *cost = part_of(record, "cost", required))
    op.cost = {cost->getValueAsInt("float"), cost->getValueAsInt("integer"),
               cost->getValueAsInt("complex")};
  if (!required)
    return;
  Elementwise &facts = op.elementwise.emplace();
  facts.elements = sets_of(part_of(record, "elements", true));
  read_accuracy(part_of(record, "accuracy", true), facts);
  read_gradient(part_of(record, "gradient", true), facts);
  read_lanes(part_of(record, "lanes", true), facts);
  read_evaluator(part_of(record, "evaluator", true), op);
  read_plan(part_of(record, "fuzz", true), facts);
}

void emit_elementwise_facts(const Table &table, llvm::raw_ostream &out) {
  out << "constexpr Cost kCosts[] = {\n";
  for (const Op &op : table.ops)
    out << "  {" << op.cost.floating << ", " << op.cost.integer << ", "
        << op.cost.complex << "}, // " << op.name << "\n";
  out << "};\n\n";
  for (const Op &op : table.ops)
    if (op.elementwise && !op.elementwise->exact)
      out << "constexpr Accuracy k" << op.kind << "Accuracy = {"
          << llvm::join(op.elementwise->accuracy, ", ") << "};\n";
  out << "\nconstexpr ElementwiseFacts kElementwise[] = {\n";
  for (const Op &op : table.ops) {
    if (!op.elementwise)
      continue;
    const Elementwise &facts = *op.elementwise;
    out << "  {OpKind::" << op.kind << ", " << bits_of(facts.elements, "k")
        << ", " << (facts.exact ? "nullptr" : "&k" + op.kind + "Accuracy")
        << ", " << (facts.has_lanes ? "true" : "false")
        << ", LaneRounding::" << facts.rounding << ", "
        << (facts.keeps_numbers ? "true" : "false") << ", "
        << (facts.from.empty() ? "0" : facts.from) << ", "
        << (facts.to.empty() ? "0" : facts.to) << "},\n";
  }
  out << "};\n";
}

/// Emits one entry per op for each of the macros below. An includer defines the
/// macros that it needs.
void emit_elementwise_functions(const Table &table, llvm::raw_ostream &out) {
  struct Column {
    const char *macro;
    size_t operands; ///< operand count of the ops; 0: any
    std::string Elementwise::*value;
  };
  static constexpr Column columns[] = {
      {"XLAC_GRADIENT_RULE", 0, &Elementwise::gradient},
      {"XLAC_REAL_LANES_1", 1, &Elementwise::lanes},
      {"XLAC_REAL_LANES_2", 2, &Elementwise::lanes},
      {"XLAC_COMPLEX_LANES_1", 1, &Elementwise::complex_lanes},
      {"XLAC_COMPLEX_LANES_2", 2, &Elementwise::complex_lanes},
      {"XLAC_REAL_VALUE_1", 1, &Elementwise::real},
      {"XLAC_REAL_VALUE_2", 2, &Elementwise::real},
      {"XLAC_COMPLEX_VALUE_1", 1, &Elementwise::complex},
      {"XLAC_COMPLEX_VALUE_2", 2, &Elementwise::complex},
      {"XLAC_PREDICATE", 1, &Elementwise::predicate},
      {"XLAC_LIBM_1", 1, &Elementwise::libm},
      {"XLAC_LIBM_2", 2, &Elementwise::libm},
  };
  for (const Column &column : columns) {
    Section section(out, column.macro);
    for (const Op &op : table.ops) {
      if (!op.elementwise ||
          (column.operands && op.operands.size() != column.operands))
        continue;
      const std::string &value = *op.elementwise.*column.value;
      if (!value.empty())
        section.add(op.kind + ", " + value);
    }
  }
  for (auto [macro, lanes] :
       {std::pair("XLAC_NO_REAL_LANES", &Elementwise::lanes),
        std::pair("XLAC_NO_COMPLEX_LANES", &Elementwise::complex_lanes)}) {
    Section section(out, macro);
    for (const Op &op : table.ops)
      if (op.elementwise && op.elementwise->has_lanes &&
          (*op.elementwise.*lanes).empty())
        section.add(op.kind);
  }
  Section section(out, "XLAC_FUZZ_PLAN");
  for (const Op &op : table.ops)
    if (op.elementwise && op.elementwise->weight > 0)
      section.add(op.kind + ", " + std::to_string(op.elementwise->weight) +
                  ", " + op.elementwise->plan + ", " +
                  bits_of(op.elementwise->fuzz_elements, "ops::k"));
}

} // namespace xlac_tblgen
