// The operands and results of custom calls, as the functions see them.
#pragma once

#include "xlac/runtime/collective.h"

#include <span>
#include <vector>

namespace xlac::runtime {

/// The tensors of `types` with the call's memory layouts, of which that of the
/// first tensor has the number `first`, and `buffers` as their data.
std::vector<CustomCallTensor> call_tensors(const std::vector<TensorType> &types,
                                           const HostFunction &function,
                                           size_t first,
                                           std::span<void *const> buffers);

} // namespace xlac::runtime
