// Inputs of the vectorized FFT passes: plain tables and pointers. Files
// compiled for certain CPUs must not include code that other files might share.
#pragma once

#include "xlac/abi/fft.h"

#include <cstdint>

namespace xlac::library {

/// A complex number, or a vector of them with separate parts.
template <class V> struct Parts {
  V re, im;
};

/// Divides a transform of length n into `radix` transforms of length n / radix.
template <class T> struct FftStep {
  int64_t radix, n;
  const Parts<T> *twiddles; ///< w_n^(j l), j major, l from 1
  const Parts<T> *roots;    ///< w_radix^i
};

/// The tables of one length; without steps it uses a convolution.
template <class T> struct FftTables {
  int64_t length = 1, step_count = 0;
  const FftStep<T> *steps = nullptr;
  /// Bluestein, always in double: the chirp and the transformed filter.
  const Parts<double> *chirp = nullptr, *filter = nullptr;
  const FftTables<double> *convolution = nullptr;
};

/// Tasks [first, last) of a pass.
template <class T> struct FftWork {
  const xlac_fft_pass *pass = nullptr;
  bool inverse = false;
  const FftTables<T> *tables = nullptr; ///< null if all signals are pairs
  /// By result and lane; null for none.
  const Parts<T> *twiddle_factors = nullptr;
  /// e^(-pi i k / pass->length); null for no pairs.
  const Parts<T> *pair_roots = nullptr;
  const T *from = nullptr;
  T *to = nullptr;
  /// Imaginary parts if they are stored separately; null if the parts are
  /// interleaved.
  const T *from_imag = nullptr;
  T *to_imag = nullptr;
  char *scratch = nullptr; ///< fft_scratch(*tables) bytes, 64-byte aligned
  int64_t first = 0, last = 0;
};

/// Elements of one of a task's two buffers: a real signal of 2 `length`
/// elements has a spectrum of `length` + 1.
inline int64_t fft_block(int64_t length) { return length + 1; }

/// Bytes of scratch memory that tasks with these tables need.
template <class T> int64_t fft_scratch(const FftTables<T> &tables) {
  int64_t block = fft_block(tables.length) * 128;
  int64_t padded = tables.convolution ? tables.convolution->length * 128 *
                                            int64_t(8 / sizeof(T))
                                      : 0;
  return 2 * block + 2 * padded;
}

// The same code, compiled for several sets of CPU features; all give the same
// bits.
namespace baseline {
void run_fft_pass(const FftWork<float> &work);
void run_fft_pass(const FftWork<double> &work);
} // namespace baseline
namespace avx2 {
void run_fft_pass(const FftWork<float> &work);
void run_fft_pass(const FftWork<double> &work);
} // namespace avx2
namespace avx512 {
void run_fft_pass(const FftWork<float> &work);
void run_fft_pass(const FftWork<double> &work);
} // namespace avx512

} // namespace xlac::library
