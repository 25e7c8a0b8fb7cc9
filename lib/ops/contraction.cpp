// Shape rules of dots: dot, dot_general, einsum and chlo's ragged_dot.
#include "rule.h"

#include <algorithm>
#include <map>

namespace xlac::ops {
namespace {

/// Labels of the constraints on element types of a dot or convolution: for
/// unquantized types, for which types are quantized, and for quantized types.
struct ElementLabels {
  std::string_view plain, quantized, storage, expressed, per_tensor, hybrid;
};

/// Checks the types of a quantized dot or convolution; returns the element type
/// of the result.
Result<TensorType> quantized_element(const Rule &rule, const TensorType &lhs,
                                     const TensorType &rhs,
                                     const ElementLabels &labels) {
  XLAC_DTYPE(is_quantized(rhs), labels.quantized,
             "lhs {} is quantized, but rhs {} is not", short_text(lhs),
             short_text(rhs));
  std::string_view expressed =
      is_quantized(lhs) ? labels.expressed : labels.hybrid;
  XLAC_DTYPE(expressed_type(lhs) == expressed_type(rhs), expressed,
             "lhs {} and rhs {} express different types", short_text(lhs),
             short_text(rhs));
  if (is_quantized(lhs))
    XLAC_DTYPE(lhs.quantization->storage_type == rhs.quantization->storage_type,
               labels.storage, "lhs {} and rhs {} differ in storage type",
               short_text(lhs), short_text(rhs));
  if (!rule.declares())
    return scalar_like(lhs);
  const TensorType &wanted = rule.declared(0);
  XLAC_DTYPE(is_quantized(lhs) == is_quantized(wanted), labels.quantized,
             "result {} and lhs {} are not both quantized", short_text(wanted),
             short_text(lhs));
  XLAC_DTYPE(expressed_type(lhs) == expressed_type(wanted), expressed,
             "result {} and lhs {} express different types", short_text(wanted),
             short_text(lhs));
  XLAC_DTYPE(!is_per_axis_quantized(wanted) || is_per_axis_quantized(rhs),
             labels.per_tensor,
             "result {} is quantized by axis, but rhs {} is not",
             short_text(wanted), short_text(rhs));
  return scalar_like(wanted);
}

Result<TensorType> contraction_element(const Rule &rule, const TensorType &lhs,
                                       const TensorType &rhs,
                                       const ElementLabels &labels) {
  if (is_quantized(lhs) || is_quantized(rhs))
    return quantized_element(rule, lhs, rhs, labels);
  XLAC_DTYPE(lhs.element == rhs.element ||
                 // The result type decides, since f8 operands may differ.
                 (rule.declares() && is_promotable(lhs, rule.declared(0)) &&
                  is_promotable(rhs, rule.declared(0))),
             labels.plain, "lhs {} and rhs {} differ in element type",
             short_text(lhs), short_text(rhs));
  if (!rule.declares())
    return scalar_like(lhs);
  XLAC_DTYPE(!is_quantized(rule.declared(0)), labels.quantized,
             "result {} is quantized, but neither lhs {} nor rhs {}",
             short_text(rule.declared(0)), short_text(lhs), short_text(rhs));
  return scalar_like(rule.declared(0));
}

Status check_dot_dimensions(const Rule &rule, const TensorType &lhs,
                            const TensorType &rhs,
                            const DotDimensionNumbers &n) {
  const Dims &lb = n.lhs_batching_dimensions, &rb = n.rhs_batching_dimensions;
  const Dims &lc = n.lhs_contracting_dimensions;
  const Dims &rc = n.rhs_contracting_dimensions;
  XLAC_INDEX(lb.size() == rb.size(), "C1",
             "batching dimensions {} of lhs and {} of rhs differ in number",
             list_text(lb), list_text(rb));
  XLAC_INDEX(lc.size() == rc.size(), "C2",
             "contracting dimensions {} of lhs and {} of rhs differ in number",
             list_text(lc), list_text(rc));
  XLAC_INDEX(is_unique(joined({lb, lc})), "C3",
             "batching {} and contracting {} dimensions of lhs name one twice",
             list_text(lb), list_text(lc));
  XLAC_INDEX(is_unique(joined({rb, rc})), "C4",
             "batching {} and contracting {} dimensions of rhs name one twice",
             list_text(rb), list_text(rc));
  XLAC_INDEX(in_range(lb, lhs.rank()), "C5",
             "batching dimensions {} leave those of lhs {}", list_text(lb),
             short_text(lhs));
  XLAC_INDEX(in_range(lc, lhs.rank()), "C6",
             "contracting dimensions {} leave those of lhs {}", list_text(lc),
             short_text(lhs));
  XLAC_INDEX(in_range(rb, rhs.rank()), "C7",
             "batching dimensions {} leave those of rhs {}", list_text(rb),
             short_text(rhs));
  XLAC_INDEX(in_range(rc, rhs.rank()), "C8",
             "contracting dimensions {} leave those of rhs {}", list_text(rc),
             short_text(rhs));
  for (size_t i = 0; i < lb.size(); ++i)
    XLAC_SHAPE(sizes_agree(dim_of(lhs, lb[i]).size, dim_of(rhs, rb[i]).size),
               "C9", "batching dimension {} of lhs {} and {} of rhs {} differ",
               lb[i], short_text(lhs), rb[i], short_text(rhs));
  for (size_t i = 0; i < lc.size(); ++i)
    XLAC_SHAPE(sizes_agree(dim_of(lhs, lc[i]).size, dim_of(rhs, rc[i]).size),
               "C10",
               "contracting dimension {} of lhs {} and {} of rhs {} differ",
               lc[i], short_text(lhs), rc[i], short_text(rhs));
  return {};
}

Status check_precision(const Rule &rule,
                       const std::optional<std::vector<Precision>> &config,
                       std::string_view label) {
  XLAC_USER(!config || config->empty() || config->size() == 2, label,
            "precision_config has {} entries, 2 wanted", config->size());
  return {};
}

/// Batching dimensions, then free dimensions of lhs, then those of rhs.
TensorType dot_type(const TensorType &lhs, const TensorType &rhs,
                    const DotDimensionNumbers &n, TensorType type) {
  for (size_t i = 0; i < n.lhs_batching_dimensions.size(); ++i)
    append_dim(type, merge(dim_of(lhs, n.lhs_batching_dimensions[i]),
                           dim_of(rhs, n.rhs_batching_dimensions[i])));
  for (int64_t i = 0; i < lhs.rank(); ++i)
    if (!contains(n.lhs_batching_dimensions, i) &&
        !contains(n.lhs_contracting_dimensions, i))
      append_dim(type, dim_of(lhs, i));
  for (int64_t i = 0; i < rhs.rank(); ++i)
    if (!contains(n.rhs_batching_dimensions, i) &&
        !contains(n.rhs_contracting_dimensions, i))
      append_dim(type, dim_of(rhs, i));
  return type;
}

Status check_algorithm(const Rule &rule, const DotGeneralAttributes &a) {
  if (!a.algorithm)
    return {};
  const DotAlgorithm &algorithm = *a.algorithm;
  bool plain = !a.precision_config ||
               std::ranges::all_of(*a.precision_config, [](Precision p) {
                 return p == Precision::DEFAULT;
               });
  XLAC_USER(plain, "C21", "precision_config must be DEFAULT with an algorithm");
  XLAC_USER(algorithm.lhs_component_count > 0, "C22",
            "lhs_component_count {} is not positive",
            algorithm.lhs_component_count);
  XLAC_USER(algorithm.rhs_component_count > 0, "C23",
            "rhs_component_count {} is not positive",
            algorithm.rhs_component_count);
  XLAC_USER(algorithm.num_primitive_operations > 0, "C24",
            "num_primitive_operations {} is not positive",
            algorithm.num_primitive_operations);
  return {};
}

} // namespace

Result<TensorType> convolution_element(const Rule &rule, const TensorType &lhs,
                                       const TensorType &rhs) {
  return contraction_element(rule, lhs, rhs,
                             {"C27", "C28", "C31", "C32", "C33", "C34"});
}

namespace rules {

Inferred infer_dot_general(const Rule &rule) {
  const TensorType &lhs = rule.operand(0), &rhs = rule.operand(1);
  const auto &a = rule.attributes<DotGeneralAttributes>();
  XLAC_RETURN_IF_ERROR(
      check_dot_dimensions(rule, lhs, rhs, a.dot_dimension_numbers));
  XLAC_RETURN_IF_ERROR(check_precision(rule, a.precision_config, "C11"));
  XLAC_RETURN_IF_ERROR(check_algorithm(rule, a));
  if (is_quantized(rhs)) {
    for (int64_t zero : rhs.quantization->zero_points)
      XLAC_DTYPE(zero == 0, "C15", "rhs {} has a zero point that is not 0",
                 short_text(rhs));
    if (is_per_axis_quantized(rhs))
      XLAC_DTYPE(!contains(a.dot_dimension_numbers.rhs_contracting_dimensions,
                           *rhs.quantization->quantization_dimension),
                 "C16", "rhs {} is quantized along a contracting dimension",
                 short_text(rhs));
  }
  Result<TensorType> element = contraction_element(
      rule, lhs, rhs, {"C13", "C14", "C17", "C18", "C19", "C20"});
  if (!element)
    return element.error();
  return rule.result(
      "C12", dot_type(lhs, rhs, a.dot_dimension_numbers, std::move(*element)));
}

Inferred infer_dot(const Rule &rule) {
  const TensorType &lhs = rule.operand(0), &rhs = rule.operand(1);
  const auto &a = rule.attributes<DotAttributes>();
  XLAC_RETURN_IF_ERROR(check_precision(rule, a.precision_config, ""));
  XLAC_SHAPE(1 <= lhs.rank() && lhs.rank() <= 2 && 1 <= rhs.rank() &&
                 rhs.rank() <= 2,
             "", "lhs {} and rhs {} are not of rank 1 or 2", short_text(lhs),
             short_text(rhs));
  DotDimensionNumbers numbers;
  numbers.lhs_contracting_dimensions = {lhs.rank() - 1};
  numbers.rhs_contracting_dimensions = {0};
  XLAC_RETURN_IF_ERROR(check_dot_dimensions(rule, lhs, rhs, numbers));
  Result<TensorType> element = contraction_element(rule, lhs, rhs, {});
  if (!element)
    return element.error();
  return rule.result("", dot_type(lhs, rhs, numbers, std::move(*element)));
}

//===- Einsum -------------------------------------------------------------===//

/// Letters of one term, one per dimension; an ellipsis is not analyzed.
static Inferred infer_einsum_of(const Rule &rule, std::string_view config) {
  size_t arrow = config.find("->");
  XLAC_USER(arrow != config.npos, "", "einsum_config '{}' has no '->'", config);
  std::string_view left = config.substr(0, arrow);
  std::string_view right = config.substr(arrow + 2);
  if (config.find("...") != config.npos) {
    if (!rule.declares())
      return rule.needs_declared();
    return rule.result("", rule.declared_type(0));
  }
  std::map<char, Dim> sizes;
  for (size_t i = 0; i < rule.operand_count(); ++i) {
    size_t comma = left.find(',');
    std::string_view term = left.substr(0, comma);
    bool last = i + 1 == rule.operand_count();
    XLAC_USER(last == (comma == left.npos), "",
              "einsum_config '{}' does not name {} operands", config,
              rule.operand_count());
    left = last ? std::string_view() : left.substr(comma + 1);
    const TensorType &operand = rule.operand(i);
    XLAC_SHAPE(static_cast<int64_t>(term.size()) == operand.rank(), "",
               "'{}' of einsum_config does not fit operand {}", term,
               short_text(operand));
    for (size_t d = 0; d < term.size(); ++d) {
      Dim dim = dim_of(operand, static_cast<int64_t>(d));
      auto [place, fresh] = sizes.emplace(term[d], dim);
      XLAC_SHAPE(fresh || sizes_agree(place->second.size, dim.size), "",
                 "sizes of '{}' in einsum_config '{}' differ", term[d], config);
      place->second = merge(place->second, dim);
    }
  }
  TensorType type = scalar_like(rule.operand(0));
  for (char letter : right) {
    auto place = sizes.find(letter);
    XLAC_USER(place != sizes.end(), "",
              "'{}' of einsum_config '{}' names no dimension", letter, config);
    append_dim(type, place->second);
  }
  return rule.result("", type);
}

Inferred infer_einsum(const Rule &rule) {
  return infer_einsum_of(rule,
                         rule.attributes<EinsumAttributes>().einsum_config);
}

Inferred infer_unary_einsum(const Rule &rule) {
  return infer_einsum_of(
      rule, rule.attributes<UnaryEinsumAttributes>().einsum_config);
}

//===- Ragged dot ---------------------------------------------------------===//

/// [b, m, k] x [g, b, k, n] with m ragged; or m, k or b ragged, as in CHLO.
Inferred infer_ragged_dot(const Rule &rule) {
  const TensorType &lhs = rule.operand(0), &rhs = rule.operand(1);
  const TensorType &groups = rule.operand(2);
  const auto &a = rule.attributes<ChloRaggedDotAttributes>();
  const RaggedDotDimensionNumbers &n = a.ragged_dot_dimension_numbers;
  XLAC_INDEX(n.lhs_ragged_dimensions.size() == 1 &&
                 in_range(n.lhs_ragged_dimensions, lhs.rank()),
             "", "lhs_ragged_dimensions {} do not name one dimension of lhs {}",
             list_text(n.lhs_ragged_dimensions), short_text(lhs));
  XLAC_INDEX(in_range(n.rhs_group_dimensions, rhs.rank()), "",
             "rhs_group_dimensions {} leave those of rhs {}",
             list_text(n.rhs_group_dimensions), short_text(rhs));
  XLAC_DTYPE(is_integral(groups) && groups.rank() >= 1, "",
             "group_sizes is {}, but a tensor of integers wanted",
             short_text(groups));
  XLAC_DTYPE(same_baseline_element(lhs, rhs), "",
             "lhs {} and rhs {} differ in element type", short_text(lhs),
             short_text(rhs));
  XLAC_RETURN_IF_ERROR(check_dot_dimensions(rule, lhs, rhs, n.dot));
  XLAC_RETURN_IF_ERROR(check_precision(rule, a.precision_config, ""));
  int64_t ragged = n.lhs_ragged_dimensions[0];
  bool batching = contains(n.dot.lhs_batching_dimensions, ragged);
  bool contracting = contains(n.dot.lhs_contracting_dimensions, ragged);
  XLAC_INDEX(
      n.rhs_group_dimensions.size() == (batching || contracting ? 0u : 1u), "",
      "rhs_group_dimensions {} do not fit ragged dimension {} of lhs",
      list_text(n.rhs_group_dimensions), ragged);
  for (int64_t group : n.rhs_group_dimensions)
    XLAC_INDEX(!contains(n.dot.rhs_batching_dimensions, group) &&
                   !contains(n.dot.rhs_contracting_dimensions, group),
               "", "group dimension {} of rhs is batched or contracted", group);
  TensorType type = scalar_like(rule.declares() ? rule.declared(0) : lhs);
  // A ragged contracting dimension gives one result per group.
  if (contracting)
    append_dim(type, dim_of(groups, groups.rank() - 1));
  DotDimensionNumbers free = n.dot;
  free.rhs_contracting_dimensions =
      joined({free.rhs_contracting_dimensions, n.rhs_group_dimensions});
  return rule.result("", dot_type(lhs, rhs, free, std::move(type)));
}

} // namespace rules
} // namespace xlac::ops
