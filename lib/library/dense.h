// Solves and factorizations of dense matrices with any strides, compiled for
// several sets of CPU features. Plain data and pointers: files compiled for
// certain CPUs must not include code that other files might share.
#pragma once

#include <cstdint>

namespace xlac::library {

/// A complex element, in memory like std::complex<R>.
template <class R> struct ComplexNumber {
  R re, im;
};

/// A matrix in memory that others own. Strides count elements. Element (i, j)
/// is data[i * row_stride + j * column_stride].
template <class T> struct DenseMatrix {
  T *data;
  int64_t rows, columns, row_stride, column_stride;
};

/// How a triangular solve reads its matrix.
struct DenseTriangle {
  bool lower;     ///< reads the lower, not the upper triangle
  bool unit;      ///< takes the diagonal as ones without reading it
  bool conjugate; ///< reads the conjugate of each element
};

/// Bytes of scratch memory, 64-byte aligned, for matrices whose numbers of rows
/// and columns are at most `most`.
template <class T> int64_t dense_scratch(int64_t most) {
  int64_t size = (most + 63) / 64 * 64;
  auto at_most = [&](int64_t bound) { return size < bound ? size : bound; };
  int64_t packed = (at_most(128) + at_most(512)) * at_most(256);
  return (packed + 144 * size + 8192) * static_cast<int64_t>(sizeof(T));
}

/// Bytes of scratch memory, 64-byte aligned, for find_spectrum with n rows.
template <class T> int64_t spectrum_scratch(int64_t n, bool vectors) {
  int64_t size = (n + 15) / 16 * 16 + 32;
  int64_t elements = size * (size + 128), doubles = 16 * size + 2048;
  // Real matrices of the eigenvectors of a tridiagonal matrix.
  int64_t more = vectors ? 3 * size * size : 0;
  return dense_scratch<T>(n) + (elements + more) * sizeof(T) +
         doubles * sizeof(double);
}

/// The same for find_singular_values.
template <class T>
int64_t singular_scratch(int64_t rows, int64_t columns, bool vectors) {
  int64_t most = rows < columns ? columns : rows;
  int64_t m = (most + 15) / 16 * 16 + 32;
  int64_t n = (rows + columns - most + 15) / 16 * 16 + 32;
  int64_t elements = 2 * m * n + n * n + 140 * m, doubles = 24 * n + 4096;
  int64_t more = vectors ? 4 * n * n : 0;
  return dense_scratch<T>(most) + (elements + more) * sizeof(T) +
         doubles * sizeof(double);
}

// All of these take scratch memory of dense_scratch() bytes, if no other number
// is given.
#define XLAC_DECLARE_DENSE(T)                                                    \
  /** Replaces x by the solution y of op(a) y = x. */                            \
  void solve_triangle(DenseMatrix<const T> a, DenseTriangle kind,                \
                      DenseMatrix<T> x, char *scratch);                          \
  /** Replaces the lower triangle of `a` by l with l lᴴ = a. Neither reads nor \
   * writes the other elements, and ignores imaginary parts of the diagonal.     \
   * Returns 0, or the size of the first leading minor that is not positive      \
   * (or NaN); the triangle is then unspecified. */                              \
  int64_t factor_cholesky(DenseMatrix<T> a, char *scratch);                      \
  /** LU factorization with partial pivoting. Row k was swapped with row         \
   * pivots[k]. Returns the index, from 1, of the first zero pivot, or 0. */     \
  int64_t factor_lu(DenseMatrix<T> a, int32_t *pivots, char *scratch);           \
  /** Replaces `a` by r above the vectors of the reflections H = I - tau v vᴴ  \
   * with q = H0 H1 …, as LAPACK's geqrf. */                                   \
  void factor_qr(DenseMatrix<T> a, T *taus, char *scratch);                      \
  /** Finds the eigenvalues of the hermitian matrix with the lower (or upper)    \
   * triangle of `a`, in ascending order, and its unit eigenvectors, unless      \
   * `vectors` has no data. Returns false if the triangle is not finite, or if   \
   * the iteration does not converge. Takes spectrum_scratch() bytes. */         \
  bool find_spectrum(DenseMatrix<const T> a, bool lower, double *values,         \
                     DenseMatrix<T> vectors, char *scratch);                     \
  /** Finds the singular values of `a`, in descending order, and its vectors     \
   * u and vᴴ, unless they have no data. They are square, or have as many      \
   * columns and rows as there are values. Returns false like find_spectrum.     \
   * Takes singular_scratch() bytes. */                                          \
  bool find_singular_values(DenseMatrix<const T> a, DenseMatrix<T> u,            \
                            double *values, DenseMatrix<T> vh, char *scratch);   \
  /** Multiplies c from the left (or right) by q, or by its adjoint. q is the    \
   * product of `count` reflections, whose vectors are below the diagonal of     \
   * `a`. */                                                                     \
  void apply_reflections(DenseMatrix<const T> a, const T *taus, int64_t count,   \
                         bool left, bool adjoint, DenseMatrix<T> c,              \
                         char *scratch);

#define XLAC_DECLARE_DENSE_FEATURES(features)                                  \
  namespace features {                                                         \
  XLAC_DECLARE_DENSE(float)                                                    \
  XLAC_DECLARE_DENSE(double)                                                   \
  XLAC_DECLARE_DENSE(ComplexNumber<float>)                                     \
  XLAC_DECLARE_DENSE(ComplexNumber<double>)                                    \
  }
XLAC_DECLARE_DENSE_FEATURES(baseline)
XLAC_DECLARE_DENSE_FEATURES(avx2)
XLAC_DECLARE_DENSE_FEATURES(avx512)
#undef XLAC_DECLARE_DENSE_FEATURES
#undef XLAC_DECLARE_DENSE

} // namespace xlac::library
