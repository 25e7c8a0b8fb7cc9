// Targets of custom calls that the front end records and differentiates and
// the library runs. Programs that were written before name them too.
#pragma once

namespace xlac::library {

/// Decompositions, by the names that XLA or JAX gives them where it has them:
/// eigenvalues and vectors of symmetric and of other matrices, LU with pivots,
/// thin QR, singular values and vectors.
inline constexpr char kEighTarget[] = "Eigh";
inline constexpr char kEigTarget[] = "xlac.eig";
inline constexpr char kLuTarget[] = "LuDecomposition";
inline constexpr char kQrTarget[] = "xlac.qr";
inline constexpr char kSvdTarget[] = "xlac.svd";

/// Gives its operand, which must be true; else the run fails.
inline constexpr char kRequireTarget[] = "xlac.require";

} // namespace xlac::library
