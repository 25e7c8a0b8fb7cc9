// The table by which tests call functions: one entry per overload, for
// tests/unit/tensor/dispatch.h.
#include "function_table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace xlac_tblgen {
namespace {

std::string default_of(const Parameter &parameter) {
  std::string type = plain_type(parameter.type);
  llvm::StringRef text = parameter.default_value;
  return text.starts_with("{") ? type + text.str()
                               : type + "(" + text.str() + ")";
}

/// Returns the argument `index`, converted to the parameter's type.
std::string argument_of(const Parameter &parameter, size_t index) {
  std::string slot = "a[" + std::to_string(index) + "]";
  std::string taken = "take<" + plain_type(parameter.type) + ">(" + slot + ")";
  if (parameter.default_value.empty())
    return taken;
  return "is_given(" + slot + ") ? " + taken + " : " + default_of(parameter);
}

/// The lambda starts with copies of the handles that the function writes
/// through.
std::string written_operands(const Function &function, bool self_too) {
  std::string text;
  for (size_t i = 0; i < function.parameters.size(); ++i)
    if (function.parameters[i].type == "Tensor &" ||
        (self_too && i == function.self))
      text += "Tensor written" + std::to_string(i) + " = take<Tensor>(a[" +
              std::to_string(i) + "]); ";
  return text;
}

std::string arguments_of(const Function &function, bool as_method) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < function.parameters.size(); ++i) {
    if (as_method && i == function.self)
      continue;
    texts.push_back(function.parameters[i].type == "Tensor &"
                        ? "written" + std::to_string(i)
                        : argument_of(function.parameters[i], i));
  }
  return llvm::join(texts, ", ");
}

void emit_call(const Function &function, llvm::raw_ostream &out) {
  out << "    [](const Slots &a) { " << written_operands(function, false)
      << "return results(" << qualified_name(function) << "("
      << arguments_of(function, false) << ")); },\n";
}

void emit_in_place(const Function &function, llvm::raw_ostream &out) {
  if (!function.in_place) {
    out << "    nullptr,\n";
    return;
  }
  out << "    [](const Slots &a) { " << written_operands(function, true)
      << "return results(written" << function.self << "." << function.name
      << "_(" << arguments_of(function, true) << ")); },\n";
}

void emit_out(const Function &function, const Functions &all,
              llvm::raw_ostream &out) {
  for (const OutForm &form : out_forms(function, all)) {
    if (form.parameters.size() != function.parameters.size() + form.results)
      continue;
    std::string arguments = arguments_of(function, false);
    out << "    [](const Slots &a, std::vector<Tensor> &out) { return results("
        << qualified_name(function) << "(" << arguments;
    for (size_t i = 0; i < form.results; ++i)
      out << (i || !arguments.empty() ? ", " : "") << "out[" << i << "]";
    out << ")); }";
    return;
  }
  out << "    nullptr";
}

} // namespace

void emit_function_dispatch(const Functions &all, llvm::StringRef family,
                            llvm::raw_ostream &out) {
  out << "#include \"dispatch.h\"\n\nnamespace xlac::dispatch {\n\n"
      << "void add_" << family << "([[maybe_unused]] Table &table) {\n";
  for (const Function &function : all) {
    if (function.family != family)
      continue;
    out << "  table.push_back({\"" << qualified_name(function).substr(6)
        << "\", \"" << family << "\", {";
    for (const Parameter &parameter : function.parameters)
      out << "{\"" << parameter.name << "\", fit<" << plain_type(parameter.type)
          << ">, " << (parameter.default_value.empty() ? "false" : "true")
          << "}, ";
    out << "}, " << function.self << ",\n";
    emit_call(function, out);
    emit_in_place(function, out);
    emit_out(function, all, out);
    out << "});\n";
  }
  out << "}\n\n} // namespace xlac::dispatch\n";
}

} // namespace xlac_tblgen
