// Shared code of functions that create tensors.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// Throws ShapeError for negative sizes and for too many elements.
Shape checked_sizes(IntArrayRef given);
/// Returns `tensor`, a new one, and makes it a leaf that requires grad if the
/// options ask for it. Throws DtypeError when its dtype has no gradients.
Tensor made(Tensor tensor, const TensorOptions &options);
/// Returns `options` with unset ones taken from `like`.
TensorOptions filled_in(TensorOptions options, const Tensor &like);

} // namespace xlac::frontend
