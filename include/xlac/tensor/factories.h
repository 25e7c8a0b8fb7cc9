// What functions that make tensors from nothing share.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// ShapeError for negative sizes and for more elements than there can be.
Shape checked_sizes(IntArrayRef given);
/// `tensor`, which is a new one, as a leaf that requires grad if the options
/// ask for it; DtypeError when its dtype has no gradients.
Tensor made(Tensor tensor, const TensorOptions &options);
/// `options` with what they leave open taken from `like`.
TensorOptions filled_in(TensorOptions options, const Tensor &like);

} // namespace xlac::frontend
