#include "xlac/library/routines.h"

#include "dense_call.h"
#include "xlac/library/routine_list.h"

#include <algorithm>
#include <complex>
#include <cstring>
#include <limits>
#include <string>

namespace xlac::library {

namespace {

template <class T>
Status solve(void *const *buffers, const int64_t *parameters) {
  int64_t batch = parameters[kSolveBatch], n = parameters[kSolveN];
  int64_t rows = parameters[kSolveRows], columns = parameters[kSolveColumns];
  auto a = static_cast<const T *>(buffers[0]);
  auto result = static_cast<T *>(buffers[2]);
  int64_t size = rows * columns;
  if (size <= 0 || batch <= 0)
    return {};
  if (buffers[1] != buffers[2])
    std::memmove(buffers[2], buffers[1], sizeof(T) * size * batch);
  bool transpose = parameters[kSolveTranspose] != 0;
  // Transposing swaps the triangles.
  DenseTriangle kind{(parameters[kSolveLower] != 0) != transpose,
                     parameters[kSolveUnitDiagonal] != 0,
                     parameters[kSolveTranspose] == 2};
  DenseCalls<T> calls(std::max(rows, columns));
  for (int64_t i = 0; i < batch; ++i) {
    auto matrix = dense_matrix(a + i * n * n, n, n);
    calls.solve_triangle(transpose ? transpose_of(matrix) : matrix, kind,
                         parameters[kSolveLeft] != 0,
                         dense_matrix(result + i * size, rows, columns));
  }
  return {};
}

template <class T>
Status factor(void *const *buffers, const int64_t *parameters) {
  int64_t batch = parameters[kCholeskyBatch], n = parameters[kCholeskyN];
  bool lower = parameters[kCholeskyLower];
  auto a = static_cast<const T *>(buffers[0]);
  auto result = static_cast<T *>(buffers[1]);
  if (n <= 0 || batch <= 0)
    return {};
  DenseCalls<T> calls(n);
  for (int64_t item = 0; item < batch; ++item, a += n * n, result += n * n) {
    for (int64_t i = 0; i < n; ++i)
      for (int64_t j = 0; j < n; ++j)
        result[i * n + j] = (lower ? j <= i : j >= i) ? a[i * n + j] : T(0);
    // The transpose of the upper triangle is the lower triangle of the
    // conjugate matrix, whose factor is the transpose of u.
    auto matrix = dense_matrix(result, n, n);
    if (calls.factor_cholesky(lower ? matrix : transpose_of(matrix)) != 0)
      std::fill_n(
          result, n * n,
          T(std::numeric_limits<decltype(std::real(T()))>::quiet_NaN()));
  }
  return {};
}

} // namespace

Status run_triangular_solve(void *const *buffers, const int64_t *parameters) {
  switch (static_cast<ElementType>(parameters[kSolveElement])) {
  case ElementType::F32:
    return solve<float>(buffers, parameters);
  case ElementType::F64:
    return solve<double>(buffers, parameters);
  case ElementType::Complex64:
    return solve<std::complex<float>>(buffers, parameters);
  case ElementType::Complex128:
    return solve<std::complex<double>>(buffers, parameters);
  default:
    return unsupported_element("triangular_solve", parameters[kSolveElement]);
  }
}

Status run_cholesky(void *const *buffers, const int64_t *parameters) {
  switch (static_cast<ElementType>(parameters[kCholeskyElement])) {
  case ElementType::F32:
    return factor<float>(buffers, parameters);
  case ElementType::F64:
    return factor<double>(buffers, parameters);
  case ElementType::Complex64:
    return factor<std::complex<float>>(buffers, parameters);
  case ElementType::Complex128:
    return factor<std::complex<double>>(buffers, parameters);
  default:
    return unsupported_element("cholesky", parameters[kCholeskyElement]);
  }
}

} // namespace xlac::library
