// Spectra of real signals from transforms of half their length, and the
// reverse (xlac/abi/fft.h has the formulas).
#pragma once

#include "fft_numbers.h"

namespace xlac::library::XLAC_FFT_FEATURES {
namespace {

/// X[k] and X[n - k] from Z[k] and Z[n - k]; `root` is w^k.
template <class V, class T>
void separate_pair(Parts<V> &a, Parts<V> &b, const Parts<T> &root) {
  Parts<V> even = plus(a, conjugate(b));
  Parts<V> odd = times_minus_i(times(minus(a, conjugate(b)), root));
  Parts<V> sum = plus(even, odd), difference = conjugate(minus(even, odd));
  a = {sum.re * 0.5f, sum.im * 0.5f};
  b = {difference.re * 0.5f, difference.im * 0.5f};
}

/// The reverse. The results are Z[k] and Z[n - k].
template <class V, class T>
void join_pair(Parts<V> &a, Parts<V> &b, const Parts<T> &root) {
  Parts<V> even = plus(a, conjugate(b));
  Parts<V> odd = times_minus_i(times(minus(a, conjugate(b)), conjugate(root)));
  a = minus(even, odd);
  b = conjugate(plus(even, odd));
}

/// The pair of k = 0, whose spectrum is real: X[0] and X[n] from Z[0].
template <class V> void separate_ends(Parts<V> &first, Parts<V> &last) {
  V sum = first.re + first.im, difference = first.re - first.im;
  first = {sum, V{}};
  last = {difference, V{}};
}

/// The reverse. Ignores imaginary parts.
template <class V> Parts<V> join_ends(const Parts<V> &a, const Parts<V> &b) {
  return {a.re + b.re, a.re - b.re};
}

/// Replaces Z in `data` by X, which has one element more.
template <class V, class T>
void separate_pairs(Parts<V> *data, int64_t length, const Parts<T> *roots) {
  separate_ends(data[0], data[length]);
  for (int64_t k = 1; 2 * k <= length; ++k)
    separate_pair(data[k], data[length - k], roots[k]);
}

/// Replaces X in `data` by Z.
template <class V, class T>
void join_pairs(Parts<V> *data, int64_t length, const Parts<T> *roots) {
  data[0] = join_ends(data[0], data[length]);
  for (int64_t k = 1; 2 * k <= length; ++k)
    join_pair(data[k], data[length - k], roots[k]);
}

/// One task of a pass that only joins or separates: lanes are neighbouring
/// pairs. The pass may work in place, because no two pairs share elements.
template <class T> class PairsTask {
  using Vector = VectorOf<T>;
  static constexpr int kLanes = LanesOf<T>::count;

public:
  PairsTask(const FftWork<T> &work, int64_t task)
      : pass_(*work.pass), roots_(work.pair_roots) {
    int64_t tasks = xlac_fft_pair_tasks(&pass_), row = task / tasks;
    first_ = task % tasks * XLAC_FFT_TASK_PAIRS;
    int64_t end = first_ + XLAC_FFT_TASK_PAIRS, all = pass_.length / 2 + 1;
    end_ = end < all ? end : all;
    from_unit_ = work.from_imag ? 1 : 2;
    to_unit_ = work.to_imag ? 1 : 2;
    int64_t from = row * pass_.from.lane_step * from_unit_;
    int64_t to = row * pass_.to.lane_step * to_unit_;
    from_ = work.from + from;
    from_imag_ = (work.from_imag ? work.from_imag : work.from + 1) + from;
    to_ = work.to + to;
    to_imag_ = (work.to_imag ? work.to_imag : work.to + 1) + to;
  }

  void run() {
    if (pass_.pairs == XLAC_FFT_ONLY_JOIN)
      run_pairs<true>();
    else
      run_pairs<false>();
  }

private:
  template <bool Joins> void run_pairs() {
    int64_t n = pass_.length, k = first_;
    if (k == 0) {
      Parts<T> a = load(0);
      if constexpr (Joins) {
        store(0, join_ends(a, load(n)));
      } else {
        Parts<T> b;
        separate_ends(a, b);
        store(0, a);
        store(n, b);
      }
      ++k;
    }
    // Both vectors of a pair end before they meet.
    for (; k + kLanes <= end_ && 2 * (k + kLanes - 1) < n; k += kLanes) {
      int64_t mirror = n - k - kLanes + 1;
      Parts<Vector> a = load_lanes(k), b = reversed(load_lanes(mirror));
      pair<Joins>(a, b, read_complex(&roots_[k].re));
      store_lanes(k, a);
      store_lanes(mirror, reversed(b));
    }
    for (; k < end_; ++k) {
      Parts<T> a = load(k), b = load(n - k);
      pair<Joins>(a, b, roots_[k]);
      store(k, a);
      store(n - k, b);
    }
  }
  template <bool Joins, class V>
  static void pair(Parts<V> &a, Parts<V> &b, const Parts<V> &root) {
    if constexpr (Joins)
      join_pair(a, b, root);
    else
      separate_pair(a, b, root);
  }

  Parts<T> load(int64_t k) const {
    return {from_[k * from_unit_], from_imag_[k * from_unit_]};
  }
  void store(int64_t k, Parts<T> value) {
    to_[k * to_unit_] = value.re;
    to_imag_[k * to_unit_] = value.im;
  }

  template <int... J>
  static Vector reversed(Vector a, std::integer_sequence<int, J...>) {
    return __builtin_shufflevector(a, a, (kLanes - 1 - J)...);
  }
  static Parts<Vector> reversed(const Parts<Vector> &a) {
    return {reversed(a.re, LaneNumbers<T>()), reversed(a.im, LaneNumbers<T>())};
  }
  /// Elements k to k + kLanes - 1.
  Parts<Vector> load_lanes(int64_t k) const {
    if (from_unit_ == 2)
      return read_complex(from_ + 2 * k);
    return {read(from_ + k), read(from_imag_ + k)};
  }
  void store_lanes(int64_t k, const Parts<Vector> &value) {
    if (to_unit_ == 2)
      return write_complex(to_ + 2 * k, value);
    write(to_ + k, value.re);
    write(to_imag_ + k, value.im);
  }

  const xlac_fft_pass &pass_;
  const Parts<T> *roots_;
  int64_t first_, end_; ///< the pairs
  int64_t from_unit_, to_unit_;
  const T *from_, *from_imag_;
  T *to_, *to_imag_;
};

} // namespace
} // namespace xlac::library::XLAC_FFT_FEATURES
