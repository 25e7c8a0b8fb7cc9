// The modified Bessel function I0, of which StableHLO has no op, as a formula.
#pragma once

#include "xlac/tensor/terms.h"

namespace xlac::frontend {

/// I0 of an f32 or f64 term, within some units in the last place.
Term bessel_i0(const Term &x);

} // namespace xlac::frontend
