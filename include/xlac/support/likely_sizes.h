// Guesses of the sizes that a dimension has in later runs.
#pragma once

#include <cstdint>
#include <vector>

namespace xlac {

/// Larger sizes are no guesses, because products of sizes would overflow.
inline constexpr int64_t kMostLikelySize = int64_t(1) << 31;

/// Sizes that a dimension of `size` elements may have later. The first is
/// rarely a multiple of `size`, so that most numbers that are computed from
/// both differ. If `size` is a multiple of `divisor`, so are they. Empty for a
/// size or a divisor of kMostLikelySize and more.
inline std::vector<int64_t> likely_sizes(int64_t size, int64_t divisor = 1) {
  if (size >= kMostLikelySize || divisor >= kMostLikelySize)
    return {};
  return {2 * size + divisor, 3 * size};
}

} // namespace xlac
