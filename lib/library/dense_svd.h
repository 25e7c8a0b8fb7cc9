// Singular value decompositions of any matrices.
#pragma once

#include "dense_bidiagonal.h"
#include "dense_singular.h"
#include "dense_work.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Memory of divide and conquer for n rows.
template <class R>
BidiagonalSolver<R> make_bidiagonal_solver(int64_t n, double *d, double *e,
                                           char *scratch, Arena &arena) {
  BidiagonalSolver<R> solver;
  solver.step = n;
  solver.u = arena.take<R>(n * n);
  solver.v = arena.take<R>(n * n);
  for (int64_t i = 0; i < n * n; ++i)
    solver.u[i] = solver.v[i] = 0;
  solver.d = d;
  solver.e = e;
  solver.order = arena.take<int32_t>(n);
  solver.z = arena.take<double>(padded_doubles(n));
  solver.old = arena.take<double>(padded_doubles(n));
  solver.equation = make_equation(n, arena);
  solver.roots = arena.take<SecularRoot>(n);
  solver.columns.packed = arena.take<R>(n * n);
  solver.columns.factors = arena.take<R>(n * n);
  solver.columns.deflation = make_deflation(n, arena);
  solver.columns.scratch = scratch;
  using Leaf = BidiagonalLeaf;
  solver.leaf = arena.take<double>(Leaf::kRows * Leaf::kWidth +
                                   Leaf::kColumns * Leaf::kColumns);
  return solver;
}

/// The decomposition of a matrix with at least as many rows as columns.
template <class T> struct TallDecomposition {
  using R = typename ElementOf<T>::R;
  static constexpr int parts = ElementOf<T>::parts;
  int64_t m, n;
  bool factors;         ///< whether a QR factorization comes first
  DenseMatrix<T> outer; ///< its factors
  T *outer_taus;
  BidiagonalReduction<T> form;
  char *scratch;

  TallDecomposition(int64_t rows, int64_t columns, char *scratch, Arena &arena)
      : m(rows), n(columns), factors(2 * rows >= 3 * columns),
        scratch(scratch) {
    form.m = factors ? n : m;
    form.n = n;
    form.step = padded_column(form.m);
    form.right_step = padded_column(n);
    form.a = arena.take<T>(n * form.step);
    form.right = arena.take<T>(n * form.right_step);
    outer = {factors ? arena.take<T>(m * n) : nullptr, m, n, 1, m};
    outer_taus = arena.take<T>(n);
    form.diagonal = arena.take<double>(n);
    form.beside = arena.take<double>(n);
    form.taus = arena.take<T>(n);
    form.right_taus = arena.take<T>(n);
    form.left_products = arena.take<T>(2 * kReflections * form.step);
    form.right_products = arena.take<T>(2 * kReflections * form.right_step);
    form.numbers = arena.take<ComplexNumber<R>>(n);
    form.turned = arena.take<R>(2 * form.step);
    form.sum = arena.take<R>(2 * form.step);
    form.scratch = scratch;
  }

  /// Reduces the matrix, scaled, to bidiagonal form.
  void reduce(const DenseMatrix<const T> &a, double scale) {
    auto read = [&](const DenseMatrix<const T> &from, bool upper, T *to,
                    int64_t step, double factor) {
      for (int64_t j = 0; j < n; ++j)
        for (int64_t i = 0; i < step; ++i)
          for (int p = 0; p < parts; ++p)
            parts_of(to + j * step + i)[p] =
                i >= from.rows || (upper && i > j)
                    ? 0
                    : static_cast<R>(parts_of(from.data + i * from.row_stride +
                                              j * from.column_stride)[p] *
                                     factor);
    };
    if (factors) {
      read(a, false, outer.data, m, scale);
      factor_reflections<T>(outer, outer_taus, scratch);
      read(block(read_only(outer), 0, 0, n, n), true, form.a, form.step, 1);
    } else {
      read(a, false, form.a, form.step, scale);
    }
    form.run();
    form.beside[n - 1] = 0;
  }

  /// Writes the vectors of a solver, in descending order of the values.
  void write_vectors(const BidiagonalSolver<R> &solver, const DenseMatrix<T> &u,
                     const DenseMatrix<T> &vh) const {
    auto set = [](const DenseMatrix<T> &to, int64_t i, int64_t j, R value) {
      to.data[i * to.row_stride + j * to.column_stride] =
          element_of<T>(ComplexNumber<R>{value, 0});
    };
    for (int64_t j = 0; j < u.columns; ++j) {
      const R *column =
          j < n ? solver.u + solver.order[n - 1 - j] * solver.step : nullptr;
      for (int64_t i = 0; i < m; ++i)
        set(u, i, j, column ? (i < n ? column[i] : 0) : i == j);
    }
    for (int64_t j = 0; j < n; ++j)
      for (int64_t i = 0; i < n; ++i)
        set(vh, j, i, solver.v[solver.order[n - 1 - j] * solver.step + i]);
    DenseMatrix<const T> left{form.a, form.m, n, 1, form.step};
    multiply_reflections<T>(left, form.taus, n, true, false,
                            block(u, 0, 0, form.m, u.columns), scratch);
    if (factors)
      multiply_reflections<T>(read_only(outer), outer_taus, n, true, false, u,
                              scratch);
    if (n > 1) {
      DenseMatrix<const T> right{form.right + 1, n - 1, n - 1, 1,
                                 form.right_step};
      multiply_reflections<T>(right, form.right_taus, n - 1, false, true,
                              block(vh, 0, 1, n, n - 1), scratch);
    }
  }
};

/// The singular values of a bidiagonal matrix, which are the positive
/// eigenvalues of a tridiagonal one with 2 n rows (Golub and Kahan, 1965).
inline bool find_values(const double *diagonal, const double *beside, int64_t n,
                        double *values, Arena &arena) {
  double *d = arena.take<double>(2 * n), *e = arena.take<double>(2 * n);
  for (int64_t i = 0; i < n; ++i) {
    d[2 * i] = d[2 * i + 1] = 0;
    e[2 * i] = diagonal[i];
    e[2 * i + 1] = beside[i];
  }
  auto ignore = [](int64_t, double, double) {};
  if (!iterate_ql(d, e, 2 * n, ignore))
    return false;
  sort_numbers(d, 2 * n);
  for (int64_t i = 0; i < n; ++i)
    values[i] = larger(d[2 * n - 1 - i], 0);
  return true;
}

template <class T>
bool decompose_singular(DenseMatrix<const T> a, DenseMatrix<T> u,
                        double *values, DenseMatrix<T> vh, char *scratch) {
  using R = typename ElementOf<T>::R;
  if (a.rows < a.columns) {
    a = transposed(a);
    DenseMatrix<T> other = transposed(u);
    u = transposed(vh);
    vh = other;
  }
  int64_t n = a.columns;
  if (n == 0) {
    for (int64_t i = 0; u.data && i < u.rows; ++i)
      for (int64_t j = 0; j < u.columns; ++j)
        u.data[i * u.row_stride + j * u.column_stride] =
            element_of<T>(ComplexNumber<R>{static_cast<R>(i == j), 0});
    return true;
  }
  double scale = find_scale(a, Wanted::All);
  if (scale == 0)
    return false;
  Arena arena{scratch};
  char *products = arena.take<char>(dense_scratch<T>(a.rows));
  TallDecomposition<T> tall(a.rows, n, products, arena);
  tall.reduce(a, scale);
  const BidiagonalReduction<T> &form = tall.form;
  if (u.data) {
    auto solver = make_bidiagonal_solver<R>(n, form.diagonal, form.beside,
                                            products, arena);
    solver.solve(0, n, 0);
    for (int64_t i = 0; i < n; ++i)
      values[i] = solver.d[solver.order[n - 1 - i]];
    tall.write_vectors(solver, u, vh);
  } else if (!find_values(form.diagonal, form.beside, n, values, arena)) {
    return false;
  }
  // Divide and conquer replaces zeros by negligible numbers.
  for (int64_t i = 0; i < n; ++i)
    values[i] = values[i] < 1e10 * kNegligible ? 0 : values[i] / scale;
  return true;
}

} // namespace

#define XLAC_DEFINE_SVD(T)                                                     \
  bool find_singular_values(DenseMatrix<const T> a, DenseMatrix<T> u,          \
                            double *values, DenseMatrix<T> vh,                 \
                            char *scratch) {                                   \
    return decompose_singular<T>(a, u, values, vh, scratch);                   \
  }
XLAC_DEFINE_SVD(float)
XLAC_DEFINE_SVD(double)
XLAC_DEFINE_SVD(ComplexNumber<float>)
XLAC_DEFINE_SVD(ComplexNumber<double>)
#undef XLAC_DEFINE_SVD

} // namespace xlac::library::XLAC_DENSE_FEATURES
