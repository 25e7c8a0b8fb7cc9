// Products of adjacent columns and one vector, which reductions to condensed
// forms use. Columns have `step` elements, of which those after the matrix are
// zeros: loops go on to the end of a vector of the CPU.
#pragma once

#include "dense_reflections.h"

namespace xlac::library::XLAC_DENSE_FEATURES {
namespace {

/// Elements after the end of a column that loops may touch.
inline constexpr int64_t kColumnPadding = 16;

inline int64_t padded_column(int64_t rows) {
  return round_up(rows, 16) + kColumnPadding;
}

/// The sum of the vector's lanes, as a tree.
template <class T>
typename ElementOf<T>::R sum_lanes(typename ElementOf<T>::Vector x) {
  constexpr int count = Tile<T>::count;
  typename ElementOf<T>::R lanes[count];
  store(lanes, x);
#pragma GCC unroll 4
  for (int width = count / 2; width > 0; width /= 2)
#pragma GCC unroll 8
    for (int lane = 0; lane < width; ++lane)
      lanes[lane] += lanes[lane + width];
  return lanes[0];
}

/// A vector x, and -i x if it is complex: products with conjugates are then
/// products of adjacent real numbers.
template <class T> struct TurnedVector {
  using R = typename ElementOf<T>::R;
  static constexpr int parts = ElementOf<T>::parts;
  const R *x;
  R *turned;

  void prepare(int64_t n) const {
    if constexpr (parts == 2)
      for (int64_t i = 0; i < n + kColumnPadding; ++i) {
        turned[2 * i] = i < n ? x[2 * i + 1] : 0;
        turned[2 * i + 1] = i < n ? -x[2 * i] : 0;
      }
  }
  ComplexNumber<R> number(int64_t i) const {
    return {x[i * parts], parts == 2 ? x[i * parts + parts - 1] : 0};
  }
};

/// A vector y = first + i second; real elements have no second.
template <class T> struct VectorSum {
  using R = typename ElementOf<T>::R;
  static constexpr int parts = ElementOf<T>::parts;
  R *first, *second;

  void clear(int64_t n) const {
    for (int64_t i = 0; i < (n + kColumnPadding) * parts; ++i)
      first[i] = 0;
    clear_second(n);
  }
  void clear_second(int64_t n) const {
    if constexpr (parts == 2)
      for (int64_t i = 0; i < (n + kColumnPadding) * parts; ++i)
        second[i] = 0;
  }
  void add(int64_t i, ComplexNumber<R> number) const {
    first[i * parts] += number.re;
    if constexpr (parts == 2)
      first[i * parts + 1] += number.im;
  }
  /// Adds the second part to the first.
  void finish(int64_t n) const {
    if constexpr (parts == 2)
      for (int64_t i = 0; i < n; ++i) {
        first[2 * i] -= second[2 * i + 1];
        first[2 * i + 1] += second[2 * i];
      }
  }
};

template <int Width, class T>
void dot_some(const T *columns, int64_t step, int64_t n,
              const TurnedVector<T> &x,
              ComplexNumber<typename ElementOf<T>::R> *to) {
  using S = Tile<T>;
  using V = typename S::Vector;
  V sum[S::parts][Width] = {};
  auto *from = parts_of(columns);
  for (int64_t i = 0; i < n * S::parts; i += S::count) {
    V left = load<V>(x.x + i), turned{};
    if constexpr (S::parts == 2)
      turned = load<V>(x.turned + i);
#pragma GCC unroll 4
    for (int w = 0; w < Width; ++w) {
      V element = load<V>(from + w * step * S::parts + i);
      sum[0][w] += element * left;
      if constexpr (S::parts == 2)
        sum[1][w] += element * turned;
    }
  }
  for (int w = 0; w < Width; ++w) {
    to[w].re = sum_lanes<T>(sum[0][w]);
    to[w].im = S::parts == 2 ? sum_lanes<T>(sum[S::parts - 1][w]) : 0;
  }
}
/// Writes the products of the columns' adjoints with x.
template <class T>
void dot_columns(const T *columns, int64_t step, int64_t count, int64_t n,
                 const TurnedVector<T> &x,
                 ComplexNumber<typename ElementOf<T>::R> *to) {
  int64_t c = 0;
  for (; c + 4 <= count; c += 4)
    dot_some<4>(columns + c * step, step, n, x, to + c);
  for (; c < count; ++c)
    dot_some<1>(columns + c * step, step, n, x, to + c);
}

template <int Width, class T>
void add_some(const T *columns, int64_t step,
              const ComplexNumber<typename ElementOf<T>::R> *by, int64_t n,
              const VectorSum<T> &y) {
  using S = Tile<T>;
  using V = typename S::Vector;
  auto *from = parts_of(columns);
  for (int64_t i = 0; i < n * S::parts; i += S::count) {
    V first = load<V>(y.first + i), second{};
    if constexpr (S::parts == 2)
      second = load<V>(y.second + i);
#pragma GCC unroll 4
    for (int w = 0; w < Width; ++w) {
      V element = load<V>(from + w * step * S::parts + i);
      first += by[w].re * element;
      if constexpr (S::parts == 2)
        second += by[w].im * element;
    }
    store(y.first + i, first);
    if constexpr (S::parts == 2)
      store(y.second + i, second);
  }
}
/// Adds the columns, each times a number, to y.
template <class T>
void add_columns(const T *columns, int64_t step, int64_t count,
                 const ComplexNumber<typename ElementOf<T>::R> *by, int64_t n,
                 const VectorSum<T> &y) {
  int64_t c = 0;
  for (; c + 4 <= count; c += 4)
    add_some<4>(columns + c * step, step, by + c, n, y);
  for (; c < count; ++c)
    add_some<1>(columns + c * step, step, by + c, n, y);
}

/// Adds the product of `Width` columns with rows from j + Width on, and of
/// their adjoints, which are rows j to j + Width, to y = a x.
template <int Width, class T>
void multiply_below(const T *columns, int64_t step, int64_t j, int64_t n,
                    const TurnedVector<T> &x, const VectorSum<T> &y) {
  using S = Tile<T>;
  using V = typename S::Vector;
  V sum[S::parts][Width] = {};
  ComplexNumber<typename S::R> by[Width];
  for (int w = 0; w < Width; ++w)
    by[w] = x.number(j + w);
  int64_t offset = (j + Width) * S::parts;
  auto *from = parts_of(columns);
  for (int64_t i = offset; i < n * S::parts; i += S::count) {
    V left = load<V>(x.x + i), first = load<V>(y.first + i);
    V turned{}, second{};
    if constexpr (S::parts == 2) {
      turned = load<V>(x.turned + i);
      second = load<V>(y.second + i);
    }
#pragma GCC unroll 4
    for (int w = 0; w < Width; ++w) {
      V element = load<V>(from + w * step * S::parts + (i - offset));
      sum[0][w] += element * left;
      first += by[w].re * element;
      if constexpr (S::parts == 2) {
        sum[1][w] += element * turned;
        second += by[w].im * element;
      }
    }
    store(y.first + i, first);
    if constexpr (S::parts == 2)
      store(y.second + i, second);
  }
  for (int w = 0; w < Width; ++w)
    y.add(j + w, {sum_lanes<T>(sum[0][w]),
                  S::parts == 2 ? sum_lanes<T>(sum[S::parts - 1][w]) : 0});
}

/// Replaces x by the vector v of a reflection H with Hᴴ x = beta e1. Returns
/// tau. Elements below the square root of the least normal number are taken as
/// zeros.
template <class T>
ComplexNumber<typename ElementOf<T>::R>
reflect_column(T *x, int64_t n, typename ElementOf<T>::R &beta) {
  using S = Tile<T>;
  using R = typename S::R;
  using V = typename S::Vector;
  ComplexNumber<R> alpha = number_of(x[0]);
  x[0] = T{};
  R *numbers = parts_of(x);
  V sum{};
  for (int64_t i = 0; i < n * S::parts; i += S::count) {
    V element = load<V>(numbers + i);
    sum += element * element;
  }
  R tail = sum_lanes<T>(sum);
  constexpr R tiny = sizeof(R) == 4 ? static_cast<R>(__FLT_MIN__)
                                    : static_cast<R>(__DBL_MIN__);
  ComplexNumber<R> one{1, 0};
  if (tail <= tiny && alpha.im * alpha.im <= tiny) {
    beta = alpha.re;
    for (int64_t i = 1; i < n; ++i)
      x[i] = T{};
    x[0] = element_of<T>(one);
    return {0, 0};
  }
  beta = root_of(alpha.re * alpha.re + alpha.im * alpha.im + tail);
  if (alpha.re >= 0)
    beta = -beta;
  Divisor<T> by(alpha.re - beta, alpha.im);
  ComplexNumber<R> inverse = one;
  if constexpr (S::parts == 2)
    by.divide(inverse.re, inverse.im);
  else
    by.divide(inverse.re);
  for (int64_t i = 1; i < n; ++i)
    x[i] = element_of<T>(product_of(inverse, number_of(x[i])));
  x[0] = element_of<T>(one);
  return {(beta - alpha.re) / beta, -alpha.im / beta};
}

} // namespace
} // namespace xlac::library::XLAC_DENSE_FEATURES
