#include "xlac/library/routines.h"

#include "triangles.h"
#include "xlac/library/routine_list.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>

#include <complex>
#include <cstring>
#include <limits>
#include <string>

namespace xlac::library {

namespace {

template <class T>
using Matrix =
    Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
template <class T> using ConstMap = Eigen::Map<const Matrix<T>>;
template <class T> using Map = Eigen::Map<Matrix<T>>;

template <class T>
Status solve(void *const *buffers, const int64_t *parameters) {
  int64_t batch = parameters[kSolveBatch], n = parameters[kSolveN];
  int64_t rows = parameters[kSolveRows], columns = parameters[kSolveColumns];
  bool left = parameters[kSolveLeft], lower = parameters[kSolveLower];
  bool unit = parameters[kSolveUnitDiagonal];
  auto a = static_cast<const T *>(buffers[0]);
  auto result = static_cast<T *>(buffers[2]);
  int64_t size = rows * columns;
  if (size <= 0 || batch <= 0)
    return {};
  if (buffers[1] != buffers[2])
    std::memmove(buffers[2], buffers[1], sizeof(T) * size * batch);
  for (int64_t i = 0; i < batch; ++i) {
    ConstMap<T> matrix(a + i * n * n, n, n);
    Map<T> x(result + i * size, rows, columns);
    // Transposing swaps the triangles.
    if (parameters[kSolveTranspose] == 1)
      solve_triangle(matrix.transpose(), x, left, !lower, unit);
    else if (parameters[kSolveTranspose] == 2)
      solve_triangle(matrix.adjoint(), x, left, !lower, unit);
    else
      solve_triangle(matrix, x, left, lower, unit);
  }
  return {};
}

template <class T>
Status factor(void *const *buffers, const int64_t *parameters) {
  int64_t batch = parameters[kCholeskyBatch], n = parameters[kCholeskyN];
  bool lower = parameters[kCholeskyLower];
  auto a = static_cast<const T *>(buffers[0]);
  auto result = static_cast<T *>(buffers[1]);
  if (n <= 0)
    return {};
  Matrix<T> source(n, n);
  Eigen::LLT<Matrix<T>, Eigen::Lower> decomposition(n);
  for (int64_t i = 0; i < batch; ++i) {
    ConstMap<T> matrix(a + i * n * n, n, n);
    Map<T> out(result + i * n * n, n, n);
    if (lower)
      source = matrix.template triangularView<Eigen::Lower>();
    else
      source = matrix.adjoint().template triangularView<Eigen::Lower>();
    decomposition.compute(source);
    if (decomposition.info() != Eigen::Success)
      out.setConstant(T(std::numeric_limits<
                        typename Eigen::NumTraits<T>::Real>::quiet_NaN()));
    else if (lower)
      out = decomposition.matrixL();
    else
      out = decomposition.matrixU();
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
