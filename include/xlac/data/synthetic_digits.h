// A set of handwritten-looking digits that a program can make for itself where
// MNIST's files are not at hand.
#pragma once

#include "xlac/types.h"

#include <cstdint>
#include <filesystem>

namespace xlac::data {

struct SyntheticDigitsOptions {
  int64_t train_size = 10000, test_size = 2000;
  uint64_t seed = 0;
  bool compress = false; ///< as .gz
};
/// Writes the four files that datasets::MNIST reads into `folder`, which is
/// made if need be. Each digit is drawn by strokes that wander, turned, sheared
/// and bent, on a noisy ground with scratches; the same options give the same
/// bytes. ValueError for negative sizes, RuntimeError for a file that cannot be
/// written.
XLAC_API void write_synthetic_digits(const std::filesystem::path &folder,
                                     SyntheticDigitsOptions options = {});

} // namespace xlac::data
