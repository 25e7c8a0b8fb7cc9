// Reduction of a matrix to upper bidiagonal form by blocks of reflections from
// both sides (Dongarra, Hammarling and Sorensen, LAPACK working note 2, 1987).
#pragma once

#include "dense_columns.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// The state of a reduction of an m x n matrix, m >= n, to q B pᴴ. Columns of
/// all arrays are padded with zeros.
template <class T> struct BidiagonalReduction {
  using R = typename ElementOf<T>::R;
  T *a;     ///< n columns of `step` elements
  T *right; ///< vectors of p: column k has them below row k; n columns
  int64_t m, n, step, right_step;
  double *diagonal, *beside; ///< results, n and n - 1 elements
  T *taus, *right_taus;      ///< of the reflections, n and n - 1 elements
  T *left_products;          ///< 2 kReflections columns of `step`
  T *right_products;         ///< the same of `right_step`
  ComplexNumber<R> *numbers; ///< n
  R *turned, *sum;           ///< 2 * step elements
  char *scratch;

  /// Vectors of q replace the elements below the diagonal.
  void run() {
    for (int64_t i = 0; i < 2 * kReflections * step; ++i)
      left_products[i] = T{};
    for (int64_t i = 0; i < 2 * kReflections * right_step; ++i)
      right_products[i] = T{};
    for (int64_t i = 0; i < n * right_step; ++i)
      right[i] = T{};
    for (int64_t first = 0; first < n; first += kReflections) {
      int64_t width = least(kReflections, n - first);
      for (int64_t i = 0; i < width; ++i) {
        reduce_column(first, i);
        if (first + i + 1 < n)
          reduce_row(first, i);
      }
      if (first + width < n)
        update_rest(first, width);
    }
  }

private:
  // The matrix is a - v yᴴ - x uᴴ within a panel, with the vectors v and u of
  // its reflections.
  T *x(int64_t i) const { return left_products + (kReflections + i) * step; }
  T *y(int64_t i) const { return right_products + i * right_step; }

  /// Adds the columns, times the negative conjugates of the elements at `by`.
  void subtract_columns(const T *columns, int64_t columns_step, const T *by,
                        int64_t by_step, int64_t count, int64_t rows,
                        const VectorSum<T> &to) const {
    ComplexNumber<R> factors[kReflections];
    for (int64_t c = 0; c < count; ++c) {
      auto other = number_of(by[c * by_step]);
      factors[c] = {-other.re, other.im};
    }
    add_columns(columns, columns_step, count, factors, rows, to);
  }
  /// Subtracts the product of the columns and of their partners' adjoints with
  /// a vector: columns * (partnersᴴ vector).
  void subtract_pairs(const T *columns, int64_t columns_step, const T *partners,
                      int64_t partners_step, int64_t count, int64_t rows,
                      const TurnedVector<T> &vector, int64_t vector_rows,
                      const VectorSum<T> &to) const {
    ComplexNumber<R> factors[kReflections];
    dot_columns(partners, partners_step, count, vector_rows, vector, factors);
    for (int64_t c = 0; c < count; ++c)
      factors[c] = {-factors[c].re, -factors[c].im};
    add_columns(columns, columns_step, count, factors, rows, to);
  }
  void scale(T *column, int64_t rows, ComplexNumber<R> by) const {
    for (int64_t i = 0; i < rows; ++i)
      column[i] = element_of<T>(product_of(by, number_of(column[i])));
  }

  void reduce_column(int64_t first, int64_t i) {
    int64_t k = first + i, rows = m - k, rest = n - k - 1;
    T *column = a + k * step + k;
    const T *v = a + first * step + k, *u = right + first * right_step;
    VectorSum<T> to{parts_of(column), sum};
    to.clear_second(rows);
    subtract_columns(v, step, y(0) + k, right_step, i, rows, to);
    subtract_columns(x(0) + k, step, u + k, right_step, i, rows, to);
    to.finish(rows);
    R beta;
    ComplexNumber<R> tau = reflect_column(column, rows, beta);
    diagonal[k] = beta;
    taus[k] = element_of<T>(tau);
    if (rest == 0)
      return;
    TurnedVector<T> vector{parts_of(column), turned};
    vector.prepare(rows);
    dot_columns(a + (k + 1) * step + k, step, rest, rows, vector, numbers);
    T *product = y(i) + k + 1;
    for (int64_t j = 0; j < rest; ++j)
      product[j] = element_of<T>(numbers[j]);
    VectorSum<T> result{parts_of(product), sum};
    result.clear_second(rest);
    subtract_pairs(y(0) + k + 1, right_step, v, step, i, rest, vector, rows,
                   result);
    subtract_pairs(u + k + 1, right_step, x(0) + k, step, i, rest, vector, rows,
                   result);
    result.finish(rest);
    scale(product, rest, tau);
  }

  void reduce_row(int64_t first, int64_t i) {
    int64_t k = first + i, rest = n - k - 1, rows = m - k - 1;
    // The adjoint of the row.
    T *row = right + k * right_step + k + 1;
    for (int64_t j = 0; j < rest; ++j) {
      auto element = number_of(a[(k + 1 + j) * step + k]);
      row[j] = element_of<T>(ComplexNumber<R>{element.re, -element.im});
    }
    const T *v = a + first * step + k, *u = right + first * right_step + k + 1;
    VectorSum<T> to{parts_of(row), sum};
    to.clear_second(rest);
    subtract_columns(y(0) + k + 1, right_step, v, step, i + 1, rest, to);
    subtract_columns(u, right_step, x(0) + k, step, i, rest, to);
    to.finish(rest);
    R beta;
    ComplexNumber<R> tau = reflect_column(row, rest, beta);
    beside[k] = beta;
    right_taus[k] = element_of<T>(tau);
    if (rows == 0)
      return;
    TurnedVector<T> vector{parts_of(row), turned};
    vector.prepare(rest);
    T *product = x(i) + k + 1;
    VectorSum<T> result{parts_of(product), sum};
    result.clear(rows);
    for (int64_t j = 0; j < rest; ++j)
      numbers[j] = number_of(row[j]);
    add_columns(a + (k + 1) * step + k + 1, step, rest, numbers, rows, result);
    subtract_pairs(v + 1, step, y(0) + k + 1, right_step, i + 1, rows, vector,
                   rest, result);
    subtract_pairs(x(0) + k + 1, step, u, right_step, i, rows, vector, rest,
                   result);
    result.finish(rows);
    scale(product, rows, tau);
  }

  /// Subtracts v yᴴ + x uᴴ from the columns after the panel, as one product.
  void update_rest(int64_t first, int64_t width) {
    int64_t next = first + width;
    T *v = x(0) - width * step, *u = y(width);
    for (int64_t c = 0; c < width; ++c) {
      for (int64_t i = next; i < m; ++i)
        v[c * step + i] = a[(first + c) * step + i];
      for (int64_t i = next; i < n; ++i)
        u[c * right_step + i] = right[(first + c) * right_step + i];
    }
    DenseMatrix<const T> left{v + next, m - next, 2 * width, 1, step};
    DenseMatrix<const T> other{y(0) + next, n - next, 2 * width, 1, right_step};
    DenseMatrix<T> to{a + next * (step + 1), m - next, n - next, 1, step};
    subtract_product<T>(to, left, false, transposed(other), true, Wanted::All,
                        scratch);
  }
};

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
