#include "fft_plan.h"

#include "scratch_block.h"

#include "xlac/support/fork.h"

#include <cmath>
#include <complex>
#include <list>
#include <mutex>
#include <numbers>

namespace xlac::library {

namespace {

constexpr size_t kKeptPlans = 16, kCachedTwiddles = 8;

/// e^(-2 pi i k / n), accurate to about the last bit for any k and n.
std::complex<double> root(int64_t k, int64_t n) {
  k %= n;
  // Reduces the angle to one octant, where cos and sin are most accurate.
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

template <class T> Parts<T> parts_of(std::complex<double> value) {
  return {static_cast<T>(value.real()), static_cast<T>(value.imag())};
}

/// The first table of `kept` that `matches`, else a new one from `make`, which
/// is kept. The least recently used table is removed.
template <class Table, class Matches, class Make>
std::shared_ptr<const Table> find_or_make(size_t most, Matches matches,
                                          Make make) {
  ForkSection section; // protects the mutex from fork
  // A plan may need another plan.
  static std::recursive_mutex mutex;
  static std::list<std::shared_ptr<const Table>> kept;
  std::lock_guard lock(mutex);
  for (auto it = kept.begin(); it != kept.end(); ++it) {
    if (!matches(**it))
      continue;
    kept.splice(kept.begin(), kept, it);
    return kept.front();
  }
  std::shared_ptr<const Table> made = make();
  kept.push_front(made);
  if (kept.size() > most)
    kept.pop_back();
  return made;
}

} // namespace

template <class T>
std::shared_ptr<const FftPlan<T>> FftPlan<T>::get(int64_t n) {
  return find_or_make<FftPlan>(
      kKeptPlans,
      [&](const FftPlan &plan) { return plan.tables().length == n; },
      [&] { return std::make_shared<const FftPlan>(n); });
}

template <class T> FftPlan<T>::FftPlan(int64_t n) {
  tables_.length = n;
  plan_steps();
  if (steps_.empty() && n > 1)
    plan_chirp();
  tables_.steps = steps_.data();
  tables_.step_count = static_cast<int64_t>(steps_.size());
}

/// Radices with the product 2^`twos`: few, and no 2 together with an 8.
static std::vector<int64_t> split_twos(int64_t twos) {
  std::vector<int64_t> radices;
  for (; twos > 4 || twos == 3; twos -= 3)
    radices.push_back(8);
  for (; twos >= 2; twos -= 2)
    radices.push_back(4);
  if (twos == 1)
    radices.push_back(2);
  return radices;
}

/// Makes no steps if a prime factor is too large.
template <class T> void FftPlan<T>::plan_steps() {
  int64_t n = tables_.length, rest = n, twos = 0;
  for (; rest % 2 == 0; rest /= 2)
    ++twos;
  std::vector<int64_t> radices = split_twos(twos);
  for (int64_t radix : {3, 5, 7, 11, 13})
    for (; rest % radix == 0; rest /= radix)
      radices.push_back(radix);
  if (rest > 1)
    return;
  for (int64_t radix : radices) {
    std::vector<Parts<T>> twiddles, roots;
    for (int64_t j = 0; j < n / radix; ++j)
      for (int64_t l = 1; l < radix; ++l)
        twiddles.push_back(parts_of<T>(root(j * l, n)));
    for (int64_t i = 0; i < radix; ++i)
      roots.push_back(parts_of<T>(root(i, radix)));
    steps_.push_back({radix, n, twiddles.data(), roots.data()});
    roots_.push_back(std::move(twiddles));
    roots_.push_back(std::move(roots));
    n /= radix;
  }
}

/// Transforms `filter` with the plan of its own length, in one lane.
static void transform_filter(std::vector<Parts<double>> &filter,
                             const FftTables<double> &tables) {
  int64_t size = tables.length;
  xlac_fft_pass pass = xlac_fft_axis(size, 1, 1, 0, 1);
  ScratchBlock scratch(fft_scratch(tables));
  FftWork<double> work{.pass = &pass,
                       .tables = &tables,
                       .from = &filter[0].re,
                       .to = &filter[0].re,
                       .scratch = scratch.data(),
                       .last = 1};
  baseline::run_fft_pass(work);
}

template <class T> void FftPlan<T>::plan_chirp() {
  int64_t length = tables_.length, size = 1;
  while (size < 2 * length - 1)
    size *= 2;
  convolution_ = FftPlan<double>::get(size);
  chirp_.resize(length);
  filter_.resize(size);
  int64_t square = 0; // k^2 modulo 2n, without overflow
  for (int64_t k = 0; k < length; ++k) {
    std::complex<double> value = root(square, 2 * length);
    chirp_[k] = parts_of<double>(value);
    square = (square + 2 * k + 1) % (2 * length);
    filter_[k] = parts_of<double>(std::conj(value));
    if (k > 0)
      filter_[size - k] = filter_[k];
  }
  transform_filter(filter_, convolution_->tables());
  for (Parts<double> &value : filter_)
    value = {value.re / static_cast<double>(size),
             value.im / static_cast<double>(size)};
  tables_.chirp = chirp_.data();
  tables_.filter = filter_.data();
  tables_.convolution = &convolution_->tables();
}

template <class T>
std::shared_ptr<const FftTwiddles<T>> FftTwiddles<T>::get(int64_t n,
                                                          int64_t rows) {
  return find_or_make<FftTwiddles>(
      kCachedTwiddles,
      [&](const FftTwiddles &twiddle_factors) {
        return twiddle_factors.n_ == n && twiddle_factors.rows_ == rows;
      },
      [&] { return std::make_shared<const FftTwiddles>(n, rows); });
}

template <class T>
FftTwiddles<T>::FftTwiddles(int64_t n, int64_t rows) : n_(n), rows_(rows) {
  // Powers as products of a coarse and a fine one.
  int64_t fine = 1;
  while (fine * fine < n)
    fine *= 2;
  std::vector<std::complex<double>> low(fine), high((n + fine - 1) / fine);
  for (int64_t i = 0; i < fine; ++i)
    low[i] = root(i, n);
  for (size_t i = 0; i < high.size(); ++i)
    high[i] = root(static_cast<int64_t>(i) * fine, n);
  int64_t columns = n / rows;
  values_.resize(n);
  for (int64_t k = 0; k < rows; ++k)
    for (int64_t l = 0; l < columns; ++l)
      values_[k * columns + l] =
          parts_of<T>(high[k * l / fine] * low[k * l % fine]);
}

template class FftPlan<float>;
template class FftPlan<double>;
template class FftTwiddles<float>;
template class FftTwiddles<double>;

} // namespace xlac::library
