// Eigenvalues and eigenvectors of hermitian matrices.
#pragma once

#include "dense_tridiagonal.h"
#include "dense_work.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Copies the lower triangle, scaled, to columns of `step` elements, padded
/// with zeros.
template <class T>
void copy_triangle(const DenseMatrix<const T> &a, bool conjugate, double scale,
                   T *to, int64_t step) {
  constexpr int parts = ElementOf<T>::parts;
  for (int64_t j = 0; j < a.columns; ++j)
    for (int64_t i = 0; i < step; ++i)
      for (int p = 0; p < parts; ++p) {
        double value = 0;
        if (i >= j && i < a.rows)
          value = parts_of(a.data + i * a.row_stride + j * a.column_stride)[p];
        parts_of(to + j * step + i)[p] = static_cast<typename ElementOf<T>::R>(
            p == 1 && conjugate ? -value * scale : value * scale);
      }
}

/// Memory of divide and conquer for n rows.
template <class R>
TridiagonalSolver<R> make_solver(int64_t n, double *d, double *e, char *scratch,
                                 Arena &arena) {
  TridiagonalSolver<R> solver;
  solver.step = n;
  solver.q = arena.take<R>(n * n);
  solver.columns.packed = arena.take<R>(n * n);
  solver.columns.factors = arena.take<R>(n * n);
  for (int64_t i = 0; i < n * n; ++i)
    solver.q[i] = 0;
  solver.d = d;
  solver.e = e;
  solver.z = arena.take<double>(padded_doubles(n));
  solver.old = arena.take<double>(padded_doubles(n));
  solver.equation = make_equation(n, arena);
  solver.leaf = arena.take<double>(kLeafRows * kLeafRows);
  solver.roots = arena.take<SecularRoot>(n);
  solver.order = arena.take<int32_t>(n);
  solver.columns.deflation = make_deflation(n, arena);
  solver.columns.scratch = scratch;
  return solver;
}

/// Multiplies the solver's vectors, in ascending order, by the reflections.
template <class T, class R>
void write_vectors(const TridiagonalSolver<R> &solver, const T *reduced,
                   int64_t step, const T *taus, const DenseMatrix<T> &vectors,
                   char *scratch) {
  constexpr int parts = ElementOf<T>::parts;
  int64_t n = vectors.rows;
  for (int64_t j = 0; j < n; ++j) {
    const R *from = solver.q + solver.order[j] * solver.step;
    R *to = parts_of(vectors.data + j * vectors.column_stride);
    for (int64_t i = 0; i < n; ++i, to += vectors.row_stride * parts) {
      to[0] = from[i];
      if constexpr (parts == 2)
        to[1] = 0;
    }
  }
  if (n > 1) {
    DenseMatrix<const T> below{reduced + 1, n - 1, n - 1, 1, step};
    multiply_reflections<T>(below, taus, n - 1, true, false,
                            block(vectors, 1, 0, n - 1, n), scratch);
  }
}

template <class T>
bool decompose_hermitian(DenseMatrix<const T> a, bool lower, double *values,
                         const DenseMatrix<T> &vectors, char *scratch) {
  using R = typename ElementOf<T>::R;
  int64_t n = a.rows;
  if (n == 0)
    return true;
  if (!lower)
    a = transposed(a);
  double scale = find_scale(a, Wanted::Lower);
  if (scale == 0)
    return false;
  Arena arena{scratch};
  char *products = arena.take<char>(dense_scratch<T>(n));
  TridiagonalReduction<T> form;
  form.n = n;
  form.step = padded_column(n);
  form.a = arena.take<T>(n * form.step);
  form.diagonal = values;
  form.beside = arena.take<double>(n);
  form.taus = arena.take<T>(n);
  form.products = arena.take<T>(3 * kReflections * form.step);
  form.turned = arena.take<R>(2 * form.step);
  form.sum = arena.take<R>(2 * form.step);
  form.scratch = products;
  copy_triangle(a, !lower, scale, form.a, form.step);
  form.run();
  form.beside[n - 1] = 0;
  bool is_found = true;
  if (vectors.data) {
    auto solver = make_solver<R>(n, values, form.beside, products, arena);
    is_found = solver.solve(0, n);
    if (is_found)
      write_vectors(solver, form.a, form.step, form.taus, vectors, products);
  } else {
    auto ignore = [](int64_t, double, double) {};
    is_found = iterate_ql(values, form.beside, n, ignore);
  }
  sort_numbers(values, n);
  for (int64_t i = 0; i < n; ++i)
    values[i] /= scale;
  return is_found;
}

} // namespace

#define XLAC_DEFINE_SPECTRA(T)                                                 \
  bool find_spectrum(DenseMatrix<const T> a, bool lower, double *values,       \
                     DenseMatrix<T> vectors, char *scratch) {                  \
    return decompose_hermitian<T>(a, lower, values, vectors, scratch);         \
  }
XLAC_DEFINE_SPECTRA(float)
XLAC_DEFINE_SPECTRA(double)
XLAC_DEFINE_SPECTRA(ComplexNumber<float>)
XLAC_DEFINE_SPECTRA(ComplexNumber<double>)
#undef XLAC_DEFINE_SPECTRA

} // namespace xlac::library::XLAC_DENSE_FEATURES
