// Targets of custom calls that the front end records and differentiates and the
// library implements. Stored programs contain these names too.
#pragma once

namespace xlac::library {

/// Decompositions, with the names of XLA or JAX where they exist: eigenvalues
/// and eigenvectors of symmetric and general matrices, LU with pivots, thin QR,
/// singular values and vectors.
inline constexpr char kEighTarget[] = "Eigh";
inline constexpr char kEigTarget[] = "xlac.eig";
inline constexpr char kLuTarget[] = "LuDecomposition";
inline constexpr char kQrTarget[] = "xlac.qr";
inline constexpr char kSvdTarget[] = "xlac.svd";

/// Returns its operand, which must be true; otherwise the run fails.
inline constexpr char kRequireTarget[] = "xlac.require";

} // namespace xlac::library
