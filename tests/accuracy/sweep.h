// Runs compiled functions over very many operands, on several threads, and
// keeps the largest error.
#pragma once

#include "samples.h"

#include <string>

namespace xlac::accuracy {

struct Measurement {
  std::string problem; ///< empty, or why the function was not compiled
  uint64_t count = 0;  ///< operands, or pairs of them
  /// The largest error in ULP; infinite where a sign, NaN or infinity is wrong.
  double ulps = 0;
  double x = 0, y = 0, got = 0, want = 0; ///< where it was found
};

/// On `threads` threads; 0 for one a core.
Measurement sweep(const Function &function, Type type, Density density,
                  unsigned threads = 0);

} // namespace xlac::accuracy
