// QR factorizations by blocks of Householder reflections, in the compact WY
// form: H0 H1 … = I - V T Vᴴ with an upper triangular T (Schreiber and Van
// Loan, "A storage-efficient WY representation", 1989).
#pragma once

#include "dense_factors.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Reflections of a block.
inline constexpr int64_t kReflections = 32;

/// A column with separate parts, padded with zeros to whole vectors.
template <class T> struct Column {
  using S = Tile<T>;
  using R = typename S::R;
  using V = typename S::Vector;
  R *re, *im;
  int64_t size;

  /// The product of the adjoint of this column with `other`.
  ComplexNumber<R> dot(const Column &other) const {
    V re_sum[2] = {}, im_sum[2] = {};
    int number = 0;
    for (int64_t i = 0; i < size; i += S::count, number ^= 1) {
      V x = load<V>(re + i), u = load<V>(other.re + i);
      re_sum[number] += x * u;
      if constexpr (S::parts == 2) {
        V y = load<V>(im + i), v = load<V>(other.im + i);
        re_sum[number] += y * v;
        im_sum[number] += x * v - y * u;
      }
    }
    V re_all = re_sum[0] + re_sum[1], im_all = im_sum[0] + im_sum[1];
    ComplexNumber<R> total{0, 0};
    for (int lane = 0; lane < S::count; ++lane) {
      total.re += re_all[lane];
      total.im += im_all[lane];
    }
    return total;
  }
  /// Subtracts the product of a number and `other`.
  void subtract(ComplexNumber<R> number, const Column &other) const {
    for (int64_t i = 0; i < size; i += S::count) {
      V x = load<V>(other.re + i);
      if constexpr (S::parts == 1) {
        store(re + i, load<V>(re + i) - number.re * x);
      } else {
        V y = load<V>(other.im + i);
        store(re + i, load<V>(re + i) - number.re * x + number.im * y);
        store(im + i, load<V>(im + i) - number.re * y - number.im * x);
      }
    }
  }
};

/// A panel of at most kReflections columns, and what a block of reflections
/// needs: V, T, and two products with kReflections rows.
template <class T> struct Panel {
  using R = typename ElementOf<T>::R;
  static constexpr int parts = ElementOf<T>::parts;
  R *columns;
  T *vectors, *triangle, *product, *scaled;
  int64_t rows, padded;
  char *scratch;

  /// `rows` is the size of the vectors, `others` that of the products.
  Panel(int64_t rows, int64_t others, char *memory)
      : rows(rows), padded(round_up(rows, 16)) {
    T *next = reinterpret_cast<T *>(memory);
    auto take = [&](int64_t count) {
      T *taken = next;
      next += round_up(count, 64);
      return taken;
    };
    columns = parts_of(take(padded * kReflections));
    vectors = take(padded * kReflections);
    triangle = take(kReflections * kReflections);
    product = take(others * kReflections);
    scaled = take(others * kReflections);
    scratch = reinterpret_cast<char *>(next);
  }

  /// Elements of column j from row `first` on, which is a multiple of the
  /// vectors' size.
  Column<T> column(int64_t j, int64_t first = 0) const {
    R *re = columns + j * parts * padded + first;
    return {re, re + (parts - 1) * padded, padded - first};
  }

  void read(const DenseMatrix<const T> &a) const {
    for (int64_t j = 0; j < a.columns; ++j)
      for (int p = 0; p < parts; ++p) {
        R *to = columns + (j * parts + p) * padded;
        for (int64_t i = 0; i < padded; ++i)
          to[i] =
              i < rows
                  ? parts_of(a.data + i * a.row_stride + j * a.column_stride)[p]
                  : 0;
      }
  }
  void write(const DenseMatrix<T> &a) const {
    for (int64_t j = 0; j < a.columns; ++j)
      for (int p = 0; p < parts; ++p)
        for (int64_t i = 0; i < rows; ++i)
          parts_of(a.data + i * a.row_stride + j * a.column_stride)[p] =
              columns[(j * parts + p) * padded + i];
  }

  DenseMatrix<T> v(int64_t count) const {
    return {vectors, rows, count, 1, padded};
  }
  DenseMatrix<T> t(int64_t count) const {
    return {triangle, count, count, 1, kReflections};
  }
};

/// Replaces the column by the vector of a reflection that clears it below row
/// k; elements up to k become 0 and 1. Returns tau, and beta in `beta`.
template <class T>
ComplexNumber<typename ElementOf<T>::R>
make_reflection(const Column<T> &column, int64_t k,
                typename ElementOf<T>::R &beta) {
  using R = typename ElementOf<T>::R;
  constexpr bool is_complex = ElementOf<T>::parts == 2;
  ComplexNumber<R> alpha{column.re[k], is_complex ? column.im[k] : 0};
  for (int64_t i = 0; i <= k; ++i)
    column.re[i] = column.im[i] = 0;
  R tail = column.dot(column).re;
  constexpr R tiny = sizeof(R) == 4 ? static_cast<R>(__FLT_MIN__)
                                    : static_cast<R>(__DBL_MIN__);
  if (tail <= tiny && alpha.im * alpha.im <= tiny) {
    beta = alpha.re;
    for (int64_t i = 0; i < column.size; ++i)
      column.re[i] = column.im[i] = 0;
    column.re[k] = 1;
    return {0, 0};
  }
  beta = root_of(alpha.re * alpha.re + alpha.im * alpha.im + tail);
  if (alpha.re >= 0)
    beta = -beta;
  Divisor<T> by(alpha.re - beta, alpha.im);
  for (int64_t i = k + 1; i < column.size; ++i)
    if constexpr (is_complex)
      by.divide(column.re[i], column.im[i]);
    else
      by.divide(column.re[i]);
  column.re[k] = 1;
  return {(beta - alpha.re) / beta, -alpha.im / beta};
}

template <class T, class R> T element_of(ComplexNumber<R> number) {
  if constexpr (ElementOf<T>::parts == 2)
    return number;
  else
    return number.re;
}
template <class T>
ComplexNumber<typename ElementOf<T>::R> number_of(const T &element) {
  if constexpr (ElementOf<T>::parts == 2)
    return element;
  else
    return {element, 0};
}
template <class R>
ComplexNumber<R> product_of(ComplexNumber<R> a, ComplexNumber<R> b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

/// Fills V and T from the panel's columns, which are the whole vectors.
template <class T>
void make_block(const Panel<T> &panel, const T *taus, int64_t count) {
  using R = typename ElementOf<T>::R;
  DenseMatrix<T> v = panel.v(count), t = panel.t(count);
  for (int64_t j = 0; j < count; ++j) {
    Column<T> column = panel.column(j);
    for (int64_t i = 0; i < panel.rows; ++i)
      v.data[j * panel.padded + i] =
          element_of<T>(ComplexNumber<R>{column.re[i], column.im[i]});
    auto at = [&](int64_t i, int64_t k) -> T & {
      return t.data[i + k * kReflections];
    };
    ComplexNumber<R> tau = number_of(taus[j]), products[kReflections];
    for (int64_t i = 0; i < j; ++i)
      products[i] = panel.column(i).dot(column);
    for (int64_t i = 0; i < count; ++i) {
      ComplexNumber<R> sum{0, 0};
      for (int64_t k = i; k < j; ++k) {
        ComplexNumber<R> term = product_of(number_of(at(i, k)), products[k]);
        sum = {sum.re + term.re, sum.im + term.im};
      }
      ComplexNumber<R> value = product_of(tau, {-sum.re, -sum.im});
      at(i, j) = element_of<T>(i < j    ? value
                               : i == j ? tau
                                        : ComplexNumber<R>{0, 0});
    }
  }
}

/// Multiplies c from the left (or right) by the block's matrix or its adjoint.
template <class T>
void apply_block(const Panel<T> &panel, int64_t count, bool left, bool adjoint,
                 const DenseMatrix<T> &c) {
  int64_t others = left ? c.columns : c.rows;
  // Products have `count` rows, so that both sides are alike: cᴴ takes the
  // place of c on the right, and is never formed.
  DenseMatrix<T> product{panel.product, count, others, others, 1};
  DenseMatrix<T> scaled{panel.scaled, count, others, others, 1};
  for (int64_t i = 0; i < count * others; ++i)
    panel.product[i] = panel.scaled[i] = T{};
  DenseMatrix<const T> v = read_only(panel.v(count));
  DenseMatrix<const T> t = read_only(panel.t(count));
  auto subtract = [&](const DenseMatrix<T> &to, const DenseMatrix<const T> &a,
                      bool conjugate_a, const DenseMatrix<const T> &b,
                      bool conjugate_b) {
    subtract_product<T>(to, a, conjugate_a, b, conjugate_b, Wanted::All,
                        panel.scratch);
  };
  if (left) {
    subtract(product, transposed(v), true, read_only(c), false);
    subtract(scaled, adjoint ? transposed(t) : t, adjoint, read_only(product),
             false);
    subtract(c, v, false, read_only(scaled), false);
  } else {
    // The transposed products: (c v)ᵀ and (c v op(t))ᵀ.
    subtract(product, transposed(v), false, transposed(read_only(c)), false);
    subtract(scaled, adjoint ? t : transposed(t), adjoint, read_only(product),
             false);
    subtract(c, transposed(read_only(scaled)), false, transposed(v), true);
  }
}

template <class T>
void factor_reflections(const DenseMatrix<T> &a, T *taus, char *scratch) {
  using R = typename ElementOf<T>::R;
  int64_t count = least(a.rows, a.columns);
  for (int64_t first = 0; first < count; first += kReflections) {
    int64_t width = least(kReflections, count - first);
    int64_t beside = a.columns - first - width;
    DenseMatrix<T> part = block(a, first, first, a.rows - first, width);
    Panel<T> panel(part.rows, beside, scratch);
    panel.read(read_only(part));
    R above[2][kReflections][kReflections];
    for (int64_t k = 0; k < width; ++k) {
      Column<T> column = panel.column(k);
      for (int64_t i = 0; i < k; ++i) {
        above[0][k][i] = column.re[i];
        above[1][k][i] = column.im[i];
      }
      R beta;
      ComplexNumber<R> tau = make_reflection(column, k, beta);
      above[0][k][k] = beta;
      above[1][k][k] = 0;
      taus[first + k] = element_of<T>(tau);
      // Rows above k are zero in the vector.
      int64_t from = k / 16 * 16;
      for (int64_t j = k + 1; j < width; ++j) {
        Column<T> other = panel.column(j, from);
        ComplexNumber<R> product = panel.column(k, from).dot(other);
        other.subtract(product_of({tau.re, -tau.im}, product),
                       panel.column(k, from));
      }
    }
    if (beside > 0) {
      make_block(panel, taus + first, width);
      apply_block(panel, width, true, true,
                  block(a, first, first + width, part.rows, beside));
    }
    for (int64_t k = 0; k < width; ++k)
      for (int64_t i = 0; i <= k; ++i)
        for (int p = 0; p < Panel<T>::parts; ++p)
          panel.columns[(k * Panel<T>::parts + p) * panel.padded + i] =
              above[p][k][i];
    panel.write(part);
  }
}

template <class T>
void multiply_reflections(const DenseMatrix<const T> &a, const T *taus,
                          int64_t count, bool left, bool adjoint,
                          const DenseMatrix<T> &c, char *scratch) {
  int64_t blocks = (count + kReflections - 1) / kReflections;
  for (int64_t step = 0; step < blocks; ++step) {
    // q c applies the last reflection first, and so does c qᴴ.
    int64_t number = left != adjoint ? blocks - 1 - step : step;
    int64_t first = number * kReflections;
    int64_t width = least(kReflections, count - first);
    int64_t rows = a.rows - first;
    Panel<T> panel(rows, left ? c.columns : c.rows, scratch);
    panel.read(block(a, first, first, rows, width));
    for (int64_t k = 0; k < width; ++k) {
      Column<T> column = panel.column(k);
      for (int64_t i = 0; i <= k; ++i)
        column.re[i] = column.im[i] = 0;
      column.re[k] = 1;
    }
    make_block(panel, taus + first, width);
    apply_block(panel, width, left, adjoint,
                left ? block(c, first, 0, rows, c.columns)
                     : block(c, 0, first, c.rows, rows));
  }
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
