// Runs compiled functions over large numbers of operands on several threads,
// and records the largest error.
#pragma once

#include "samples.h"

#include <string>

namespace xlac::accuracy {

struct Measurement {
  /// empty, or the reason why the function was not compiled
  std::string problem;
  uint64_t count = 0; ///< operands, or pairs of them
  /// The largest error in ULP; infinite for a wrong sign, NaN or infinity.
  double ulps = 0;
  double x = 0, y = 0, got = 0, want = 0; ///< where the largest error occurs
};

/// Uses `threads` threads; 0 means one per core.
Measurement sweep(const Function &function, Type type, Density density,
                  unsigned threads = 0);

} // namespace xlac::accuracy
