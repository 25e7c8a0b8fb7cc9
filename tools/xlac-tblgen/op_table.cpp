#include "op_table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

#include <algorithm>

using llvm::Record;
using llvm::StringRef;

namespace xlac_tblgen {
namespace {

StringRef text_of(const Record *record, StringRef field) {
  const llvm::RecordVal *value = record->getValue(field);
  if (!value)
    return "";
  auto *init = llvm::dyn_cast<llvm::StringInit>(value->getValue());
  return init ? init->getValue().trim() : StringRef();
}

const Record *record_of(const Record *record, StringRef field) {
  const llvm::RecordVal *value = record->getValue(field);
  if (!value)
    return nullptr;
  auto *init = llvm::dyn_cast<llvm::DefInit>(value->getValue());
  return init ? init->getDef() : nullptr;
}

bool bit_of(const Record *record, StringRef field) {
  return record->getValue(field) && record->getValueAsBit(field);
}

bool names_enum(const Record *record) {
  return record->isSubClassOf("EnumInfo");
}

/// Returns the text after the last "::".
std::string last_name(StringRef name) {
  size_t position = name.rfind("::");
  return (position == StringRef::npos ? name : name.substr(position + 2)).str();
}

/// Returns the C++ type of a stablehlo or chlo attribute class: its name
/// without Attr.
std::string plain_struct(StringRef storage) {
  std::string name = last_name(storage);
  StringRef plain = name;
  plain.consume_back("Attr");
  return plain.str();
}

void classify(const Record *base, Attribute &attribute);

/// An array becomes a vector of its element type, or opaque if that is unknown.
void classify_array(const Record *base, Attribute &attribute) {
  const Record *element = record_of(base, "elementAttr");
  StringRef held = element ? text_of(element, "storageType") : "";
  if (held.empty() || held == "::mlir::Attribute") {
    attribute.cpp_type = "OpaqueAttribute";
    return;
  }
  Attribute inner;
  classify(element, inner);
  attribute.cpp_type = "std::vector<" + inner.cpp_type + ">";
  if (inner.form == Form::Enum) {
    attribute.form = Form::EnumArray;
    attribute.attr_class = inner.attr_class;
  }
}

void classify(const Record *base, Attribute &attribute) {
  StringRef storage = text_of(base, "storageType");
  if (const Record *held = record_of(base, "enum")) {
    attribute.form = Form::Enum;
    attribute.cpp_type = text_of(held, "className").str();
    attribute.attr_class = storage.str();
  } else if (names_enum(base)) {
    attribute.form = Form::IntegerEnum;
    attribute.cpp_type = text_of(base, "className").str();
  } else if (storage == "::mlir::UnitAttr") {
    attribute.form = Form::Unit;
    attribute.cpp_type = "bool";
    attribute.default_value = "false";
    attribute.has_default = true;
    attribute.optional = false;
  } else if (storage == "::mlir::BoolAttr") {
    attribute.cpp_type = "bool";
  } else if (storage == "::mlir::IntegerAttr") {
    const Record *value = record_of(base, "valueType");
    bool narrow = value && value->getName() == "I32";
    attribute.cpp_type = narrow ? "int32_t" : "int64_t";
  } else if (storage == "::mlir::FloatAttr") {
    attribute.cpp_type = "float";
  } else if (storage == "::mlir::StringAttr") {
    attribute.cpp_type = "std::string";
  } else if (storage == "::mlir::FlatSymbolRefAttr") {
    attribute.cpp_type = "SymbolName";
  } else if (storage == "::mlir::DenseI64ArrayAttr") {
    attribute.cpp_type = "std::vector<int64_t>";
  } else if (storage == "::mlir::DenseBoolArrayAttr") {
    attribute.cpp_type = "std::vector<bool>";
  } else if (storage == "::mlir::DenseIntElementsAttr") {
    attribute.cpp_type = "IntElements";
  } else if (storage == "::mlir::ElementsAttr" ||
             storage == "::mlir::TypedAttr") {
    attribute.cpp_type = "DenseElements";
  } else if (storage == "::mlir::ArrayAttr") {
    classify_array(base, attribute);
  } else if (base->getName() == "Stablehlo_ReplicaGroups") {
    attribute.cpp_type = "ReplicaGroups";
  } else if (storage == "::mlir::DictionaryAttr" ||
             storage == "::mlir::Attribute") {
    attribute.cpp_type = "OpaqueAttribute";
  } else if (storage.starts_with("::xlac::stablehlo::") ||
             storage.starts_with("::xlac::chlo::")) {
    attribute.cpp_type = plain_struct(storage);
  } else {
    llvm::PrintFatalError(base, "attribute storage '" + storage.str() +
                                    "' has no plain C++ type in xlac-tblgen");
  }
}

/// Returns the C++ initializer for a default of the td file.
std::string initializer(const Attribute &attribute, StringRef value) {
  if (attribute.form == Form::Enum || attribute.form == Form::IntegerEnum)
    return attribute.cpp_type + "::" + last_name(value);
  if (attribute.cpp_type == "bool" || attribute.cpp_type == "int64_t" ||
      attribute.cpp_type == "int32_t")
    return value.str();
  return "";
}

Attribute read_attribute(const Record *record, StringRef name) {
  Attribute attribute;
  attribute.name = name.str();
  const Record *base = record;
  StringRef value;
  bool optional = false;
  while (const Record *inner = record_of(base, "baseAttr")) {
    StringRef given = text_of(base, "defaultValue");
    if (!given.empty()) {
      value = given;
      attribute.has_default = true;
    }
    optional |= bit_of(base, "isOptional");
    base = inner;
  }
  if (record->isSubClassOf("DefaultValuedStrAttr") ||
      record->isSubClassOf("DefaultValuedOptionalStrAttr"))
    attribute.has_default = true;
  attribute.optional = optional && !attribute.has_default;
  classify(base, attribute);
  if (attribute.has_default && attribute.default_value.empty())
    attribute.default_value = initializer(attribute, value);
  return attribute;
}

Operand read_operand(const Record *record, StringRef name) {
  Operand operand;
  operand.name = name.str();
  if (record->isSubClassOf("Variadic") || record->isSubClassOf("Optional")) {
    operand.variadic = true;
    record = record->getValueAsDef("baseType");
  }
  StringRef type = record->getName();
  operand.sizes = type.ends_with("DimensionTensor");
  if (type.ends_with("Tensor"))
    operand.category = "Tensor";
  else if (type.ends_with("Token"))
    operand.category = "Token";
  else
    operand.category = "Any";
  return operand;
}

void read_arguments(const Record *record, Op &op) {
  const llvm::DagInit *arguments = record->getValueAsDag("arguments");
  for (unsigned i = 0; i < arguments->getNumArgs(); ++i) {
    const Record *argument =
        llvm::cast<llvm::DefInit>(arguments->getArg(i))->getDef();
    StringRef name = arguments->getArgNameStr(i);
    if (argument->isSubClassOf("AttrConstraint"))
      op.attributes.push_back(read_attribute(argument, name));
    else
      op.operands.push_back(read_operand(argument, name));
  }
  const llvm::DagInit *results = record->getValueAsDag("results");
  for (unsigned i = 0; i < results->getNumArgs(); ++i)
    op.results.push_back(
        read_operand(llvm::cast<llvm::DefInit>(results->getArg(i))->getDef(),
                     results->getArgNameStr(i)));
}

void read_traits(const Record *record, Op &op) {
  auto segments = [&op](StringRef name) {
    Attribute attribute;
    attribute.name = name.str();
    attribute.cpp_type = "std::vector<int32_t>";
    op.attributes.push_back(attribute);
  };
  for (const llvm::Init *init :
       record->getValueAsListInit("traits")->getElements()) {
    StringRef name = llvm::cast<llvm::DefInit>(init)->getDef()->getName();
    op.commutative |= name == "Commutative";
    op.terminator |= name == "Terminator";
    if (name == "AttrSizedOperandSegments")
      segments("operandSegmentSizes");
    if (name == "AttrSizedResultSegments")
      segments("resultSegmentSizes");
  }
}

std::vector<std::string> strings_of(const Record *record, StringRef field) {
  std::vector<std::string> strings;
  for (StringRef one : record->getValueAsListOfStrings(field))
    strings.push_back(one.str());
  return strings;
}

void read_vhlo(const Record *record, Op &op) {
  for (const Record *one : record->getValueAsListOfDefs("vhlo"))
    op.vhlo.push_back({text_of(one, "since").str(), strings_of(one, "added"),
                       bit_of(one, "oneValue"), bit_of(one, "hasRegions"),
                       text_of(one, "retired").str(),
                       text_of(one, "behind").str()});
  op.vhlo_without = strings_of(record, "vhloWithout");
}

/// Returns the type of an attribute's parameter.
std::string parameter_type(const llvm::Init *parameter) {
  if (auto *text = llvm::dyn_cast<llvm::StringInit>(parameter))
    return text->getValue().str();
  const Record *record = llvm::cast<llvm::DefInit>(parameter)->getDef();
  StringRef stored = text_of(record, "cppStorageType");
  return (stored.empty() ? text_of(record, "cppType") : stored).str();
}

FlattenedAttribute read_spread(const Record *record) {
  FlattenedAttribute spread;
  spread.name = plain_struct(text_of(record, "cppClassName"));
  std::vector<std::string> names = strings_of(record, "vhloFields");
  const llvm::DagInit *parameters = record->getValueAsDag("parameters");
  for (unsigned i = 0; i < parameters->getNumArgs(); ++i) {
    std::string name = parameters->getArgNameStr(i).str();
    spread.fields.push_back({name, names.empty() ? name : names.at(i),
                             parameter_type(parameters->getArg(i))});
  }
  return spread;
}

Op read_op(const Record *record) {
  Op op;
  StringRef dialect = text_of(record->getValueAsDef("opDialect"), "name");
  StringRef mnemonic = text_of(record, "opName");
  op.name = (dialect + "." + mnemonic).str();
  op.kind = (dialect == "stablehlo" ? "" : camel_case(dialect)) +
            camel_case(mnemonic);
  op.op_class = camel_case(text_of(record->getValueAsDef("kind"), "name"));
  StringRef rule = text_of(record, "shapeRule");
  op.rule = (rule.empty() ? mnemonic : rule).str();
  op.inferable = bit_of(record, "inferable");
  op.side_effects = bit_of(record, "sideEffects");
  read_arguments(record, op);
  read_traits(record, op);
  read_vhlo(record, op);
  read_elementwise(record, op);
  const llvm::DagInit *regions = record->getValueAsDag("regions");
  for (unsigned i = 0; i < regions->getNumArgs(); ++i) {
    const Record *region =
        llvm::cast<llvm::DefInit>(regions->getArg(i))->getDef();
    if (region->isSubClassOf("VariadicRegion"))
      op.variadic_regions = true;
    else
      ++op.regions;
  }
  return op;
}

Enum read_enum(const Record *record) {
  Enum result;
  result.name = text_of(record, "className").str();
  for (const Record *one : record->getValueAsListOfDefs("enumerants"))
    result.cases.push_back(
        {text_of(one, "symbol").str(), one->getValueAsInt("value")});
  return result;
}

} // namespace

std::string camel_case(StringRef name) {
  std::string result;
  bool upper = true;
  for (char c : name) {
    if (c == '_' || c == '-') {
      upper = true;
      continue;
    }
    result += upper ? llvm::toUpper(c) : c;
    upper = false;
  }
  return result;
}

Table read_table(const llvm::RecordKeeper &records) {
  Table table;
  for (const Record *record : records.getAllDerivedDefinitions("Xlac_OpFacts"))
    table.ops.push_back(read_op(record));
  std::ranges::sort(table.ops, {}, &Op::kind);
  for (const Record *record : records.getAllDerivedDefinitions("EnumInfo")) {
    StringRef space = text_of(record, "cppNamespace");
    if (space != "::xlac::stablehlo" && space != "::xlac::chlo")
      continue;
    Enum next = read_enum(record);
    // CHLO duplicates some enums under the same names.
    if (std::ranges::find(table.enums, next.name, &Enum::name) ==
        table.enums.end())
      table.enums.push_back(std::move(next));
  }
  std::ranges::sort(table.enums, {}, &Enum::name);
  for (const Record *record :
       records.getAllDerivedDefinitions("Stablehlo_SpreadAttr"))
    table.spreads.push_back(read_spread(record));
  std::ranges::sort(table.spreads, {}, &FlattenedAttribute::name);
  return table;
}

} // namespace xlac_tblgen
