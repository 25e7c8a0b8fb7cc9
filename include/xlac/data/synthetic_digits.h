// A synthetic data set of handwritten-looking digits, for programs that do not
// have MNIST's files.
#pragma once

#include "xlac/types.h"

#include <cstdint>
#include <filesystem>

namespace xlac::data {

/// Options of write_synthetic_digits.
struct SyntheticDigitsOptions {
  int64_t train_size = 10000, test_size = 2000; ///< images of each set
  uint64_t seed = 0;     ///< another seed gives other images
  bool compress = false; ///< writes .gz files
};
/// Writes the four files that datasets::MNIST reads to `folder`, which is
/// created if missing. Digits consist of randomly perturbed strokes, rotated,
/// sheared and bent, on a noisy background with scratches. The same options
/// give the same bytes. Throws ValueError for negative sizes, and RuntimeError
/// for a file that cannot be written.
XLAC_API void write_synthetic_digits(const std::filesystem::path &folder,
                                     SyntheticDigitsOptions options = {});

} // namespace xlac::data
