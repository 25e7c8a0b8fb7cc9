// Selects, among the vectors that a decomposition permits, those that LAPACK
// computes.
#pragma once

#include "lapack_calls.h"

namespace xlac::library {

/// Multiplies the eigenvectors of the hermitian matrix `a`, the columns of
/// `vectors` in ascending order of their values, by signs or phases. They then
/// equal those of syevd and heevd, which read the triangle of `a` that `lower`
/// selects. Vectors of eigenvalues that are equal in T do not change, nor do
/// matrices with more than kMostRotatedRows rows.
template <class T>
void take_hermitian_signs(const Matrix<T> &a, bool lower,
                          Matrix<Wide<T>> &vectors);

/// The same for the singular vectors of `a`, column k of `left` and row k of
/// `right`, as gesdd computes them. Additional columns of `left` and rows of
/// `right`, which complete a basis, become those of gesdd if `a` has full rank
/// (`is_regular`).
template <class T>
void take_singular_signs(const Matrix<T> &a, bool is_regular,
                         Matrix<Wide<T>> &left, Matrix<Wide<T>> &right);

} // namespace xlac::library
