// Triangular solves and Cholesky, LU and QR factorizations of dense matrices.
// Recursion divides each problem in two until its blocks are small, so that
// nearly all work is products. The functions take any strides: a transposed
// view makes an upper triangle of a lower one, and a solve from the right of
// one from the left.
#pragma once

#include "dense_product.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Rows and columns of the blocks that are not divided any more.
inline constexpr int kStep = 16;

inline int64_t half_of(int64_t n) { return round_up(n / 2, kStep); }

inline float root_of(float x) { return __builtin_sqrtf(x); }
inline double root_of(double x) { return __builtin_sqrt(x); }
inline float size_of(float x) { return __builtin_fabsf(x); }
inline double size_of(double x) { return __builtin_fabs(x); }

/// Vectors of kStep elements, the parts one after another.
template <class T> struct Row {
  using S = Tile<T>;
  using R = typename S::R;
  using V = typename S::Vector;
  static constexpr int vectors = kStep / S::count ? kStep / S::count : 1;
  alignas(64) R at[S::parts][kStep];

  /// Subtracts the product of a number, which is re or re + i im, and `other`.
  void subtract(R re, R im, const Row &other) {
    for (int v = 0; v < vectors; ++v) {
      int i = v * S::count;
      V x = load<V>(other.at[0] + i);
      if constexpr (S::parts == 1) {
        store(at[0] + i, load<V>(at[0] + i) - re * x);
      } else {
        V y = load<V>(other.at[1] + i);
        store(at[0] + i, load<V>(at[0] + i) - re * x + im * y);
        store(at[1] + i, load<V>(at[1] + i) - re * y - im * x);
      }
    }
  }
};

/// The quotient by a number, with Smith's formula for complex ones: parts do
/// not overflow if the quotient does not.
template <class T> struct Divisor {
  using R = typename ElementOf<T>::R;
  R first = 1, second = 0, by;

  Divisor(R re, R im) : by(re) {
    if constexpr (ElementOf<T>::parts == 2) {
      if (size_of(re) >= size_of(im)) {
        second = re == 0 ? re : im / re;
        by = re + im * second;
      } else {
        first = re / im;
        second = 1;
        by = re * first + im;
      }
    }
  }
  /// Divides numbers or vectors.
  template <class V> void divide(V &re, V &im) const {
    V x = re, y = im;
    re = (x * first + y * second) / by;
    im = (y * first - x * second) / by;
  }
  template <class V> void divide(V &re) const { re /= by; }
};

//===- Triangular solves --------------------------------------------------===//

/// A small triangular matrix in the order of elimination.
template <class T> struct SmallTriangle {
  using R = typename ElementOf<T>::R;
  static constexpr int parts = ElementOf<T>::parts;
  R at[parts][kStep][kStep];
  int64_t n;
  DenseTriangle kind;

  SmallTriangle(const DenseMatrix<const T> &a, DenseTriangle kind)
      : n(a.rows), kind(kind) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < i + !kind.unit; ++j)
        for (int p = 0; p < parts; ++p) {
          R value = parts_of(a.data + place(i) * a.row_stride +
                             place(j) * a.column_stride)[p];
          at[p][i][j] = p == 1 && kind.conjugate ? -value : value;
        }
  }
  /// The row of the matrix that is eliminated at step i.
  int64_t place(int64_t i) const { return kind.lower ? i : n - 1 - i; }

  void divide(Row<T> &row, int64_t i) const {
    using S = Tile<T>;
    using V = typename S::Vector;
    Divisor<T> by(at[0][i][i], at[parts - 1][i][i]);
    for (int v = 0; v < Row<T>::vectors; ++v) {
      V re = load<V>(row.at[0] + v * S::count);
      if constexpr (parts == 2) {
        V im = load<V>(row.at[1] + v * S::count);
        by.divide(re, im);
        store(row.at[1] + v * S::count, im);
      } else {
        by.divide(re);
      }
      store(row.at[0] + v * S::count, re);
    }
  }
};

/// Solves for at most kStep rows and columns of x.
template <class T>
void solve_piece(const SmallTriangle<T> &a, const DenseMatrix<T> &x) {
  constexpr int parts = ElementOf<T>::parts;
  Row<T> rows[kStep];
  for (int64_t i = 0; i < a.n; ++i) {
    auto *from = parts_of(x.data + a.place(i) * x.row_stride);
    for (int p = 0; p < parts; ++p)
      for (int64_t j = 0; j < kStep; ++j)
        rows[i].at[p][j] =
            j < x.columns ? from[j * x.column_stride * parts + p] : 0;
  }
  for (int64_t k = 0; k < a.n; ++k) {
    if (!a.kind.unit)
      a.divide(rows[k], k);
    for (int64_t i = k + 1; i < a.n; ++i)
      rows[i].subtract(a.at[0][i][k], a.at[parts - 1][i][k], rows[k]);
  }
  for (int64_t i = 0; i < a.n; ++i) {
    auto *to = parts_of(x.data + a.place(i) * x.row_stride);
    for (int p = 0; p < parts; ++p)
      for (int64_t j = 0; j < x.columns; ++j)
        to[j * x.column_stride * parts + p] = rows[i].at[p][j];
  }
}

template <class T>
void solve(const DenseMatrix<const T> &a, DenseTriangle kind,
           const DenseMatrix<T> &x, char *scratch) {
  int64_t n = a.rows;
  if (n <= kStep) {
    SmallTriangle<T> small(a, kind);
    for (int64_t j = 0; j < x.columns; j += kStep)
      solve_piece(small, block(x, 0, j, n, least(kStep, x.columns - j)));
    return;
  }
  int64_t top = half_of(n), rest = n - top;
  DenseMatrix<T> upper = block(x, 0, 0, top, x.columns);
  DenseMatrix<T> lower = block(x, top, 0, rest, x.columns);
  DenseMatrix<const T> first = block(a, 0, 0, top, top);
  DenseMatrix<const T> last = block(a, top, top, rest, rest);
  if (kind.lower) {
    solve(first, kind, upper, scratch);
    subtract_product<T>(lower, block(a, top, 0, rest, top), kind.conjugate,
                        read_only(upper), false, Wanted::All, scratch);
    solve(last, kind, lower, scratch);
  } else {
    solve(last, kind, lower, scratch);
    subtract_product<T>(upper, block(a, 0, top, top, rest), kind.conjugate,
                        read_only(lower), false, Wanted::All, scratch);
    solve(first, kind, upper, scratch);
  }
}

//===- Cholesky -----------------------------------------------------------===//

/// Factors at most kStep rows.
template <class T> int64_t factor_small(const DenseMatrix<T> &a) {
  using R = typename ElementOf<T>::R;
  constexpr int parts = ElementOf<T>::parts;
  // Columns of the factor.
  Row<T> columns[kStep];
  for (int64_t j = 0; j < a.rows; ++j)
    for (int p = 0; p < parts; ++p)
      for (int64_t i = 0; i < kStep; ++i)
        columns[j].at[p][i] =
            i >= j && i < a.rows
                ? parts_of(a.data + i * a.row_stride + j * a.column_stride)[p]
                : 0;
  for (int64_t k = 0; k < a.rows; ++k) {
    R pivot = columns[k].at[0][k];
    if (!(pivot > 0))
      return k + 1;
    R root = root_of(pivot);
    for (int p = 0; p < parts; ++p)
      for (int64_t i = 0; i < kStep; ++i)
        columns[k].at[p][i] /= root;
    columns[k].at[0][k] = root;
    if (parts == 2)
      columns[k].at[parts - 1][k] = 0;
    for (int64_t j = k + 1; j < a.rows; ++j)
      columns[j].subtract(columns[k].at[0][j], -columns[k].at[parts - 1][j],
                          columns[k]);
  }
  for (int64_t j = 0; j < a.rows; ++j)
    for (int p = 0; p < parts; ++p)
      for (int64_t i = j; i < a.rows; ++i)
        parts_of(a.data + i * a.row_stride + j * a.column_stride)[p] =
            columns[j].at[p][i];
  return 0;
}

template <class T> int64_t factor(const DenseMatrix<T> &a, char *scratch) {
  int64_t n = a.rows;
  if (n <= kStep)
    return factor_small(a);
  int64_t top = half_of(n), rest = n - top;
  DenseMatrix<T> first = block(a, 0, 0, top, top);
  DenseMatrix<T> below = block(a, top, 0, rest, top);
  if (int64_t bad = factor(first, scratch))
    return bad;
  // x lᴴ = below is conj(l) xᵀ = belowᵀ.
  solve<T>(read_only(first), {true, false, ElementOf<T>::parts == 2},
           transposed(below), scratch);
  DenseMatrix<T> last = block(a, top, top, rest, rest);
  subtract_product<T>(last, read_only(below), false,
                      transposed(read_only(below)), true, Wanted::Lower,
                      scratch);
  int64_t bad = factor(last, scratch);
  return bad ? bad + top : 0;
}

//===- LU -----------------------------------------------------------------===//

/// |re| + |im|, by which LAPACK chooses pivots.
template <class T> auto pivot_size(const Row<T> &row, int64_t k) {
  auto size = size_of(row.at[0][k]);
  if constexpr (ElementOf<T>::parts == 2)
    size += size_of(row.at[1][k]);
  return size;
}

/// The row with the pivot of column k, in a form that replaces each part of a
/// row below by one vector operation: a store of the quotient alone would delay
/// the next load of the row.
template <class T> struct PivotRow {
  using S = Tile<T>;
  using R = typename S::R;
  using V = typename S::Vector;
  using I = typename S::Integers;
  static constexpr int parts = S::parts;

  Row<T> row;
  alignas(64) typename S::Integer before[kStep], others[kStep];
  Divisor<T> by;

  PivotRow(const Row<T> &pivot, int64_t k)
      : row(pivot), by(pivot.at[0][k], pivot.at[parts - 1][k]) {
    for (int64_t j = 0; j < kStep; ++j) {
      before[j] = j < k ? -1 : 0;
      others[j] = j == k ? 0 : -1;
    }
    // 0 - quotient * -1 is the quotient.
    row.at[0][k] = -1;
    if (parts == 2)
      row.at[parts - 1][k] = 0;
  }

  /// Subtracts the quotient times the row in columns after k; column k becomes
  /// the quotient.
  void eliminate(Row<T> &from, int64_t k) const {
    R re = from.at[0][k], im = 0;
    if constexpr (parts == 2) {
      im = from.at[1][k];
      by.divide(re, im);
    } else {
      by.divide(re);
    }
    for (int v = 0; v < Row<T>::vectors; ++v) {
      int at = v * S::count;
      V x = load<V>(row.at[0] + at);
      if constexpr (parts == 1) {
        replace(from.at[0] + at, re * x, at);
      } else {
        V y = load<V>(row.at[1] + at);
        replace(from.at[0] + at, re * x - im * y, at);
        replace(from.at[1] + at, re * y + im * x, at);
      }
    }
  }

private:
  void replace(R *place, V product, int at) const {
    I old = load<I>(place), keep = load<I>(before + at);
    V base = bits<V>(old & load<I>(others + at));
    store(place, (old & keep) | (bits<I>(base - product) & ~keep));
  }
  template <class To, class From> static To bits(From from) {
    To to;
    __builtin_memcpy(&to, &from, sizeof to);
    return to;
  }
};

/// Eliminates column k of a panel whose row k has the pivot. Returns the row of
/// the next pivot.
template <class T>
int64_t eliminate_column(Row<T> *rows, int64_t count, int64_t k) {
  PivotRow<T> pivot(rows[k], k);
  int64_t next = k + 1;
  typename ElementOf<T>::R largest = 0;
  for (int64_t i = k + 1; i < count; ++i) {
    pivot.eliminate(rows[i], k);
    if (k + 1 == kStep)
      continue;
    // Nothing is larger than NaN.
    auto size = pivot_size(rows[i], k + 1);
    if (i == k + 1 || size > largest) {
      largest = size;
      next = i;
    }
  }
  return next;
}

/// Reads the rows of a panel, padded with zeros, or writes them.
template <class T> void read_panel(const DenseMatrix<T> &a, Row<T> *rows) {
  constexpr int parts = ElementOf<T>::parts;
  for (int64_t i = 0; i < a.rows; ++i) {
    auto *from = parts_of(a.data + i * a.row_stride);
    if (parts == 1 && a.column_stride == 1 && a.columns == kStep)
      __builtin_memcpy(rows[i].at, from, sizeof rows[i].at);
    else
      for (int64_t j = 0; j < kStep; ++j)
        for (int p = 0; p < parts; ++p)
          rows[i].at[p][j] =
              j < a.columns ? from[j * a.column_stride * parts + p] : 0;
  }
}
template <class T>
void write_panel(const Row<T> *rows, const DenseMatrix<T> &a) {
  constexpr int parts = ElementOf<T>::parts;
  for (int64_t i = 0; i < a.rows; ++i) {
    auto *to = parts_of(a.data + i * a.row_stride);
    if (parts == 1 && a.column_stride == 1 && a.columns == kStep)
      __builtin_memcpy(to, rows[i].at, sizeof rows[i].at);
    else
      for (int64_t j = 0; j < a.columns; ++j)
        for (int p = 0; p < parts; ++p)
          to[j * a.column_stride * parts + p] = rows[i].at[p][j];
  }
}

/// Factors a panel of at most kStep columns.
template <class T>
int64_t factor_panel(const DenseMatrix<T> &a, int32_t *pivots, char *scratch) {
  constexpr int parts = ElementOf<T>::parts;
  Row<T> *rows = reinterpret_cast<Row<T> *>(scratch);
  read_panel(a, rows);
  int64_t bad = 0, best = -1;
  for (int64_t k = 0; k < least(a.rows, a.columns); ++k) {
    if (best < 0) {
      best = k;
      for (int64_t i = k + 1; i < a.rows; ++i)
        if (pivot_size(rows[i], k) > pivot_size(rows[best], k))
          best = i;
    }
    pivots[k] = static_cast<int32_t>(best);
    if (best != k) {
      Row<T> kept = rows[k];
      rows[k] = rows[best];
      rows[best] = kept;
    }
    best = -1;
    if (rows[k].at[0][k] == 0 && rows[k].at[parts - 1][k] == 0)
      bad = bad ? bad : k + 1;
    else
      best = eliminate_column(rows, a.rows, k);
  }
  write_panel(rows, a);
  return bad;
}

template <class T>
void swap_rows(const DenseMatrix<T> &a, const int32_t *pivots, int64_t count) {
  // The inner loop follows the memory.
  auto swap = [&](int64_t k, int64_t j) {
    T *first = a.data + k * a.row_stride + j * a.column_stride;
    T *second = a.data + pivots[k] * a.row_stride + j * a.column_stride;
    T kept = *first;
    *first = *second;
    *second = kept;
  };
  if (a.row_stride < a.column_stride) {
    for (int64_t j = 0; j < a.columns; ++j)
      for (int64_t k = 0; k < count; ++k)
        swap(k, j);
    return;
  }
  for (int64_t k = 0; k < count; ++k)
    if (pivots[k] != k)
      for (int64_t j = 0; j < a.columns; ++j)
        swap(k, j);
}

template <class T>
int64_t factor_columns(const DenseMatrix<T> &a, int32_t *pivots,
                       char *scratch) {
  int64_t count = least(a.rows, a.columns);
  if (a.columns <= kStep)
    return factor_panel(a, pivots, scratch);
  // The columns right of a square have no pivots.
  int64_t left = a.columns > a.rows ? a.rows : half_of(a.columns);
  int64_t right = a.columns - left, done = left, rest = a.rows - done;
  int64_t bad = factor_columns(block(a, 0, 0, a.rows, left), pivots, scratch);
  DenseMatrix<T> beside = block(a, 0, left, a.rows, right);
  swap_rows(beside, pivots, done);
  DenseMatrix<T> top = block(beside, 0, 0, done, right);
  solve<T>(read_only(block(a, 0, 0, done, done)), {true, true, false}, top,
           scratch);
  if (rest == 0)
    return bad;
  DenseMatrix<T> last = block(beside, done, 0, rest, right);
  subtract_product<T>(last, read_only(block(a, done, 0, rest, done)), false,
                      read_only(top), false, Wanted::All, scratch);
  int64_t found = factor_columns(last, pivots + done, scratch);
  swap_rows(block(a, done, 0, rest, done), pivots + done, count - done);
  for (int64_t k = done; k < count; ++k)
    pivots[k] += static_cast<int32_t>(done);
  return bad ? bad : found ? found + done : 0;
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
