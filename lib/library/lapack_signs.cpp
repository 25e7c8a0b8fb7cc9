#include "lapack_signs.h"

#include "reflections.h"
#include "rotations.h"

#include <algorithm>

namespace xlac::library {

namespace {

/// z = H0 H1 … z; the vector of Hk is below row k + `offset` of column k.
template <class T, class Part>
void apply_reflections(const Matrix<T> &a, const Vector<T> &taus,
                       int64_t offset, Part &&z) {
  for (int64_t k = taus.size(); k-- > 0;) {
    int64_t rows = a.rows() - k - offset;
    Vector<T> tail = a.col(k).tail(rows - 1);
    reflect_left<T>(z.bottomRows(rows), tail, taus(k));
  }
}

/// The factor that rotates `ours` to `wanted`, both of length 1; 1 if they are
/// not the same vector.
template <class T, class Ours, class Wanted>
Wide<T> phase_between(const Ours &ours, const Wanted &wanted) {
  Wide<T> product = ours.dot(wanted.template cast<Wide<T>>());
  double size = std::abs(product);
  return size > 0.75 ? product / size : Wide<T>(1);
}

/// The upper bidiagonal B with a = q B pᴴ, by reflections from the left, whose
/// vectors are below the diagonal of `form`, and from the right. There are at
/// least as many rows as columns.
template <class T> struct Bidiagonal {
  Matrix<T> form, right_vectors;
  Vector<T> left_taus, right_taus;
  Vector<Real<T>> diagonal, beside;

  explicit Bidiagonal(const Matrix<T> &a)
      : form(a), right_vectors(Matrix<T>::Zero(a.cols(), a.cols())),
        left_taus(a.cols()), right_taus(std::max<int64_t>(a.cols() - 1, 0)),
        diagonal(a.cols()), beside(right_taus.size()) {
    for (int64_t k = 0; k < form.cols(); ++k) {
      left_taus(k) = eliminate(form, k);
      diagonal(k) = std::real(form(k, k));
      if (k + 1 < form.cols())
        eliminate_row(k);
    }
  }

  template <class Part> void apply_left(Part &&z) const {
    apply_reflections(form, left_taus, 0, z);
  }
  template <class Part> void apply_right(Part &&z) const {
    apply_reflections(right_vectors, right_taus, 1, z);
  }

private:
  void eliminate_row(int64_t k) {
    int64_t rest = form.cols() - k - 1;
    Vector<T> row = form.row(k).tail(rest).adjoint();
    right_taus(k) = make_reflection<T>(row);
    beside(k) = std::real(row(0));
    right_vectors.col(k).tail(rest) = row;
    Vector<T> tail = row.tail(rest - 1);
    reflect_right<T>(form.bottomRightCorner(form.rows() - k - 1, rest), tail,
                     right_taus(k));
  }
};

/// Whether gesdd starts with a QR or LQ decomposition.
template <class T> bool begins_with_qr(int64_t most, int64_t least) {
  auto size = static_cast<double>(least);
  return most >=
         static_cast<int64_t>(is_complex_v<T> ? size * 17 / 9 : size * 11 / 6);
}

/// The singular vectors of `a`, with at least as many rows as columns, as gesdd
/// computes them for `a` or for its adjoint. `tall` has a column for each, and
/// more that complete a basis up to its number of columns; `small` is square.
/// False if they are not found.
template <class T>
bool find_singular_vectors(const Matrix<T> &a, bool is_adjoint, Matrix<T> &tall,
                           Matrix<T> &small) {
  int64_t n = a.cols();
  bool factors = begins_with_qr<T>(a.rows(), n);
  Matrix<T> reflected = a;
  Vector<T> taus(factors ? n : 0);
  Matrix<T> core = a;
  if (factors) {
    for (int64_t k = 0; k < n; ++k)
      taus(k) = eliminate(reflected, k);
    core = reflected.topRows(n).template triangularView<Eigen::Upper>();
    if (is_adjoint)
      core.adjointInPlace();
  }
  Bidiagonal<T> form(core);
  Matrix<Real<T>> left, right;
  if (!rotate_bidiagonal(form.diagonal, form.beside, is_adjoint && !factors,
                         left, right))
    return false;
  right.transposeInPlace();
  tall.setIdentity();
  tall.topLeftCorner(n, n) = (is_adjoint ? right : left).template cast<T>();
  small = (is_adjoint ? left : right).template cast<T>();
  if (factors && is_adjoint) {
    form.apply_right(tall.topRows(n));
    form.apply_left(small);
  } else {
    form.apply_left(tall.topRows(core.rows()));
    form.apply_right(small);
  }
  apply_reflections(reflected, taus, 0, tall);
  return true;
}

} // namespace

template <class T>
void take_hermitian_signs(const Matrix<T> &a, bool lower,
                          Matrix<Wide<T>> &vectors) {
  int64_t n = a.rows();
  if (n < 2 || n > kMostRotatedRows)
    return;
  // The upper triangle is the lower triangle of the reversed matrix.
  Matrix<T> form = lower ? a : Matrix<T>(a.reverse());
  form.template triangularView<Eigen::StrictlyUpper>() = form.adjoint().eval();
  Vector<Real<T>> diagonal(n), beside(n - 1);
  Vector<T> taus(n - 1);
  tridiagonalize(form, diagonal, beside, taus);
  if (!lower) {
    diagonal.reverseInPlace();
    beside.reverseInPlace();
  }
  Matrix<Real<T>> rotated;
  if (!rotate_tridiagonal(diagonal, beside, rotated))
    return;
  Matrix<T> wanted = rotated.template cast<T>();
  if (!lower)
    wanted.colwise().reverseInPlace();
  apply_reflections(form, taus, 1, wanted);
  if (!lower)
    wanted.colwise().reverseInPlace();
  for (int64_t k = 0; k < n; ++k)
    vectors.col(k) *= phase_between<T>(vectors.col(k), wanted.col(k));
}

template <class T>
void take_singular_signs(const Matrix<T> &a, bool is_regular,
                         Matrix<Wide<T>> &left, Matrix<Wide<T>> &right) {
  int64_t count = std::min(a.rows(), a.cols());
  if (count == 0 || count > kMostRotatedRows)
    return;
  bool is_wide = a.rows() < a.cols();
  Matrix<T> source = is_wide ? Matrix<T>(a.adjoint()) : a;
  Matrix<T> tall(source.rows(), count), small;
  if (!find_singular_vectors(source, is_wide, tall, small))
    return;
  const Matrix<T> &wanted = is_wide ? small : tall;
  for (int64_t k = 0; k < count; ++k) {
    Wide<T> phase = phase_between<T>(left.col(k), wanted.col(k));
    left.col(k) *= phase;
    right.row(k) *= Eigen::numext::conj(phase);
  }
  int64_t more = (is_wide ? right.rows() : left.cols()) - count;
  if (more == 0 || !is_regular)
    return;
  Matrix<Wide<T>> basis(source.rows(), count + more), unused;
  Matrix<Wide<T>> exact = source.template cast<Wide<T>>();
  if (!find_singular_vectors(exact, is_wide, basis, unused))
    return;
  if (is_wide)
    right.bottomRows(more) = basis.rightCols(more).adjoint();
  else
    left.rightCols(more) = basis.rightCols(more);
}

#define XLAC_INSTANTIATE(T)                                                    \
  template void take_hermitian_signs(const Matrix<T> &, bool,                  \
                                     Matrix<Wide<T>> &);                       \
  template void take_singular_signs(const Matrix<T> &, bool,                   \
                                    Matrix<Wide<T>> &, Matrix<Wide<T>> &);
XLAC_INSTANTIATE(float)
XLAC_INSTANTIATE(double)
XLAC_INSTANTIATE(std::complex<float>)
XLAC_INSTANTIATE(std::complex<double>)
#undef XLAC_INSTANTIATE

} // namespace xlac::library
