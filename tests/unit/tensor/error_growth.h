// Shared code of tests for the growth of rounding errors: aperiodic numbers
// that are repeated, so that exact sums of any length are known, and the error
// bound.
//
// The bound is Higham's (Accuracy and Stability of Numerical Algorithms,
// 2nd ed., 4.2). For any order of a sum its error is at most u times the sum of
// the magnitudes of all partial sums, to first order in the unit roundoff u.
// Numbers of one sign and similar size, as here, have partial sums that
// increase evenly along a chain up to the chain's total. So a chain of b steps
// contributes b / 2 times its total, and each level of a tree contributes the
// total once. Chains of at most 64 steps and a tree over them are thus within
// log2(n) + 32 roundings of the sum of magnitudes. Tests that allow other chain
// lengths name them.
#ifndef XLAC_TESTS_UNIT_TENSOR_ERROR_GROWTH_H
#define XLAC_TESTS_UNIT_TENSOR_ERROR_GROWTH_H

#include "xlac/xlac.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

namespace xlac::growth {

/// log2 of the longest reductions.
inline constexpr int kMost = XLAC_GROWTH_LOG2;
inline constexpr int64_t kPeriod = 1 << 10;
inline constexpr Dtype kDtypes[] = {kFloat32, kFloat64};

/// The same for reductions whose operand is in memory: 4 GiB.
inline int most_in_memory(Dtype dtype) {
  return std::min(kMost, dtype == kFloat64 ? 29 : 30);
}

inline double unit_of(Dtype dtype) {
  switch (dtype) {
  case kFloat64:
    return std::ldexp(1.0, -53);
  case kFloat16:
    return std::ldexp(1.0, -11);
  case kBFloat16:
    return std::ldexp(1.0, -8);
  default:
    return std::ldexp(1.0, -24);
  }
}

/// Half of a chain of 64 steps, and the tree.
inline double roundings(int64_t count) {
  return std::log2(static_cast<double>(count)) + 32;
}

inline Tensor on_xla(const Tensor &t) { return t.to(Device("xla:0")); }

/// Returns `value` rounded to `dtype`.
inline long double held(Dtype dtype, long double value) {
  return dtype == kFloat64 ? static_cast<double>(value)
                           : static_cast<float>(value);
}

/// Aperiodic numbers whose sums are not exact in their type.
inline std::vector<double> period(Dtype dtype, double low = 0.5,
                                  double high = 1.5) {
  std::vector<double> values;
  uint64_t state = 88172645463325252u;
  for (int64_t i = 0; i < kPeriod; ++i) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    double value =
        low + (high - low) * std::ldexp(static_cast<double>(state >> 11), -53);
    values.push_back(static_cast<double>(held(dtype, value)));
  }
  return values;
}

using Number = std::function<long double(double)>;

/// Returns the sum of `of` over `count` numbers.
inline long double total(const std::vector<double> &values, int64_t count,
                         const Number &of) {
  long double sum = 0;
  for (double value : values)
    sum += of(value);
  return sum * static_cast<long double>(count / kPeriod);
}

/// Repeats the period as a broadcast, without allocating memory for the
/// elements.
inline Tensor repeated(const Tensor &values, int64_t count) {
  return values.expand({count / kPeriod, kPeriod});
}

/// As above, in the memory of an xla device. A copy of a broadcast would remain
/// one. Adding an uploaded zero, whose value is unknown to the program, writes
/// the elements.
inline Tensor in_memory(const std::vector<double> &values, Dtype dtype,
                        int64_t count) {
  Tensor zero = on_xla(zeros({1}, dtype));
  Tensor one = on_xla(tensor(values, kFloat64).to(dtype));
  Tensor x = (repeated(one, count) + zero).view({count});
  xlac::sync(true);
  return x;
}

/// Compares each element of `got` with its expected value. `extra` is the
/// number of roundings besides those of `count` addends.
inline void expect_all_near(const std::string &what, const Tensor &got,
                            const std::vector<long double> &expected,
                            long double magnitude, int64_t count,
                            double extra = 0) {
  double bound = (roundings(count) + extra) * unit_of(got.dtype()) *
                 static_cast<double>(magnitude);
  std::vector<double> values =
      got.cpu().to(kFloat64).reshape({-1}).to_vector<double>();
  ASSERT_EQ(values.size(), expected.size()) << what;
  double worst = 0;
  for (size_t i = 0; i < values.size(); ++i) {
    double off = static_cast<double>(std::abs(values[i] - expected[i]));
    worst = off <= worst ? worst : off; // NaN counts
  }
  EXPECT_LE(worst, bound) << what << " of 2^" << std::log2(count) << " "
                          << got.dtype() << ": off by "
                          << worst / static_cast<double>(magnitude);
}

/// As above, with equal expected values.
inline void expect_near(const std::string &what, const Tensor &got,
                        long double expected, long double magnitude,
                        int64_t count, double extra = 0) {
  std::vector<long double> all(got.numel(), expected);
  expect_all_near(what, got, all, magnitude, count, extra);
}

} // namespace xlac::growth

#endif
