// The product that all dense factorizations use, over packed panels. One source
// file for each set of CPU features includes this header through
// dense_factors.h and defines XLAC_DENSE_FEATURES as the name of its namespace.
#pragma once

#include "dense.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

#if defined(__AVX512F__)
#define XLAC_DENSE_VECTOR __attribute__((vector_size(64)))
inline constexpr int kVectorBytes = 64, kTileRows = 8;
#elif defined(__AVX2__)
#define XLAC_DENSE_VECTOR __attribute__((vector_size(32)))
inline constexpr int kVectorBytes = 32, kTileRows = 4;
#else
#define XLAC_DENSE_VECTOR __attribute__((vector_size(16)))
inline constexpr int kVectorBytes = 16, kTileRows = 4;
#endif
using Floats = float XLAC_DENSE_VECTOR;
using Doubles = double XLAC_DENSE_VECTOR;
using Ints = int32_t XLAC_DENSE_VECTOR;
using Longs = int64_t XLAC_DENSE_VECTOR;
#undef XLAC_DENSE_VECTOR

/// An element type: its real type R and number of parts, the vectors of R and
/// of integers of its size, and a tile of the product, which has `rows` rows
/// and `lanes` columns.
template <class T> struct ElementOf;
template <> struct ElementOf<float> {
  using R = float;
  using Vector = Floats;
  using Integer = int32_t;
  using Integers = Ints;
  static constexpr int parts = 1;
};
template <> struct ElementOf<double> {
  using R = double;
  using Vector = Doubles;
  using Integer = int64_t;
  using Integers = Longs;
  static constexpr int parts = 1;
};
template <> struct ElementOf<ComplexNumber<float>> : ElementOf<float> {
  static constexpr int parts = 2;
};
template <> struct ElementOf<ComplexNumber<double>> : ElementOf<double> {
  static constexpr int parts = 2;
};
template <class T> struct Tile : ElementOf<T> {
  static constexpr int count = kVectorBytes / sizeof(typename ElementOf<T>::R);
  static constexpr int rows = kTileRows / ElementOf<T>::parts;
  static constexpr int vectors = 2;
  static constexpr int lanes = vectors * count;
};

template <class V, class R> V load(const R *from) {
  V vector;
  __builtin_memcpy(&vector, from, sizeof vector);
  return vector;
}
template <class V, class R> void store(R *to, V vector) {
  __builtin_memcpy(to, &vector, sizeof vector);
}
inline int64_t least(int64_t a, int64_t b) { return a < b ? a : b; }
inline int64_t round_up(int64_t a, int64_t b) { return (a + b - 1) / b * b; }

/// The parts of an element, which are adjacent in memory.
template <class T> typename ElementOf<T>::R *parts_of(T *element) {
  return reinterpret_cast<typename ElementOf<T>::R *>(element);
}
template <class T> const typename ElementOf<T>::R *parts_of(const T *element) {
  return reinterpret_cast<const typename ElementOf<T>::R *>(element);
}

template <class T> DenseMatrix<const T> read_only(const DenseMatrix<T> &a) {
  return {a.data, a.rows, a.columns, a.row_stride, a.column_stride};
}
template <class T> DenseMatrix<T> transposed(const DenseMatrix<T> &a) {
  return {a.data, a.columns, a.rows, a.column_stride, a.row_stride};
}
template <class T>
DenseMatrix<T> block(const DenseMatrix<T> &a, int64_t row, int64_t column,
                     int64_t rows, int64_t columns) {
  return {a.data + row * a.row_stride + column * a.column_stride, rows, columns,
          a.row_stride, a.column_stride};
}

/// The elements of a product that are wanted.
enum class Wanted { All, Lower, Upper };

inline constexpr int64_t kBlockRows = 128, kBlockDepth = 256,
                         kBlockColumns = 512;

/// Writes panels of `Width` rows of `a`, padded with zeros; a panel has the
/// parts of one column after another.
template <int Width, class T>
void pack(const DenseMatrix<const T> &a, bool conjugate,
          typename ElementOf<T>::R *to) {
  using R = typename ElementOf<T>::R;
  constexpr int parts = ElementOf<T>::parts;
  for (int64_t first = 0; first < a.rows; first += Width) {
    int64_t rows = least(Width, a.rows - first);
    for (int64_t k = 0; k < a.columns; ++k, to += Width * parts) {
      const R *from =
          parts_of(a.data + first * a.row_stride + k * a.column_stride);
      if (rows == Width && a.row_stride == 1 && parts == 1) {
        __builtin_memcpy(to, from, sizeof(R) * Width);
        continue;
      }
      for (int part = 0; part < parts; ++part) {
        R *lane = to + part * Width;
        for (int64_t i = 0; i < rows; ++i)
          lane[i] = from[i * a.row_stride * parts + part];
        for (int64_t i = rows; i < Width; ++i)
          lane[i] = 0;
        if (part == 1 && conjugate)
          for (int i = 0; i < Width; ++i)
            lane[i] = -lane[i];
      }
    }
  }
}

/// Computes a tile of the product of two panels: first the real parts, then the
/// imaginary parts.
template <class T>
void multiply_panels(int64_t depth, const typename Tile<T>::R *a,
                     const typename Tile<T>::R *b, typename Tile<T>::R *to) {
  using S = Tile<T>;
  using V = typename S::Vector;
  V sum[S::parts][S::rows][S::vectors] = {};
  for (int64_t k = 0; k < depth; ++k) {
    V right[S::parts][S::vectors];
#pragma GCC unroll 2
    for (int p = 0; p < S::parts; ++p)
#pragma GCC unroll 2
      for (int v = 0; v < S::vectors; ++v)
        right[p][v] = load<V>(b + (p * S::vectors + v) * S::count);
#pragma GCC unroll 8
    for (int i = 0; i < S::rows; ++i)
#pragma GCC unroll 2
      for (int v = 0; v < S::vectors; ++v) {
        sum[0][i][v] += a[i] * right[0][v];
        if constexpr (S::parts == 2) {
          sum[0][i][v] -= a[S::rows + i] * right[1][v];
          sum[1][i][v] += a[i] * right[1][v];
          sum[1][i][v] += a[S::rows + i] * right[0][v];
        }
      }
    a += S::rows * S::parts;
    b += S::lanes * S::parts;
  }
#pragma GCC unroll 2
  for (int p = 0; p < S::parts; ++p)
#pragma GCC unroll 8
    for (int i = 0; i < S::rows; ++i)
#pragma GCC unroll 2
      for (int v = 0; v < S::vectors; ++v, to += S::count)
        store(to, sum[p][i][v]);
}

/// Subtracts a tile from `c`, whose first element has these indices in the
/// whole matrix.
template <class T>
void subtract_tile(const DenseMatrix<T> &c, const typename Tile<T>::R *tile,
                   Wanted wanted, int64_t row, int64_t column) {
  using S = Tile<T>;
  bool crosses = (wanted == Wanted::Lower && column + c.columns > row + 1) ||
                 (wanted == Wanted::Upper && row + c.rows > column + 1);
  if (S::parts == 1 && c.columns == S::lanes && c.column_stride == 1 &&
      !crosses) {
    for (int64_t i = 0; i < c.rows; ++i) {
      auto *to = parts_of(c.data + i * c.row_stride);
      for (int v = 0; v < S::vectors; ++v) {
        int64_t at = v * S::count;
        using V = typename S::Vector;
        store(to + at, load<V>(to + at) - load<V>(tile + i * S::lanes + at));
      }
    }
    return;
  }
  for (int64_t i = 0; i < c.rows; ++i) {
    int64_t from = wanted == Wanted::Upper ? row + i - column : 0;
    int64_t to = wanted == Wanted::Lower ? row + i - column + 1 : c.columns;
    auto *line = parts_of(c.data + i * c.row_stride);
    for (int64_t j = from < 0 ? 0 : from; j < least(to, c.columns); ++j)
      for (int p = 0; p < S::parts; ++p)
        line[j * c.column_stride * S::parts + p] -=
            tile[(p * S::rows + i) * S::lanes + j];
  }
}

/// c -= op(a) op(b), where op takes the conjugate if told. With `wanted` only a
/// triangle of the square matrix c changes.
template <class T>
void subtract_product(const DenseMatrix<T> &c, const DenseMatrix<const T> &a,
                      bool conjugate_a, const DenseMatrix<const T> &b,
                      bool conjugate_b, Wanted wanted, char *scratch) {
  using S = Tile<T>;
  using R = typename S::R;
  // Vectors of a tile are along the columns of c.
  if (c.row_stride == 1 &&
      (c.column_stride != 1 || (c.columns == 1 && c.rows > 1))) {
    Wanted flipped = wanted == Wanted::Lower   ? Wanted::Upper
                     : wanted == Wanted::Upper ? Wanted::Lower
                                               : Wanted::All;
    return subtract_product<T>(transposed(c), transposed(b), conjugate_b,
                               transposed(a), conjugate_a, flipped, scratch);
  }
  int64_t size = round_up(a.columns > c.rows ? a.columns : c.rows, 64);
  if (size < c.columns)
    size = round_up(c.columns, 64);
  R *left = reinterpret_cast<R *>(scratch);
  R *right =
      left + least(size, kBlockRows) * least(size, kBlockDepth) * S::parts;
  for (int64_t j0 = 0; j0 < c.columns; j0 += kBlockColumns)
    for (int64_t k0 = 0; k0 < a.columns; k0 += kBlockDepth) {
      int64_t columns = least(kBlockColumns, c.columns - j0);
      int64_t depth = least(kBlockDepth, a.columns - k0);
      pack<S::lanes>(transposed(block(b, k0, j0, depth, columns)), conjugate_b,
                     right);
      for (int64_t i0 = 0; i0 < c.rows; i0 += kBlockRows) {
        int64_t rows = least(kBlockRows, c.rows - i0);
        if ((wanted == Wanted::Lower && i0 + rows <= j0) ||
            (wanted == Wanted::Upper && i0 >= j0 + columns))
          continue;
        pack<S::rows>(block(a, i0, k0, rows, depth), conjugate_a, left);
        for (int64_t j = 0; j < columns; j += S::lanes)
          for (int64_t i = 0; i < rows; i += S::rows) {
            int64_t row = i0 + i, column = j0 + j;
            if ((wanted == Wanted::Lower && row + S::rows <= column) ||
                (wanted == Wanted::Upper && row >= column + S::lanes))
              continue;
            alignas(64) R tile[S::parts * S::rows * S::lanes];
            multiply_panels<T>(depth, left + i * depth * S::parts,
                               right + j * depth * S::parts, tile);
            subtract_tile<T>(block(c, row, column, least(S::rows, rows - i),
                                   least(S::lanes, columns - j)),
                             tile, wanted, row, column);
          }
      }
    }
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
