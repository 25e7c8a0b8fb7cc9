#include "op_table.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

#include <algorithm>

using llvm::StringRef;

namespace xlac_tblgen {
namespace {

/// An attribute of a VHLO op and its source.
struct VhloAttribute {
  std::string name, source, form = "Value", spread = "None";
  size_t field = 0;
  bool optional = false;
};

bool contains(const std::vector<std::string> &names, const std::string &name) {
  return llvm::is_contained(names, name);
}

/// Returns the form of the attribute in this dialect where VHLO has a simpler
/// value.
std::string form_of(const Attribute &attribute) {
  if (attribute.form == Form::Unit)
    return "Unit";
  if (attribute.form == Form::IntegerEnum)
    return "ApiVersion";
  if (attribute.cpp_type == "SymbolName")
    return "Symbol";
  if (attribute.cpp_type == "std::vector<SymbolName>")
    return "Symbols";
  if (attribute.cpp_type == "std::vector<int64_t>")
    return "Integers";
  if (attribute.cpp_type == "std::vector<bool>")
    return "Booleans";
  return "Value";
}

std::vector<VhloAttribute> attributes_of(const Op &op, const Table &table) {
  std::vector<VhloAttribute> result;
  for (const Attribute &attribute : op.attributes) {
    bool may_miss = attribute.optional || attribute.has_default;
    auto spread = std::ranges::find(table.spreads, attribute.cpp_type,
                                    &FlattenedAttribute::name);
    if (spread == table.spreads.end()) {
      result.push_back({attribute.name, attribute.name, form_of(attribute),
                        "None", 0, may_miss});
      continue;
    }
    for (size_t i = 0; i < spread->fields.size(); ++i)
      if (!contains(op.vhlo_without, spread->fields[i].vhlo_name))
        result.push_back({spread->fields[i].vhlo_name, attribute.name, "Field",
                          spread->name, i, may_miss});
  }
  return result;
}

/// Returns the attributes of the op's form `number`.
std::vector<VhloAttribute>
attributes_of_form(const Op &op, size_t number,
                   const std::vector<VhloAttribute> &all) {
  std::vector<VhloAttribute> result;
  for (const VhloAttribute &attribute : all) {
    bool later = false;
    for (size_t i = number + 1; i < op.vhlo.size(); ++i)
      later |= contains(op.vhlo[i].added, attribute.name) ||
               contains(op.vhlo[i].added, attribute.source);
    if (later)
      continue;
    result.push_back(attribute);
    const VhloForm &form = op.vhlo[number];
    if (!form.retired.empty() && attribute.name == form.behind)
      result.push_back({form.retired, "", "Retired"});
  }
  return result;
}

std::string version_text(StringRef version) {
  std::string text = version.str();
  std::ranges::replace(text, '.', ',');
  return "{" + text + "}";
}

void emit_attribute_list(const std::string &kind,
                         const std::vector<VhloAttribute> &attributes,
                         llvm::raw_ostream &out) {
  if (attributes.empty())
    return;
  out << "constexpr AttributeFacts k" << kind << "[] = {";
  for (const VhloAttribute &one : attributes)
    out << "\n  {\"" << one.name << "\", \"" << one.source
        << "\", AttributeForm::" << one.form
        << ", FlattenedAttribute::" << one.spread << ", " << one.field << ", "
        << (one.optional ? "true" : "false") << "},";
  out << "};\n";
}

std::string row_of(const Op &op, size_t number, const std::string &kind,
                   bool has_attributes) {
  const VhloForm &form = op.vhlo[number];
  const char *booleans[] = {"false", "true"};
  std::string last = number + 1 < op.vhlo.size()
                         ? version_text(op.vhlo[number + 1].since)
                         : "kNoVersion";
  return "  {\"" + StringRef(op.name).split('.').second.str() + "_v" +
         std::to_string(number + 1) + "\", \"" + op.name + "\", " +
         version_text(form.since) + ", " + last + ", " +
         (has_attributes ? "k" + kind : "{}") + ", " +
         std::to_string(form.has_regions ? op.regions : 0) + ", " +
         booleans[op.variadic_regions && form.has_regions] + ", " +
         booleans[form.one_value] + ", " + booleans[op.terminator] + "},\n";
}

} // namespace

void emit_vhlo_ops(const Table &table, llvm::raw_ostream &out) {
  out << "#ifdef XLAC_VHLO_SPREADS\nenum class FlattenedAttribute : uint8_t "
         "{\n  None,\n";
  for (const FlattenedAttribute &spread : table.spreads)
    out << "  " << spread.name << ",\n";
  out << "};\n#else\n";
  std::string rows;
  for (const Op &op : table.ops) {
    std::vector<VhloAttribute> all = attributes_of(op, table);
    for (size_t i = 0; i < op.vhlo.size(); ++i) {
      std::string kind = op.kind + "V" + std::to_string(i + 1);
      std::vector<VhloAttribute> own = attributes_of_form(op, i, all);
      emit_attribute_list(kind, own, out);
      rows += row_of(op, i, kind, !own.empty());
    }
  }
  out << "\nconstexpr OpFacts kOps[] = {\n" << rows << "};\n#endif\n";
}

void emit_vhlo_fields(const Table &table, llvm::raw_ostream &out) {
  out << "static Fields spread(Attribute attribute) {\n"
         "  Builder builder(attribute.getContext());\n";
  for (const FlattenedAttribute &spread : table.spreads) {
    out << "  if (auto one = dyn_cast<stablehlo::" << spread.name
        << "Attr>(attribute))\n    return {";
    for (const FlattenedAttribute::Field &field : spread.fields)
      out << "\n        toField(builder, one.get" << camel_case(field.name)
          << "()),";
    out << "};\n";
  }
  out << "  return {};\n}\n\n"
         "static Attribute gather(FlattenedAttribute kind, MLIRContext "
         "*context,\n"
         "                        ArrayRef<Attribute> fields) {\n"
         "  switch (kind) {\n  case FlattenedAttribute::None:\n    return "
         "{};\n";
  for (const FlattenedAttribute &spread : table.spreads) {
    out << "  case FlattenedAttribute::" << spread.name << ": {\n";
    for (const FlattenedAttribute::Field &field : spread.fields)
      out << "    " << field.cpp_type << " " << field.name << " = {};\n";
    out << "    if (fields.size() != " << spread.fields.size();
    for (size_t i = 0; i < spread.fields.size(); ++i)
      out << " ||\n        !fromField(fields[" << i << "], "
          << spread.fields[i].name << ")";
    out << ")\n      return {};\n    return stablehlo::" << spread.name
        << "Attr::get(context";
    for (const FlattenedAttribute::Field &field : spread.fields)
      out << ",\n        " << field.name;
    out << ");\n  }\n";
  }
  out << "  }\n  return {};\n}\n";
}

} // namespace xlac_tblgen
