#include "fuzz/plans.h"

#include "xlac/ops/elementwise.h"

#include <cmath>

namespace xlac::fuzz {

using ops::OpKind;

static bool holds_nan(const host::Literal &data) {
  for (int64_t i = 0; i < data.count(); ++i) {
    std::complex<double> value;
    host::load(data, i, 1, &value);
    if (std::isnan(value.real()) || std::isnan(value.imag()))
      return true;
  }
  return false;
}

bool may_hold_nan(const Builder &builder, const Term &term) {
  ElementType element = term.element();
  if (!is_float(element) && !is_complex(element))
    return false;
  if (builder.blind() && !term.checked.data)
    return true;
  bool found = holds_nan(term.checked.data);
  for (const Checked &peer : term.peers)
    found |= holds_nan(peer.data);
  return found;
}

Term values_above(Builder &builder, const TensorType &type, double low) {
  host::Literal data =
      *random_literal(type, ValueKind::Moderate, builder.random.below(1 << 20));
  for (int64_t i = 0; i < data.count(); ++i) {
    double value = low + std::fabs(host::as_double(data, i));
    // Coarse formats may round back to `low`.
    for (double step = 1; host::round_to(type.element, value) <= low; ++step)
      value = low + step;
    host::store(data, i, 1, &value);
  }
  return builder.is_isolated() ? builder.constant(std::move(data))
                               : builder.given(std::move(data));
}

namespace {

/// The conversion of NaN to formats without one is undefined.
bool lacks_nan(ElementType type) {
  return is_float(type) && bit_width(type) < 8;
}

/// True for ops that do not produce NaN from numbers.
bool keeps_numbers(OpKind kind) {
  const ops::ElementwiseFacts *facts = ops::elementwise_facts(kind);
  return facts && facts->keeps_numbers;
}

bool unary(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  if (lacks_nan(x.element()) && !keeps_numbers(plan.kind))
    return false;
  return b.add(plan.kind, {}, {x}).has_value();
}

bool binary(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  if (lacks_nan(x.element()) && !keeps_numbers(plan.kind))
    return false;
  return b.add(plan.kind, {}, {x, b.like(x.type())}).has_value();
}

/// Polygamma at positive numbers; the order is a small number.
bool polygamma(Builder &b, const Plan &plan) {
  TensorType type = b.type(plan.elements);
  if (lacks_nan(type.element))
    return false;
  Term order = b.fresh(type, ValueKind::SmallIntegers);
  return b.add(plan.kind, {}, {order, values_above(b, type, 0)}).has_value();
}

/// Zeta in its domain: an exponent above 1 and a start above 0.
bool zeta(Builder &b, const Plan &plan) {
  TensorType type = b.type(plan.elements);
  if (lacks_nan(type.element))
    return false;
  Terms operands{values_above(b, type, 1), values_above(b, type, 0)};
  return b.add(plan.kind, {}, operands).has_value();
}

bool complex(Builder &b, const Plan &) {
  Term x = b.any(kFloats);
  return b.add(OpKind::Complex, {}, {x, b.like(x.type())}).has_value();
}

bool convert(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  TensorType type = x.type();
  type.element = b.element();
  if (lacks_nan(type.element) && may_hold_nan(b, x))
    return false;
  return b.add(plan.kind, {}, {x}, {type}).has_value();
}

bool bitcast_convert(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  if (may_hold_nan(b, x))
    return false;
  TensorType type = x.type();
  type.element = b.element();
  int from = bit_width(x.element()), to = bit_width(type.element);
  if (from > to) {
    type.dims.push_back(from / to);
  } else if (from < to) {
    if (type.dims.empty() || type.dims.back() != to / from)
      return false;
    type.dims.pop_back();
  }
  return b.add(plan.kind, {}, {x}, {type}).has_value();
}

bool compare(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements), y = b.like(x.type());
  ops::CompareAttributes attributes;
  attributes.comparison_direction =
      static_cast<ops::ComparisonDirection>(b.random.below(6));
  if (is_float(x.element()) && b.random.chance(30) && !may_hold_nan(b, x) &&
      !may_hold_nan(b, y))
    attributes.compare_type = ops::ComparisonType::TOTALORDER;
  return b.add(plan.kind, attributes, {x, y}).has_value();
}

bool select(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements), y = b.like(x.type());
  TensorType predicate{ElementType::I1, x.type().dims, {}, {}};
  if (b.random.chance(20))
    predicate.dims.clear();
  return b.add(plan.kind, {}, {b.like(predicate), x, y}).has_value();
}

bool clamp(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  TensorType bound = x.type();
  if (b.random.chance(50))
    bound.dims.clear();
  Term low = b.like(bound), high = b.like(bound);
  return b.add(plan.kind, {}, {low, x, high}).has_value();
}

bool reduce_precision(Builder &b, const Plan &plan) {
  ops::ReducePrecisionAttributes attributes;
  attributes.exponent_bits = static_cast<int32_t>(1 + b.random.below(11));
  attributes.mantissa_bits = static_cast<int32_t>(b.random.below(53));
  return b.add(plan.kind, attributes, {b.any(plan.elements)}).has_value();
}

/// Converts element sets of the table (ElementSet) to those of Builder.
constexpr uint32_t drawn(unsigned sets) {
  return (sets & ops::kBoolean ? kBooleans : 0) |
         (sets & (ops::kSigned | ops::kUnsigned) ? kIntegers : 0) |
         (sets & ops::kFloat ? kFloats : 0) |
         (sets & ops::kComplex ? kComplexes : 0);
}

// The plans of the op table, and those of ops of other classes.
constexpr Plan kElementwisePlans[] = {
    {OpKind::BitcastConvert, 8, bitcast_convert},
#define XLAC_FUZZ_PLAN(kind, weight, make, sets)                               \
  {OpKind::kind, weight, make, drawn(sets)},
#include "xlac/ops/elementwise_functions.inc"
};

} // namespace

std::span<const Plan> elementwise_plans() { return kElementwisePlans; }

} // namespace xlac::fuzz
