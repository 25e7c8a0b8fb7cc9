// Householder reflections H = I - tau v vᴴ with v = (1, x). As in LAPACK, Hᴴ a
// = beta e1 with a real beta.
#pragma once

#include "lapack_calls.h"

#include <Eigen/Householder>

namespace xlac::library {

/// Computes the reflection that clears `column` below its first element, which
/// becomes beta. The tail of v replaces the cleared elements. Returns tau.
template <class T, class Column> T make_reflection(Column &&column) {
  if (column.size() == 0)
    return T(0);
  T tau;
  Real<T> beta;
  column.makeHouseholderInPlace(tau, beta);
  column(0) = beta;
  // Eigen's reflection satisfies H a = beta e1.
  return Eigen::numext::conj(tau);
}

/// part = (I - tau v vᴴ) part with v = (1, tail).
template <class T, class Part, class Tail>
void reflect_left(Part &&part, const Tail &tail, T tau) {
  if (part.size() == 0 || tau == T(0))
    return;
  Eigen::Matrix<T, 1, Eigen::Dynamic> product =
      part.row(0) + tail.adjoint() * part.bottomRows(part.rows() - 1);
  part.row(0) -= tau * product;
  part.bottomRows(part.rows() - 1).noalias() -= (tau * tail) * product;
}

/// part = part (I - tau v vᴴ).
template <class T, class Part, class Tail>
void reflect_right(Part &&part, const Tail &tail, T tau) {
  if (part.size() == 0 || tau == T(0))
    return;
  Vector<T> product = part.col(0) + part.rightCols(part.cols() - 1) * tail;
  part.col(0) -= tau * product;
  part.rightCols(part.cols() - 1).noalias() -= (tau * product) * tail.adjoint();
}

/// Clears column `k` of `a` below the diagonal and reflects the columns after
/// it.
template <class T> T eliminate(Matrix<T> &a, int64_t k) {
  int64_t rows = a.rows() - k;
  T tau = make_reflection<T>(a.col(k).tail(rows));
  Vector<T> tail = a.col(k).tail(rows - 1);
  reflect_left<T>(a.bottomRightCorner(rows, a.cols() - k - 1), tail,
                  Eigen::numext::conj(tau));
  return tau;
}

/// Applies a similarity transform to rows and columns from k + 1 to `end` of
/// `a`, which clears column k below row k + 1.
template <class T> T reduce_similar(Matrix<T> &a, int64_t k, int64_t end) {
  int64_t rows = end - k - 1;
  T tau = make_reflection<T>(a.col(k).segment(k + 1, rows));
  Vector<T> tail = a.col(k).segment(k + 2, rows - 1);
  reflect_right<T>(a.block(0, k + 1, end, rows), tail, tau);
  reflect_left<T>(a.block(k + 1, k + 1, rows, a.cols() - k - 1), tail,
                  Eigen::numext::conj(tau));
  return tau;
}

/// Reduces the hermitian matrix `a` to tridiagonal form, stored with the
/// vectors.
template <class T>
void tridiagonalize(Matrix<T> &a, Vector<Real<T>> &diagonal,
                    Vector<Real<T>> &beside, Vector<T> &taus) {
  int64_t n = a.rows();
  for (int64_t k = 0; k + 1 < n; ++k)
    taus(k) = reduce_similar(a, k, n);
  diagonal = a.diagonal().real();
  for (int64_t k = 0; k + 1 < n; ++k)
    beside(k) = Eigen::numext::real(a(k + 1, k));
}

} // namespace xlac::library
