// Construction of the steps of view functions.
#pragma once

#include "xlac/lazy/view_step.h"
#include "xlac/tensor/formulas.h"

#include <optional>

namespace xlac::frontend {

using lazy::ViewStep;

int64_t rank_of(const TensorImpl &impl);

/// Returns the sizes with a -1 replaced by the inferred size. Throws ShapeError
/// unless they hold the tensor's elements.
Shape resolve_sizes(const TensorImpl &impl, IntArrayRef given);

/// Makes a step of `kind` from the tensor's sizes to `after`.
ViewStep step_of(ViewStep::Kind kind, const TensorImpl &impl, Shape after);

/// Makes a view with `sizes` over the same elements in order; `strides` apply
/// to cpu memory.
Tensor reshape_view(const Tensor &self, Shape sizes, Shape strides);
/// Makes a view of all elements, unchanged.
Tensor alias(const Tensor &self);
/// Makes a view with `sizes`, which hold the same number of elements. Returns
/// nothing where the strides in cpu memory do not allow it.
std::optional<Tensor> try_view(const Tensor &self, Shape sizes);
/// Makes a view of elements [start, stop) of `dim`, every `by`-th.
Tensor slice_view(const Tensor &self, int64_t dim, int64_t start, int64_t stop,
                  int64_t by);
Tensor permuted(const Tensor &self, const Shape &order);

/// Returns `dims` counted from the front. Throws IndexError for one out of
/// range and ValueError for a repeated one.
Shape wrap_dims(IntArrayRef dims, int64_t rank);

} // namespace xlac::frontend
