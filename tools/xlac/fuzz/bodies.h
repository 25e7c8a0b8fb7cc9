// Regions that combine scalars, for reductions and scatters.
#pragma once

#include "fuzz/builder.h"

namespace xlac::fuzz {

/// Makes a body of one op on both arguments. The op is selected among those
/// whose result does not depend on the order (floats are added within an error
/// bound).
std::optional<graph::Block> simple_body(Builder &builder, ElementType element);

/// Makes a body that adds its arguments.
std::optional<graph::Block> sum_body(Builder &builder, ElementType element);

/// Makes a body for several operands. Each has its own op, or the first two are
/// a maximum and its index.
std::optional<graph::Block>
several_body(Builder &builder, const std::vector<ElementType> &elements);

/// Makes a body that returns its second argument.
std::optional<graph::Block> replacing_body(Builder &builder,
                                           ElementType element);

/// Makes a body that takes all `arguments` and compares the first two.
std::optional<graph::Block>
comparing_body(Builder &builder, const std::vector<ElementType> &arguments,
               ops::ComparisonDirection direction, bool total_order);

} // namespace xlac::fuzz
