// Reduction of a hermitian matrix to tridiagonal form by blocks of reflections:
// half of the work is products of matrices, and the other half products with
// one vector (Dongarra, Hammarling and Sorensen, "Block reduction of matrices
// to condensed forms for eigenvalue computations", LAPACK working note 2,
// 1987).
#pragma once

#include "dense_columns.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// y = a x for the hermitian matrix with the lower triangle `a`, whose columns
/// are padded with zeros.
template <class T>
void multiply_hermitian(const T *a, int64_t step, int64_t n,
                        const TurnedVector<T> &x, const VectorSum<T> &y) {
  constexpr int width = 4 / ElementOf<T>::parts;
  y.clear(n);
  for (int64_t j = 0; j < n; j += width) {
    int64_t columns = least(width, n - j);
    const T *corner = a + j * (step + 1);
    for (int64_t k = 0; k < columns; ++k) {
      auto own = number_of(corner[k * (step + 1)]);
      y.add(j + k, product_of({own.re, 0}, x.number(j + k)));
      for (int64_t i = k + 1; i < columns; ++i) {
        auto below = number_of(corner[i + k * step]);
        y.add(j + i, product_of(below, x.number(j + k)));
        y.add(j + k, product_of({below.re, -below.im}, x.number(j + i)));
      }
    }
    if (j + width < n)
      multiply_below<width>(corner + width, step, j, n, x, y);
  }
  y.finish(n);
}

/// The state of a reduction. `a` has n columns of `step` elements, of which
/// those after n are zero. Only the lower triangle is read.
template <class T> struct TridiagonalReduction {
  using R = typename ElementOf<T>::R;
  T *a;
  int64_t n, step;
  double *diagonal, *beside; ///< results, n and n - 1 elements
  T *taus;                   ///< of the reflections, n - 1 elements
  T *products;               ///< 3 kReflections columns of `step` elements
  R *turned, *sum;           ///< 2 * step elements
  char *scratch;

  /// Vectors of the reflections replace the elements below the diagonal.
  void run() {
    for (int64_t i = 0; i < 3 * kReflections * step; ++i)
      products[i] = T{};
    for (int64_t first = 0; first + 1 < n; first += kReflections) {
      int64_t width = least(kReflections, n - 1 - first);
      for (int64_t i = 0; i < width; ++i)
        reduce_column(first, i);
      update_rest(first, width);
    }
    if (n > 0)
      diagonal[n - 1] = number_of(a[(n - 1) * (step + 1)]).re;
  }

private:
  /// Applies the reflections of the panel to its column number i, and makes the
  /// next one.
  void reduce_column(int64_t first, int64_t i) {
    int64_t k = first + i, rest = n - k - 1;
    T *column = a + k * step + k, *v = column + 1;
    const T *vectors = a + first * step, *w = products;
    ComplexNumber<R> factors[kReflections];
    auto subtract = [&](const T *columns, const T *others) {
      for (int64_t c = 0; c < i; ++c) {
        auto other = number_of(others[c * step + k]);
        factors[c] = {-other.re, other.im};
      }
      VectorSum<T> to{parts_of(column), sum};
      to.clear_second(n - k);
      add_columns(columns + k, step, i, factors, n - k, to);
      to.finish(n - k);
    };
    subtract(vectors, w);
    subtract(w, vectors);
    diagonal[k] = number_of(column[0]).re;
    R beta;
    ComplexNumber<R> tau = reflect_column(v, rest, beta);
    beside[k] = beta;
    taus[k] = element_of<T>(tau);

    TurnedVector<T> x{parts_of(v), turned};
    x.prepare(rest);
    T *product = products + i * step + k + 1;
    VectorSum<T> y{parts_of(product), sum};
    multiply_hermitian(a + (k + 1) * (step + 1), step, rest, x, y);
    ComplexNumber<R> other_factors[kReflections];
    dot_columns(w + k + 1, step, i, rest, x, factors);
    dot_columns(vectors + k + 1, step, i, rest, x, other_factors);
    for (int64_t c = 0; c < i; ++c) {
      factors[c] = {-factors[c].re, -factors[c].im};
      other_factors[c] = {-other_factors[c].re, -other_factors[c].im};
    }
    y.clear_second(rest);
    add_columns(vectors + k + 1, step, i, factors, rest, y);
    add_columns(w + k + 1, step, i, other_factors, rest, y);
    y.finish(rest);
    for (int64_t r = 0; r < rest; ++r)
      product[r] = element_of<T>(product_of(tau, number_of(product[r])));
    // A real number, half of tauᴴ vᴴ product.
    ComplexNumber<R> dot;
    dot_columns(product, step, 1, rest, x, &dot);
    R half = (tau.re * dot.re - tau.im * dot.im) / 2;
    auto *to = parts_of(product);
    auto *from = parts_of(v);
    for (int64_t r = 0; r < rest * ElementOf<T>::parts; ++r)
      to[r] -= half * from[r];
  }

  /// Subtracts v wᴴ + w vᴴ from the columns after the panel, as one product.
  void update_rest(int64_t first, int64_t width) {
    int64_t next = first + width, rows = n - next;
    T *copies = products + width * step;
    for (int64_t c = 0; c < width; ++c)
      for (int64_t i = next; i < n; ++i) {
        copies[c * step + i] = a[(first + c) * step + i];
        copies[(width + c) * step + i] = products[c * step + i];
      }
    DenseMatrix<const T> left{copies + next, rows, 2 * width, 1, step};
    DenseMatrix<const T> right{products + next, rows, 2 * width, 1, step};
    DenseMatrix<T> to{a + next * (step + 1), rows, rows, 1, step};
    subtract_product<T>(to, left, false, transposed(right), true, Wanted::Lower,
                        scratch);
  }
};

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
