// LAPACK's iterations for eigenvectors of tridiagonal and singular vectors of
// bidiagonal matrices, rotation by rotation. The vectors are unique up to
// signs, which depend on the rotations.
#pragma once

#include "lapack_calls.h"

namespace xlac::library {

/// For more rows, LAPACK uses divide and conquer.
inline constexpr int64_t kMostRotatedRows = 25;

/// Same as steqr: the eigenvectors of the symmetric tridiagonal matrix with
/// `diagonal` (n) and `beside` (n - 1). They are columns of `vectors` (n x n)
/// in ascending order of their values. False if they are not found. R is float
/// or double; its precision determines the number of rotations.
template <class R>
bool rotate_tridiagonal(Vector<R> diagonal, Vector<R> beside,
                        Matrix<R> &vectors);

/// Same as bdsdc for few rows: factors a bidiagonal matrix as left * S * right.
/// It has `diagonal` (n) and `beside` (n - 1), above it or, if `lower`, below
/// it. S has descending values. False if they are not found.
template <class R>
bool rotate_bidiagonal(Vector<R> diagonal, Vector<R> beside, bool lower,
                       Matrix<R> &left, Matrix<R> &right);

} // namespace xlac::library
