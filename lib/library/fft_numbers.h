// Complex arithmetic on vector lanes for the passes of FFTs. One source file
// for each set of CPU features includes this header and defines
// XLAC_FFT_FEATURES as the name of its namespace.
#pragma once

#include "fft_pass.h"

#include <utility>

namespace xlac::library::XLAC_FFT_FEATURES {
namespace {

using Floats = float __attribute__((vector_size(64)));
using Doubles = double __attribute__((vector_size(64)));
using WideDoubles = double __attribute__((vector_size(128)));

template <class T> struct LanesOf;
template <> struct LanesOf<float> {
  using Vector = Floats;
  using Wide = WideDoubles;
  static constexpr int count = 16;
};
template <> struct LanesOf<double> {
  using Vector = Doubles;
  using Wide = Doubles;
  static constexpr int count = 8;
};

template <class V, class T>
Parts<V> times(const Parts<V> &a, const Parts<T> &b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class V> Parts<V> plus(const Parts<V> &a, const Parts<V> &b) {
  return {a.re + b.re, a.im + b.im};
}
template <class V> Parts<V> minus(const Parts<V> &a, const Parts<V> &b) {
  return {a.re - b.re, a.im - b.im};
}
/// a times -i.
template <class V> Parts<V> times_minus_i(const Parts<V> &a) {
  return {a.im, -a.re};
}
template <class V> Parts<V> conjugate(const Parts<V> &a) {
  return {a.re, -a.im};
}

template <class T> using VectorOf = typename LanesOf<T>::Vector;
template <class T>
using LaneNumbers = std::make_integer_sequence<int, LanesOf<T>::count>;

/// Copies a vector from memory of any alignment.
template <class T> VectorOf<T> read(const T *from) {
  VectorOf<T> value;
  __builtin_memcpy(&value, from, sizeof value);
  return value;
}
template <class T> void write(T *to, VectorOf<T> value) {
  __builtin_memcpy(to, &value, sizeof value);
}

template <class V, int... J>
Parts<V> split(V a, V b, std::integer_sequence<int, J...>) {
  return {__builtin_shufflevector(a, b, (2 * J)...),
          __builtin_shufflevector(a, b, (2 * J + 1)...)};
}
/// Reads neighbouring complex numbers.
template <class T> Parts<VectorOf<T>> read_complex(const T *from) {
  return split(read(from), read(from + LanesOf<T>::count), LaneNumbers<T>());
}

/// The elements of `a` and `b` in turn, from element First on.
template <int First, class V, int... J>
V interleave(V a, V b, std::integer_sequence<int, J...>) {
  constexpr int lanes = sizeof...(J);
  return __builtin_shufflevector(a, b,
                                 (First + J / 2 + (J & 1 ? lanes : 0))...);
}
template <class T> void write_complex(T *to, const Parts<VectorOf<T>> &value) {
  constexpr int lanes = LanesOf<T>::count;
  write(to, interleave<0>(value.re, value.im, LaneNumbers<T>()));
  write(to + lanes,
        interleave<lanes / 2>(value.re, value.im, LaneNumbers<T>()));
}

} // namespace
} // namespace xlac::library::XLAC_FFT_FEATURES
