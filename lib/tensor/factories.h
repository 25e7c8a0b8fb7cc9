// What functions that make tensors from nothing share.
#pragma once

#include "access.h"

namespace xlac::front {

/// ShapeError for negative sizes and for more elements than there can be.
Shape checked_sizes(IntArrayRef given);
void refuse_grad(const TensorOptions &options);
/// `options` with what they leave open taken from `like`.
TensorOptions filled_in(TensorOptions options, const Tensor &like);

} // namespace xlac::front
