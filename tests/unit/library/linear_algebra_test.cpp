// Triangular solves and Cholesky factors, checked by multiplication.
#include "xlac/abi/abi.h"
#include "xlac/library/routines.h"
#include "xlac/support/element_type.h"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <random>
#include <vector>

using namespace xlac;
using namespace xlac::library;

namespace {

template <class T> struct Element;
template <> struct Element<float> {
  static constexpr ElementType type = ElementType::F32;
  static constexpr double bound = 2e-4;
};
template <> struct Element<double> {
  static constexpr ElementType type = ElementType::F64;
  static constexpr double bound = 1e-11;
};
template <> struct Element<std::complex<float>> {
  static constexpr ElementType type = ElementType::Complex64;
  static constexpr double bound = 4e-4;
};
template <> struct Element<std::complex<double>> {
  static constexpr ElementType type = ElementType::Complex128;
  static constexpr double bound = 1e-11;
};

std::mt19937 generator(7);

template <class T> T draw() {
  std::uniform_real_distribution<double> value(-1, 1);
  if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(value(generator));
  else
    return T(value(generator), value(generator));
}

template <class T> T conjugate(T x) {
  if constexpr (std::is_floating_point_v<T>)
    return x;
  else
    return std::conj(x);
}

/// Returns op(a)[i, j] of the triangle that is used.
template <class T>
T element(const std::vector<T> &a, int64_t n, int64_t i, int64_t j, bool lower,
          bool unit, int64_t transpose) {
  if (transpose)
    std::swap(i, j);
  if (lower ? j > i : j < i)
    return T(0);
  T value = i == j && unit ? T(1) : a[i * n + j];
  return transpose == 2 ? conjugate(value) : value;
}

template <class T>
void check_solve(int64_t n, int64_t other, bool left, bool lower, bool unit,
                 int64_t transpose, bool in_place) {
  int64_t batch = 2;
  int64_t rows = left ? n : other, columns = left ? other : n;
  std::vector<T> a(batch * n * n), b(batch * rows * columns), x(b.size());
  for (T &value : a)
    value = draw<T>() / T(static_cast<double>(n));
  for (int64_t k = 0; k < batch; ++k)
    for (int64_t i = 0; i < n; ++i)
      a[k * n * n + i * n + i] += T(2);
  for (T &value : b)
    value = draw<T>();
  x = b;
  int64_t parameters[kSolveParameterCount] = {
      static_cast<int64_t>(Element<T>::type),
      batch,
      n,
      rows,
      columns,
      left,
      lower,
      unit,
      transpose};
  void *buffers[] = {a.data(), in_place ? x.data() : b.data(), x.data()};
  ASSERT_TRUE(run_routine(XLAC_LIBRARY_TRIANGULAR_SOLVE, buffers, parameters));
  for (int64_t k = 0; k < batch; ++k) {
    std::vector<T> matrix(a.begin() + k * n * n, a.begin() + (k + 1) * n * n);
    for (int64_t i = 0; i < rows; ++i)
      for (int64_t j = 0; j < columns; ++j) {
        T sum(0);
        for (int64_t l = 0; l < n; ++l)
          sum += left ? element(matrix, n, i, l, lower, unit, transpose) *
                            x[(k * rows + l) * columns + j]
                      : x[(k * rows + i) * columns + l] *
                            element(matrix, n, l, j, lower, unit, transpose);
        ASSERT_LE(std::abs(sum - b[(k * rows + i) * columns + j]),
                  Element<T>::bound);
      }
  }
}

template <class T> void check_all_solves() {
  for (int bits = 0; bits < 16; ++bits)
    for (int64_t transpose : {0, 1, 2})
      for (auto [n, other] :
           {std::pair<int64_t, int64_t>{1, 1}, {5, 3}, {33, 7}, {4, 1}})
        check_solve<T>(n, other, bits & 1, bits & 2, bits & 4, transpose,
                       bits & 8);
}

template <class T> void check_cholesky(int64_t n, bool lower) {
  std::vector<T> factor(n * n), a(n * n), out(2 * n * n, T(5));
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j <= i; ++j)
      factor[i * n + j] = i == j ? T(2 + i % 3) : draw<T>();
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      for (int64_t l = 0; l < n; ++l)
        a[i * n + j] += factor[i * n + l] * conjugate(factor[j * n + l]);
  std::vector<T> both = a;
  both.insert(both.end(), a.begin(), a.end());
  // Fills the other triangle with garbage, since it must not be read.
  for (int64_t i = 0; i < n; ++i)
    for (int64_t j = 0; j < n; ++j)
      if (lower ? j > i : j < i)
        both[i * n + j] = T(1e30);
  int64_t parameters[kCholeskyParameterCount] = {
      static_cast<int64_t>(Element<T>::type), 2, n, lower};
  void *buffers[] = {both.data(), out.data()};
  ASSERT_TRUE(run_routine(XLAC_LIBRARY_CHOLESKY, buffers, parameters));
  for (int64_t k = 0; k < 2; ++k)
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j) {
        T wanted = lower ? factor[i * n + j] : conjugate(factor[j * n + i]);
        ASSERT_LE(std::abs(out[(k * n + i) * n + j] - wanted),
                  Element<T>::bound * static_cast<double>(n));
      }
}

} // namespace

TEST(TriangularSolve, AllSidesAndTypes) {
  check_all_solves<float>();
  check_all_solves<double>();
  check_all_solves<std::complex<float>>();
  check_all_solves<std::complex<double>>();
}

TEST(TriangularSolve, NothingToDo) {
  double value = 1;
  int64_t parameters[kSolveParameterCount] = {
      static_cast<int64_t>(ElementType::F64), 0, 3, 3, 3, 1, 1, 0, 0};
  void *buffers[] = {&value, &value, &value};
  EXPECT_TRUE(run_routine(XLAC_LIBRARY_TRIANGULAR_SOLVE, buffers, parameters));
  parameters[kSolveBatch] = 1;
  parameters[kSolveColumns] = 0;
  EXPECT_TRUE(run_routine(XLAC_LIBRARY_TRIANGULAR_SOLVE, buffers, parameters));
}

TEST(Cholesky, AllTypes) {
  for (int64_t n : {1, 2, 7, 40})
    for (bool lower : {true, false}) {
      check_cholesky<float>(n, lower);
      check_cholesky<double>(n, lower);
      check_cholesky<std::complex<float>>(n, lower);
      check_cholesky<std::complex<double>>(n, lower);
    }
}

TEST(Cholesky, NotPositiveDefiniteIsNan) {
  double a[4] = {1, 2, 2, 1}, out[4] = {};
  int64_t parameters[kCholeskyParameterCount] = {
      static_cast<int64_t>(ElementType::F64), 1, 2, 1};
  void *buffers[] = {a, out};
  ASSERT_TRUE(run_routine(XLAC_LIBRARY_CHOLESKY, buffers, parameters));
  for (double value : out)
    EXPECT_TRUE(std::isnan(value));
}

TEST(LinearAlgebra, RefusesOtherTypes) {
  int64_t parameters[kSolveParameterCount] = {
      static_cast<int64_t>(ElementType::F16), 1, 1, 1};
  double value = 1;
  void *buffers[] = {&value, &value, &value};
  for (int routine : {XLAC_LIBRARY_CHOLESKY, XLAC_LIBRARY_TRIANGULAR_SOLVE}) {
    Status status = run_routine(routine, buffers, parameters);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().failure_kind, FailureKind::Unsupported);
  }
}
