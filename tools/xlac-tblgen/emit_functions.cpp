#include "function_table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

namespace xlac_tblgen {
namespace {

constexpr size_t kColumns = 80;

/// Emits `text` as lines that begin with `prefix`.
void emit_comment(const std::string &text, llvm::StringRef prefix,
                  llvm::raw_ostream &out) {
  llvm::SmallVector<llvm::StringRef> words;
  llvm::SplitString(text, words);
  std::string line;
  for (llvm::StringRef word : words) {
    if (!line.empty() &&
        prefix.size() + line.size() + 1 + word.size() > kColumns) {
      out << prefix << line << '\n';
      line.clear();
    }
    line += (line.empty() ? "" : " ") + word.str();
  }
  if (!line.empty())
    out << prefix << line << '\n';
}

/// Emits "head(a, b)tail" with line breaks after commas.
void emit_call_line(const std::string &head, const std::string &arguments,
                    llvm::StringRef tail, llvm::StringRef indent,
                    llvm::raw_ostream &out) {
  std::string line = indent.str() + head + "(";
  llvm::StringRef rest = arguments;
  while (!rest.empty()) {
    // Commas inside of brackets are break points only for very long types.
    size_t end = rest.find(", ");
    std::string piece =
        rest.take_front(end == rest.npos ? rest.size() : end + 1).str();
    rest = end == rest.npos ? "" : rest.drop_front(end + 2);
    bool fits =
        line.size() + piece.size() + 1 + (rest.empty() ? tail.size() : 0) <=
        kColumns;
    if (!fits) {
      out << llvm::StringRef(line).rtrim() << '\n';
      line = indent.str() + "    ";
    }
    line += piece + (rest.empty() ? "" : " ");
  }
  out << line << ')' << tail << '\n';
}

std::string joined(const std::string &type, const std::string &name) {
  return type + (llvm::StringRef(type).ends_with("&") ? "" : " ") + name;
}

std::string out_result(const OutForm &form) {
  if (form.results == 1)
    return "Tensor &";
  std::vector<std::string> types(form.results, "Tensor &");
  return "std::tuple<" + llvm::join(types, ", ") + ">";
}

/// Returns a call of the function, with *this for the parameter `self`.
std::string call_of(const Function &function, size_t count, bool is_method) {
  std::vector<std::string> arguments;
  for (size_t i = 0; i < count; ++i)
    arguments.push_back(is_method && i == function.self
                            ? "*this"
                            : function.parameters[i].name);
  return qualified_name(function) + "(" + llvm::join(arguments, ", ") + ")";
}

/// Returns the comment of the overload that writes to `form`'s last parameters.
std::string out_doc(const Function &function, const OutForm &form) {
  bool several = form.results > 1;
  std::string names;
  for (size_t i = form.parameters.size() - form.results;
       i < form.parameters.size(); ++i)
    names += (names.empty() ? "`" : ", `") + form.parameters[i].name + "`";
  return "Writes the result" + std::string(several ? "s" : "") + " of `" +
         function.name + "` to " + names +
         (several ? ", each in its own dtype, and resizes those whose shapes "
                    "differ. Throws UserError where autograd would record the "
                    "write."
                  : " in its dtype, and resizes it if its shape differs. "
                    "Throws UserError where autograd would record the write.");
}

/// Returns the comment of the method that writes the result to its tensor.
std::string in_place_doc(const Function &function) {
  return "Writes the result of `" + function.name +
         "` to this tensor, which keeps its dtype, shape and device, and "
         "returns it. Throws DtypeError or ShapeError if the result does not "
         "fit.";
}

/// True for a function that modifies self, as fill_ does.
bool changes_self(const Function &function) {
  return function.result == "Tensor &";
}

void emit_method_definition(const Function &function, llvm::raw_ostream &out) {
  emit_call_line(joined(function.result, "Tensor::" + function.name),
                 parameter_list(function.parameters, false, function.self),
                 changes_self(function) ? " {" : " const {", "", out);
  out << "  XLAC_CALL(\"" << function.name << "\");\n  return "
      << call_of(function, function.parameters.size(), true) << ";\n}\n";
}

void emit_in_place_definition(const Function &function,
                              llvm::raw_ostream &out) {
  emit_call_line("Tensor &Tensor::" + function.name + "_",
                 parameter_list(function.parameters, false, function.self),
                 " {", "", out);
  out << "  XLAC_CALL(\"" << function.name
      << "_\");\n  return frontend::assign(*this, "
      << call_of(function, function.parameters.size(), true) << ");\n}\n";
}

void emit_out_definition(const Function &function, const OutForm &form,
                         llvm::raw_ostream &out) {
  if (!function.cxx_namespace.empty())
    out << "namespace " << function.cxx_namespace << " {\n";
  emit_call_line(joined(out_result(form), function.name),
                 parameter_list(form.parameters, false), " {", "", out);
  size_t given = form.parameters.size() - form.results;
  out << "  XLAC_CALL(\"" << function.name
      << "\");\n  return frontend::assign_out(";
  if (form.results > 1) {
    out << "std::tie(";
    for (size_t i = 0; i < form.results; ++i)
      out << (i ? ", " : "") << form.parameters[given + i].name;
    out << ")";
  } else {
    out << form.parameters[given].name;
  }
  out << ", " << call_of(function, given, false) << ");\n}\n";
  if (!function.cxx_namespace.empty())
    out << "} // namespace " << function.cxx_namespace << "\n";
}

std::string variants_of(const Function &function) {
  std::vector<std::string> words;
  if (function.method)
    words.push_back("method");
  if (function.in_place)
    words.push_back("`" + function.name + "_`");
  if (function.out)
    words.push_back("`out`");
  return llvm::join(words, ", ");
}

} // namespace

void emit_function_declarations(const Functions &all, llvm::raw_ostream &out) {
  std::string open;
  auto enter = [&](const std::string &name) {
    if (name == open)
      return;
    if (!open.empty())
      out << "} // namespace " << open << "\n";
    if (!name.empty())
      out << "namespace " << name << " {\n";
    open = name;
  };
  for (const Function &function : all) {
    enter(function.cxx_namespace);
    emit_comment(function.doc, "/// ", out);
    emit_call_line("XLAC_API " + joined(function.result, function.name),
                   parameter_list(function.parameters, true), ";", "", out);
    for (const OutForm &form : out_forms(function, all)) {
      emit_comment(out_doc(function, form), "/// ", out);
      emit_call_line("XLAC_API " + joined(out_result(form), function.name),
                     parameter_list(form.parameters, false), ";", "", out);
    }
  }
  enter("");
}

void emit_methods(const Functions &all, llvm::raw_ostream &out) {
  for (const Function &function : all) {
    std::string arguments =
        parameter_list(function.parameters, true, function.self);
    if (function.method) {
      emit_comment(function.doc, "  /// ", out);
      emit_call_line(joined(function.result, function.name), arguments,
                     changes_self(function) ? ";" : " const;", "  ", out);
    }
    if (function.in_place) {
      emit_comment(in_place_doc(function), "  /// ", out);
      emit_call_line("Tensor &" + function.name + "_", arguments, ";", "  ",
                     out);
    }
  }
}

void emit_function_definitions(const Functions &all, llvm::StringRef family,
                               llvm::raw_ostream &out) {
  out << "#include \"xlac/tensor/assign.h\"\n\nnamespace xlac {\n\n";
  for (const Function &function : all) {
    if (function.family != family)
      continue;
    if (function.method)
      emit_method_definition(function, out);
    if (function.in_place)
      emit_in_place_definition(function, out);
    for (const OutForm &form : out_forms(function, all))
      emit_out_definition(function, form, out);
  }
  out << "\n} // namespace xlac\n";
}

void emit_function_docs(const Functions &all, llvm::raw_ostream &out) {
  out << "# Functions\n\nThe front end's functions by family, as the tables in "
         "lib/tensor/functions have them. Each is a free function of namespace "
         "`xlac`; the last column names its other forms: the method of "
         "`Tensor`, the method that writes the result into its tensor, and the "
         "overload that ends with `Tensor &out`. `./dev docs` writes this "
         "page.\n";
  std::string family;
  for (const Function &function : all) {
    if (function.family != family) {
      family = function.family;
      std::string title = family;
      std::replace(title.begin(), title.end(), '_', ' ');
      out << "\n## " << title
          << "\n\n| function | result | other forms |\n|---|---|---|\n";
    }
    std::string name = qualified_name(function).substr(6);
    std::string doc = function.doc;
    for (size_t at = 0; (at = doc.find('|', at)) != doc.npos; at += 2)
      doc.insert(at, "\\");
    out << "| `" << joined(function.result, name) << '('
        << parameter_list(function.parameters, true) << ")` | " << doc << " | "
        << variants_of(function) << " |\n";
  }
}

} // namespace xlac_tblgen
