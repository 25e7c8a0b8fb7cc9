#include "fuzz/plans.h"

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

/// Formats without a NaN: what becomes of one is not said.
bool lacks_nan(ElementType type) {
  return is_float(type) && bit_width(type) < 8;
}

/// True if numbers never make a NaN.
bool keeps_numbers(OpKind kind) {
  switch (kind) {
  case OpKind::Add:
  case OpKind::Subtract:
  case OpKind::Multiply:
  case OpKind::Maximum:
  case OpKind::Minimum:
  case OpKind::Abs:
  case OpKind::Negate:
  case OpKind::Sign:
  case OpKind::Ceil:
  case OpKind::Floor:
  case OpKind::RoundNearestAfz:
  case OpKind::RoundNearestEven:
  case OpKind::IsFinite:
  case OpKind::Tanh:
  case OpKind::Exponential:
    return true;
  default:
    return false;
  }
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

/// A derivative of digamma, at numbers above 0: of which order is a small
/// number.
bool polygamma(Builder &b, const Plan &plan) {
  TensorType type = b.type(plan.elements);
  if (lacks_nan(type.element))
    return false;
  Term order = b.fresh(type, ValueKind::SmallIntegers);
  return b.add(plan.kind, {}, {order, values_above(b, type, 0)}).has_value();
}

/// Where it is defined: an exponent above 1, a start above 0.
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

constexpr Plan kPlans[] = {
    {OpKind::Add, 30, binary},
    {OpKind::Subtract, 20, binary, kNumbers},
    {OpKind::Multiply, 30, binary},
    {OpKind::Divide, 15, binary, kNumbers},
    {OpKind::Remainder, 8, binary, kNumbers},
    {OpKind::Maximum, 15, binary},
    {OpKind::Minimum, 15, binary},
    {OpKind::And, 6, binary, kBooleans | kIntegers},
    {OpKind::Or, 6, binary, kBooleans | kIntegers},
    {OpKind::Xor, 6, binary, kBooleans | kIntegers},
    {OpKind::ShiftLeft, 5, binary, kIntegers},
    {OpKind::ShiftRightArithmetic, 5, binary, kIntegers},
    {OpKind::ShiftRightLogical, 5, binary, kIntegers},
    {OpKind::Power, 5, binary, kNumbers},
    {OpKind::Atan2, 3, binary, kFloats},
    {OpKind::Complex, 5, complex},
    {OpKind::Compare, 20, compare},
    {OpKind::Select, 20, select},
    {OpKind::Clamp, 10, clamp, kIntegers | kFloats},
    {OpKind::Convert, 40, convert},
    {OpKind::BitcastConvert, 8, bitcast_convert},
    {OpKind::ReducePrecision, 5, reduce_precision, kFloats},
    {OpKind::Abs, 8, unary, kNumbers},
    {OpKind::Negate, 10, unary, kNumbers},
    {OpKind::Not, 6, unary, kBooleans | kIntegers},
    {OpKind::Sign, 6, unary, kNumbers},
    {OpKind::Popcnt, 3, unary, kIntegers},
    {OpKind::CountLeadingZeros, 3, unary, kIntegers},
    {OpKind::Ceil, 4, unary, kFloats},
    {OpKind::Floor, 4, unary, kFloats},
    {OpKind::RoundNearestAfz, 4, unary, kFloats},
    {OpKind::RoundNearestEven, 4, unary, kFloats},
    {OpKind::IsFinite, 4, unary, kFloats},
    {OpKind::Sqrt, 6, unary, kFloats | kComplexes},
    {OpKind::Real, 4, unary, kFloats | kComplexes},
    {OpKind::Imag, 4, unary, kFloats | kComplexes},
    {OpKind::Cbrt, 3, unary, kFloats | kComplexes},
    {OpKind::Cosine, 4, unary, kFloats | kComplexes},
    {OpKind::Exponential, 6, unary, kFloats | kComplexes},
    {OpKind::ExponentialMinusOne, 4, unary, kFloats | kComplexes},
    {OpKind::Log, 4, unary, kFloats | kComplexes},
    {OpKind::LogPlusOne, 4, unary, kFloats | kComplexes},
    {OpKind::Logistic, 4, unary, kFloats | kComplexes},
    {OpKind::Rsqrt, 4, unary, kFloats | kComplexes},
    {OpKind::Sine, 4, unary, kFloats | kComplexes},
    {OpKind::Tan, 3, unary, kFloats | kComplexes},
    {OpKind::Tanh, 5, unary, kFloats | kComplexes},
    {OpKind::ChloAcos, 2, unary, kFloats | kComplexes},
    {OpKind::ChloAcosh, 2, unary, kFloats | kComplexes},
    {OpKind::ChloAsin, 2, unary, kFloats | kComplexes},
    {OpKind::ChloAsinh, 2, unary, kFloats | kComplexes},
    {OpKind::ChloAtan, 2, unary, kFloats | kComplexes},
    {OpKind::ChloAtanh, 2, unary, kFloats | kComplexes},
    {OpKind::ChloCosh, 2, unary, kFloats | kComplexes},
    {OpKind::ChloSinh, 2, unary, kFloats | kComplexes},
    {OpKind::ChloErf, 2, unary, kFloats},
    {OpKind::ChloErfc, 2, unary, kFloats},
    {OpKind::ChloErfInv, 2, unary, kFloats},
    {OpKind::ChloBesselI1e, 2, unary, kFloats},
    {OpKind::ChloDigamma, 2, unary, kFloats},
    {OpKind::ChloLgamma, 2, unary, kFloats},
    {OpKind::ChloPolygamma, 2, polygamma, kFloats},
    {OpKind::ChloZeta, 2, zeta, kFloats},
    {OpKind::ChloConj, 2, unary, kComplexes},
    {OpKind::ChloIsInf, 2, unary, kFloats},
    {OpKind::ChloIsPosInf, 2, unary, kFloats},
    {OpKind::ChloIsNegInf, 2, unary, kFloats},
    {OpKind::ChloSquare, 2, unary, kNumbers},
    {OpKind::ChloMulhi, 2, binary, kIntegers},
    {OpKind::ChloNextAfter, 3, binary, kFloats},
};

} // namespace

std::span<const Plan> elementwise_plans() { return kPlans; }

} // namespace xlac::fuzz
