// Shape rules of elementwise ops: operands of one shape, no implicit
// broadcasting.
#include "rule.h"

#include "xlac/ops/elementwise.h"
#include "xlac/ops/infer.h"

#include <algorithm>

namespace xlac::ops {
namespace {

constexpr unsigned kInteger = kSigned | kUnsigned;

unsigned elements_of(const TensorType &type) {
  if (is_quantized(type))
    return kQuantized;
  if (is_boolean(type.element))
    return kBoolean;
  if (is_signed_integer(type.element))
    return kSigned;
  if (is_unsigned_integer(type.element))
    return kUnsigned;
  return is_float(type.element) ? kFloat : kComplex;
}

/// The element types that the specification permits for each op; all for ops of
/// other categories.
unsigned allowed_elements(OpKind kind) {
  const ElementwiseFacts *facts = elementwise_facts(kind);
  return facts ? facts->elements : ~0u;
}

std::string elements_text(unsigned elements) {
  constexpr std::pair<unsigned, std::string_view> kNames[] = {
      {kBoolean, "boolean"}, {kInteger, "integer"}, {kSigned, "signed integer"},
      {kFloat, "float"},     {kComplex, "complex"}, {kQuantized, "quantized"}};
  std::string text;
  for (auto [bits, name] : kNames) {
    if ((elements & bits) != bits)
      continue;
    elements &= ~bits;
    text += text.empty() ? "" : ", ";
    text += name;
  }
  return text;
}

Status check_element(const Rule &rule, std::string_view name,
                     const TensorType &type) {
  XLAC_DTYPE(takes_elements_of(rule.kind(), type), "",
             "{} is {}, but {} wanted", name, short_text(type),
             elements_text(allowed_elements(rule.kind())));
  return {};
}

std::string_view operand_name(const Rule &rule, size_t i) {
  return facts(rule.kind()).operands[i].name;
}

/// The common type of the operands, which must be equal up to quantization and
/// unknown sizes.
Result<TensorType> common_type(const Rule &rule, ResultLabels labels) {
  TensorType type = rule.operand(0);
  for (size_t i = 0; i < rule.operand_count(); ++i) {
    const TensorType &next = rule.operand(i);
    XLAC_RETURN_IF_ERROR(check_element(rule, operand_name(rule, i), next));
    XLAC_SHAPE(shapes_agree(rule.operand(0), next), labels.shape,
               "{} {} and {} {} differ in shape", operand_name(rule, 0),
               short_text(rule.operand(0)), operand_name(rule, i),
               short_text(next));
    XLAC_DTYPE(same_baseline_element(type, next), labels.element,
               "{} {} and {} {} differ in element type", operand_name(rule, 0),
               short_text(rule.operand(0)), operand_name(rule, i),
               short_text(next));
    merge_shape(type, next);
  }
  return type;
}

/// The type of operand 0 with another element type.
Inferred with_element(const Rule &rule, ElementType element,
                      ResultLabels labels) {
  XLAC_RETURN_IF_ERROR(
      check_element(rule, operand_name(rule, 0), rule.operand(0)));
  TensorType type = rule.operand(0);
  type.element = element;
  type.quantization = nullptr;
  return rule.result(labels, type);
}

/// Checks that the types are either all quantized per axis, along the same
/// axis, or not.
Status check_quantized_axes(const Rule &rule, const TensorType &lhs,
                            const TensorType &rhs, const TensorType &result) {
  auto axis = [](const TensorType &type) {
    return type.quantization->quantization_dimension;
  };
  XLAC_DTYPE((axis(lhs) || axis(rhs)) == axis(result).has_value(), "C5",
             "result {} is not quantized by axis as lhs {} and rhs {} are",
             short_text(result), short_text(lhs), short_text(rhs));
  XLAC_DTYPE(!axis(lhs) || axis(lhs) == axis(result), "C6",
             "lhs {} and result {} are quantized along different dimensions",
             short_text(lhs), short_text(result));
  XLAC_DTYPE(!axis(rhs) || axis(rhs) == axis(result), "C7",
             "rhs {} and result {} are quantized along different dimensions",
             short_text(rhs), short_text(result));
  return {};
}

ElementType complex_of(ElementType real) {
  return real == ElementType::F64 ? ElementType::Complex128
                                  : ElementType::Complex64;
}

} // namespace

bool takes_elements_of(OpKind kind, const TensorType &type) {
  return allowed_elements(kind) & elements_of(type);
}

namespace rules {

Inferred infer_unary(const Rule &rule) {
  XLAC_RETURN_IF_ERROR(
      check_element(rule, operand_name(rule, 0), rule.operand(0)));
  return rule.result("C1", rule.operand_type(0));
}

Inferred infer_abs(const Rule &rule) {
  const TensorType &operand = rule.operand(0);
  if (!is_complex(operand.element))
    return infer_unary(rule);
  return with_element(rule, real_part_type(operand.element), {"C1", "C2"});
}

Inferred infer_real(const Rule &rule) {
  return with_element(rule, real_part_type(rule.operand(0).element),
                      {"C1", "C2"});
}

Inferred infer_imag(const Rule &rule) { return infer_real(rule); }

Inferred infer_is_finite(const Rule &rule) {
  return with_element(rule, ElementType::I1, "C1");
}

Inferred infer_binary(const Rule &rule) {
  Result<TensorType> type = common_type(rule, "C1");
  if (!type)
    return type.error();
  return rule.result("C1", *type);
}

/// The specification constrains quantized operands of add individually.
Inferred infer_add(const Rule &rule) {
  const TensorType &lhs = rule.operand(0), &rhs = rule.operand(1);
  bool declares = rule.declares();
  if (!is_quantized(lhs) && !is_quantized(rhs))
    return infer_binary(rule);
  XLAC_DTYPE(is_quantized(lhs) && is_quantized(rhs) &&
                 (!declares || is_quantized(rule.declared(0))),
             "C2", "lhs {}, rhs {} and the result are not all quantized",
             short_text(lhs), short_text(rhs));
  XLAC_DTYPE(lhs.element == rhs.element &&
                 (!declares || lhs.element == rule.declared(0).element),
             "C3", "lhs {}, rhs {} and the result differ in storage type",
             short_text(lhs), short_text(rhs));
  XLAC_DTYPE(expressed_type(lhs) == expressed_type(rhs) &&
                 (!declares ||
                  expressed_type(lhs) == expressed_type(rule.declared(0))),
             "C4", "lhs {}, rhs {} and the result differ in expressed type",
             short_text(lhs), short_text(rhs));
  if (declares)
    XLAC_RETURN_IF_ERROR(
        check_quantized_axes(rule, lhs, rhs, rule.declared(0)));
  return infer_binary(rule);
}

Inferred infer_complex(const Rule &rule) {
  Result<TensorType> type = common_type(rule, "C1");
  if (!type)
    return type.error();
  XLAC_DTYPE(type->element == ElementType::F32 ||
                 type->element == ElementType::F64,
             "C3", "operands are {}, but f32 or f64 wanted", short_text(*type));
  type->element = complex_of(type->element);
  return rule.result({"C2", "C3"}, *type);
}

Inferred infer_compare(const Rule &rule) {
  Result<TensorType> type = common_type(rule, {"C2", "C1"});
  if (!type)
    return type.error();
  const auto &compare_type = rule.attributes<CompareAttributes>().compare_type;
  ComparisonType how = compare_type.value_or(ComparisonType::NOTYPE);
  unsigned elements = elements_of(*type);
  bool fits = how == ComparisonType::NOTYPE || elements == kQuantized;
  if (how == ComparisonType::SIGNED)
    fits |= elements == kSigned;
  if (how == ComparisonType::UNSIGNED)
    fits |= elements == kUnsigned || elements == kBoolean;
  if (how == ComparisonType::FLOAT)
    fits |= elements == kFloat || elements == kComplex;
  if (how == ComparisonType::TOTALORDER)
    fits |= elements == kFloat;
  // Not checked for declared results: StableHLO's own verifier does not check
  // it, so artifacts violate it. The element type determines the comparison
  // anyway.
  XLAC_DTYPE(fits || rule.declares(), "C3",
             "compare_type {} does not fit operands of type {}", enum_name(how),
             short_text(*type));
  type->element = ElementType::I1;
  type->quantization = nullptr;
  return rule.result("C2", *type);
}

Inferred infer_select(const Rule &rule) {
  const TensorType &pred = rule.operand(0);
  const TensorType &on_true = rule.operand(1), &on_false = rule.operand(2);
  XLAC_DTYPE(pred.element == ElementType::I1 && !is_quantized(pred), "",
             "pred is {}, but i1 wanted", short_text(pred));
  XLAC_SHAPE(shapes_agree(on_true, on_false), "C2",
             "on_true {} and on_false {} differ in shape", short_text(on_true),
             short_text(on_false));
  XLAC_DTYPE(same_baseline_element(on_true, on_false), "C2",
             "on_true {} and on_false {} differ in element type",
             short_text(on_true), short_text(on_false));
  XLAC_SHAPE(pred.rank() == 0 || shapes_agree(pred, on_true), "C1",
             "pred {} is neither a scalar nor of the shape of on_true {}",
             short_text(pred), short_text(on_true));
  if (on_true.is_static())
    return rule.result("C2", rule.operand_type(1));
  TensorType type = on_true;
  merge_shape(type, on_false);
  if (pred.rank() != 0)
    merge_shape(type, pred);
  return rule.result("C2", type);
}

Inferred infer_clamp(const Rule &rule) {
  const TensorType &low = rule.operand(0), &operand = rule.operand(1);
  const TensorType &high = rule.operand(2);
  XLAC_DTYPE(same_baseline_element(low, operand) &&
                 same_baseline_element(high, operand),
             "C3", "min {}, operand {} and max {} differ in element type",
             short_text(low), short_text(operand), short_text(high));
  XLAC_SHAPE(low.rank() == 0 || shapes_agree(low, operand), "C1",
             "min {} is neither a scalar nor of the shape of operand {}",
             short_text(low), short_text(operand));
  XLAC_SHAPE(high.rank() == 0 || shapes_agree(high, operand), "C2",
             "max {} is neither a scalar nor of the shape of operand {}",
             short_text(high), short_text(operand));
  if (operand.is_static())
    return rule.result("C4", rule.operand_type(1));
  TensorType type = operand;
  if (low.rank() != 0)
    merge_shape(type, low);
  if (high.rank() != 0)
    merge_shape(type, high);
  return rule.result("C4", type);
}

Inferred infer_convert(const Rule &rule) {
  if (!rule.declares())
    return rule.needs_declared();
  const TensorType &operand = rule.operand(0), &wanted = rule.declared(0);
  XLAC_DTYPE(!is_quantized(operand) && !is_quantized(wanted), "",
             "convert from {} to {} needs uniform_quantize or "
             "uniform_dequantize",
             short_text(operand), short_text(wanted));
  TensorType type = operand;
  type.element = wanted.element;
  return rule.result("C1", type);
}

Inferred infer_reduce_precision(const Rule &rule) {
  const auto &a = rule.attributes<ReducePrecisionAttributes>();
  XLAC_USER(a.exponent_bits >= 1, "C2",
            "exponent_bits is {}, at least 1 wanted", a.exponent_bits);
  XLAC_USER(a.mantissa_bits >= 0, "C3",
            "mantissa_bits is {}, at least 0 wanted", a.mantissa_bits);
  return infer_unary(rule);
}

Inferred infer_map(const Rule &rule) {
  size_t count = rule.operand_count();
  XLAC_USER(count > 0, "C2", "has no inputs");
  TensorType type = rule.operand(0);
  for (size_t i = 1; i < count; ++i) {
    XLAC_SHAPE(shapes_agree(type, rule.operand(i)), "C1",
               "input 0 {} and input {} {} differ in shape",
               short_text(rule.operand(0)), i, short_text(rule.operand(i)));
    merge_shape(type, rule.operand(i));
  }
  const Dims &dimensions = rule.attributes<MapAttributes>().dimensions;
  bool all = static_cast<int64_t>(dimensions.size()) == type.rank();
  for (size_t i = 0; all && i < dimensions.size(); ++i)
    all = dimensions[i] == static_cast<int64_t>(i);
  XLAC_INDEX(all, "C3", "dimensions {} do not list those of inputs of rank {}",
             list_text(dimensions), type.rank());
  const RegionSignature &computation = rule.region(0);
  if (!computation.known)
    return rule.result({"C1", "C4"}, type);
  XLAC_SHAPE(
      computation.arguments.size() == count && computation.results.size() == 1,
      "C4", "computation takes {} and returns {} values, {} and 1 wanted",
      computation.arguments.size(), computation.results.size(), count);
  for (size_t i = 0; i < count; ++i)
    XLAC_DTYPE(
        are_compatible(scalar_like(rule.operand(i)), computation.arguments[i]),
        "C4", "argument {} of computation is {}, but {} wanted", i,
        short_text(computation.arguments[i]),
        short_text(scalar_like(rule.operand(i))));
  const Type &returned = computation.results[0];
  XLAC_SHAPE(returned.is_tensor() && returned.tensor().rank() == 0, "C4",
             "computation returns {}, but a scalar wanted",
             short_text(returned));
  type.element = returned.tensor().element;
  type.quantization = returned.tensor().quantization;
  return rule.result({"C1", "C4"}, type);
}

} // namespace rules
} // namespace xlac::ops
