#include "op_table.h"

#include "llvm/Support/raw_ostream.h"

namespace xlac_tblgen {
namespace {

/// Returns the function of AttributeReader and AttributeWriter for an
/// attribute's form.
std::string function(const Attribute &attribute) {
  switch (attribute.form) {
  case Form::Plain:
    return "value";
  case Form::Unit:
    return "unit";
  case Form::Enum:
    return "enumeration<" + attribute.attr_class + ">";
  case Form::IntegerEnum:
    return "integerEnum";
  case Form::EnumArray:
    return "enumArray<" + attribute.attr_class + ">";
  }
  return "";
}

} // namespace

void emit_conversion(const Table &table, llvm::raw_ostream &out) {
  for (const Op &op : table.ops) {
    if (op.attributes.empty())
      continue;
    std::string type = "ops::" + op.kind + "Attributes";
    out << "[[maybe_unused]] static bool read(AttributeReader &in, " << type
        << " &to) {\n  return true";
    for (const Attribute &attribute : op.attributes) {
      bool may_miss = attribute.optional || attribute.has_default;
      out << " &&\n         in." << function(attribute) << "(\""
          << attribute.name << "\", to." << attribute.name
          << (may_miss ? ", true" : ", false") << ")";
    }
    out << ";\n}\n[[maybe_unused]] static void write(AttributeWriter &out, "
           "const "
        << type << " &from) {\n";
    if (op.attributes.size())
      out << "  const " << type << " initial;\n";
    for (const Attribute &attribute : op.attributes) {
      out << "  ";
      if (attribute.has_default)
        out << "if (!(from." << attribute.name << " == initial."
            << attribute.name << "))\n    ";
      out << "out." << function(attribute) << "(\"" << attribute.name
          << "\", from." << attribute.name << ");\n";
    }
    out << "  (void)initial;\n}\n\n";
  }
}

} // namespace xlac_tblgen
