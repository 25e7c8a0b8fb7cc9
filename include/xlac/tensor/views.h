// How view functions make their steps.
#pragma once

#include "xlac/lazy/view_step.h"
#include "xlac/tensor/formulas.h"

#include <optional>

namespace xlac::frontend {

using lazy::ViewStep;

int64_t rank_of(const TensorImpl &impl);

/// Sizes with a -1 worked out; ShapeError unless they hold the tensor's
/// elements.
Shape resolve_sizes(const TensorImpl &impl, IntArrayRef given);

/// A step of `kind` from the tensor to sizes `after`.
ViewStep step_of(ViewStep::Kind kind, const TensorImpl &impl, Shape after);

/// The same elements in order under `sizes`, with these strides in cpu memory.
Tensor reshape_view(const Tensor &self, Shape sizes, Shape strides);
/// A view of the whole tensor.
Tensor alias(const Tensor &self);
/// A view under `sizes`, which hold as many elements; nothing where strides in
/// cpu memory do not allow it.
std::optional<Tensor> try_view(const Tensor &self, Shape sizes);
/// Elements [start, stop) of `dim`, every `by`-th.
Tensor slice_view(const Tensor &self, int64_t dim, int64_t start, int64_t stop,
                  int64_t by);
Tensor permuted(const Tensor &self, const Shape &order);

/// Every `dims` counted from the front; IndexError when out of range,
/// ValueError for one that is there twice.
Shape wrap_dims(IntArrayRef dims, int64_t rank);

} // namespace xlac::frontend
