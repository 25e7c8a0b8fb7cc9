// Singular values and vectors of bidiagonal matrices by divide and conquer. One
// row joins two parts, of which the first has one more column than rows (Gu and
// Eisenstat, "A divide-and-conquer algorithm for the bidiagonal SVD", 1995).
#pragma once

#include "dense_divide.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// A bidiagonal matrix with few rows, and perhaps one more column than rows,
/// which rotations of its rows decompose (Hestenes, 1958).
struct BidiagonalLeaf {
  static constexpr int64_t kRows = 16, kColumns = 24, kWidth = 40;
  int64_t n, columns;
  double *rows;   ///< kRows * kWidth: of the matrix, then of uᵀ
  double *basis;  ///< kColumns²: the vectors of v
  double *values; ///< n

  void solve() {
    for (int sweep = 0; sweep < 40; ++sweep)
      if (!rotate_rows())
        break;
    bool is_missing[kColumns] = {};
    for (int64_t i = 0; i < columns; ++i) {
      double length = i < n ? root_of(dot(row(i), row(i))) : 0;
      is_missing[i] = !(length > kNegligible);
      if (i < n)
        values[i] = is_missing[i] ? 0 : length;
      for (int64_t k = 0; k < kColumns; ++k)
        vector(i)[k] = is_missing[i] ? 0 : row(i)[k] / length;
    }
    for (int64_t i = 0; i < columns; ++i)
      if (is_missing[i])
        complete(i);
  }
  double *row(int64_t i) const { return rows + i * kWidth; }
  double *vector(int64_t i) const { return basis + i * kColumns; }

private:
  static double dot(const double *a, const double *b) {
    Doubles sum{};
    for (int64_t k = 0; k < kColumns; k += kDoubles)
      sum += load<Doubles>(a + k) * load<Doubles>(b + k);
    return sum_of(sum);
  }
  /// Makes all pairs of rows orthogonal, one after another. Returns false if
  /// they are.
  bool rotate_rows() const {
    bool changes = false;
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = i + 1; j < n; ++j) {
        double *x = row(i), *y = row(j);
        double first = dot(x, x), last = dot(y, y), both = dot(x, y);
        if (size_of(both) <=
            4 * kDoubleUnit * (root_of(first) * root_of(last)) + kTiny)
          continue;
        changes = true;
        double cotangent = (last - first) / (2 * both);
        double t =
            1 / (size_of(cotangent) + root_of(1 + cotangent * cotangent));
        t = cotangent < 0 ? -t : t;
        double c = 1 / root_of(1 + t * t), s = c * t;
        for (int64_t k = 0; k < kWidth; k += kDoubles) {
          Doubles a = load<Doubles>(x + k), b = load<Doubles>(y + k);
          store(x + k, c * a - s * b);
          store(y + k, s * a + c * b);
        }
      }
    return changes;
  }
  /// Sets a vector that is orthogonal to the others; missing ones are zeros.
  void complete(int64_t index) const {
    int64_t best = 0;
    double least_square = 2;
    for (int64_t k = 0; k < columns; ++k) {
      double square = 0;
      for (int64_t i = 0; i < columns; ++i)
        square += vector(i)[k] * vector(i)[k];
      if (square < least_square) {
        least_square = square;
        best = k;
      }
    }
    double *to = vector(index), kept[kColumns] = {};
    kept[best] = 1;
    for (int pass = 0; pass < 2; ++pass)
      for (int64_t i = 0; i < columns; ++i) {
        double product = dot(vector(i), kept);
        for (int64_t k = 0; k < kColumns; ++k)
          kept[k] -= product * vector(i)[k];
      }
    double length = root_of(dot(kept, kept));
    for (int64_t k = 0; k < kColumns; ++k)
      to[k] = kept[k] / length;
  }

  static constexpr double kTiny = kNegligible * kNegligible;
};

/// The state of divide and conquer: b = u diag(d) vᵀ.
template <class R> struct BidiagonalSolver {
  R *u, *v; ///< columns of `step` elements, zeros at first
  int64_t step;
  double *d, *e;  ///< the matrix; d becomes the values
  int32_t *order; ///< result: columns of each part by ascending values
  double *z, *old;
  SecularEquation equation;
  SecularRoot *roots;
  JoinedColumns<R> columns;
  double *leaf; ///< kRows * kWidth + kColumns²

  /// Solves n rows from `begin`, and with `extra` = 1 as many columns and one.
  void solve(int64_t begin, int64_t n, int64_t extra) {
    if (n <= BidiagonalLeaf::kRows)
      return solve_leaf(begin, n, extra);
    int64_t first = n / 2;
    solve(begin, first, 1);
    solve(begin + first + 1, n - first - 1, extra);
    join(begin, first, n, extra);
  }

private:
  void solve_leaf(int64_t begin, int64_t n, int64_t extra);
  void join(int64_t begin, int64_t first, int64_t n, int64_t extra);
  double deflate(int64_t begin, int64_t first, int64_t n, int64_t extra);
  void fill_factors(bool left);
};

template <class R>
void BidiagonalSolver<R>::solve_leaf(int64_t begin, int64_t n, int64_t extra) {
  constexpr int64_t width = BidiagonalLeaf::kWidth;
  BidiagonalLeaf small{n, n + extra, leaf, leaf + BidiagonalLeaf::kRows * width,
                       d + begin};
  for (int64_t i = 0; i < BidiagonalLeaf::kRows * width; ++i)
    leaf[i] = 0;
  for (int64_t i = 0; i < n; ++i) {
    double *row = small.row(i);
    row[i] = d[begin + i];
    if (i + 1 < n + extra)
      row[i + 1] = e[begin + i];
    row[BidiagonalLeaf::kColumns + i] = 1;
  }
  small.solve();
  R *left = u + begin * (step + 1), *right = v + begin * (step + 1);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i)
      left[j * step + i] =
          static_cast<R>(small.row(j)[BidiagonalLeaf::kColumns + i]);
  for (int64_t j = 0; j < n + extra; ++j)
    for (int64_t i = 0; i < n + extra; ++i)
      right[j * step + i] = static_cast<R>(small.vector(j)[i]);
  for (int64_t i = 0; i < n; ++i)
    order[begin + i] = static_cast<int32_t>(i);
  sort_indices(order + begin, n, d + begin);
}

/// Separates the columns that take part from the others. The first of the
/// former is that of the joining row. Returns the tolerance.
template <class R>
double BidiagonalSolver<R>::deflate(int64_t begin, int64_t first, int64_t n,
                                    int64_t extra) {
  Deflation &to = columns.deflation;
  double *values = d + begin, most = 0;
  for (int64_t i = 0; i < n; ++i) {
    to.kinds[i] = i < first ? 0 : i == first ? 1 : 2;
    most = larger(most, larger(values[i], size_of(z[i])));
  }
  double tolerance = larger(8 * kUnitOf<R> * most, kNegligible);
  if (size_of(z[first]) <= tolerance)
    z[first] = tolerance;
  // The column of the joining row is not sorted; its place is free in `order`.
  for (int64_t i = first; i + 1 < n; ++i)
    order[begin + i] = order[begin + i + 1];
  merge_indices(order + begin, first, n - 1, static_cast<int32_t>(first + 1),
                values, to.sorted);
  R *left = u + begin * (step + 1), *right = v + begin * (step + 1);
  int32_t before = -1;
  to.deflated_count = 0;
  to.kept[0] = static_cast<int32_t>(first);
  to.kept_count = 1;
  for (int64_t i = 0; i + 1 < n; ++i) {
    int32_t column = to.sorted[i];
    if (size_of(z[column]) <= tolerance) {
      to.deflated[to.deflated_count++] = column;
      continue;
    }
    if (before >= 0 && values[column] - values[before] <= tolerance) {
      double length = root_of(z[before] * z[before] + z[column] * z[column]);
      double c = z[column] / length, s = -z[before] / length;
      z[column] = length;
      if (to.kinds[before] != to.kinds[column])
        to.kinds[column] = 1;
      rotate_columns(left + before * step, left + column * step, n, c, s);
      rotate_columns(right + before * step, right + column * step, n + extra, c,
                     s);
      to.deflated[to.deflated_count++] = before;
    } else if (before >= 0) {
      to.kept[to.kept_count++] = before;
    }
    before = column;
  }
  if (before >= 0)
    to.kept[to.kept_count++] = before;
  to.group();
  return tolerance;
}

/// Writes the left or the right vectors of the kept columns as factors.
template <class R> void BidiagonalSolver<R>::fill_factors(bool left) {
  int64_t count = equation.count;
  for (int64_t j = 0; j < count; ++j) {
    equation.subtract_root(roots[j]);
    for (int64_t i = 0; i < count; i += kDoubles) {
      Doubles element =
          load<Doubles>(equation.z + i) / load<Doubles>(equation.delta + i);
      if (left)
        element *= load<Doubles>(equation.poles + i);
      store(equation.work + i, element);
    }
    if (left)
      equation.work[0] = -1;
    columns.write_factor(j, equation.work);
  }
}

template <class R>
void BidiagonalSolver<R>::join(int64_t begin, int64_t first, int64_t n,
                               int64_t extra) {
  R *left = u + begin * (step + 1), *right = v + begin * (step + 1);
  double *values = d + begin;
  double alpha = values[first], beta = e[begin + first];
  left[first * (step + 1)] = 1;
  values[first] = 0;
  for (int64_t j = 0; j < n; ++j)
    z[j] = j <= first ? alpha * right[j * step + first]
                      : beta * right[j * step + first + 1];
  // The last column of v is not in the range of the joined rows.
  if (extra == 1) {
    double other = beta * right[n * step + first + 1];
    double length = root_of(z[first] * z[first] + other * other);
    if (length > kNegligible) {
      rotate_columns(right + first * step, right + n * step, n + 1,
                     z[first] / length, other / length);
      z[first] = length;
    }
  }
  double tolerance = deflate(begin, first, n, extra);
  const Deflation &deflation = columns.deflation;
  int64_t count = deflation.kept_count;
  for (int64_t i = 0; i < n; ++i)
    old[i] = values[i];
  equation.count = count;
  equation.is_square = true;
  equation.rho = 1;
  for (int64_t i = 0; i < count; ++i) {
    equation.poles[i] =
        i == 0 ? 0 : larger(old[deflation.kept[i]], tolerance / 2);
    equation.z[i] = z[deflation.kept[i]];
  }
  equation.prepare();
  for (int64_t j = 0; j < count; ++j)
    roots[j] = equation.find_root(j);
  equation.adjust(roots);
  fill_factors(false);
  columns.multiply(right, step, first + 1, n + extra);
  fill_factors(true);
  columns.multiply(left, step, first + 1, n);
  int32_t *indices = deflation.sorted;
  for (int64_t i = 0; i < n; ++i) {
    if (i < count) {
      double pole = equation.poles[roots[i].origin];
      values[i] = root_of(pole * pole + roots[i].offset);
    } else {
      values[i] = old[deflation.deflated[i - count]];
    }
    indices[i] = static_cast<int32_t>(i);
  }
  sort_indices(indices + count, n - count, values);
  merge_indices(indices, count, n, 0, values, order + begin);
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
