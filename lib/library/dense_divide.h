// Eigenvalues and vectors of symmetric tridiagonal matrices by divide and
// conquer: halves are solved separately and joined by a matrix of rank one
// (Cuppen, "A divide and conquer method for the symmetric tridiagonal
// eigenproblem", 1981). Vectors of the joined problem are products of matrices.
// Values that do not change by more than rounding errors are kept as they are
// (deflation), and zero halves of columns take no part in products (Rutter,
// LAPACK working note 69, 1994).
#pragma once

#include "dense_secular.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Rows of the matrices that rotations solve.
inline constexpr int64_t kLeafRows = 32;

/// Rounding errors of R.
template <class R>
inline constexpr double kUnitOf =
    sizeof(R) == 4 ? 5.9604644775390625e-08 : kDoubleUnit;

/// The largest elements of a matrix are about 1. Those below this bound are
/// taken as zeros, so that squares do not underflow.
inline constexpr double kNegligible = 1e-120;

/// Sorts indices by the values that they name; fast if nearly sorted.
inline void sort_indices(int32_t *indices, int64_t count,
                         const double *values) {
  for (int64_t i = 1; i < count; ++i) {
    int32_t index = indices[i];
    int64_t at = i;
    for (; at > 0 && values[index] < values[indices[at - 1]]; --at)
      indices[at] = indices[at - 1];
    indices[at] = index;
  }
}
/// Merges the sorted indices 0 to `first` of `from` with those from `first`, to
/// which `offset` is added.
inline void merge_indices(const int32_t *from, int64_t first, int64_t count,
                          int32_t offset, const double *values, int32_t *to) {
  for (int64_t i = 0, j = first, at = 0; at < count; ++at) {
    bool takes_first =
        j == count ||
        (i < first && values[from[i]] <= values[from[j] + offset]);
    to[at] = takes_first ? from[i++] : from[j++] + offset;
  }
}

/// Implicit QL iteration for the symmetric tridiagonal matrix with `d` (n) and
/// `e` (n - 1, and one more element). Rotates rows i and i + 1 by
/// rotate(i, c, s). The largest elements are about 1. Returns false if it does
/// not converge.
template <class Rotate>
bool iterate_ql(double *d, double *e, int64_t n, const Rotate &rotate) {
  int64_t steps = 50 * n;
  for (int64_t l = 0; l < n; ++l)
    for (;;) {
      int64_t m = l;
      for (; m + 1 < n; ++m)
        if (size_of(e[m]) <=
            kDoubleUnit * (size_of(d[m]) + size_of(d[m + 1])) + kNegligible)
          break;
      if (m == l)
        break;
      if (--steps < 0)
        return false;
      // Wilkinson's shift.
      double g = (d[l + 1] - d[l]) / (2 * e[l]);
      double length = root_of(g * g + 1);
      g = d[m] - d[l] + e[l] / (g + (g < 0 ? -length : length));
      double s = 1, c = 1, p = 0;
      int64_t i = m - 1;
      for (; i >= l; --i) {
        double f = s * e[i], b = c * e[i];
        double r = root_of(f * f + g * g);
        e[i + 1] = r;
        if (r == 0)
          break;
        s = f / r;
        c = g / r;
        g = d[i + 1] - p;
        r = (d[i] - g) * s + 2 * c * b;
        p = s * r;
        d[i + 1] = g + p;
        g = c * r - b;
        rotate(i, c, s);
      }
      if (i >= l) {
        d[i + 1] -= p;
      } else {
        d[l] -= p;
        e[l] = g;
      }
      e[m] = 0;
    }
  return true;
}

/// The columns of a joined problem: kept ones with their poles, and others.
struct Deflation {
  int32_t *sorted;   ///< all columns, by their values
  int32_t *kinds;    ///< of columns: 0 is zero below, 1 dense, 2 zero above
  int32_t *kept;     ///< columns that take part, by values
  int32_t *deflated; ///< the others
  int32_t *places;   ///< of the kept columns, sorted by kinds
  int64_t kept_count, deflated_count;
  int64_t counts[3]; ///< kept columns of each kind

  /// Sets places and counts.
  void group() {
    counts[0] = counts[1] = counts[2] = 0;
    for (int64_t i = 0; i < kept_count; ++i)
      ++counts[kinds[kept[i]]];
    int64_t next[3] = {0, counts[0], counts[0] + counts[1]};
    for (int64_t i = 0; i < kept_count; ++i)
      places[i] = static_cast<int32_t>(next[kinds[kept[i]]]++);
  }
};

/// Steps that join the columns of two parts of a matrix.
template <class R> struct JoinedColumns {
  R *packed, *factors; ///< as large as the matrix
  Deflation deflation;
  char *scratch; ///< of subtract_product

  /// Multiplies the kept columns of a block of the matrix by the factors, whose
  /// elements are negative. The other columns follow them.
  void multiply(R *block, int64_t step, int64_t first, int64_t rows) const;
  /// Writes a column of the factors: -numbers / their length, in the order of
  /// places. The numbers are padded with zeros.
  void write_factor(int64_t column, const double *numbers) const;

private:
  struct Packed {
    const R *above, *below, *rest;
  };
  Packed pack_columns(const R *block, int64_t step, int64_t first,
                      int64_t rows) const;
};

template <class R>
void JoinedColumns<R>::write_factor(int64_t column,
                                    const double *numbers) const {
  int64_t count = deflation.kept_count;
  Doubles sum{};
  for (int64_t i = 0; i < count; i += kDoubles) {
    Doubles element = load<Doubles>(numbers + i);
    sum += element * element;
  }
  double scale = -1 / root_of(sum_of(sum));
  R *to = factors + column * count;
  for (int64_t i = 0; i < count; ++i)
    to[deflation.places[i]] = static_cast<R>(numbers[i] * scale);
}

/// Copies the parts of columns that are not zero: of the kept ones above and
/// below row `first`, and of the others.
template <class R>
typename JoinedColumns<R>::Packed
JoinedColumns<R>::pack_columns(const R *block, int64_t step, int64_t first,
                               int64_t rows) const {
  const Deflation &from = deflation;
  int64_t upper = from.counts[0] + from.counts[1];
  int64_t lower = from.counts[1] + from.counts[2];
  R *above = packed, *below = above + upper * first;
  R *rest = below + lower * (rows - first);
  auto copy = [&](const R *source, int64_t size, R *to) {
    for (int64_t i = 0; i < size; ++i)
      to[i] = source[i];
  };
  for (int64_t i = 0; i < from.kept_count; ++i) {
    const R *column = block + from.kept[i] * step;
    int64_t place = from.places[i];
    if (place < upper)
      copy(column, first, above + place * first);
    if (place >= from.counts[0])
      copy(column + first, rows - first,
           below + (place - from.counts[0]) * (rows - first));
  }
  for (int64_t i = 0; i < from.deflated_count; ++i)
    copy(block + from.deflated[i] * step, rows, rest + i * rows);
  return {above, below, rest};
}

template <class R>
void JoinedColumns<R>::multiply(R *block, int64_t step, int64_t first,
                                int64_t rows) const {
  Packed from = pack_columns(block, step, first, rows);
  int64_t count = deflation.kept_count, zeros = deflation.counts[0];
  int64_t upper = zeros + deflation.counts[1];
  for (int64_t j = 0; j < count + deflation.deflated_count; ++j) {
    R *column = block + j * step;
    for (int64_t i = 0; i < rows; ++i)
      column[i] = j < count ? 0 : from.rest[(j - count) * rows + i];
  }
  auto product = [&](R *to, int64_t size, const R *left, const R *by,
                     int64_t depth) {
    if (depth == 0 || size == 0)
      return;
    DenseMatrix<R> c{to, size, count, 1, step};
    DenseMatrix<const R> a{left, size, depth, 1, size};
    DenseMatrix<const R> b{by, depth, count, 1, count};
    subtract_product<R>(c, a, false, b, false, Wanted::All, scratch);
  };
  product(block, first, from.above, factors, upper);
  product(block + first, rows - first, from.below, factors + zeros,
          count - zeros);
}

/// Rotates (x, y) to (c x + s y, c y - s x).
template <class R>
void rotate_columns(R *x, R *y, int64_t rows, double c, double s) {
  R cosine = static_cast<R>(c), sine = static_cast<R>(s);
  for (int64_t i = 0; i < rows; ++i) {
    R old_x = x[i];
    x[i] = cosine * old_x + sine * y[i];
    y[i] = cosine * y[i] - sine * old_x;
  }
}

/// The state of divide and conquer; vectors are columns of R.
template <class R> struct TridiagonalSolver {
  R *q; ///< columns of `step` elements, zeros at first
  int64_t step;
  double *d, *e;   ///< the matrix, with one more element of e
  int32_t *order;  ///< result: columns of each part by ascending values
  double *z, *old; ///< vectors of a joined problem
  SecularEquation equation;
  SecularRoot *roots;
  JoinedColumns<R> columns;
  double *leaf; ///< kLeafRows²

  /// Solves n rows from `begin`.
  bool solve(int64_t begin, int64_t n) {
    if (n <= kLeafRows)
      return solve_leaf(begin, n);
    int64_t first = n / 2, at = begin + first;
    double beside = e[at - 1];
    d[at - 1] -= size_of(beside);
    d[at] -= size_of(beside);
    if (!solve(begin, first) || !solve(at, n - first))
      return false;
    join(begin, first, n, beside);
    return true;
  }

private:
  bool solve_leaf(int64_t begin, int64_t n);
  void join(int64_t begin, int64_t first, int64_t n, double beside);
  void deflate(int64_t begin, int64_t first, int64_t n, double rho);
  bool rotate_close(R *block, int64_t n, int32_t one, int32_t other, double *v,
                    double tolerance);
  void fill_factors();
};

template <class R>
bool TridiagonalSolver<R>::solve_leaf(int64_t begin, int64_t n) {
  for (int64_t i = 0; i < n * kLeafRows; ++i)
    leaf[i] = i / kLeafRows == i % kLeafRows;
  double *values = d + begin, *beside = e + begin, kept = beside[n - 1];
  auto rotate = [&](int64_t i, double c, double s) {
    double *upper = leaf + i * kLeafRows, *lower = upper + kLeafRows;
    for (int64_t k = 0; k < kLeafRows; k += kDoubles) {
      Doubles x = load<Doubles>(upper + k), y = load<Doubles>(lower + k);
      store(upper + k, c * x - s * y);
      store(lower + k, s * x + c * y);
    }
  };
  bool is_found = iterate_ql(values, beside, n, rotate);
  beside[n - 1] = kept;
  R *block = q + begin * (step + 1);
  for (int64_t j = 0; j < n; ++j)
    for (int64_t i = 0; i < n; ++i)
      block[j * step + i] = static_cast<R>(leaf[j * kLeafRows + i]);
  for (int64_t i = 0; i < n; ++i)
    order[begin + i] = static_cast<int32_t>(i);
  sort_indices(order + begin, n, values);
  return is_found;
}

/// Rotates two columns so that the first element of `v` is zero, if that
/// changes the matrix by no more than `tolerance`.
template <class R>
bool TridiagonalSolver<R>::rotate_close(R *block, int64_t n, int32_t one,
                                        int32_t other, double *v,
                                        double tolerance) {
  double *values = d + (block - q) / (step + 1);
  double length = root_of(v[one] * v[one] + v[other] * v[other]);
  double c = v[other] / length, s = -v[one] / length;
  if (size_of((values[other] - values[one]) * c * s) > tolerance)
    return false;
  v[other] = length;
  v[one] = 0;
  if (columns.deflation.kinds[one] != columns.deflation.kinds[other])
    columns.deflation.kinds[other] = 1;
  rotate_columns(block + one * step, block + other * step, n, c, s);
  double first = values[one], last = values[other];
  values[one] = first * c * c + last * s * s;
  values[other] = first * s * s + last * c * c;
  return true;
}

/// Separates the columns that take part from the others.
template <class R>
void TridiagonalSolver<R>::deflate(int64_t begin, int64_t first, int64_t n,
                                   double rho) {
  Deflation &to = columns.deflation;
  double *values = d + begin, most = 0, most_z = 0;
  for (int64_t i = 0; i < n; ++i) {
    to.kinds[i] = i < first ? 0 : 2;
    most = larger(most, size_of(values[i]));
    most_z = larger(most_z, size_of(z[i]));
  }
  // The second half of `order` counts from its own first column.
  merge_indices(order + begin, first, n, static_cast<int32_t>(first), values,
                to.sorted);
  double tolerance =
      larger(8 * kUnitOf<R> * larger(most, rho * most_z), kNegligible);
  int32_t before = -1;
  to.kept_count = to.deflated_count = 0;
  for (int64_t i = 0; i < n; ++i) {
    int32_t column = to.sorted[i];
    if (rho * size_of(z[column]) <= tolerance) {
      to.deflated[to.deflated_count++] = column;
      continue;
    }
    if (before >= 0) {
      if (rotate_close(q + begin * (step + 1), n, before, column, z, tolerance))
        to.deflated[to.deflated_count++] = before;
      else
        to.kept[to.kept_count++] = before;
    }
    before = column;
  }
  if (before >= 0)
    to.kept[to.kept_count++] = before;
  to.group();
}

/// Solves the equation and writes the vectors of the kept columns, negative,
/// with rows in the order of `places`.
template <class R> void TridiagonalSolver<R>::fill_factors() {
  int64_t count = equation.count;
  for (int64_t j = 0; j < count; ++j)
    roots[j] = equation.find_root(j);
  equation.adjust(roots);
  for (int64_t j = 0; j < count; ++j) {
    equation.subtract_root(roots[j]);
    for (int64_t i = 0; i < count; i += kDoubles)
      store(equation.work + i,
            load<Doubles>(equation.z + i) / load<Doubles>(equation.delta + i));
    columns.write_factor(j, equation.work);
  }
}

/// Joins the parts before and after row `first`, beside whose corner is the
/// element `beside`.
template <class R>
void TridiagonalSolver<R>::join(int64_t begin, int64_t first, int64_t n,
                                double beside) {
  R *block = q + begin * (step + 1);
  double *values = d + begin;
  constexpr double half_root = 0.70710678118654752;
  for (int64_t i = 0; i < n; ++i) {
    double element = block[i * step + (i < first ? first - 1 : first)];
    z[i] = half_root * (i >= first && beside < 0 ? -element : element);
  }
  double rho = 2 * size_of(beside);
  deflate(begin, first, n, rho);
  const Deflation &deflation = columns.deflation;
  int64_t count = deflation.kept_count;
  for (int64_t i = 0; i < n; ++i)
    old[i] = values[i];
  if (count > 0) {
    equation.count = count;
    equation.is_square = false;
    equation.rho = rho;
    for (int64_t i = 0; i < count; ++i) {
      equation.poles[i] = old[deflation.kept[i]];
      equation.z[i] = z[deflation.kept[i]];
    }
    equation.prepare();
    fill_factors();
  }
  columns.multiply(block, step, first, n);
  int32_t *indices = deflation.sorted;
  for (int64_t i = 0; i < n; ++i) {
    values[i] = i < count ? equation.poles[roots[i].origin] + roots[i].offset
                          : old[deflation.deflated[i - count]];
    indices[i] = static_cast<int32_t>(i);
  }
  sort_indices(indices + count, n - count, values);
  merge_indices(indices, count, n, 0, values, order + begin);
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
