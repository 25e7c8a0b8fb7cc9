// The iterations by which LAPACK finds eigenvectors of tridiagonal and singular
// vectors of bidiagonal matrices, rotation by rotation: what they give is
// determined but for signs, and those come of the rotations.
#pragma once

#include "lapack_calls.h"

namespace xlac::library {

/// More rows than this LAPACK divides and conquers instead.
inline constexpr int64_t kMostRotatedRows = 25;

/// As steqr: the eigenvectors of the symmetric tridiagonal matrix with
/// `diagonal` (n) and `beside` (n - 1), one a column of `vectors` (n x n), in
/// the ascending order of their values. False if they are not found. R is float
/// or double; rotations are as many as its precision asks for.
template <class R>
bool rotate_tridiagonal(Vector<R> diagonal, Vector<R> beside,
                        Matrix<R> &vectors);

/// As bdsdc for few rows: the matrix with `diagonal` (n) and, above it or, if
/// `lower`, below it, `beside` (n - 1) is left * S * right, S with descending
/// values. False if that is not found.
template <class R>
bool rotate_bidiagonal(Vector<R> diagonal, Vector<R> beside, bool lower,
                       Matrix<R> &left, Matrix<R> &right);

} // namespace xlac::library
