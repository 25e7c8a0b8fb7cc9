// Which of the vectors that the equations of a decomposition allow: those that
// LAPACK gives.
#pragma once

#include "lapack_calls.h"

namespace xlac::library {

/// Multiplies the eigenvectors of the hermitian matrix `a`, the columns of
/// `vectors` in ascending order of their values, by signs or phases, so that
/// they are those of syevd and heevd, which read the triangle of `a` that
/// `lower` says. Leaves those of eigenvalues that T cannot tell apart, and all
/// of more than kMostRotatedRows rows.
template <class T>
void take_hermitian_signs(const Matrix<T> &a, bool lower,
                          Matrix<Wide<T>> &vectors);

/// The same for pairs of singular vectors, column k of `left` and row k of
/// `right`, of `a` as gesdd gives them. Further columns of `left` and rows of
/// `right`, which complete a basis, become gesdd's where `a` has full rank, as
/// `is_regular` says.
template <class T>
void take_singular_signs(const Matrix<T> &a, bool is_regular,
                         Matrix<Wide<T>> &left, Matrix<Wide<T>> &right);

} // namespace xlac::library
