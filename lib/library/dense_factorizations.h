// Defines the solves and factorizations of dense.h, for all element types.
#pragma once

#include "dense_reflections.h"

namespace xlac::library::XLAC_DENSE_FEATURES {

#define XLAC_DEFINE_DENSE(T)                                                   \
  void solve_triangle(DenseMatrix<const T> a, DenseTriangle kind,              \
                      DenseMatrix<T> x, char *scratch) {                       \
    if (x.rows > 0 && x.columns > 0)                                           \
      solve<T>(a, kind, x, scratch);                                           \
  }                                                                            \
  int64_t factor_cholesky(DenseMatrix<T> a, char *scratch) {                   \
    return factor<T>(a, scratch);                                              \
  }                                                                            \
  int64_t factor_lu(DenseMatrix<T> a, int32_t *pivots, char *scratch) {        \
    return a.rows > 0 ? factor_columns<T>(a, pivots, scratch) : 0;             \
  }                                                                            \
  void factor_qr(DenseMatrix<T> a, T *taus, char *scratch) {                   \
    factor_reflections<T>(a, taus, scratch);                                   \
  }                                                                            \
  void apply_reflections(DenseMatrix<const T> a, const T *taus, int64_t count, \
                         bool left, bool adjoint, DenseMatrix<T> c,            \
                         char *scratch) {                                      \
    if (c.rows > 0 && c.columns > 0)                                           \
      multiply_reflections<T>(a, taus, count, left, adjoint, c, scratch);      \
  }
XLAC_DEFINE_DENSE(float)
XLAC_DEFINE_DENSE(double)
XLAC_DEFINE_DENSE(ComplexNumber<float>)
XLAC_DEFINE_DENSE(ComplexNumber<double>)
#undef XLAC_DEFINE_DENSE

} // namespace xlac::library::XLAC_DENSE_FEATURES
