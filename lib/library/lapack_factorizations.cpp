// Cholesky and LU factorizations, and triangular and tridiagonal solves.
#include "lapack_calls.h"

#include "xlac/library/call_targets.h"

#include <cmath>
#include <limits>

namespace xlac::library {

namespace {

/// potrf: (a) to (factor, info). The other triangle keeps the elements of a,
/// and so does the whole matrix if it is not positive definite.
template <class T> void potrf(const CustomCall &call) {
  bool lower = letter(call, "uplo", "LU") == 'L';
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Scalars<int32_t> info(call.results[1]);
  for_each_item(call, {&in, &out, &info}, [&](int64_t item) {
    out.copy(in, item);
    // The transpose of the upper triangle is the lower triangle of the
    // conjugate matrix.
    DenseMatrix<T> a = out.dense(item);
    int64_t bad =
        DenseCalls<T>(a.rows).factor_cholesky(lower ? a : transpose_of(a));
    if (bad != 0)
      out.copy(in, item);
    info[item] = static_cast<int32_t>(bad);
  });
}

/// Replaces `a` by its LU factorization with partial pivoting. Row k was
/// swapped with row pivots[k]. Returns the index of the first zero pivot, from
/// 1, or 0.
template <class T>
int32_t factor_lu(DenseMatrix<T> a, std::vector<int32_t> &pivots) {
  pivots.assign(std::min(a.rows, a.columns), 0);
  DenseCalls<T> calls(std::max(a.rows, a.columns));
  return static_cast<int32_t>(calls.factor_lu(a, pivots.data()));
}

/// getrf: (a) to (lu, pivots counted from 1, info).
template <class T> void getrf(const CustomCall &call) {
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<int32_t> pivots(call.results[1]);
  Scalars<int32_t> info(call.results[2]);
  for_each_item(call, {&in, &out, &pivots, &info}, [&](int64_t item) {
    std::vector<int32_t> rows;
    out.copy(in, item);
    info[item] = factor_lu(out.dense(item), rows);
    for (size_t k = 0; k < rows.size(); ++k)
      pivots[item](k) = rows[k] + 1;
  });
}

/// LuDecomposition: (a) to (lu, pivots counted from 0, permutation of rows).
template <class T> void lu_decomposition(const CustomCall &call) {
  Matrices<T> in(call.operands[0]), out(call.results[0]);
  Vectors<int32_t> pivots(call.results[1]), permutation(call.results[2]);
  for_each_item(call, {&in, &out, &pivots, &permutation}, [&](int64_t item) {
    std::vector<int32_t> rows;
    out.copy(in, item);
    factor_lu(out.dense(item), rows);
    auto order = permutation[item];
    for (int64_t row = 0; row < order.size(); ++row)
      order(row) = static_cast<int32_t>(row);
    for (size_t k = 0; k < rows.size(); ++k) {
      pivots[item](k) = rows[k];
      std::swap(order(k), order(rows[k]));
    }
  });
}

/// trsm: (a, b) to the solution of op(a) x = b or x op(a) = b.
template <class T> void trsm(const CustomCall &call) {
  bool left = letter(call, "side", "LR") == 'L';
  bool lower = letter(call, "uplo", "LU") == 'L';
  bool unit = letter(call, "diag", "UN") == 'U';
  char transpose = letter(call, "trans_x", "NTC");
  bool transposed = transpose != 'N';
  Matrices<T> a(call.operands[0]), b(call.operands[1]), out(call.results[0]);
  for_each_item(call, {&a, &b, &out}, [&](int64_t item) {
    out.copy(b, item);
    auto matrix = read_only(a.dense(item));
    DenseMatrix<T> x = out.dense(item);
    DenseCalls<T>(std::max(x.rows, x.columns))
        .solve_triangle(transposed ? transpose_of(matrix) : matrix,
                        {lower != transposed, unit, transpose == 'C'}, left, x);
  });
}

/// A copy of the right-hand sides, with one column of zeros if there are none:
/// Eigen forms row pointers from the null pointer of an empty matrix.
template <class T>
Matrix<T> right_hand_sides(const typename Matrices<T>::View &b) {
  if (b.cols() == 0)
    return Matrix<T>::Zero(b.rows(), 1);
  return b;
}

/// Eliminates the tridiagonal matrix of `lower` (first element unused),
/// `diagonal` and `upper`. They become the diagonals of the factors, and x the
/// right-hand side of the upper factor. Returns 0, or the index, from 1, of the
/// first row with a zero pivot, at which elimination stops.
template <class T>
int32_t eliminate_tridiagonal(Vector<T> &lower, Vector<T> &diagonal,
                              Vector<T> &upper, Matrix<T> &x) {
  int64_t n = diagonal.size();
  auto size_of = [](T value) {
    return std::abs(std::real(value)) + std::abs(std::imag(value));
  };
  for (int64_t i = 0; i + 1 < n; ++i) {
    T below = lower(i + 1);
    T second = T(0); // of the row that became the pivot row
    if (diagonal(i) == T(0) && below == T(0))
      return static_cast<int32_t>(i + 1);
    if (size_of(diagonal(i)) >= size_of(below)) {
      T factor = below / diagonal(i);
      diagonal(i + 1) -= factor * upper(i);
      x.row(i + 1) -= factor * x.row(i);
    } else {
      T factor = diagonal(i) / below;
      diagonal(i) = below;
      T next = diagonal(i + 1);
      diagonal(i + 1) = upper(i) - factor * next;
      upper(i) = next;
      if (i + 2 < n) {
        second = upper(i + 1);
        upper(i + 1) = -factor * second;
      }
      Matrix<T> row = x.row(i);
      x.row(i) = x.row(i + 1);
      x.row(i + 1) = row - factor * x.row(i);
    }
    lower(i + 1) = second;
  }
  return n > 0 && diagonal(n - 1) == T(0) ? static_cast<int32_t>(n) : 0;
}

/// Subtracts the known rows of x from row `i`, with the diagonals that
/// elimination computed.
template <class T>
void substitute_row(const Vector<T> &lower, const Vector<T> &upper,
                    Matrix<T> &x, int64_t i) {
  int64_t n = upper.size();
  if (i + 1 < n)
    x.row(i) -= upper(i) * x.row(i + 1);
  if (i + 2 < n)
    x.row(i) -= lower(i + 1) * x.row(i + 2);
}

/// Solves a tridiagonal system, which elimination overwrites. Returns 0, or the
/// index, from 1, of the row with a zero pivot.
template <class T>
int32_t solve_tridiagonal(Vector<T> &lower, Vector<T> &diagonal,
                          Vector<T> &upper, Matrix<T> &x) {
  int32_t singular = eliminate_tridiagonal(lower, diagonal, upper, x);
  for (int64_t i = diagonal.size() - 1; !singular && i >= 0; --i) {
    substitute_row(lower, upper, x, i);
    x.row(i) /= diagonal(i);
  }
  return singular;
}

/// gtsv: (lower, diagonal, upper, b) to the same after elimination, x and info.
/// All diagonals have n elements; the first of the lower one and the last of
/// the upper one are not read.
template <class T> void gtsv(const CustomCall &call) {
  Vectors<T> lower(call.operands[0]), diagonal(call.operands[1]),
      upper(call.operands[2]), lower_out(call.results[0]),
      diagonal_out(call.results[1]), upper_out(call.results[2]);
  Matrices<T> b(call.operands[3]), x(call.results[3]);
  Scalars<int32_t> info(call.results[4]);
  for_each_item(call,
                {&lower, &diagonal, &upper, &b, &lower_out, &diagonal_out,
                 &upper_out, &x, &info},
                [&](int64_t item) {
                  Vector<T> l = lower[item], d = diagonal[item],
                            u = upper[item];
                  Matrix<T> solution = right_hand_sides<T>(b[item]);
                  info[item] = solve_tridiagonal(l, d, u, solution);
                  lower_out[item] = l;
                  diagonal_out[item] = d;
                  upper_out[item] = u;
                  x[item] = solution.leftCols(b[item].cols());
                });
}

/// The triangular factor of a tridiagonal matrix. Row i has the elements
/// `diagonal(i)`, `first(i)` and `second(i)`, starting at its diagonal.
template <class T> struct TridiagonalFactor {
  Vector<T> diagonal, first, second;
  Real<T> largest = 0; ///< a magnitude of elements, as in find_factor
};

/// Factors like LAPACK's lagtf, with pivots chosen relative to their rows, and
/// applies the same steps to the right-hand sides x. `largest` is computed as
/// in jaxlib: from row 0 before and after its step, the rows except the last
/// two after theirs, and the last element of the diagonal.
template <class T>
TridiagonalFactor<T> find_factor(const Vector<T> &lower,
                                 const Vector<T> &diagonal,
                                 const Vector<T> &upper, Matrix<T> &x) {
  int64_t n = diagonal.size();
  TridiagonalFactor<T> u{diagonal, upper, Vector<T>::Zero(n)};
  auto note = [&](const T &element) {
    u.largest = std::max(u.largest, std::abs(element));
  };
  auto row_size = [&](int64_t i) {
    return std::abs(u.diagonal(i)) + (i + 1 < n ? std::abs(u.first(i)) : 0);
  };
  u.largest = row_size(0) - std::abs(u.diagonal(0));
  note(u.diagonal(0));
  if (n > 1)
    note(u.first(0));
  Real<T> size = row_size(0);
  for (int64_t i = 0; i + 1 < n; ++i) {
    T below = lower(i + 1);
    Real<T> next_size = std::abs(below) + row_size(i + 1);
    Real<T> pivot = u.diagonal(i) == T(0) ? 0 : std::abs(u.diagonal(i)) / size;
    if (below == T(0)) {
      size = next_size;
    } else if (std::abs(below) / next_size <= pivot) {
      size = next_size;
      T factor = below / u.diagonal(i);
      u.diagonal(i + 1) -= factor * u.first(i);
      x.row(i + 1) -= factor * x.row(i);
    } else {
      T factor = u.diagonal(i) / below, next = u.diagonal(i + 1);
      u.diagonal(i) = below;
      u.diagonal(i + 1) = u.first(i) - factor * next;
      u.first(i) = next;
      if (i + 2 < n) {
        u.second(i) = u.first(i + 1);
        u.first(i + 1) = -factor * u.second(i);
      }
      Matrix<T> row = x.row(i);
      x.row(i) = x.row(i + 1);
      x.row(i + 1) = row - factor * x.row(i);
      size = row_size(i + 1);
    }
    if (i + 2 < n) {
      note(u.diagonal(i));
      note(u.first(i));
      note(u.second(i));
    }
  }
  note(u.diagonal(n - 1));
  return u;
}

/// A divisor for values of magnitude `value` that does not overflow: `pivot`,
/// or `pivot` moved away from 0 by `least`, then twice that, and so on.
template <class T> T perturbed(T pivot, Real<T> value, Real<T> least) {
  constexpr Real<T> smallest = std::numeric_limits<Real<T>>::min();
  Real<T> step = std::copysign(least, std::real(pivot));
  // A value that is not finite stays so for any divisor.
  while (std::isfinite(value) && std::abs(pivot) < 1 &&
         (std::abs(pivot) < smallest || value * smallest > std::abs(pivot))) {
    pivot += step;
    step *= 2;
  }
  return pivot;
}

/// tridiagonal_solve_perturbed_ffi: (lower, diagonal, upper, b) to x. Pivots of
/// a singular matrix are perturbed by the precision of its largest element, so
/// that x is finite. Bitwise equal to jaxlib.
template <class T> void solve_perturbed(const CustomCall &call) {
  Vectors<T> lower(call.operands[0]), diagonal(call.operands[1]),
      upper(call.operands[2]);
  Matrices<T> b(call.operands[3]), x(call.results[0]);
  int64_t n = b.rows();
  for_each_item(call, {&lower, &diagonal, &upper, &b, &x}, [&](int64_t item) {
    if (n == 0)
      return;
    Matrix<T> solution = right_hand_sides<T>(b[item]);
    TridiagonalFactor<T> u =
        find_factor<T>(lower[item], diagonal[item], upper[item], solution);
    using Limits = std::numeric_limits<Real<T>>;
    Real<T> least = std::max(Limits::epsilon() * u.largest, Limits::min());
    for (int64_t i = n - 1; i >= 0; --i) {
      auto row = solution.row(i);
      if (i + 1 < n)
        row -= u.first(i) * solution.row(i + 1);
      if (i + 2 < n)
        row -= u.second(i) * solution.row(i + 2);
      T pivot = perturbed(u.diagonal(i), row.cwiseAbs().maxCoeff(), least);
      if (n == 1)
        row /= pivot;
      else
        row *= T(1) / pivot;
    }
    x[item] = solution.leftCols(b[item].cols());
  });
}

template <class T> void add_factorizations(CustomCallTable &table) {
  add_lapack<T>(table, "potrf", "T[n,n] -> T[n,n], i32[]", potrf<T>);
  add_lapack<T>(table, "getrf", "T[m,n] -> T[m,n], i32[min(m,n)], i32[]",
                getrf<T>);
  add_lapack<T>(
      table, "trsm",
      "side=L: T[m,m], T[m,n] -> T[m,n]; side=R: T[n,n], T[m,n] -> T[m,n]",
      trsm<T>);
  add_lapack<T>(table, "gtsv",
                "T[n], T[n], T[n], T[n,k] -> T[n], T[n], T[n], T[n,k], i32[]",
                gtsv<T>);
}

} // namespace

void add_lapack_factorizations(CustomCallTable &table) {
  for_each_element_type(
      [&](auto element) { add_factorizations<decltype(element)>(table); });
  add_for_any_type(table, "tridiagonal_solve_perturbed_ffi",
                   "T[n], T[n], T[n], T[n,k] -> T[n,k]",
                   [](auto element, const CustomCall &call) {
                     solve_perturbed<decltype(element)>(call);
                   });
  add_for_any_type(table, kLuTarget, "T[m,n] -> T[m,n], i32[min(m,n)], i32[m]",
                   [](auto element, const CustomCall &call) {
                     lu_decomposition<decltype(element)>(call);
                   });
}

} // namespace xlac::library
