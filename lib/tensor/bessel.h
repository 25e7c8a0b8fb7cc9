// The modified Bessel function I0, of which StableHLO has no op, as a formula.
#pragma once

#include "terms.h"

namespace xlac::front {

/// I0 of an f32 or f64 term, within some units in the last place.
Term bessel_i0(const Term &x);

} // namespace xlac::front
