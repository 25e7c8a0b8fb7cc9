#include "op_table.h"

#include "llvm/Support/raw_ostream.h"

#include <algorithm>

namespace xlac_tblgen {
namespace {

std::string member_type(const Attribute &attribute) {
  return attribute.optional ? "std::optional<" + attribute.cpp_type + ">"
                            : attribute.cpp_type;
}

/// Every member has a default value, so that structs are always initialized.
std::string member_default(const Attribute &attribute, const Table &table) {
  if (attribute.optional)
    return "";
  if (!attribute.default_value.empty())
    return " = " + attribute.default_value;
  const std::string &type = attribute.cpp_type;
  if (type == "bool")
    return " = false";
  if (type == "int64_t" || type == "int32_t" || type == "float")
    return " = 0";
  for (const Enum &one : table.enums)
    if (one.name == type)
      return " = " + type + "::" + one.cases.front().first;
  return "";
}

void emit_visit(const Op &op, const char *qualifier, llvm::raw_ostream &out) {
  out << "  template <class Visitor> void visit(Visitor &&visitor)" << qualifier
      << " {\n";
  for (const Attribute &attribute : op.attributes)
    out << "    visitor(\"" << attribute.name << "\", " << attribute.name
        << ");\n";
  out << "  }\n";
}

} // namespace

void emit_enums(const Table &table, llvm::raw_ostream &out) {
  for (const Enum &one : table.enums) {
    out << "enum class " << one.name << " : uint8_t {";
    for (const auto &[name, value] : one.cases)
      out << " " << name << " = " << value << ",";
    out << " };\n"
        << "std::string_view enum_name(" << one.name << " value);\n"
        << "bool parse_enum(std::string_view name, " << one.name
        << " &value);\n\n";
  }
}

void emit_enum_names(const Table &table, llvm::raw_ostream &out) {
  for (const Enum &one : table.enums) {
    out << "std::string_view enum_name(" << one.name << " value) {\n"
        << "  switch (value) {\n";
    for (const auto &[name, value] : one.cases)
      out << "  case " << one.name << "::" << name << ": return \"" << name
          << "\";\n";
    out << "  }\n  return \"?\";\n}\n"
        << "bool parse_enum(std::string_view name, " << one.name
        << " &value) {\n";
    for (const auto &[name, value] : one.cases)
      out << "  if (name == \"" << name
          << "\")\n    return value = " << one.name << "::" << name
          << ", true;\n";
    out << "  return false;\n}\n\n";
  }
}

void emit_attributes(const Table &table, llvm::raw_ostream &out) {
  for (const Op &op : table.ops) {
    if (op.attributes.empty())
      continue;
    out << "/// Attributes of " << op.name << ".\nstruct " << op.kind
        << "Attributes {\n  static constexpr OpKind kKind = OpKind::" << op.kind
        << ";\n";
    for (const Attribute &attribute : op.attributes)
      out << "  " << member_type(attribute) << " " << attribute.name
          << member_default(attribute, table) << ";\n";
    out << "  bool operator==(const " << op.kind
        << "Attributes &) const = default;\n";
    emit_visit(op, " const", out);
    emit_visit(op, "", out);
    out << "};\n\n";
  }
}

void emit_dispatch(const Table &table, llvm::raw_ostream &out) {
  out << "template <class Visitor>\nvoid dispatch(OpKind kind, Visitor "
         "&&visitor) {\n  switch (kind) {\n";
  for (const Op &op : table.ops)
    if (!op.attributes.empty())
      out << "  case OpKind::" << op.kind << ":\n    return visitor(std::"
          << "type_identity<" << op.kind << "Attributes>());\n";
  out << "  default:\n    return;\n  }\n}\n";
}

} // namespace xlac_tblgen
