#include "function_table.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/TableGen/Error.h"
#include "llvm/TableGen/Record.h"

#include <algorithm>

using llvm::Record;
using llvm::StringRef;

namespace xlac_tblgen {
namespace {

bool is_name_character(char c) { return llvm::isAlnum(c) || c == '_'; }

/// Splits "const Tensor &self" into type and trailing name.
std::pair<std::string, std::string> split_name(StringRef text) {
  text = text.trim();
  size_t begin = text.size();
  while (begin > 0 && is_name_character(text[begin - 1]))
    --begin;
  return {text.take_front(begin).trim().str(), text.drop_front(begin).str()};
}

/// Splits at separators that are outside of brackets.
std::vector<StringRef> split_outside(StringRef text, char separator) {
  std::vector<StringRef> pieces;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    if (StringRef("<({[").contains(text[i]))
      ++depth;
    else if (StringRef(">)}]").contains(text[i]))
      --depth;
    else if (text[i] == separator && depth == 0) {
      pieces.push_back(text.slice(begin, i).trim());
      begin = i + 1;
    }
  }
  if (!text.drop_front(begin).trim().empty())
    pieces.push_back(text.drop_front(begin).trim());
  return pieces;
}

/// Returns the position of the bracket that the last character closes.
size_t opening_bracket(StringRef text) {
  int depth = 0;
  for (size_t i = text.size(); i-- > 0;) {
    depth += (text[i] == ')') - (text[i] == '(');
    if (depth == 0)
      return i;
  }
  return StringRef::npos;
}

/// Collapses whitespace to single spaces.
std::string in_one_line(StringRef text) {
  llvm::SmallVector<StringRef> words;
  llvm::SplitString(text, words);
  return llvm::join(words, " ");
}

void parse_declaration(const std::string &text, Function &function) {
  size_t open =
      StringRef(text).ends_with(")") ? opening_bracket(text) : StringRef::npos;
  if (open == StringRef::npos)
    llvm::PrintFatalError(function.record,
                          "expected 'type name(parameters)', got " + text);
  std::tie(function.result, function.name) =
      split_name(StringRef(text).take_front(open));
  if (function.result.empty() || function.name.empty())
    llvm::PrintFatalError(function.record,
                          "no result type or no name in " + text);
  StringRef inside = StringRef(text).slice(open + 1, text.size() - 1);
  for (StringRef piece : split_outside(inside, ',')) {
    std::vector<StringRef> sides = split_outside(piece, '=');
    Parameter parameter;
    std::tie(parameter.type, parameter.name) = split_name(sides[0]);
    if (parameter.type.empty() || parameter.name.empty())
      llvm::PrintFatalError(function.record,
                            "a parameter without type or name: " + piece);
    if (sides.size() > 1)
      parameter.default_value = sides[1].str();
    function.parameters.push_back(std::move(parameter));
  }
}

bool is_tensor(const Parameter &parameter) {
  return plain_type(parameter.type) == "Tensor";
}

void read_variants(Function &function) {
  for (const Record *variant :
       function.record->getValueAsListOfDefs("variants")) {
    function.method |= variant->getName() == "Method";
    function.in_place |= variant->getName() == "InPlace";
    function.out |= variant->getName() == "Out";
  }
  for (size_t i = 0; i < function.parameters.size(); ++i)
    if (function.parameters[i].name == "self")
      function.self = i;
  bool has_self = !function.parameters.empty() &&
                  is_tensor(function.parameters[function.self]);
  if ((function.method || function.in_place) && !has_self)
    llvm::PrintFatalError(function.record,
                          "a method needs a tensor as its first parameter "
                          "or one named self");
  if (function.in_place && function.result != "Tensor")
    llvm::PrintFatalError(function.record,
                          "only a function with one tensor as its result "
                          "has an in-place form");
  bool tensors = function.result == "Tensor" ||
                 StringRef(function.result).starts_with("std::tuple<Tensor");
  if (function.out && !tensors)
    llvm::PrintFatalError(function.record,
                          "only tensors can be written to `out`");
}

bool same_types(const std::vector<Parameter> &a,
                const std::vector<Parameter> &b, size_t count) {
  for (size_t i = 0; i < count; ++i)
    if (plain_type(a[i].type) != plain_type(b[i].type))
      return false;
  return true;
}

/// Whether a call with `count` arguments of these types followed by a tensor
/// may match `other`.
bool may_mean(const Function &other, const std::vector<Parameter> &parameters,
              size_t count) {
  return other.parameters.size() > count &&
         same_types(other.parameters, parameters, count) &&
         is_tensor(other.parameters[count]);
}

} // namespace

std::string plain_type(const std::string &type) {
  StringRef plain = StringRef(type).trim();
  plain.consume_front("const ");
  plain.consume_back("&");
  return plain.trim().str();
}

std::string qualified_name(const Function &function) {
  std::string inner =
      function.cxx_namespace.empty() ? "" : function.cxx_namespace + "::";
  return "xlac::" + inner + function.name;
}

std::string parameter_list(const std::vector<Parameter> &parameters,
                           bool with_defaults, size_t skipped) {
  std::vector<std::string> texts;
  for (size_t i = 0; i < parameters.size(); ++i) {
    const Parameter &parameter = parameters[i];
    if (i == skipped)
      continue;
    std::string text = parameter.type;
    if (!StringRef(text).ends_with("&") && !StringRef(text).ends_with("*"))
      text += ' ';
    text += parameter.name;
    if (with_defaults && !parameter.default_value.empty())
      text += " = " + parameter.default_value;
    texts.push_back(std::move(text));
  }
  return llvm::join(texts, ", ");
}

std::vector<OutForm> out_forms(const Function &function,
                               const std::vector<Function> &all) {
  std::vector<OutForm> forms;
  if (!function.out)
    return forms;
  size_t results = 1 + llvm::StringRef(function.result).count(',');
  size_t required = 0;
  while (required < function.parameters.size() &&
         function.parameters[required].default_value.empty())
    ++required;
  std::vector<size_t> counts{function.parameters.size()};
  if (required < counts[0])
    counts.push_back(required);
  for (size_t count : counts) {
    bool taken =
        std::any_of(all.begin(), all.end(), [&](const Function &other) {
          bool shorter =
              &other != &function && other.out &&
              other.parameters.size() == count &&
              count < function.parameters.size() &&
              same_types(other.parameters, function.parameters, count);
          return other.name == function.name &&
                 other.cxx_namespace == function.cxx_namespace &&
                 (shorter || may_mean(other, function.parameters, count));
        });
    if (taken)
      continue;
    OutForm form{{function.parameters.begin(),
                  function.parameters.begin() + static_cast<long>(count)},
                 results};
    for (size_t i = 0; i < results; ++i)
      form.parameters.push_back(
          {"Tensor &", results == 1 ? "out" : "out" + std::to_string(i), ""});
    forms.push_back(std::move(form));
  }
  return forms;
}

std::vector<Function> read_functions(const llvm::RecordKeeper &records) {
  std::vector<const Record *> found;
  for (const Record *record : records.getAllDerivedDefinitions("Function"))
    found.push_back(record);
  auto place_of = [](const Record *record) {
    llvm::SMLoc place = record->getLoc().front();
    return std::pair(llvm::SrcMgr.FindBufferContainingLoc(place),
                     place.getPointer());
  };
  std::sort(found.begin(), found.end(), [&](const Record *a, const Record *b) {
    return place_of(a) < place_of(b);
  });
  std::vector<Function> functions;
  for (const Record *record : found) {
    Function function;
    function.record = record;
    function.doc = in_one_line(record->getValueAsString("doc"));
    function.cxx_namespace = record->getValueAsString("cxx_namespace").str();
    const llvm::MemoryBuffer *file =
        llvm::SrcMgr.getMemoryBuffer(place_of(record).first);
    function.family = llvm::sys::path::stem(file->getBufferIdentifier()).str();
    parse_declaration(in_one_line(record->getValueAsString("declaration")),
                      function);
    read_variants(function);
    functions.push_back(std::move(function));
  }
  return functions;
}

} // namespace xlac_tblgen
