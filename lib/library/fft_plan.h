// One-dimensional complex transforms of any length: Stockham's mixed radix
// where the prime factors are small, Bluestein's convolution elsewhere.
#pragma once

#include <complex>
#include <cstdint>
#include <memory>
#include <vector>

namespace xlac::library {

/// The tables of one length. Immutable, so threads may share it.
template <class T> class FftPlan {
public:
  using Complex = std::complex<T>;

  /// The plan of length `n` >= 1; plans lately used are kept.
  static std::shared_ptr<const FftPlan> get(int64_t n);

  explicit FftPlan(int64_t n);

  int64_t length() const { return length_; }
  /// Elements of `work` that transform() needs.
  int64_t work_size() const;

  /// Transforms `data` in place, unscaled; `inverse` conjugates the roots.
  void transform(Complex *data, Complex *work, bool inverse) const;

private:
  /// Divides a transform of length n into `radix` of length n / radix.
  struct Step {
    int64_t radix, n;
    std::vector<Complex> twiddles; ///< w_n^(j l), j major, l from 1
    std::vector<Complex> roots;    ///< w_radix^i
  };

  void plan_steps();
  void plan_chirp();
  void forward(Complex *data, Complex *work) const;
  void forward_chirp(Complex *data) const;
  static void run_step(const Step &step, int64_t stride, const Complex *in,
                       Complex *out);

  int64_t length_;
  std::vector<Step> steps_;
  /// Bluestein, always in double: the chirp, and the transformed filter.
  std::vector<std::complex<double>> chirp_, filter_;
  std::shared_ptr<const FftPlan<double>> convolution_;
};

} // namespace xlac::library
