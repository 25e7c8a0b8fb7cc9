// A pass of an FFT, with one transform per vector lane. One source file for
// each set of CPU features includes this header and defines XLAC_FFT_FEATURES
// as the name of its namespace. Multiplications and additions are never
// contracted, so that all of them give the same bits.
#pragma once

#include "fft_numbers.h"
#include "fft_pairs.h"
#include "fft_pass.h"

#include <utility>

namespace xlac::library::XLAC_FFT_FEATURES {
namespace {

//===- Butterflies --------------------------------------------------------===//

template <class V, class T>
void butterfly4(Parts<V> &a, Parts<V> &b, Parts<V> &c, Parts<V> &d) {
  Parts<V> even = plus(a, c), odd = plus(b, d);
  Parts<V> difference = minus(a, c), turn = times_minus_i(minus(b, d));
  a = plus(even, odd);
  b = plus(difference, turn);
  c = minus(even, odd);
  d = minus(difference, turn);
}

template <int Radix, class V, class T>
void butterfly(Parts<V> *a, const Parts<T> *roots) {
  if constexpr (Radix == 2) {
    Parts<V> sum = plus(a[0], a[1]);
    a[1] = minus(a[0], a[1]);
    a[0] = sum;
  } else if constexpr (Radix == 4) {
    butterfly4<V, T>(a[0], a[1], a[2], a[3]);
  } else if constexpr (Radix == 8) {
    Parts<V> even[4] = {a[0], a[2], a[4], a[6]};
    Parts<V> odd[4] = {a[1], a[3], a[5], a[7]};
    butterfly4<V, T>(even[0], even[1], even[2], even[3]);
    butterfly4<V, T>(odd[0], odd[1], odd[2], odd[3]);
    T half = roots[1].re;
    odd[1] = {(odd[1].re + odd[1].im) * half, (odd[1].im - odd[1].re) * half};
    odd[2] = times_minus_i(odd[2]);
    odd[3] = {(odd[3].im - odd[3].re) * half, -(odd[3].re + odd[3].im) * half};
    for (int i = 0; i < 4; ++i) {
      a[i] = plus(even[i], odd[i]);
      a[i + 4] = minus(even[i], odd[i]);
    }
  } else {
    // An odd radix: sums and differences of mirrored pairs.
    constexpr int pairs = Radix / 2;
    Parts<V> sums[pairs], differences[pairs], zero = a[0];
    for (int i = 0; i < pairs; ++i) {
      sums[i] = plus(a[i + 1], a[Radix - 1 - i]);
      differences[i] = minus(a[i + 1], a[Radix - 1 - i]);
      a[0] = plus(a[0], sums[i]);
    }
    for (int l = 1; l <= pairs; ++l) {
      Parts<V> even = zero, odd = {};
      for (int i = 0; i < pairs; ++i) {
        const Parts<T> &root = roots[(i + 1) * l % Radix];
        even = {even.re + sums[i].re * root.re, even.im + sums[i].im * root.re};
        odd = {odd.re - differences[i].re * root.im,
               odd.im - differences[i].im * root.im};
      }
      odd = times_minus_i(odd);
      a[l] = plus(even, odd);
      a[Radix - l] = minus(even, odd);
    }
  }
}

template <int Radix, bool Twisted, class V, class T>
void run_part(const FftStep<T> &step, int64_t j, int64_t stride,
              const Parts<V> *in, Parts<V> *out) {
  int64_t parts = step.n / Radix;
  const Parts<T> *twiddles = step.twiddles + j * (Radix - 1);
  for (int64_t k = 0; k < stride; ++k) {
    Parts<V> a[Radix];
    for (int i = 0; i < Radix; ++i)
      a[i] = in[k + stride * (j + parts * i)];
    butterfly<Radix>(a, step.roots);
    Parts<V> *to = out + k + stride * Radix * j;
    to[0] = a[0];
    for (int l = 1; l < Radix; ++l)
      to[stride * l] = Twisted ? times(a[l], twiddles[l - 1]) : a[l];
  }
}

template <int Radix, class V, class T>
void run_step(const FftStep<T> &step, int64_t stride, const Parts<V> *in,
              Parts<V> *out) {
  run_part<Radix, false>(step, 0, stride, in, out);
  for (int64_t j = 1; j < step.n / Radix; ++j)
    run_part<Radix, true>(step, j, stride, in, out);
}

//===- Transforms ---------------------------------------------------------===//

/// Transforms `data`, with `other` as a second buffer; returns the buffer of
/// the result.
template <class V, class T>
Parts<V> *run_steps(const FftTables<T> &tables, Parts<V> *data,
                    Parts<V> *other) {
  int64_t stride = 1;
  for (int64_t i = 0; i < tables.step_count; ++i) {
    const FftStep<T> &step = tables.steps[i];
    switch (step.radix) {
    case 2:
      run_step<2>(step, stride, data, other);
      break;
    case 3:
      run_step<3>(step, stride, data, other);
      break;
    case 4:
      run_step<4>(step, stride, data, other);
      break;
    case 5:
      run_step<5>(step, stride, data, other);
      break;
    case 7:
      run_step<7>(step, stride, data, other);
      break;
    case 8:
      run_step<8>(step, stride, data, other);
      break;
    case 11:
      run_step<11>(step, stride, data, other);
      break;
    default:
      run_step<13>(step, stride, data, other);
    }
    stride *= step.radix;
    Parts<V> *swapped = data;
    data = other;
    other = swapped;
  }
  return data;
}

/// Bluestein: a transform of any length as a convolution, in double.
template <class V, class W, class T>
void run_chirp(const FftTables<T> &tables, Parts<V> *data, Parts<W> *padded,
               Parts<W> *other) {
  const FftTables<double> &convolution = *tables.convolution;
  int64_t size = convolution.length;
  for (int64_t k = 0; k < tables.length; ++k)
    padded[k] = times(Parts<W>{__builtin_convertvector(data[k].re, W),
                               __builtin_convertvector(data[k].im, W)},
                      tables.chirp[k]);
  for (int64_t k = tables.length; k < size; ++k)
    padded[k] = Parts<W>{};
  Parts<W> *there = run_steps(convolution, padded, other);
  Parts<W> *spare = there == padded ? other : padded;
  // The inverse is the forward transform between two conjugations.
  for (int64_t k = 0; k < size; ++k) {
    Parts<W> product = times(there[k], tables.filter[k]);
    there[k] = {product.re, -product.im};
  }
  Parts<W> *back = run_steps(convolution, there, spare);
  for (int64_t k = 0; k < tables.length; ++k) {
    Parts<W> result = times(Parts<W>{back[k].re, -back[k].im}, tables.chirp[k]);
    data[k] = {__builtin_convertvector(result.re, V),
               __builtin_convertvector(result.im, V)};
  }
}

//===- Loads and stores ---------------------------------------------------===//

/// One task: its block of transforms, and their sources and targets.
template <class T> class Task {
  using Vector = VectorOf<T>;
  using Wide = typename LanesOf<T>::Wide;
  using Block = Parts<Vector>;
  static constexpr int kLanes = LanesOf<T>::count;
  using Lanes = LaneNumbers<T>;

public:
  Task(const FftWork<T> &work, int64_t task)
      : work_(work), pass_(*work.pass), length_(pass_.length) {
    int64_t chunks = (pass_.lanes + kLanes - 1) / kLanes;
    outer_ = task / chunks;
    lane_ = task % chunks * kLanes;
    int64_t left = pass_.lanes - lane_;
    valid_ = left < kLanes ? static_cast<int>(left) : kLanes;
    data_ = reinterpret_cast<Block *>(work.scratch);
    spare_ = data_ + fft_block(length_);
    from_unit_ = pass_.from.real || work.from_imag ? 1 : 2;
    from_imag_ = work.from_imag ? work.from_imag : work.from + 1;
    to_unit_ = pass_.to.real || work.to_imag ? 1 : 2;
    to_imag_ = work.to_imag ? work.to_imag : work.to + 1;
  }

  void run() {
    load();
    const FftTables<T> &tables = *work_.tables;
    if (tables.convolution) {
      auto *padded =
          reinterpret_cast<Parts<Wide> *>(spare_ + fft_block(length_));
      run_chirp<Vector, Wide>(tables, data_, padded,
                              padded + tables.convolution->length);
    } else {
      Block *result = run_steps(tables, data_, spare_);
      spare_ = result == data_ ? spare_ : data_;
      data_ = result;
    }
    finish();
    store();
  }

private:
  int64_t at(const xlac_fft_layout &place, int64_t k, int lane) const {
    return k * place.step + (lane_ + lane) * place.lane_step +
           outer_ * place.outer_step;
  }

  // Combines the lanes of a and b for the transpose step with blocks of S
  // lanes: lane j stays, or comes from across the diagonal.
  template <int S, int... J>
  static Vector upper(Vector a, Vector b, std::integer_sequence<int, J...>) {
    return __builtin_shufflevector(a, b, (J & S ? kLanes + J - S : J)...);
  }
  template <int S, int... J>
  static Vector lower(Vector a, Vector b, std::integer_sequence<int, J...>) {
    return __builtin_shufflevector(a, b, (J & S ? kLanes + J : J + S)...);
  }
  template <int S> static void exchange(Vector *rows) {
    for (int i = 0; i < kLanes; ++i)
      if (!(i & S)) {
        Vector a = rows[i], b = rows[i + S];
        rows[i] = upper<S>(a, b, Lanes());
        rows[i + S] = lower<S>(a, b, Lanes());
      }
  }
  static void transpose(Vector *rows) {
    exchange<1>(rows);
    exchange<2>(rows);
    exchange<4>(rows);
    if constexpr (kLanes == 16)
      exchange<8>(rows);
  }

  void load() {
    const xlac_fft_layout &from = pass_.from;
    // The mirror image of a split transform is not aligned with its lanes.
    bool mirrored = from.half && pass_.whole != length_;
    bool joins = pass_.pairs == XLAC_FFT_JOIN;
    int64_t count = from.half && !mirrored ? from.half : length_ + joins, k = 0;
    if (valid_ == kLanes && !mirrored) {
      if (from.lane_step == 1)
        k = load_lanes(count);
      else if (from.step == 1)
        k = from_unit_ == 1 ? load_tiles<1>(count) : load_tiles<2>(count);
    }
    for (; k < count; ++k)
      data_[k] = load_singly(k, mirrored);
    if (joins) {
      join_pairs(data_, length_, work_.pair_roots);
      count = length_;
    }
    // The inverse is the forward transform between two conjugations.
    if (work_.inverse)
      for (k = 0; k < count; ++k)
        data_[k].im = -data_[k].im;
    if (from.half && !mirrored)
      mirror(count);
  }
  int64_t load_lanes(int64_t count) {
    for (int64_t k = 0; k < count; ++k) {
      int64_t place = at(pass_.from, k, 0);
      if (from_unit_ == 1) {
        data_[k] = {read(work_.from + place),
                    pass_.from.real ? Vector{} : read(from_imag_ + place)};
        continue;
      }
      const T *from = work_.from + 2 * place;
      data_[k] = read_complex(from);
    }
    return count;
  }
  template <int Unit> int64_t load_tiles(int64_t count) {
    // The number of elements that fill a vector, alone or with their imaginary
    // parts.
    constexpr int each = kLanes / Unit;
    auto fetch = [&](const T *from, int64_t k, Vector *rows) {
      for (int lane = 0; lane < kLanes; ++lane)
        rows[lane] = read(from + at(pass_.from, k, lane) * Unit);
      transpose(rows);
    };
    int64_t k = 0;
    for (; k + each <= count; k += each) {
      Vector rows[kLanes], others[kLanes] = {};
      fetch(work_.from, k, rows);
      if constexpr (Unit == 1)
        if (!pass_.from.real)
          fetch(from_imag_, k, others);
      for (int i = 0; i < each; ++i)
        data_[k + i] = Unit == 2
                           ? Block{rows[Unit * i], rows[Unit * i + Unit - 1]}
                           : Block{rows[i], others[i]};
    }
    return k;
  }
  Block load_singly(int64_t k, bool mirrored) const {
    Block block = {};
    for (int lane = 0; lane < valid_; ++lane) {
      if (pass_.from.real) {
        block.re[lane] = work_.from[at(pass_.from, k, lane)];
        continue;
      }
      int64_t place = at(pass_.from, k, lane);
      T sign = 1;
      bool real = false;
      if (mirrored) {
        int64_t start = outer_ * pass_.from.outer_step;
        int64_t index = place - start;
        real = index == 0 || 2 * index == pass_.whole;
        if (index >= pass_.from.half) {
          place = start + pass_.whole - index;
          sign = -1;
        }
      }
      block.re[lane] = work_.from[from_unit_ * place];
      block.im[lane] = real ? T(0) : sign * from_imag_[from_unit_ * place];
    }
    return block;
  }
  /// The second half of a real signal's transform mirrors the first. The
  /// elements at the ends are real.
  void mirror(int64_t half) {
    data_[0].im = Vector{};
    if (length_ % 2 == 0)
      data_[length_ / 2].im = Vector{};
    for (int64_t k = half; k < length_; ++k)
      data_[k] = {data_[length_ - k].re, -data_[length_ - k].im};
  }

  void finish() {
    if (work_.twiddle_factors)
      for (int64_t k = 0; k < length_; ++k)
        twiddle(k);
    if (pass_.pairs == XLAC_FFT_SEPARATE)
      separate_pairs(data_, length_, work_.pair_roots);
    if (work_.inverse)
      for (int64_t k = 0; k < length_; ++k)
        data_[k].im = -data_[k].im;
    if (pass_.divide == 1)
      return;
    T scale = T(1) / static_cast<T>(pass_.divide);
    for (int64_t k = 0; k < length_; ++k)
      data_[k] = {data_[k].re * scale, data_[k].im * scale};
  }
  void twiddle(int64_t k) {
    const Parts<T> *twiddle_factors =
        work_.twiddle_factors + k * pass_.lanes + lane_;
    if (valid_ == kLanes) {
      auto *from = reinterpret_cast<const T *>(twiddle_factors);
      data_[k] = times(data_[k], read_complex(from));
      return;
    }
    Block roots = {};
    for (int lane = 0; lane < valid_; ++lane) {
      roots.re[lane] = twiddle_factors[lane].re;
      roots.im[lane] = twiddle_factors[lane].im;
    }
    data_[k] = times(data_[k], roots);
  }

  void store() {
    const xlac_fft_layout &to = pass_.to;
    // Elements of a split transform are not contiguous, and lanes may end
    // early.
    bool halved = to.half && pass_.whole != length_;
    int64_t count = to.half && !halved
                        ? to.half
                        : length_ + (pass_.pairs == XLAC_FFT_SEPARATE);
    int64_t k = 0;
    if (valid_ == kLanes) {
      if (to.lane_step == 1)
        k = store_lanes(count, halved);
      else if (to.step == 1)
        k = to_unit_ == 1 ? store_tiles<1>(count) : store_tiles<2>(count);
    }
    for (; k < count; ++k)
      store_singly(k, halved);
  }
  /// The index at which elements of a half-stored transform are omitted.
  int64_t end() const { return outer_ * pass_.to.outer_step + pass_.to.half; }

  int64_t store_lanes(int64_t count, bool halved) {
    for (int64_t k = 0; k < count; ++k) {
      int64_t place = at(pass_.to, k, 0);
      if (halved && place + kLanes > end())
        return k;
      if (to_unit_ == 2) {
        write_complex(work_.to + 2 * place, data_[k]);
        continue;
      }
      write(work_.to + place, data_[k].re);
      if (!pass_.to.real)
        write(to_imag_ + place, data_[k].im);
    }
    return count;
  }
  template <int Unit> int64_t store_tiles(int64_t count) {
    constexpr int each = kLanes / Unit;
    auto put = [&](T *to, int64_t k, Vector *rows) {
      transpose(rows);
      for (int lane = 0; lane < kLanes; ++lane)
        write(to + at(pass_.to, k, lane) * Unit, rows[lane]);
    };
    int64_t k = 0;
    for (; k + each <= count; k += each) {
      Vector rows[kLanes];
      for (int i = 0; i < each; ++i) {
        rows[Unit * i] = data_[k + i].re;
        if constexpr (Unit == 2)
          rows[2 * i + 1] = data_[k + i].im;
      }
      put(work_.to, k, rows);
      if (Unit == 2 || pass_.to.real)
        continue;
      for (int i = 0; i < each; ++i)
        rows[i] = data_[k + i].im;
      put(to_imag_, k, rows);
    }
    return k;
  }
  void store_singly(int64_t k, bool halved) {
    for (int lane = 0; lane < valid_; ++lane) {
      int64_t place = at(pass_.to, k, lane);
      if (halved && place >= end())
        continue;
      if (pass_.to.real) {
        work_.to[place] = data_[k].re[lane];
        continue;
      }
      work_.to[to_unit_ * place] = data_[k].re[lane];
      to_imag_[to_unit_ * place] = data_[k].im[lane];
    }
  }

  const FftWork<T> &work_;
  const xlac_fft_pass &pass_;
  int64_t length_, outer_, lane_;
  int valid_;
  Block *data_, *spare_;
  /// Distance between real parts of neighbours, and the imaginary parts.
  int64_t from_unit_, to_unit_;
  const T *from_imag_;
  T *to_imag_;
};

template <class T> void run_tasks(const FftWork<T> &work) {
  bool alone = xlac_fft_only_pairs(work.pass);
  for (int64_t task = work.first; task < work.last; ++task)
    if (alone)
      PairsTask<T>(work, task).run();
    else
      Task<T>(work, task).run();
}

} // namespace

void run_fft_pass(const FftWork<float> &work) { run_tasks(work); }

void run_fft_pass(const FftWork<double> &work) { run_tasks(work); }

} // namespace xlac::library::XLAC_FFT_FEATURES
