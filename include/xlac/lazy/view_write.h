// Writes through views.
#pragma once

#include "xlac/lazy/view_step.h"

namespace xlac::lazy {

/// `base` with what `steps`, one after the other, show replaced by `part`.
/// UserError where they show one element in several places.
graph::Value replace_through(std::span<const ViewStep> steps, graph::Value base,
                             graph::Value part);

} // namespace xlac::lazy
