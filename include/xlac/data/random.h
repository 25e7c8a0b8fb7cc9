// Random numbers that are the same on every machine.
#pragma once

#include "xlac/types.h"

#include <cstdint>
#include <limits>

namespace xlac::data {

/// A small generator (SplitMix64); it also serves the distributions of the
/// standard library.
class XLAC_API Random {
public:
  using result_type = uint64_t;
  explicit Random(uint64_t seed) : state_(seed) {}
  /// A generator for each pair of numbers.
  Random(uint64_t seed, uint64_t part);

  static constexpr uint64_t min() { return 0; }
  static constexpr uint64_t max() {
    return std::numeric_limits<uint64_t>::max();
  }
  uint64_t operator()();
  /// In [0, 1).
  double uniform();
  double uniform(double from, double to) {
    return from + (to - from) * uniform();
  }
  /// Standard normal.
  double normal();
  /// In [0, end), all equally likely; 0 for an end of 0.
  uint64_t below(uint64_t end);

private:
  uint64_t state_;
};

/// For transforms: the generator of the sample that a loader is making in this
/// thread, so that neither the number of workers nor their order matters.
/// Outside of loaders one of the thread's own, which manual_seed does not set.
XLAC_API Random &random();

/// The sample that this thread makes is drawn by a generator of `seed` and
/// `sample` while the object lives.
class XLAC_API SampleScope {
public:
  SampleScope(uint64_t seed, uint64_t sample);
  ~SampleScope();
  SampleScope(const SampleScope &) = delete;
  SampleScope &operator=(const SampleScope &) = delete;

private:
  Random before_;
};

} // namespace xlac::data
