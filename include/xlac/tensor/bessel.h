// The scaled Bessel function I0e as a graph value, of which StableHLO has no
// op.
#pragma once

#include "xlac/graph/node.h"

namespace xlac::frontend {

/// exp(-|x|) I0(x) of f32 or f64, within some units in the last place.
graph::Value bessel_i0e(const graph::Value &x);

} // namespace xlac::frontend
