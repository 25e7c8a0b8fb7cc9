#include "call_signature.h"

#include <algorithm>
#include <cassert>
#include <optional>

namespace xlac::library {

namespace {

using Tensor = DeclaredTensor;
using Form = CallSignature::Form;

constexpr std::string_view kAnyMore = "any[]...", kAnySizes = "any[...]...";

std::string_view trim(std::string_view text) {
  while (text.starts_with(' '))
    text.remove_prefix(1);
  while (text.ends_with(' '))
    text.remove_suffix(1);
  return text;
}

/// Splits `text` at `separator`s outside of brackets.
std::vector<std::string> split(std::string_view text, char separator) {
  std::vector<std::string> parts;
  int depth = 0;
  size_t begin = 0;
  for (size_t i = 0; i <= text.size(); ++i) {
    bool ends = i == text.size() || (depth == 0 && text[i] == separator);
    if (ends) {
      parts.emplace_back(trim(text.substr(begin, i - begin)));
      begin = i + 1;
    } else if (text[i] == '[' || text[i] == '(') {
      ++depth;
    } else if (text[i] == ']' || text[i] == ')') {
      --depth;
    }
  }
  if (parts.size() == 1 && parts[0].empty())
    parts.clear();
  return parts;
}

Tensor parse_tensor(const std::string &text) {
  size_t bracket = text.find('[');
  assert(bracket != std::string::npos && text.back() == ']');
  return {text.substr(0, bracket),
          split(std::string_view(text).substr(bracket + 1,
                                              text.size() - bracket - 2),
                ',')};
}

Form parse_form(std::string_view text) {
  Form form;
  if (size_t colon = text.find(':'); colon != std::string_view::npos) {
    std::string_view condition = text.substr(0, colon);
    size_t equals = condition.find('=');
    form.attribute = condition.substr(0, equals);
    form.value = condition[equals + 1];
    text = trim(text.substr(colon + 1));
  }
  form.text = text;
  size_t arrow = text.find("->");
  assert(arrow != std::string_view::npos);
  for (const std::string &operand : split(trim(text.substr(0, arrow)), ','))
    if (operand == kAnyMore || operand == kAnySizes) {
      form.more_operands = true;
      form.any_sizes = operand == kAnySizes;
    } else {
      form.operands.push_back(parse_tensor(operand));
    }
  for (const std::string &result : split(trim(text.substr(arrow + 2)), ','))
    form.results.push_back(parse_tensor(result));
  return form;
}

std::string type_text(std::string_view element, const int64_t *sizes,
                      size_t rank) {
  std::string text(element);
  text += '[';
  for (size_t i = 0; i < rank; ++i)
    text += (i ? "," : "") + std::to_string(sizes[i]);
  return text + ']';
}

std::string type_text(const CustomCallTensor &tensor) {
  return type_text(tensor.element_type, tensor.sizes.data(),
                   tensor.sizes.size());
}

/// Compares one form with one call; binds letters to sizes.
class Match {
public:
  Match(const Form &form, std::string_view element)
      : form_(form), element_(element) {
    if (!form.takes_batches)
      batch_.emplace();
  }

  /// Empty if the call matches the form, else a description of the difference.
  std::string difference(const CustomCall &call);

private:
  std::string compare(const std::string &name, const Tensor &wanted,
                      const CustomCallTensor &found);
  std::string element_of(const std::string &name) const;
  std::optional<int64_t> evaluate(std::string_view size) const;
  /// The size that `text` requires; binds an unbound letter to `found`.
  std::optional<int64_t> wanted_size(std::string_view text, int64_t found);

  const Form &form_;
  const std::string element_;
  std::map<char, int64_t> bound_;
  std::optional<std::vector<int64_t>> batch_;
};

std::string Match::element_of(const std::string &name) const {
  constexpr std::string_view complex = "complex<";
  bool is_complex = element_.starts_with(complex);
  std::string real = is_complex
                         ? element_.substr(complex.size(),
                                           element_.size() - complex.size() - 1)
                         : element_;
  if (name == "T")
    return element_;
  if (name == "R")
    return real;
  return name == "C" ? std::string(complex) + real + ">" : name;
}

std::optional<int64_t> Match::evaluate(std::string_view size) const {
  auto letter = [&](char name) -> std::optional<int64_t> {
    auto found = bound_.find(name);
    return found == bound_.end() ? std::nullopt : std::optional(found->second);
  };
  if (size.starts_with("min(")) {
    auto first = letter(size[4]), second = letter(size[6]);
    return first && second ? std::optional(std::min(*first, *second))
                           : std::nullopt;
  }
  auto value = letter(size[0]);
  if (value && size.ends_with("-1"))
    return std::max<int64_t>(*value - 1, 0);
  return value;
}

std::optional<int64_t> Match::wanted_size(std::string_view text,
                                          int64_t found) {
  size_t below = text.find("<=");
  if (below != std::string_view::npos) {
    auto most = evaluate(text.substr(below + 2));
    assert(most && "a bound of letters that are not bound before");
    text = text.substr(0, below);
    if (found > *most)
      return most;
  }
  if (auto known = evaluate(text))
    return known;
  assert(text.size() == 1 && "a size of letters that are not bound before");
  bound_[text[0]] = found;
  return found;
}

std::string Match::compare(const std::string &name, const Tensor &wanted,
                           const CustomCallTensor &found) {
  size_t rank = found.sizes.size(), own = wanted.sizes.size();
  if (rank < own)
    return name + " is " + type_text(found) + ", which has fewer than " +
           std::to_string(own) + " dimensions";
  if (!batch_)
    batch_.emplace(found.sizes.begin(), found.sizes.end() - own);
  std::vector<int64_t> sizes = *batch_;
  for (size_t i = 0; i < own; ++i) {
    int64_t size = found.sizes[rank - own + i];
    sizes.push_back(wanted_size(wanted.sizes[i], size).value_or(size));
  }
  std::string element = element_of(wanted.element);
  if (found.element_type == element && found.sizes == sizes)
    return {};
  return name + " is " + type_text(found) + ", " +
         type_text(element, sizes.data(), sizes.size()) + " expected";
}

std::string Match::difference(const CustomCall &call) {
  size_t operands = form_.operands.size(), results = form_.results.size();
  bool right_count = call.results.size() == results &&
                     (form_.more_operands ? call.operands.size() >= operands
                                          : call.operands.size() == operands);
  if (!right_count)
    return "takes " + std::to_string(operands) +
           (form_.more_operands ? " or more" : "") + " operands and gives " +
           std::to_string(results) + " results, not " +
           std::to_string(call.operands.size()) + " and " +
           std::to_string(call.results.size());
  for (size_t i = 0; i < operands; ++i)
    if (auto why = compare("operand " + std::to_string(i), form_.operands[i],
                           call.operands[i]);
        !why.empty())
      return why;
  for (size_t i = operands; i < call.operands.size(); ++i)
    if (!form_.any_sizes && call.operands[i].numel() != 1)
      return "operand " + std::to_string(i) + " is " +
             type_text(call.operands[i]) + ", one element expected";
  for (size_t i = 0; i < results; ++i)
    if (auto why = compare("result " + std::to_string(i), form_.results[i],
                           call.results[i]);
        !why.empty())
      return why;
  return {};
}

/// The letter of an attribute that a form's condition compares.
char condition_value(const CustomCall &call, const std::string &name) {
  const CustomCallValue *value = call.find(name);
  if (value && std::holds_alternative<bool>(*value))
    return std::get<bool>(*value) ? '1' : '0';
  auto number = call.attribute<int64_t>(name);
  return 0 < number && number < 128 ? static_cast<char>(number) : '\0';
}

bool is_decomposed(std::string_view element) {
  return element == "f32" || element == "f64" || element == "complex<f32>" ||
         element == "complex<f64>";
}

} // namespace

CallSignature::CallSignature(std::string_view text, std::string_view element)
    : element_(element) {
  for (const std::string &form : split(text, ';')) {
    forms_.push_back(parse_form(form));
    forms_.back().element = element;
  }
}

CallSignature CallSignature::without_batches(std::string_view text) {
  CallSignature signature(text);
  for (Form &form : signature.forms_)
    form.takes_batches = false;
  return signature;
}

void CallSignature::check(const CustomCall &call) const {
  std::string element = element_;
  if (element.empty()) {
    element = call.operands.empty() ? "" : call.operands[0].element_type;
    bool named = std::ranges::any_of(forms_, [](const Form &form) {
      return std::ranges::any_of(
          form.operands, [](const Tensor &t) { return t.element == "T"; });
    });
    if (named && !is_decomposed(element))
      throw std::invalid_argument(
          "takes f32, f64, complex<f32> or complex<f64>, not " +
          (element.empty() ? "no operand" : element));
  }
  std::string why;
  std::string allowed;
  for (const Form &form : forms_) {
    if (!form.attribute.empty() &&
        condition_value(call, form.attribute) != form.value) {
      allowed += form.value;
      continue;
    }
    std::string differs = Match(form, element).difference(call);
    if (differs.empty())
      return;
    why += (why.empty() ? "" : "; or ") + differs + " (" + form.text + ")";
  }
  if (why.empty())
    throw std::invalid_argument("has an attribute " + forms_[0].attribute +
                                " that is none of '" + allowed + "'");
  throw std::invalid_argument(why);
}

} // namespace xlac::library
