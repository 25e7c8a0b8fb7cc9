// einsum.
#include "xlac/tensor/reduce_values.h"

#include <algorithm>
#include <map>
#include <set>

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

/// Letters as their codes. The dimensions of "..." are -1, -2, … counted from
/// the last one.
using Labels = std::vector<int>;

/// An operand and the label of each of its dimensions.
struct Term {
  Value value;
  Labels labels;

  int64_t place(int label) const {
    auto at = std::find(labels.begin(), labels.end(), label);
    return at == labels.end() ? -1 : at - labels.begin();
  }
  int64_t size(int label) const { return value.tensor().dims[place(label)]; }
};

[[noreturn]] void reject(const std::string &what) { raise<ValueError>(what); }

/// Parses one operand or the output of the equation; "..." becomes the label 0.
Labels parse_part(const std::string &part) {
  Labels labels;
  for (size_t i = 0; i < part.size(); ++i) {
    auto letter = static_cast<unsigned char>(part[i]);
    if (letter == ' ')
      continue;
    if (part.compare(i, 3, "...") == 0) {
      if (std::find(labels.begin(), labels.end(), 0) != labels.end())
        reject("found '...' twice in \"" + part + "\"");
      labels.push_back(0);
      i += 2;
      continue;
    }
    if (!std::isalpha(letter))
      reject("invalid subscript '" + std::string(1, part[i]) +
             "', subscripts must be in [a-zA-Z]");
    labels.push_back(letter);
  }
  return labels;
}

struct Equation {
  std::vector<Labels> inputs;
  std::optional<Labels> output;
};

Equation parse(const std::string &text) {
  Equation equation;
  size_t arrow = text.find("->");
  std::string left = text.substr(0, arrow);
  for (size_t begin = 0; begin <= left.size();) {
    size_t end = std::min(left.find(',', begin), left.size());
    equation.inputs.push_back(parse_part(left.substr(begin, end - begin)));
    begin = end + 1;
  }
  if (arrow != std::string::npos)
    equation.output = parse_part(text.substr(arrow + 2));
  return equation;
}

/// Replaces "..." by `count` labels.
Labels expand(const Labels &labels, int64_t count) {
  Labels expanded;
  for (int label : labels) {
    if (label != 0) {
      expanded.push_back(label);
      continue;
    }
    for (int64_t i = count; i > 0; --i)
      expanded.push_back(static_cast<int>(-i));
  }
  return expanded;
}

/// Returns the output of an equation without "->": the labels of "..." and
/// then, in alphabetical order, the letters that occur once.
Labels implicit_output(const std::vector<Labels> &inputs, int64_t ellipsis) {
  std::map<int, int> counts;
  for (const Labels &labels : inputs)
    for (int label : expand(labels, ellipsis))
      ++counts[label];
  Labels output;
  for (auto [label, count] : counts)
    if (label < 0 || count == 1)
      output.push_back(label);
  return output;
}

/// Takes the diagonal of two dimensions that have the same label.
void take_diagonal(Term &term, int64_t first, int64_t second) {
  const Shape &sizes = term.value.tensor().dims;
  if (sizes[first] != sizes[second])
    reject("a repeated subscript stands for sizes " +
           std::to_string(sizes[first]) + " and " +
           std::to_string(sizes[second]));
  Value row = build::iota(ElementType::I64, sizes, first);
  Value column = build::iota(ElementType::I64, sizes, second);
  Value kept =
      build::select(build::compare(ComparisonDirection::EQ, row, column),
                    term.value, constant_like(term.value, 0));
  term.value = sum_value(kept, {second});
  term.labels.erase(term.labels.begin() + second);
}

void merge_repeated(Term &term) {
  for (size_t i = 0; i < term.labels.size(); ++i)
    for (size_t j = i + 1; j < term.labels.size();) {
      if (term.labels[i] == term.labels[j])
        take_diagonal(term, static_cast<int64_t>(i), static_cast<int64_t>(j));
      else
        ++j;
    }
}

void drop(Term &term, int label) {
  int64_t place = term.place(label);
  Shape sizes = term.value.tensor().dims;
  sizes.erase(sizes.begin() + place);
  term.value = build::reshape(term.value, sizes);
  term.labels.erase(term.labels.begin() + place);
}

/// Sums over the dimensions that are no longer needed.
void sum_over_rest(Term &term, const std::set<int> &needed) {
  Shape dims;
  Labels kept;
  for (size_t i = 0; i < term.labels.size(); ++i) {
    if (needed.contains(term.labels[i]))
      kept.push_back(term.labels[i]);
    else
      dims.push_back(static_cast<int64_t>(i));
  }
  term.value = sum_value(term.value, dims);
  term.labels = kept;
}

/// Multiplies two terms and sums over the labels that are not in `needed`.
Term multiply(Term a, Term b, const std::set<int> &needed) {
  std::set<int> mine(a.labels.begin(), a.labels.end());
  std::set<int> others(b.labels.begin(), b.labels.end());
  for (int label : mine)
    if (others.contains(label) && a.size(label) != b.size(label))
      drop(a.size(label) == 1 ? a : b, label);
  std::set<int> wanted_a = needed, wanted_b = needed;
  wanted_a.insert(b.labels.begin(), b.labels.end());
  wanted_b.insert(a.labels.begin(), a.labels.end());
  sum_over_rest(a, wanted_a);
  sum_over_rest(b, wanted_b);
  Shape batch_a, batch_b, over_a, over_b;
  Labels batch, free;
  for (int label : a.labels) {
    int64_t other = b.place(label);
    if (other < 0) {
      free.push_back(label);
    } else if (needed.contains(label)) {
      batch.push_back(label);
      batch_a.push_back(a.place(label));
      batch_b.push_back(other);
    } else {
      over_a.push_back(a.place(label));
      over_b.push_back(other);
    }
  }
  for (int label : b.labels)
    if (a.place(label) < 0)
      free.push_back(label);
  Term product{
      build::dot_general(a.value, b.value, batch_a, batch_b, over_a, over_b),
      batch};
  product.labels.insert(product.labels.end(), free.begin(), free.end());
  return product;
}

std::vector<Term> make_terms(const Equation &equation,
                             const std::vector<Tensor> &operands, Device device,
                             int64_t *ellipsis) {
  *ellipsis = 0;
  std::vector<int64_t> hidden;
  for (size_t i = 0; i < operands.size(); ++i) {
    const Labels &labels = equation.inputs[i];
    bool dots = std::find(labels.begin(), labels.end(), 0) != labels.end();
    auto rank = static_cast<int64_t>(impl_of(operands[i]).sizes.size());
    auto named = static_cast<int64_t>(labels.size()) - dots;
    if (dots ? named > rank : named != rank)
      reject("the number of subscripts in the equation (" +
             std::to_string(named) +
             ") does not match the number of dimensions (" +
             std::to_string(rank) + ") for operand " + std::to_string(i));
    hidden.push_back(dots ? rank - named : 0);
    *ellipsis = std::max(*ellipsis, hidden.back());
  }
  std::map<int, int64_t> sizes;
  std::vector<Term> terms;
  for (size_t i = 0; i < operands.size(); ++i) {
    terms.push_back(
        {value_on(operands[i], device), expand(equation.inputs[i], hidden[i])});
    merge_repeated(terms.back());
    for (int label : terms.back().labels) {
      int64_t size = terms.back().size(label);
      int64_t &known = sizes.emplace(label, size).first->second;
      if (size != known && size != 1 && known != 1)
        raise<ShapeError>("a subscript stands for sizes that do not "
                          "broadcast: " +
                          std::to_string(known) + " and " +
                          std::to_string(size));
      known = std::max(known, size == 1 ? known : size);
    }
  }
  return terms;
}

void check_output(const Labels &output, const std::vector<Term> &terms) {
  std::set<int> seen;
  for (int label : output) {
    if (!seen.insert(label).second)
      reject("output subscript " + std::string(1, static_cast<char>(label)) +
             " appears more than once in the output");
    bool known = std::any_of(terms.begin(), terms.end(), [&](const Term &t) {
      return t.place(label) >= 0;
    });
    if (!known)
      reject("output subscript " + std::string(1, static_cast<char>(label)) +
             " does not appear in the equation for any input operand");
  }
}

} // namespace

Tensor einsum(const std::string &equation,
              const std::vector<Tensor> &operands) {
  XLAC_CALL("einsum");
  Equation parsed = parse(equation);
  if (operands.empty())
    reject("must provide at least one operand");
  if (parsed.inputs.size() != operands.size())
    reject("the equation names " + std::to_string(parsed.inputs.size()) +
           " operands, but " + std::to_string(operands.size()) + " were given");
  Device device = common_device(operands);
  Dtype dtype = impl_of(operands[0]).dtype;
  for (const Tensor &operand : operands)
    if (impl_of(operand).dtype != dtype)
      raise<DtypeError>("expected operands to have the same dtype, but got " +
                        lazy::legacy_name(dtype) + " and " +
                        lazy::legacy_name(impl_of(operand).dtype));
  int64_t ellipsis = 0;
  std::vector<Term> terms = make_terms(parsed, operands, device, &ellipsis);
  Labels output = parsed.output ? expand(*parsed.output, ellipsis)
                                : implicit_output(parsed.inputs, ellipsis);
  check_output(output, terms);
  Term result = terms[0];
  for (size_t i = 1; i < terms.size(); ++i) {
    std::set<int> needed(output.begin(), output.end());
    for (size_t j = i + 1; j < terms.size(); ++j)
      needed.insert(terms[j].labels.begin(), terms[j].labels.end());
    result = multiply(result, terms[i], needed);
  }
  sum_over_rest(result, {output.begin(), output.end()});
  Shape order;
  for (int label : output)
    order.push_back(result.place(label));
  return finish(build::transpose(result.value, order), device, dtype);
}

} // namespace xlac
