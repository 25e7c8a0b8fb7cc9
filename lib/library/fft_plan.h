// Tables of one-dimensional complex transforms of any length. Stockham's
// mixed-radix algorithm is used for small prime factors, Bluestein's
// convolution otherwise.
#pragma once

#include "fft_pass.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace xlac::library {

/// The tables of one length. Immutable, so threads may share it.
template <class T> class FftPlan {
public:
  /// The plan of length `n` >= 1; recently used plans are cached.
  static std::shared_ptr<const FftPlan> get(int64_t n);

  explicit FftPlan(int64_t n);
  FftPlan(const FftPlan &) = delete;
  FftPlan &operator=(const FftPlan &) = delete;

  const FftTables<T> &tables() const { return tables_; }

private:
  void plan_steps();
  void plan_chirp();

  FftTables<T> tables_;
  std::vector<FftStep<T>> steps_;
  /// The tables that the steps refer to, in no particular order.
  std::vector<std::vector<Parts<T>>> roots_;
  std::vector<Parts<double>> chirp_, filter_;
  std::shared_ptr<const FftPlan<double>> convolution_;
};

/// e^(-2 pi i k l / n) for k < `rows` and l < n / rows, row by row. Recently
/// used tables are cached.
template <class T> class FftTwiddles {
public:
  static std::shared_ptr<const FftTwiddles> get(int64_t n, int64_t rows);

  FftTwiddles(int64_t n, int64_t rows);

  const Parts<T> *data() const { return values_.data(); }

private:
  int64_t n_, rows_;
  std::vector<Parts<T>> values_;
};

} // namespace xlac::library
