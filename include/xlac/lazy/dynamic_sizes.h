// Dimensions of stored tensors whose sizes differ between runs. They let the
// compiler generate code for any size before a program runs with a second size.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

namespace xlac::lazy {

struct DynamicDimension {
  int64_t dimension;
  /// Sizes other than the present one, the most likely first.
  std::vector<int64_t> other_sizes;
};
/// In ascending order of dimensions; null for none.
using DynamicDimensions = std::shared_ptr<const std::vector<DynamicDimension>>;

/// Adds `added` to `known`, in place of the entry of the same dimension.
DynamicDimensions with_dimension(const DynamicDimensions &known,
                                 DynamicDimension added);

} // namespace xlac::lazy
