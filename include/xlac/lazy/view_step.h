// How a view sees its base, one step at a time, as graph nodes. On the cpu
// views read and write memory through strides; there the nodes serve
// differentiation alone.
#pragma once

#include "xlac/graph/node.h"
#include "xlac/types.h"

#include <optional>
#include <span>

namespace xlac::lazy {

/// One step from a base to a view of it.
struct ViewStep {
  enum class Kind : uint8_t {
    Same,      ///< detach, data
    Reshape,   ///< the elements in order
    Permute,   ///< dimension i is the base's permutation[i]
    Slice,     ///< starts, limits, strides of each dimension
    Expand,    ///< trailing dimensions meet, size 1 stretches
    Diagonal,  ///< of dims `dim` and `other_dim`, which become one at the end
    Windows,   ///< unfold: windows of `length` every `offset` along `dim`
    Strided,   ///< as_strided of the elements in order
    Bits,      ///< the same bytes under another dtype
    Real,      ///< real parts
    Imag,      ///< imaginary parts
    AsReal,    ///< view_as_real
    AsComplex, ///< view_as_complex
  };
  Kind kind = Kind::Reshape;
  Shape before, after;         ///< sizes
  Shape permutation;           ///< Permute
  Shape starts, limits, steps; ///< Slice
  Shape strides;               ///< Strided
  int64_t dim = 0, other_dim = 0, offset = 0, length = 0;
  /// The view's dtype where it is another than the base's.
  std::optional<Dtype> dtype;

  graph::Value apply(graph::Value base) const;
  /// `base` with the part that the step shows replaced by `part`. A part that
  /// shows one element in several places cannot be written: UserError.
  graph::Value replace(graph::Value base, graph::Value part) const;
};

/// `base` with what `steps`, one after the other, show replaced by `part`. None
/// but the last may show an element in several places; see view_write.h.
graph::Value replace_each(std::span<const ViewStep> steps, graph::Value base,
                          graph::Value part);

/// The step that makes the dimensions `rows` and `columns` of a tensor of these
/// sizes the last ones.
ViewStep turned_last(const Shape &sizes, int64_t rows, int64_t columns);

/// The number of elements of a tensor with these dimensions.
int64_t count_of(const Shape &dims);

/// UserError for a write to a tensor that shows one element several times.
[[noreturn]] void raise_overlapping_write();

} // namespace xlac::lazy
