// Initial values of parameters.
#pragma once

#include "xlac/nn/init.h"
#include "xlac/ops.h"

#include <cmath>

namespace xlac::nn {

/// Uniform in ±1/√fan_in, the initialization of most of PyTorch's layers.
inline Tensor uniform_start(IntArrayRef sizes, int64_t fan_in) {
  double bound = fan_in > 0 ? 1 / std::sqrt(static_cast<double>(fan_in)) : 0;
  return init::uniform_(empty(sizes), -bound, bound);
}

} // namespace xlac::nn
