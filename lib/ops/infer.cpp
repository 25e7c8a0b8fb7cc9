#include "xlac/ops/infer.h"

#include "rule.h"

#include "xlac/support/size_limit.h"

#include <algorithm>

namespace xlac::ops {
namespace {

#include "rule_table.inc"

static_assert(std::size(kRules) == kOpKindCount);

bool fits(const Type &type, OperandCategory category) {
  switch (category) {
  case OperandCategory::Tensor:
    return type.is_tensor();
  case OperandCategory::Token:
    return type.is_token();
  case OperandCategory::Any:
    return true;
  }
  return false;
}

std::string_view category_text(OperandCategory category) {
  return category == OperandCategory::Token ? "token" : "tensor";
}

/// Checks the number and categories of values. With at most one variadic the
/// number determines its length; with several, only a minimum is checked.
Status check_values(const char *what, std::span<const Type *const> values,
                    std::span<const OperandFacts> facts) {
  size_t variadic = static_cast<size_t>(
      std::ranges::count_if(facts, &OperandFacts::variadic));
  size_t fixed = facts.size() - variadic;
  if (variadic ? values.size() < fixed : values.size() != fixed)
    return failure(FailureKind::User,
                   fmt::format("has {} {}s, {}{} expected", values.size(), what,
                               variadic ? "at least " : "", fixed));
  if (variadic > 1) {
    // reduce, scatter and scan: tensors only.
    for (const Type *type : values)
      if (facts[0].category == OperandCategory::Tensor && !type->is_tensor())
        return failure(FailureKind::User,
                       fmt::format("{} is {}, a tensor expected", what,
                                   short_text(*type)));
    return {};
  }
  size_t next = 0;
  for (const OperandFacts &fact : facts) {
    size_t count = fact.variadic ? values.size() - fixed : 1;
    for (; count; --count, ++next)
      if (!fits(*values[next], fact.category))
        return failure(
            FailureKind::User,
            fmt::format("{} {}is {}, a {} expected", what,
                        fact.name.empty() ? "" : fmt::format("{} ", fact.name),
                        short_text(*values[next]),
                        category_text(fact.category)));
  }
  return {};
}

Status check_sizes(std::span<const Type> types) {
  for (const Type &type : types) {
    if (!type.is_tensor())
      continue;
    for (int64_t dim : type.tensor().dims)
      if (dim < 0 && dim != kDynamic)
        return failure(FailureKind::Shape,
                       fmt::format("{} has a negative size", short_text(type)));
    if (!is_holdable(type.tensor().dims))
      return failure(FailureKind::OutOfMemory,
                     fmt::format("cannot hold {}: a tensor has at most 2^56 "
                                 "elements",
                                 short_text(type)));
  }
  return {};
}

Status check_arity(OpKind kind, const InferContext &context) {
  const OpFacts &fact = facts(kind);
  XLAC_RETURN_IF_ERROR(
      check_values("operand", context.operands, fact.operands));
  if (context.declares_results)
    XLAC_RETURN_IF_ERROR(
        check_values("result", places_of(context.declared), fact.results));
  size_t regions = static_cast<size_t>(fact.regions);
  if (fact.variadic_regions ? context.regions.size() < regions
                            : context.regions.size() != regions)
    return failure(FailureKind::User,
                   fmt::format("has {} regions, {} expected",
                               context.regions.size(), regions));
  return {};
}

Status check_declared(const Rule &rule, const std::vector<Type> &types) {
  const ResultLabels &labels = rule.result_labels();
  if (types.size() != rule.declared_count())
    return rule.fail(FailureKind::User, labels.shape,
                     fmt::format("has {} results, {} expected",
                                 rule.declared_count(), types.size()));
  for (size_t i = 0; i < types.size(); ++i) {
    const Type &wanted = types[i], &given = rule.declared_type(i);
    if (are_compatible(wanted, given))
      continue;
    bool element = wanted.is_tensor() && given.is_tensor() &&
                   !same_baseline_element(wanted.tensor(), given.tensor());
    return rule.fail(element ? FailureKind::Dtype : FailureKind::Shape,
                     element ? labels.element : labels.shape,
                     fmt::format("result {}is {}, {} expected",
                                 types.size() > 1 ? fmt::format("{} ", i) : "",
                                 short_text(given), short_text(wanted)));
  }
  return {};
}

/// A fast path: most ops of a trace are elementwise on operands of one plain
/// type, which is also the result type. Returns that type, or null if the rule
/// must run.
const Type *plain_elementwise_type(OpKind kind, const InferContext &context) {
  auto *rule = kRules[static_cast<size_t>(kind)];
  size_t arity = rule == rules::infer_unary ? 1 : 2;
  if (arity == 2 && rule != rules::infer_binary && rule != rules::infer_add)
    return nullptr;
  if (context.operands.size() != arity || context.declares_results ||
      !context.regions.empty())
    return nullptr;
  const Type &type = *context.operands[0];
  if (!type.is_tensor() || type.tensor().quantization ||
      !(type == *context.operands[arity - 1]))
    return nullptr;
  for (int64_t dim : type.tensor().dims)
    if (dim < 0)
      return nullptr;
  return takes_elements_of(kind, type.tensor()) ? &type : nullptr;
}

Inferred infer_checked(OpKind kind, const InferContext &context) {
  XLAC_RETURN_IF_ERROR(check_arity(kind, context));
  Rule rule(kind, context);
  Inferred types = kRules[static_cast<size_t>(kind)](rule);
  if (!types)
    return types;
  XLAC_RETURN_IF_ERROR(check_sizes(*types));
  if (context.declares_results)
    XLAC_RETURN_IF_ERROR(check_declared(rule, *types));
  return types;
}

} // namespace

std::vector<const Type *> places_of(std::span<const Type> types) {
  std::vector<const Type *> places;
  places.reserve(types.size());
  for (const Type &type : types)
    places.push_back(&type);
  return places;
}

Result<std::vector<Type>> infer(OpKind kind, const InferContext &context) {
  if (const Type *type = plain_elementwise_type(kind, context))
    return std::vector<Type>{*type};
  Inferred types = infer_checked(kind, context);
  if (types)
    return types;
  return failure(
      types.error().failure_kind,
      fmt::format("{}: {}", short_name(kind), types.error().message));
}

bool are_compatible(const Type &inferred, const Type &declared) {
  if (inferred.is_tensor() && declared.is_tensor()) {
    const TensorType &a = inferred.tensor(), &b = declared.tensor();
    return same_baseline_element(a, b) && shapes_agree(a, b);
  }
  if ((inferred.is_tuple() && declared.is_tuple()) ||
      (inferred.is_future() && declared.is_future()))
    return std::ranges::equal(inferred.elements(), declared.elements(),
                              are_compatible);
  return inferred == declared;
}

} // namespace xlac::ops
