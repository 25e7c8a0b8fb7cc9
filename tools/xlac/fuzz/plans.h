// The table of plans, one per op. A plan picks operands and attributes and adds
// the op. The shape rule decides whether it is valid, so a plan may try invalid
// ops.
#pragma once

#include "fuzz/builder.h"

#include <span>

namespace xlac::fuzz {

struct Plan {
  ops::OpKind kind;
  uint32_t weight;
  /// Adds the op; returns false if it was rejected.
  bool (*make)(Builder &, const Plan &);
  uint32_t elements = kAll; ///< element types of the operands
  /// Allowed inside regions, too: the op is exact on unknown values.
  bool in_regions = true;
};

std::span<const Plan> elementwise_plans();
std::span<const Plan> broadcasting_plans();
std::span<const Plan> movement_plans();
std::span<const Plan> indexing_plans();
std::span<const Plan> reduction_plans();
/// Sorts of which a few first rows are read. Not among plans().
std::span<const Plan> head_plans();
std::span<const Plan> contraction_plans();
std::span<const Plan> control_plans();
std::span<const Plan> quantized_plans();
std::span<const Plan> collective_plans();
std::span<const Plan> other_plans();

/// Returns all plans.
const std::vector<Plan> &plans();

/// Picks the element type of sizes and amounts of a dynamic op.
ElementType size_element(Builder &builder);
/// Makes a vector of them.
Term sizes(Builder &builder, ElementType element, const Dims &values);

/// Makes finite values above `low`.
Term values_above(Builder &builder, const TensorType &type, double low);

/// Adds one op of a random plan, with a few attempts. Returns false if none was
/// accepted.
bool add_random_op(Builder &builder);

/// True if the value has a NaN on any process, or is unknown.
bool may_hold_nan(const Builder &builder, const Term &term);

} // namespace xlac::fuzz
