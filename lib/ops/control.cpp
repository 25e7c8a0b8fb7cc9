// Shape rules of control flow, tokens, tuples and calls.
#include "rule.h"

#include "xlac/ops/infer.h"

#include <algorithm>

namespace xlac::ops {
namespace {

std::string types_text(std::span<const Type> types) {
  std::string text = "(";
  for (size_t i = 0; i < types.size(); ++i)
    text += (i ? ", " : "") + short_text(types[i]);
  return text + ")";
}

bool all_compatible(std::span<const Type> a, std::span<const Type> b) {
  return std::ranges::equal(a, b, are_compatible);
}

std::vector<Type> operand_types(const Rule &rule) {
  std::vector<Type> types;
  for (size_t i = 0; i < rule.operand_count(); ++i)
    types.push_back(rule.operand_type(i));
  return types;
}

/// The common type of two branches of a conditional: sizes that differ become
/// unknown.
Type common_supertype(const Type &a, const Type &b) {
  if (!a.is_tensor() || !b.is_tensor())
    return a;
  TensorType type = a.tensor();
  for (int64_t i = 0; i < type.rank(); ++i) {
    Dim left = dim_of(type, i), right = dim_of(b.tensor(), i);
    if (left.size == right.size && left.bound == right.bound)
      continue;
    int64_t x = left.is_dynamic() ? left.bound : left.size;
    int64_t y = right.is_dynamic() ? right.bound : right.size;
    bool bounded = x != kDynamic && y != kDynamic;
    set_dim(type, i, {kDynamic, bounded ? std::max(x, y) : kDynamic});
  }
  return type;
}

/// Branches without arguments and with equal result types.
Inferred infer_branches(const Rule &rule, std::string_view argument_label,
                        std::string_view result_label,
                        std::string_view own_label) {
  const RegionSignature *first = nullptr;
  std::vector<Type> types;
  for (size_t i = 0; i < rule.region_count(); ++i) {
    const RegionSignature &branch = rule.region(i);
    if (!branch.known)
      continue;
    XLAC_SHAPE(branch.arguments.empty(), argument_label,
               "branch {} takes {}, but no arguments wanted", i,
               types_text(branch.arguments));
    if (!first) {
      first = &branch;
      types = branch.results;
      continue;
    }
    XLAC_SHAPE(all_compatible(first->results, branch.results), result_label,
               "branch 0 returns {}, but branch {} {}",
               types_text(first->results), i, types_text(branch.results));
    for (size_t r = 0; r < types.size(); ++r)
      types[r] = common_supertype(types[r], branch.results[r]);
  }
  if (!first)
    return rule.as_declared();
  return rule.results(own_label, std::move(types));
}

} // namespace

namespace rules {

Inferred infer_return(const Rule &rule) { return rule.results("", {}); }

Inferred infer_if(const Rule &rule) {
  const TensorType &pred = rule.operand(0);
  XLAC_DTYPE(is_scalar(pred, ElementType::I1), "",
             "pred is {}, but i1[] wanted", short_text(pred));
  return infer_branches(rule, "C1", "C2", "C3");
}

Inferred infer_case(const Rule &rule) {
  const TensorType &index = rule.operand(0);
  XLAC_DTYPE(is_scalar(index, ElementType::I32), "",
             "index is {}, but i32[] wanted", short_text(index));
  XLAC_USER(rule.region_count() > 0, "C1", "has no branches");
  return infer_branches(rule, "C2", "C3", "C4");
}

Inferred infer_while(const Rule &rule) {
  std::vector<Type> operands = operand_types(rule);
  const RegionSignature &cond = rule.region(0), &body = rule.region(1);
  if (cond.known) {
    XLAC_SHAPE(all_compatible(operands, cond.arguments), "C1",
               "cond takes {}, but operands are {}", types_text(cond.arguments),
               types_text(operands));
    XLAC_DTYPE(cond.results.size() == 1 && cond.results[0].is_tensor() &&
                   is_scalar(cond.results[0].tensor(), ElementType::I1),
               "C1", "cond returns {}, but i1[] wanted",
               types_text(cond.results));
  }
  if (body.known) {
    XLAC_SHAPE(all_compatible(operands, body.arguments), "C2",
               "body takes {}, but operands are {}", types_text(body.arguments),
               types_text(operands));
    XLAC_SHAPE(all_compatible(operands, body.results), "C2",
               "body returns {}, but operands are {}", types_text(body.results),
               types_text(operands));
  }
  return rule.results("C3", std::move(operands));
}

Inferred infer_after_all(const Rule &rule) {
  return rule.result("", TokenType{});
}

Inferred infer_create_token(const Rule &rule) {
  return rule.result("", TokenType{});
}

Inferred infer_optimization_barrier(const Rule &rule) {
  return rule.results("C1", operand_types(rule));
}

Inferred infer_tuple(const Rule &rule) {
  return rule.result("C1", Type::tuple(operand_types(rule)));
}

Inferred infer_get_tuple_element(const Rule &rule) {
  const Type &operand = rule.operand_type(0);
  XLAC_DTYPE(operand.is_tuple(), "", "operand is {}, but a tuple wanted",
             short_text(operand));
  int64_t index = rule.attributes<GetTupleElementAttributes>().index;
  size_t count = operand.elements().size();
  XLAC_INDEX(0 <= index && index < static_cast<int64_t>(count), "C1",
             "index {} leaves the {} elements of operand", index, count);
  return rule.result("C2", operand.elements()[static_cast<size_t>(index)]);
}

Inferred infer_custom_call(const Rule &rule) {
  const auto &a = rule.attributes<CustomCallAttributes>();
  for (const OutputOperandAlias &alias : a.output_operand_aliases)
    XLAC_INDEX(0 <= alias.operand_index &&
                   alias.operand_index <
                       static_cast<int64_t>(rule.operand_count()),
               "", "alias of operand {}, but there are {} operands",
               alias.operand_index, rule.operand_count());
  return rule.as_declared();
}

Inferred infer_composite(const Rule &rule) {
  const auto &a = rule.attributes<CompositeAttributes>();
  size_t dot = a.name.find('.');
  auto is_word = [](char c) {
    return ('a' <= c && c <= 'z') || ('A' <= c && c <= 'Z') ||
           ('0' <= c && c <= '9') || c == '_' || c == '.' || c == '$' ||
           c == '-';
  };
  XLAC_USER(dot != std::string::npos && dot > 0 && dot + 1 < a.name.size() &&
                std::ranges::all_of(a.name, is_word),
            "C1", "name '{}' is not of the form namespace.op", a.name);
  return rule.as_declared();
}

Inferred infer_func_call(const Rule &rule) { return rule.as_declared(); }

} // namespace rules
} // namespace xlac::ops
