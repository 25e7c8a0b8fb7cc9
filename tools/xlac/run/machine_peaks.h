// Peak rates of this machine, measured in a fraction of a second:
// floating-point operations per second, and bytes per second by data size.
// Profiles compare kernels with them.
#pragma once

#include "xlac/support/target_profile.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace xlac::cli {

struct MachinePeaks {
  int threads = 1;
  double f32_gflops = 0;  ///< in the profile's widest vectors
  double bf16_gflops = 0; ///< 0 unless the profile has bf16 dot products
  /// Data sizes in bytes and the GB/s at which they are read, or read and
  /// written; ascending.
  std::vector<std::pair<int64_t, double>> bandwidth;

  /// Returns the GB/s for data of that size. Between two measured sizes it is
  /// that of the larger one.
  double gbytes_for(int64_t bytes) const;
  /// Returns the GB/s for data that exceeds the caches.
  double memory_gbytes() const {
    return bandwidth.empty() ? 0 : bandwidth.back().second;
  }
  /// Returns the machine's minimum milliseconds for this work on this amount of
  /// data; 0 when nothing was measured.
  double bound_ms(double flops, double bytes, bool is_bf16) const;
};

/// Measures with the work pool's threads and only the profile's features.
MachinePeaks measure_peaks(const TargetProfile &profile);

} // namespace xlac::cli
