// What the files of the error bounds share: literals as numbers, and the bounds
// that have a file of their own.
#pragma once

#include "fuzz/error_bound.h"

#include <limits>

namespace xlac::fuzz {

using Numbers = std::vector<double>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// |x| of every element; of a complex one the modulus.
Numbers magnitudes(const host::Literal &literal);

/// `values` as f64 in the shape of `type`.
host::Literal literal_of(TensorType type, const Numbers &values);

/// The radii of a batch_norm op on exact operands, one a result.
std::vector<host::Literal>
batch_norm_radii(const OpUse &use, std::span<const host::Literal> results);

} // namespace xlac::fuzz
