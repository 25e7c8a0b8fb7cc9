// The scaled Bessel function I0e as a graph value. StableHLO has no op for it.
#pragma once

#include "xlac/graph/node.h"

namespace xlac::frontend {

/// Returns exp(-|x|) I0(x) of f32 or f64, within a few units in the last place.
graph::Value bessel_i0e(const graph::Value &x);

} // namespace xlac::frontend
