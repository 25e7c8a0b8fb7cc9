#include "fft_plan.h"

#include <algorithm>
#include <cmath>
#include <list>
#include <mutex>
#include <numbers>

namespace xlac::library {

namespace {

/// Above this a prime factor costs more as a butterfly than as a convolution.
constexpr int64_t kLargestRadix = 13;
constexpr size_t kKeptPlans = 16;

/// e^(-2 pi i k / n), exact to the last bit or so for any k and n.
std::complex<double> root(int64_t k, int64_t n) {
  k %= n;
  // Angles within an eighth of a turn keep cos and sin at their best.
  int64_t octant = 8 * k / n;
  double angle =
      2 * std::numbers::pi *
      (static_cast<double>(8 * k - octant * n) / (8 * static_cast<double>(n)));
  static const double kHalf = std::numbers::sqrt2 / 2;
  double c = std::cos(angle), s = std::sin(angle);
  std::complex<double> within(c, -s);
  switch (octant) {
  case 0:
    return within;
  case 1:
    return within * std::complex<double>(kHalf, -kHalf);
  case 2:
    return {-s, -c};
  case 3:
    return within * std::complex<double>(-kHalf, -kHalf);
  case 4:
    return {-c, s};
  case 5:
    return within * std::complex<double>(-kHalf, kHalf);
  case 6:
    return {s, c};
  default:
    return within * std::complex<double>(kHalf, kHalf);
  }
}

/// Products without the NaN rescue of operator*, which would be a call.
template <class T> std::complex<T> times(std::complex<T> a, std::complex<T> b) {
  return {a.real() * b.real() - a.imag() * b.imag(),
          a.real() * b.imag() + a.imag() * b.real()};
}

/// a times -i.
template <class T> std::complex<T> turned(std::complex<T> a) {
  return {a.imag(), -a.real()};
}

} // namespace

template <class T>
std::shared_ptr<const FftPlan<T>> FftPlan<T>::get(int64_t n) {
  static std::mutex mutex;
  static std::list<std::shared_ptr<const FftPlan>> kept;
  {
    std::lock_guard lock(mutex);
    for (auto it = kept.begin(); it != kept.end(); ++it) {
      if ((*it)->length() != n)
        continue;
      kept.splice(kept.begin(), kept, it);
      return kept.front();
    }
  }
  auto plan = std::make_shared<const FftPlan>(n);
  std::lock_guard lock(mutex);
  kept.push_front(plan);
  if (kept.size() > kKeptPlans)
    kept.pop_back();
  return plan;
}

template <class T> FftPlan<T>::FftPlan(int64_t n) : length_(n) {
  plan_steps();
  if (steps_.empty() && n > 1)
    plan_chirp();
}

/// Leaves no steps when a prime factor is too large.
template <class T> void FftPlan<T>::plan_steps() {
  std::vector<int64_t> radices;
  int64_t rest = length_;
  for (int64_t radix : {4, 2, 3, 5, 7, 11, 13})
    for (; rest % radix == 0; rest /= radix)
      radices.push_back(radix);
  if (rest > 1)
    return;
  int64_t n = length_;
  for (int64_t radix : radices) {
    Step step{radix, n, {}, {}};
    for (int64_t j = 0; j < n / radix; ++j)
      for (int64_t l = 1; l < radix; ++l)
        step.twiddles.push_back(Complex(root(j * l, n)));
    for (int64_t i = 0; i < radix; ++i)
      step.roots.push_back(Complex(root(i, radix)));
    steps_.push_back(std::move(step));
    n /= radix;
  }
}

template <class T> void FftPlan<T>::plan_chirp() {
  int64_t size = 1;
  while (size < 2 * length_ - 1)
    size *= 2;
  convolution_ = FftPlan<double>::get(size);
  chirp_.resize(length_);
  filter_.resize(size);
  int64_t square = 0; // k^2 modulo 2n, without overflow
  for (int64_t k = 0; k < length_; ++k) {
    chirp_[k] = root(square, 2 * length_);
    square = (square + 2 * k + 1) % (2 * length_);
    filter_[k] = std::conj(chirp_[k]);
    if (k > 0)
      filter_[size - k] = filter_[k];
  }
  std::vector<std::complex<double>> work(convolution_->work_size());
  convolution_->transform(filter_.data(), work.data(), false);
  for (std::complex<double> &value : filter_)
    value /= static_cast<double>(size);
}

template <class T> int64_t FftPlan<T>::work_size() const {
  return steps_.empty() ? 0 : length_;
}

template <class T>
void FftPlan<T>::run_step(const Step &step, int64_t stride, const Complex *in,
                          Complex *out) {
  int64_t radix = step.radix, parts = step.n / radix;
  Complex a[kLargestRadix], b[kLargestRadix];
  for (int64_t j = 0; j < parts; ++j) {
    const Complex *twiddle = step.twiddles.data() + j * (radix - 1);
    for (int64_t k = 0; k < stride; ++k) {
      const Complex *from = in + k + stride * j;
      Complex *to = out + k + stride * radix * j;
      for (int64_t i = 0; i < radix; ++i)
        a[i] = from[stride * parts * i];
      if (radix == 2) {
        b[0] = a[0] + a[1];
        b[1] = a[0] - a[1];
      } else if (radix == 4) {
        Complex even = a[0] + a[2], odd = a[1] + a[3];
        Complex difference = a[0] - a[2], turn = turned(a[1] - a[3]);
        b[0] = even + odd;
        b[1] = difference + turn;
        b[2] = even - odd;
        b[3] = difference - turn;
      } else {
        for (int64_t l = 0; l < radix; ++l) {
          b[l] = a[0];
          for (int64_t i = 1; i < radix; ++i)
            b[l] += times(a[i], step.roots[i * l % radix]);
        }
      }
      to[0] = b[0];
      for (int64_t l = 1; l < radix; ++l)
        to[stride * l] = times(b[l], twiddle[l - 1]);
    }
  }
}

template <class T>
void FftPlan<T>::forward(Complex *data, Complex *work) const {
  Complex *in = data, *out = work;
  int64_t stride = 1;
  for (const Step &step : steps_) {
    run_step(step, stride, in, out);
    stride *= step.radix;
    std::swap(in, out);
  }
  if (in != data)
    std::copy(in, in + length_, data);
}

template <class T> void FftPlan<T>::forward_chirp(Complex *data) const {
  std::vector<std::complex<double>> padded(filter_.size());
  std::vector<std::complex<double>> work(convolution_->work_size());
  for (int64_t k = 0; k < length_; ++k)
    padded[k] = times(std::complex<double>(data[k]), chirp_[k]);
  convolution_->transform(padded.data(), work.data(), false);
  for (size_t k = 0; k < padded.size(); ++k)
    padded[k] = times(padded[k], filter_[k]);
  convolution_->transform(padded.data(), work.data(), true);
  for (int64_t k = 0; k < length_; ++k)
    data[k] = Complex(times(padded[k], chirp_[k]));
}

template <class T>
void FftPlan<T>::transform(Complex *data, Complex *work, bool inverse) const {
  // The inverse is the forward transform between two conjugations.
  auto conjugate = [&] {
    if (inverse)
      for (int64_t k = 0; k < length_; ++k)
        data[k] = std::conj(data[k]);
  };
  if (length_ <= 1)
    return;
  conjugate();
  if (steps_.empty())
    forward_chirp(data);
  else
    forward(data, work);
  conjugate();
}

template class FftPlan<float>;
template class FftPlan<double>;

} // namespace xlac::library
