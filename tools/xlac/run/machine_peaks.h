// What this machine can do at best, measured in a fraction of a second:
// products and sums a second, and bytes a second by how much data there is.
// What kernels are held against.
#pragma once

#include "xlac/support/target_profile.h"

#include <cstdint>
#include <utility>
#include <vector>

namespace xlac::cli {

struct MachinePeaks {
  int threads = 1;
  double f32_gflops = 0;  ///< in the profile's widest vectors
  double bf16_gflops = 0; ///< where the profile has products of bf16, else 0
  /// Bytes in use and the GB/s at which they are read, or read and written;
  /// ascending.
  std::vector<std::pair<int64_t, double>> bandwidth;

  /// GB/s for data of that size: between two measured sizes the larger's.
  double gbytes_for(int64_t bytes) const;
  /// GB/s for data that no cache holds.
  double memory_gbytes() const {
    return bandwidth.empty() ? 0 : bandwidth.back().second;
  }
  /// The least milliseconds in which the machine does so much work on so much
  /// data; 0 when nothing was measured.
  double bound_ms(double flops, double bytes, bool is_bf16) const;
};

/// Measures with the work pool's threads and at most the profile's features.
MachinePeaks measure_peaks(const TargetProfile &profile);

} // namespace xlac::cli
