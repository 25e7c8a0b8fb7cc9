// Random numbers that are the same on every platform.
#pragma once

#include "xlac/types.h"

#include <cstdint>
#include <limits>

namespace xlac::data {

/// A small generator (SplitMix64), which can be used with the distributions of
/// the standard library.
class XLAC_API Random {
public:
  /// The type of the numbers.
  using result_type = uint64_t;
  /// A generator that begins with that seed.
  explicit Random(uint64_t seed) : state_(seed) {}
  /// A distinct generator for each pair of numbers.
  Random(uint64_t seed, uint64_t part);

  /// The smallest number.
  static constexpr uint64_t min() { return 0; }
  /// The largest number.
  static constexpr uint64_t max() {
    return std::numeric_limits<uint64_t>::max();
  }
  /// The next number.
  uint64_t operator()();
  /// Uniform in [0, 1).
  double uniform();
  /// A number from `from` to below `to`.
  double uniform(double from, double to) {
    return from + (to - from) * uniform();
  }
  /// Standard normal.
  double normal();
  /// Uniform in [0, end); 0 for an end of 0.
  uint64_t below(uint64_t end);

private:
  uint64_t state_;
};

/// Returns the generator for random transforms. While a loader makes a sample
/// in this thread, it is the generator of that sample. So results do not depend
/// on the number or order of workers. Outside of loaders it is a generator of
/// the thread, which manual_seed does not set.
XLAC_API Random &random();

/// During its lifetime, random() of this thread returns a generator of `seed`
/// and `sample`.
class XLAC_API SampleScope {
public:
  /// Makes random transforms depend on seed and sample alone.
  SampleScope(uint64_t seed, uint64_t sample);
  ~SampleScope();
  SampleScope(const SampleScope &) = delete;
  SampleScope &operator=(const SampleScope &) = delete;

private:
  Random before_;
};

} // namespace xlac::data
