// Writes through views whose steps show elements several times on the way.
#pragma once

#include "xlac/lazy/view_step.h"

namespace xlac::lazy {

/// The first step that may show an element of its base in several places, and
/// which other steps follow; the number of steps if there is none.
size_t first_overlap(std::span<const ViewStep> steps);

/// As replace_through, of steps whose `first` is such a one: only what the last
/// step shows is written. UserError where that does not change along a
/// dimension.
graph::Value replace_overlapping(std::span<const ViewStep> steps, size_t first,
                                 graph::Value base, graph::Value part);

/// The number of elements of a tensor with these dimensions.
int64_t count_of(const Shape &dims);

} // namespace xlac::lazy
