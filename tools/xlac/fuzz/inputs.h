// Values of program arguments: plain ones, for which sums are exact, and edge
// cases.
#pragma once

#include "fuzz/random.h"
#include "xlac/host/literal.h"

namespace xlac::fuzz {

enum class ValueKind : uint8_t {
  SmallIntegers, ///< -4 to 4 (0 to 4 for unsigned types)
  Eighths,       ///< multiples of 1/8 up to 2; integers: any below 128
  Moderate,      ///< any mantissa, exponents near 0; integers: any bits
  Edges,         ///< NaN, infinities, both zeros, denormals, INT_MIN, widths
  Bits,          ///< any bits
};

/// Returns elements of a static `type`, determined by `seed`.
Result<host::Literal> random_literal(const TensorType &type, ValueKind kind,
                                     uint64_t seed);

/// The largest finite value of a float type.
double largest_finite(ElementType type);
/// Returns the distance between adjacent numbers at `value` in a float type.
double ulp_at(ElementType type, double value);

} // namespace xlac::fuzz
