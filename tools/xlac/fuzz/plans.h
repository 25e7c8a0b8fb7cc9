// How each op gets into a program: one entry of a table an op. A plan draws
// operands and attributes and adds the op; the shape rule has the last word,
// so a plan may try what is not allowed.
#pragma once

#include "fuzz/builder.h"

#include <span>

namespace xlac::fuzz {

struct Plan {
  ops::OpKind kind;
  uint32_t weight;
  /// Adds the op; false where it was refused.
  bool (*make)(Builder &, const Plan &);
  uint32_t elements = kAll; ///< what its operands are made of
  /// Inside regions too: an op that is exact on unknown values.
  bool in_regions = true;
};

std::span<const Plan> elementwise_plans();
std::span<const Plan> broadcasting_plans();
std::span<const Plan> movement_plans();
std::span<const Plan> indexing_plans();
std::span<const Plan> reduction_plans();
std::span<const Plan> contraction_plans();
std::span<const Plan> control_plans();
std::span<const Plan> quantized_plans();
std::span<const Plan> collective_plans();
std::span<const Plan> other_plans();

/// All of them.
const std::vector<Plan> &plans();

/// What the sizes and amounts of a dynamic op are given in.
ElementType size_element(Builder &builder);
/// A vector of them.
Term sizes(Builder &builder, ElementType element, const Dims &values);

/// Finite values above `low`.
Term values_above(Builder &builder, const TensorType &type, double low);

/// Adds one op of any plan, trying a few; false if none was accepted.
bool add_random_op(Builder &builder);

/// True if the value is known to hold a NaN on any process, or not known at
/// all.
bool may_hold_nan(const Builder &builder, const Term &term);

} // namespace xlac::fuzz
