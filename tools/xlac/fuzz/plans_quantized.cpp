// Quantized tensors: quantizes a float value, applies an op, and converts the
// result to a float or to its storage type.
#include "fuzz/plans.h"

#include <algorithm>
#include <cmath>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

/// Scales are powers of two where sums must be exact.
double scale(Builder &b, bool exact) {
  double power = std::ldexp(1.0, static_cast<int>(b.random.between(-6, 1)));
  return exact || b.random.chance(50)
             ? power
             : power * static_cast<double>(b.random.between(1, 40)) / 10;
}

TensorType quantized(Builder &b, const TensorType &expressed, bool exact) {
  using enum ElementType;
  static constexpr ElementType kStorage[] = {I8, UI8, I8, I4, UI4, I16};
  Quantization q;
  q.expressed_type = expressed.element;
  q.storage_type = b.random.pick(kStorage);
  // Narrow floats cannot represent differences of 16 bits.
  if (exact || bit_width(q.storage_type) > bit_width(expressed.element) / 2)
    q.storage_type = I8;
  int width = bit_width(q.storage_type);
  bool is_signed = is_signed_integer(q.storage_type);
  int64_t half = int64_t{1} << (width - 1);
  q.storage_min = is_signed ? -half : 0;
  q.storage_max = is_signed ? half - 1 : 2 * half - 1;
  if (b.random.chance(20))
    ++q.storage_min;
  int64_t slices = 1;
  if (!exact && expressed.rank() > 0 && b.random.chance(25)) {
    auto dim = b.random.below(expressed.dims.size());
    // An empty list of scales has no textual form.
    slices = std::max<int64_t>(expressed.dims[dim], 1);
    if (expressed.dims[dim] > 0)
      q.quantization_dimension = static_cast<int64_t>(dim);
  }
  for (int64_t i = 0; i < slices; ++i) {
    q.scales.push_back(scale(b, exact));
    q.zero_points.push_back(
        exact ? 0 : b.random.between(q.storage_min, q.storage_max));
  }
  TensorType type = expressed;
  type.element = q.storage_type;
  type.quantization = std::make_shared<const Quantization>(std::move(q));
  return type;
}

/// Returns the quantized type with another scale.
TensorType rescaled(Builder &b, const TensorType &type, Dims dims) {
  Quantization q = *type.quantization;
  q.quantization_dimension.reset();
  q.scales = {scale(b, false)};
  q.zero_points = {b.random.between(q.storage_min, q.storage_max)};
  return {type.element,
          std::move(dims),
          {},
          std::make_shared<const Quantization>(std::move(q))};
}

bool is_expressed(ElementType element) {
  using enum ElementType;
  return element == F32 || element == F64 || element == F16 || element == BF16;
}

/// Picks a value to quantize; it must not hold NaN.
std::optional<Term> operand(Builder &b) {
  Term x = b.any(kFloats);
  if (!x.checked.exact() || !is_expressed(x.element()) || may_hold_nan(b, x))
    return std::nullopt;
  return x;
}

/// Dequantizes, or returns the stored integers.
bool bring_back(Builder &b, const Term &quantized) {
  if (b.random.chance(60))
    return b.add(OpKind::UniformDequantize, {}, {quantized}).has_value();
  TensorType stored = quantized.type();
  stored.quantization = nullptr;
  return b.add(OpKind::BitcastConvert, {}, {quantized}, {stored}).has_value();
}

bool quantize(Builder &b, const Plan &plan) {
  auto x = operand(b);
  if (!x)
    return false;
  auto q = b.add(plan.kind, {}, {*x}, {quantized(b, x->type(), false)});
  if (q && b.random.chance(30))
    q = b.add(plan.kind, {}, *q, {quantized(b, x->type(), false)});
  return q && bring_back(b, (*q)[0]);
}

bool elementwise(Builder &b, const Plan &) {
  static constexpr OpKind kKinds[] = {
      OpKind::Add,      OpKind::Subtract,
      OpKind::Multiply, OpKind::Maximum,
      OpKind::Minimum,  OpKind::Negate,
      OpKind::Abs,      OpKind::Floor,
      OpKind::Sign,     OpKind::RoundNearestAfz};
  auto x = operand(b);
  if (!x)
    return false;
  OpKind kind = b.random.pick(kKinds);
  Terms operands{*x};
  if (ops::facts(kind).operands.size() == 2)
    operands.push_back(b.fresh(x->type(), ValueKind::Eighths));
  TensorType type = quantized(b, x->type(), false);
  for (Term &value : operands) {
    auto q = b.add(OpKind::UniformQuantize, {}, {value}, {type});
    if (!q)
      return false;
    value = (*q)[0];
    type = rescaled(b, type, type.dims);
  }
  auto result = b.add(kind, {}, operands, {type});
  return result && bring_back(b, (*result)[0]);
}

/// Products of integers that fit in the significand.
bool quantized_dot(Builder &b, const Plan &) {
  auto x = operand(b);
  if (!x || x->type().rank() < 1 || bit_width(x->element()) < 32)
    return false;
  TensorType right{x->element(),
                   {x->type().dims.back(), b.size({x->type().dims.back()})},
                   {},
                   {}};
  ops::DotGeneralAttributes attributes;
  attributes.dot_dimension_numbers.lhs_contracting_dimensions = {
      x->type().rank() - 1};
  attributes.dot_dimension_numbers.rhs_contracting_dimensions = {0};
  TensorType left_type = quantized(b, x->type(), true);
  auto left = b.add(OpKind::UniformQuantize, {}, {*x}, {left_type});
  auto y =
      b.add(OpKind::UniformQuantize, {}, {b.fresh(right, ValueKind::Moderate)},
            {quantized(b, right, true)});
  if (!left || !y)
    return false;
  Dims dims = x->type().dims;
  dims.back() = right.dims[1];
  auto product = b.add(OpKind::DotGeneral, attributes, {(*left)[0], (*y)[0]},
                       {rescaled(b, left_type, dims)});
  return product && bring_back(b, (*product)[0]);
}

constexpr Plan kQuantizedPlans[] = {
    {OpKind::UniformQuantize, 6, quantize, kFloats, false},
    {OpKind::UniformDequantize, 8, elementwise, kFloats, false},
    {OpKind::DotGeneral, 3, quantized_dot, kFloats, false},
};

} // namespace

std::span<const Plan> quantized_plans() { return kQuantizedPlans; }

} // namespace xlac::fuzz
