// The modified Bessel function I0 as a formula. StableHLO has no op for it.
#pragma once

#include "xlac/tensor/terms.h"

namespace xlac::frontend {

/// I0 of an f32 or f64 term, within a few units in the last place.
Term bessel_i0(const Term &x);

} // namespace xlac::frontend
