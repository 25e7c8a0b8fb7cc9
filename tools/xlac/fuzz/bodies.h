// Regions that combine scalars: what reductions and scatters are given.
#pragma once

#include "fuzz/builder.h"

namespace xlac::fuzz {

/// One op on both arguments, drawn among those whose result does not depend
/// on the order (floats are added within an error bound).
std::optional<graph::Block> simple_body(Builder &builder, ElementType element);

/// Several operands at once: each keeps its own combination, or the first two
/// are a maximum and where it lies.
std::optional<graph::Block>
several_body(Builder &builder, const std::vector<ElementType> &elements);

/// Gives its second argument.
std::optional<graph::Block> replacing_body(Builder &builder,
                                           ElementType element);

/// A comparison of its two first arguments; of `arguments` all are taken.
std::optional<graph::Block>
comparing_body(Builder &builder, const std::vector<ElementType> &arguments,
               ops::ComparisonDirection direction, bool total_order);

} // namespace xlac::fuzz
