// Eigenvalues and eigenvectors of hermitian matrices.
#pragma once

#include "dense_divide.h"
#include "dense_tridiagonal.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Takes arrays from scratch memory, at multiples of 64 bytes.
struct Arena {
  char *next;
  template <class X> X *take(int64_t count) {
    char *taken = next;
    next += round_up(count * static_cast<int64_t>(sizeof(X)), 64);
    return reinterpret_cast<X *>(taken);
  }
};

/// Finds a power of two by which the wanted elements are at most 1; 1 if they
/// are zeros, and 0 if they are not finite.
template <class T>
double find_scale(const DenseMatrix<const T> &a, Wanted wanted) {
  using R = typename ElementOf<T>::R;
  R most = 0;
  // Zero unless an element is not finite.
  R probe = 0;
  for (int64_t i = 0; i < a.rows; ++i) {
    auto *row = parts_of(a.data + i * a.row_stride);
    int64_t count = wanted == Wanted::Lower ? i + 1 : a.columns;
    for (int64_t j = 0; j < count; ++j)
      for (int p = 0; p < ElementOf<T>::parts; ++p) {
        R element = row[j * a.column_stride * ElementOf<T>::parts + p];
        probe += element * 0;
        R size = size_of(element);
        most = most < size ? size : most;
      }
  }
  if (probe != 0)
    return 0;
  if (most == 0)
    return 1;
  int exponent = __builtin_ilogb(static_cast<double>(most)) + 1;
  // The reciprocal of the scale is also finite.
  exponent = exponent < -1020 ? -1020 : exponent > 1020 ? 1020 : exponent;
  return __builtin_ldexp(1.0, -exponent);
}

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
  solver.packed = arena.take<R>(n * n);
  solver.factors = arena.take<R>(n * n);
  for (int64_t i = 0; i < n * n; ++i)
    solver.q[i] = 0;
  solver.d = d;
  solver.e = e;
  auto doubles = [&] { return arena.take<double>(padded_doubles(n)); };
  solver.z = doubles();
  solver.old = doubles();
  solver.equation.poles = doubles();
  solver.equation.z = doubles();
  solver.equation.squares = doubles();
  solver.equation.delta = doubles();
  solver.equation.work = doubles();
  solver.leaf = arena.take<double>(kLeafRows * kLeafRows);
  solver.roots = arena.take<SecularRoot>(n);
  auto indices = [&] { return arena.take<int32_t>(n); };
  solver.order = indices();
  solver.deflation.sorted = indices();
  solver.deflation.kinds = indices();
  solver.deflation.kept = indices();
  solver.deflation.deflated = indices();
  solver.deflation.places = indices();
  solver.scratch = scratch;
  return solver;
}

/// Sorts numbers in ascending order; fast if nearly sorted.
inline void sort_numbers(double *values, int64_t count) {
  for (int64_t i = 1; i < count; ++i) {
    double value = values[i];
    int64_t at = i;
    for (; at > 0 && value < values[at - 1]; --at)
      values[at] = values[at - 1];
    values[at] = value;
  }
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
