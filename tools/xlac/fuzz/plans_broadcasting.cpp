// CHLO's ops with implicit broadcasting.
#include "fuzz/plans.h"

#include <algorithm>

namespace xlac::fuzz {

using ops::OpKind;

namespace {

/// Returns a shape that broadcasts with `dims`: fewer dimensions, some of size
/// 1.
Dims stretchable(Builder &b, Dims dims) {
  if (b.random.chance(40))
    dims.erase(dims.begin(),
               dims.begin() +
                   static_cast<ptrdiff_t>(b.random.below(dims.size() + 1)));
  for (int64_t &size : dims)
    if (b.random.chance(30))
      size = 1;
  return dims;
}

/// Picks two operands in either order. The dimensions of the smaller one may be
/// placed explicitly.
Terms operands_of(Builder &b, const Plan &plan, std::optional<Dims> &placed) {
  Term x = b.any(plan.elements);
  TensorType type = x.type();
  type.dims = stretchable(b, type.dims);
  Terms operands{x, b.like(type)};
  if (type.rank() < x.type().rank() && b.random.chance(40)) {
    placed.emplace();
    for (int64_t i = 0; i < type.rank(); ++i)
      placed->push_back(x.type().rank() - type.rank() + i);
  }
  if (b.random.chance(50))
    std::swap(operands[0], operands[1]);
  return operands;
}

template <class Attributes> bool binary(Builder &b, const Plan &plan) {
  Attributes attributes;
  Terms operands = operands_of(b, plan, attributes.broadcast_dimensions);
  // The conversion of NaN to formats without one is undefined.
  if (is_float(operands[0].element()) && bit_width(operands[0].element()) < 8)
    return false;
  return b.add(plan.kind, attributes, operands).has_value();
}

bool broadcast_compare(Builder &b, const Plan &plan) {
  ops::ChloBroadcastCompareAttributes attributes;
  Terms operands = operands_of(b, plan, attributes.broadcast_dimensions);
  attributes.comparison_direction =
      static_cast<ops::ComparisonDirection>(b.random.below(6));
  return b.add(plan.kind, attributes, operands).has_value();
}

bool broadcast_select(Builder &b, const Plan &plan) {
  Term x = b.any(plan.elements);
  TensorType other = x.type(), predicate = x.type();
  other.dims = stretchable(b, other.dims);
  predicate.dims = stretchable(b, predicate.dims);
  predicate.element = ElementType::I1;
  return b.add(plan.kind, {}, {b.like(predicate), x, b.like(other)})
      .has_value();
}

bool constant_like(Builder &b, const Plan &plan) {
  Term x = b.any();
  ElementType element = b.element(plan.elements);
  host::Literal scalar = *random_literal(
      {element, {}, {}, {}}, ValueKind::SmallIntegers, b.random.below(1 << 20));
  ops::ChloConstantLikeAttributes attributes;
  attributes.value = ops::DenseElements::make(
      scalar.type(), {scalar.data(), scalar.data() + scalar.byte_count()});
  return b.add(plan.kind, attributes, {x}).has_value();
}

constexpr uint32_t kBits = kBooleans | kIntegers;

constexpr Plan kBroadcastingPlans[] = {
    {OpKind::ChloBroadcastAdd, 3, binary<ops::ChloBroadcastAddAttributes>},
    {OpKind::ChloBroadcastSubtract, 3,
     binary<ops::ChloBroadcastSubtractAttributes>, kNumbers},
    {OpKind::ChloBroadcastMultiply, 3,
     binary<ops::ChloBroadcastMultiplyAttributes>, kReal},
    {OpKind::ChloBroadcastDivide, 2, binary<ops::ChloBroadcastDivideAttributes>,
     kIntegers | kFloats},
    {OpKind::ChloBroadcastRemainder, 1,
     binary<ops::ChloBroadcastRemainderAttributes>, kIntegers | kFloats},
    {OpKind::ChloBroadcastMaximum, 1,
     binary<ops::ChloBroadcastMaximumAttributes>, kReal},
    {OpKind::ChloBroadcastMinimum, 1,
     binary<ops::ChloBroadcastMinimumAttributes>, kReal},
    {OpKind::ChloBroadcastPower, 1, binary<ops::ChloBroadcastPowerAttributes>,
     kIntegers | kFloats},
    {OpKind::ChloBroadcastAtan2, 1, binary<ops::ChloBroadcastAtan2Attributes>,
     kFloats},
    {OpKind::ChloBroadcastNextAfter, 1,
     binary<ops::ChloBroadcastNextAfterAttributes>, kFloats},
    {OpKind::ChloBroadcastComplex, 1,
     binary<ops::ChloBroadcastComplexAttributes>, kFloats},
    {OpKind::ChloBroadcastAnd, 1, binary<ops::ChloBroadcastAndAttributes>,
     kBits},
    {OpKind::ChloBroadcastOr, 1, binary<ops::ChloBroadcastOrAttributes>, kBits},
    {OpKind::ChloBroadcastXor, 1, binary<ops::ChloBroadcastXorAttributes>,
     kBits},
    {OpKind::ChloBroadcastShiftLeft, 1,
     binary<ops::ChloBroadcastShiftLeftAttributes>, kIntegers},
    {OpKind::ChloBroadcastShiftRightArithmetic, 1,
     binary<ops::ChloBroadcastShiftRightArithmeticAttributes>, kIntegers},
    {OpKind::ChloBroadcastShiftRightLogical, 1,
     binary<ops::ChloBroadcastShiftRightLogicalAttributes>, kIntegers},
    {OpKind::ChloBroadcastCompare, 3, broadcast_compare},
    {OpKind::ChloBroadcastSelect, 3, broadcast_select},
    {OpKind::ChloConstantLike, 2, constant_like},
};

} // namespace

std::span<const Plan> broadcasting_plans() { return kBroadcastingPlans; }

} // namespace xlac::fuzz
