// Matrices in double precision, and memory with strides, by which tests check
// functions of dense.h.
#pragma once

#include "dense_call.h"

#include <algorithm>
#include <complex>
#include <type_traits>
#include <vector>

namespace xlac::library {

using Complex = std::complex<double>;

/// A matrix of complex numbers in double precision, row-major.
struct Reference {
  int64_t rows, columns;
  std::vector<Complex> elements;

  Reference(int64_t rows, int64_t columns)
      : rows(rows), columns(columns), elements(rows * columns) {}
  Complex &operator()(int64_t i, int64_t j) {
    return elements[i * columns + j];
  }
  Complex operator()(int64_t i, int64_t j) const {
    return elements[i * columns + j];
  }
  static Reference identity(int64_t n) {
    Reference result(n, n);
    for (int64_t i = 0; i < n; ++i)
      result(i, i) = 1;
    return result;
  }
};

inline Reference operator*(const Reference &a, const Reference &b) {
  Reference c(a.rows, b.columns);
  for (int64_t i = 0; i < a.rows; ++i)
    for (int64_t k = 0; k < a.columns; ++k)
      for (int64_t j = 0; j < b.columns; ++j)
        // Products of std::complex are slow, since they handle infinities.
        c(i, j) += Complex(
            a(i, k).real() * b(k, j).real() - a(i, k).imag() * b(k, j).imag(),
            a(i, k).real() * b(k, j).imag() + a(i, k).imag() * b(k, j).real());
  return c;
}

template <class Element>
Reference generate(int64_t rows, int64_t columns, const Element &element) {
  Reference result(rows, columns);
  for (int64_t i = 0; i < rows; ++i)
    for (int64_t j = 0; j < columns; ++j)
      result(i, j) = element(i, j);
  return result;
}
inline Reference adjoint(const Reference &a) {
  return generate(a.columns, a.rows,
                  [&](int64_t i, int64_t j) { return std::conj(a(j, i)); });
}
inline double distance(const Reference &a, const Reference &b) {
  double most = 0, size = 1;
  for (size_t i = 0; i < a.elements.size(); ++i) {
    double difference = std::abs(a.elements[i] - b.elements[i]);
    // NaN is far from everything.
    most = difference <= most ? most : difference;
    size = std::max(size, std::abs(b.elements[i]));
  }
  return most / size;
}

enum class Order { Rows, Columns, Neither };

/// Memory of a matrix; elements between its own must keep their value.
template <class T> struct Memory {
  static constexpr double kOutside = 55;
  std::vector<T> elements;
  DenseMatrix<T> view;

  Memory(const Reference &from, Order order) {
    int64_t m = from.rows, n = from.columns;
    view = order == Order::Rows      ? dense_matrix<T>(nullptr, m, n, n + 3, 1)
           : order == Order::Columns ? dense_matrix<T>(nullptr, m, n, 1, m + 1)
                                     : dense_matrix<T>(nullptr, m, n, 2 * n, 2);
    elements.assign(2 * m * n + 4 * (m + n), T(kOutside));
    view.data = elements.data();
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j)
        if constexpr (std::is_floating_point_v<T>)
          at(i, j) = static_cast<T>(from(i, j).real());
        else
          at(i, j) = T(from(i, j));
  }
  T &at(int64_t i, int64_t j) {
    return view.data[i * view.row_stride + j * view.column_stride];
  }
  Reference read() {
    return generate(view.rows, view.columns,
                    [&](int64_t i, int64_t j) { return Complex(at(i, j)); });
  }
  bool keeps_rest() {
    std::vector<T> kept = elements;
    for (int64_t i = 0; i < view.rows; ++i)
      for (int64_t j = 0; j < view.columns; ++j)
        kept[&at(i, j) - elements.data()] = T(kOutside);
    return kept == std::vector<T>(elements.size(), T(kOutside));
  }
};

} // namespace xlac::library
