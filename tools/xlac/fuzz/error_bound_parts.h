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

/// The radius of every element, 0 for an exact value.
Numbers radius_of(const Checked &value);

/// The first result of the same op on other numbers, computed in f64:
/// `operands` in f64, indices as they are. Nothing if it cannot be.
std::optional<Numbers> shadow(const OpUse &use,
                              const std::vector<host::Literal> &operands,
                              std::span<const graph::Block> regions = {});

/// Adds to `spread`, one a result of a sum of `terms` products, what is lost
/// where products of bf16 take denormal numbers for zero
/// (docs/decisions/0006-bf16-gemm-on-amx.md). False if that has no bound.
bool add_flushed(const OpUse &use, double terms, Numbers &spread);

/// The radii of a batch_norm op on exact operands, one a result.
std::vector<host::Literal>
batch_norm_radii(const OpUse &use, std::span<const host::Literal> results);

} // namespace xlac::fuzz
