#include "fuzz/hostile.h"

#include "xlac/library/custom_calls.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace xlac::fuzz {

namespace {

using Forms = std::vector<library::DeclaredCall>;

/// Returns the forms of each target that the library declares, and those of
/// "mhlo.topk", which the compiler lowers.
std::vector<Forms> targets() {
  std::vector<Forms> all;
  std::vector<library::DeclaredCall> declared = library::declared_calls();
  for (library::DeclaredCall &form : declared) {
    if (all.empty() || all.back()[0].target != form.target)
      all.emplace_back();
    all.back().push_back(std::move(form));
  }
  library::DeclaredCall topk;
  topk.target = "mhlo.topk";
  topk.element = "f32";
  topk.takes_batches = false;
  topk.operands = {{"T", {"n"}}};
  topk.results = {{"T", {"k"}}, {"i32", {"k"}}};
  all.push_back({topk});
  return all;
}

/// The attributes of all targets. Letters are written as numbers.
struct Attribute {
  std::string_view name;
  std::string_view letters; ///< one of them; if empty, `text`
  std::string_view text = {};
};
constexpr Attribute kAttributes[] = {{"uplo", "LU"},
                                     {"side", "LR"},
                                     {"diag", "NU"},
                                     {"trans_x", "NTC"},
                                     {"mode", "NV"},
                                     {"sort", "N"},
                                     {"compute_left", "NV"},
                                     {"compute_right", "NV"},
                                     {"left", "", "true"},
                                     {"transpose", "", "false"},
                                     {"low", "", "1 : i64"},
                                     {"high", "", "2 : i64"},
                                     {"k", "", "2 : i64"},
                                     {"largest", "", "true"},
                                     {"error_message", "", "\"no {0}\""}};

struct Value {
  std::string element;
  std::vector<int64_t> sizes;

  std::string text() const {
    std::string all;
    for (int64_t size : sizes)
      all += fmt::format("{}x", size);
    return fmt::format("tensor<{}{}>", all, element);
  }
};

/// The sizes of the letters of a form, assigned on first use.
class Sizes {
public:
  explicit Sizes(Random &random) : random_(random) {}

  int64_t of(std::string_view text) {
    if (size_t below = text.find("<="); below != std::string_view::npos) {
      int64_t most = of(text.substr(below + 2));
      return bound_[text[0]] = random_.between(0, most);
    }
    if (text.starts_with("min("))
      return std::min(letter(text[4]), letter(text[6]));
    int64_t size = letter(text[0]);
    return text.ends_with("-1") ? std::max<int64_t>(size - 1, 0) : size;
  }

private:
  int64_t letter(char name) {
    if (!bound_.contains(name))
      bound_[name] =
          random_.chance(5) ? random_.between(20, 60) : random_.between(0, 9);
    return bound_[name];
  }

  Random &random_;
  std::map<char, int64_t> bound_;
};

std::string element_of(const std::string &name, const std::string &type) {
  bool is_complex = type.starts_with("complex<");
  std::string real = is_complex ? type.substr(8, 3) : type;
  if (name == "T")
    return type;
  if (name == "R")
    return real;
  return name == "C" ? "complex<" + real + ">" : name;
}

std::vector<Value> values_of(const std::vector<library::DeclaredTensor> &list,
                             const std::string &type,
                             const std::vector<int64_t> &batch, Sizes &sizes) {
  std::vector<Value> values;
  for (const library::DeclaredTensor &tensor : list) {
    Value value{element_of(tensor.element, type), batch};
    for (const std::string &size : tensor.sizes)
      value.sizes.push_back(sizes.of(size));
    values.push_back(std::move(value));
  }
  return values;
}

/// Returns a value for each attribute; the form's condition determines its
/// attribute.
std::string attributes_of(const library::DeclaredCall &form, Random &random) {
  std::string text;
  for (const Attribute &attribute : kAttributes) {
    bool chosen = attribute.name == form.attribute;
    std::string value(attribute.text);
    if (attribute.text.empty())
      value = fmt::format(
          "{} : ui8",
          static_cast<int>(
              chosen
                  ? form.value
                  : attribute.letters[random.below(attribute.letters.size())]));
    else if (chosen)
      value = form.value == '1' ? "true" : "false";
    text += fmt::format("{}{} = {}", text.empty() ? "" : ", ", attribute.name,
                        value);
  }
  return text;
}

/// Changes a size, a rank, an element type or the number of values.
void damage(std::vector<Value> &values, Random &random) {
  constexpr std::string_view elements[] = {
      "f32", "f64", "i32", "i1", "complex<f32>", "complex<f64>", "ui8", "bf16"};
  uint32_t what = random.below(8);
  if (values.empty() || what == 7) {
    values.insert(values.begin() + random.below(values.size() + 1),
                  Value{"f32", {random.between(0, 5)}});
    return;
  }
  size_t at = random.below(values.size());
  Value &value = values[at];
  if (what == 6) {
    values.erase(values.begin() + static_cast<ptrdiff_t>(at));
  } else if (what == 5) {
    value.element = random.pick(elements);
  } else if (what == 4 || value.sizes.empty()) {
    value.sizes.insert(value.sizes.begin() +
                           random.below(value.sizes.size() + 1),
                       random.between(0, 4));
  } else if (what == 3) {
    value.sizes.erase(value.sizes.begin() + random.below(value.sizes.size()));
  } else {
    constexpr int64_t sizes[] = {0, 1, 2, 3, 7, 16, 64, 500, 1 << 14};
    value.sizes[random.below(value.sizes.size())] = random.pick(sizes);
  }
}

std::string damaged_attributes(std::string text, Random &random) {
  constexpr std::string_view values[] = {"76", "82", "85", "78",  "65", "83",
                                         "86", "0",  "1",  "255", "3"};
  for (size_t at = 0; (at = text.find("= ", at)) != std::string::npos; ++at) {
    if (!random.chance(30) || text[at + 2] < '0' || text[at + 2] > '9')
      continue;
    size_t end = text.find_first_not_of("0123456789", at + 2);
    bool is_wide = text.compare(end, 6, " : i64") == 0 && random.chance(30);
    text.replace(at + 2, end - at - 2,
                 is_wide ? "-9223372036854775808"
                         : std::string(random.pick(values)));
  }
  return text;
}

std::string types_text(const std::vector<Value> &values) {
  std::string text;
  for (const Value &value : values)
    text += (text.empty() ? "" : ", ") + value.text();
  return text;
}

} // namespace

std::string hostile_call(Random &random) {
  static const std::vector<Forms> kTargets = targets();
  constexpr std::string_view kTypes[] = {"f32", "f64", "complex<f32>",
                                         "complex<f64>"};
  const Forms &forms = kTargets[random.below(kTargets.size())];
  const library::DeclaredCall &form = forms[random.below(forms.size())];
  std::string type =
      form.element.empty() ? std::string(random.pick(kTypes)) : form.element;
  std::vector<int64_t> batch;
  for (uint32_t i = form.takes_batches ? random.below(3) : 0; i-- > 0;)
    batch.push_back(random.between(0, 3));
  Sizes sizes(random);
  auto operands = values_of(form.operands, type, batch, sizes);
  auto results = values_of(form.results, type, batch, sizes);
  if (form.more_operands)
    operands.push_back({"i32", {}});
  std::string attributes = attributes_of(form, random);
  for (uint32_t i = random.below(4); i-- > 0;) {
    if (random.chance(60))
      damage(results, random);
    else if (random.chance(60))
      damage(operands, random);
    else
      attributes = damaged_attributes(attributes, random);
  }
  std::string arguments, uses, returned;
  for (size_t i = 0; i < operands.size(); ++i) {
    arguments +=
        fmt::format("{}%a{}: {}", i ? ", " : "", i, operands[i].text());
    uses += fmt::format("{}%a{}", i ? ", " : "", i);
  }
  for (size_t i = 0; i < results.size(); ++i)
    returned += fmt::format("{}%r{}", i ? ", " : "",
                            results.size() > 1 ? fmt::format("#{}", i) : "");
  std::string text = fmt::format(
      "func.func @main({}) -> ({}) {{\n  {}stablehlo.custom_call @{}({}) "
      "{{has_side_effect = true, mhlo.backend_config = {{{}}}}} : ({}) -> "
      "({})\n  return {}",
      arguments, types_text(results),
      results.empty() ? "" : fmt::format("%r:{} = ", results.size()),
      form.target, uses, attributes, types_text(operands), types_text(results),
      returned);
  if (results.size() == 1)
    text.replace(text.find("%r:1"), 4, "%r");
  return text + (results.empty()
                     ? "\n}\n"
                     : fmt::format(" : {}\n}}\n", types_text(results)));
}

} // namespace xlac::fuzz
