// The layout of optimizers' state under SPMD.
#pragma once

#include "xlac/tensor.h"

namespace xlac::optim {

/// Requests the parameter's layout under SPMD, if it has one, for a tensor of
/// the same sizes and device; leaves other tensors as they are. Returns the
/// tensor.
Tensor laid_out_like(const Tensor &tensor, const Tensor &parameter);

} // namespace xlac::optim
