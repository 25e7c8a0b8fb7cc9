// Shared code of the error bounds: literals as numbers, and bounds in separate
// files.
#pragma once

#include "fuzz/error_bound.h"

#include <limits>

namespace xlac::fuzz {

using Numbers = std::vector<double>;

inline constexpr double kInfinity = std::numeric_limits<double>::infinity();

/// Returns |x| of every element; the modulus of complex ones.
Numbers magnitudes(const host::Literal &literal);

/// Returns `values` as f64 in the shape of `type`.
host::Literal literal_of(TensorType type, const Numbers &values);

/// Returns the radius of every element, 0 for an exact value.
Numbers radius_of(const Checked &value);

/// Evaluates the op in f64 on other numbers and returns its first result.
/// `operands` are f64, except for indices. Returns nothing if that is
/// impossible.
std::optional<Numbers> shadow(const OpUse &use,
                              const std::vector<host::Literal> &operands,
                              std::span<const graph::Block> regions = {});

/// Adds to `spread`, one per element of the result, the loss of flushing
/// denormal numbers in a sum of `terms` bf16 products
/// (docs/decisions/0006-bf16-gemm-on-amx.md). Returns false if there is no
/// bound.
bool add_flushed(const OpUse &use, double terms, Numbers &spread);

/// Returns the radii of a batch_norm op on exact operands, one per result.
std::vector<host::Literal>
batch_norm_radii(const OpUse &use, std::span<const host::Literal> results);

} // namespace xlac::fuzz
