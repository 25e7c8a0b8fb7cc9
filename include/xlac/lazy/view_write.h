// Writes through views.
#pragma once

#include "xlac/lazy/view_step.h"

namespace xlac::lazy {

/// `base` with the elements selected by `steps`, in sequence, replaced by
/// `part`. UserError if they select an element several times.
graph::Value replace_through(std::span<const ViewStep> steps, graph::Value base,
                             graph::Value part);

} // namespace xlac::lazy
