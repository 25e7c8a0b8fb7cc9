// Calls the functions of dense.h with the features of this CPU, for elements of
// the types float, double and std::complex of them.
#pragma once

#include "dense.h"
#include "scratch_block.h"

#include "xlac/support/target_profile.h"

#include <algorithm>
#include <complex>
#include <cstring>

namespace xlac::library {

template <class T> struct DenseElement {
  using Type = T;
};
template <class R> struct DenseElement<std::complex<R>> {
  using Type = ComplexNumber<R>;
};

/// A view of the memory at `data`; strides count elements.
template <class T>
DenseMatrix<T> dense_matrix(T *data, int64_t rows, int64_t columns,
                            int64_t row_stride, int64_t column_stride) {
  return {data, rows, columns, row_stride, column_stride};
}
/// A view of row-major memory.
template <class T>
DenseMatrix<T> dense_matrix(T *data, int64_t rows, int64_t columns) {
  return {data, rows, columns, columns, 1};
}
template <class T> DenseMatrix<T> transpose_of(const DenseMatrix<T> &a) {
  return {a.data, a.columns, a.rows, a.column_stride, a.row_stride};
}

/// Copies `from` to `to`, which have the same size and do not overlap.
template <class T>
void copy_matrix(DenseMatrix<const T> from, DenseMatrix<T> to) {
  if (to.column_stride > to.row_stride) {
    from = transpose_of(from);
    to = transpose_of(to);
  }
  // An empty matrix may have no memory, which memcpy does not accept.
  if (to.columns == 0)
    return;
  for (int64_t i = 0; i < to.rows; ++i) {
    const T *source = from.data + i * from.row_stride;
    T *target = to.data + i * to.row_stride;
    if (from.column_stride == 1 && to.column_stride == 1)
      std::memcpy(target, source, sizeof(T) * to.columns);
    else
      for (int64_t j = 0; j < to.columns; ++j)
        target[j * to.column_stride] = source[j * from.column_stride];
  }
}

#define XLAC_CALL_DENSE(features, function, ...)                               \
  (features & kFeatureAvx512 ? avx512::function(__VA_ARGS__)                   \
   : features & kFeatureAvx2 ? avx2::function(__VA_ARGS__)                     \
                             : baseline::function(__VA_ARGS__))

/// The functions of dense.h, with memory for matrices whose numbers of rows and
/// columns are at most `most`. The constructor throws std::bad_alloc.
template <class T> class DenseCalls {
public:
  explicit DenseCalls(int64_t most) : DenseCalls(most, supported()) {}
  /// Uses code for `features` (kFeatureAvx2 or kFeatureAvx512), or for any CPU.
  DenseCalls(int64_t most, uint64_t features)
      : scratch_(dense_scratch<Element>(most)), features_(features) {}

  void solve_triangle(DenseMatrix<const T> a, DenseTriangle kind,
                      DenseMatrix<T> x) {
    XLAC_CALL_DENSE(features_, solve_triangle, read(a), kind, write(x),
                    scratch_.data());
  }
  /// The same for y op(a) = x unless `left`.
  void solve_triangle(DenseMatrix<const T> a, DenseTriangle kind, bool left,
                      DenseMatrix<T> x) {
    if (left)
      return solve_triangle(a, kind, x);
    kind.lower = !kind.lower;
    solve_triangle(transpose_of(a), kind, transpose_of(x));
  }
  int64_t factor_cholesky(DenseMatrix<T> a) {
    return XLAC_CALL_DENSE(features_, factor_cholesky, write(a),
                           scratch_.data());
  }
  int64_t factor_lu(DenseMatrix<T> a, int32_t *pivots) {
    return XLAC_CALL_DENSE(features_, factor_lu, write(a), pivots,
                           scratch_.data());
  }
  void factor_qr(DenseMatrix<T> a, T *taus) {
    XLAC_CALL_DENSE(features_, factor_qr, write(a),
                    reinterpret_cast<Element *>(taus), scratch_.data());
  }
  void apply_reflections(DenseMatrix<const T> a, const T *taus, int64_t count,
                         bool left, bool adjoint, DenseMatrix<T> c) {
    XLAC_CALL_DENSE(features_, apply_reflections, read(a),
                    reinterpret_cast<const Element *>(taus), count, left,
                    adjoint, write(c), scratch_.data());
  }

  /// Calls find_spectrum of dense.h with code for `features`, as above.
  static bool find_spectrum(DenseMatrix<const T> a, bool lower, double *values,
                            DenseMatrix<T> vectors,
                            uint64_t features = supported()) {
    ScratchBlock scratch(
        spectrum_scratch<Element>(a.rows, vectors.data != nullptr));
    return XLAC_CALL_DENSE(features, find_spectrum, read(a), lower, values,
                           write(vectors), scratch.data());
  }

  /// Calls find_singular_values in the same way.
  static bool find_singular_values(DenseMatrix<const T> a, DenseMatrix<T> u,
                                   double *values, DenseMatrix<T> vh,
                                   uint64_t features = supported()) {
    ScratchBlock scratch(
        singular_scratch<Element>(a.rows, a.columns, u.data != nullptr));
    return XLAC_CALL_DENSE(features, find_singular_values, read(a), write(u),
                           values, write(vh), scratch.data());
  }

private:
  using Element = typename DenseElement<T>::Type;
  static uint64_t supported() {
    if (host_supports(kFeatureAvx512))
      return kFeatureAvx512;
    return host_supports(kFeatureAvx2) ? uint64_t{kFeatureAvx2} : 0;
  }
  static DenseMatrix<const Element> read(const DenseMatrix<const T> &a) {
    return {reinterpret_cast<const Element *>(a.data), a.rows, a.columns,
            a.row_stride, a.column_stride};
  }
  static DenseMatrix<Element> write(const DenseMatrix<T> &a) {
    return {reinterpret_cast<Element *>(a.data), a.rows, a.columns,
            a.row_stride, a.column_stride};
  }

  ScratchBlock scratch_;
  uint64_t features_;
};
#undef XLAC_CALL_DENSE

template <class T> DenseMatrix<const T> read_only(const DenseMatrix<T> &a) {
  return {a.data, a.rows, a.columns, a.row_stride, a.column_stride};
}

} // namespace xlac::library
