// Views as steps from base to view, expressed as graph nodes. On the cpu views
// access memory through strides, and the nodes serve differentiation only.
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
    Expand,    ///< trailing dimensions align, size 1 is expanded
    Diagonal,  ///< of `dim` and `other_dim`; becomes the last dimension
    Windows,   ///< unfold: windows of `length` every `offset` along `dim`
    Strided,   ///< as_strided of the elements in order
    Bits,      ///< the same bytes in another dtype
    Real,      ///< real parts
    Imag,      ///< imaginary parts
    AsReal,    ///< view_as_real
    AsComplex, ///< view_as_complex
    Conj,      ///< complex conjugates
  };
  Kind kind = Kind::Reshape;
  Shape before, after;         ///< sizes
  Shape permutation;           ///< Permute
  Shape starts, limits, steps; ///< Slice
  Shape strides;               ///< Strided
  int64_t dim = 0, other_dim = 0, offset = 0, length = 0;
  /// The view's dtype if it differs from the base's.
  std::optional<Dtype> dtype;

  graph::Value apply(graph::Value base) const;
  /// `base` with the elements of the view replaced by `part`. UserError if the
  /// view contains an element several times.
  graph::Value replace(graph::Value base, graph::Value part) const;
};

/// `base` with the elements selected by `steps`, in sequence, replaced by
/// `part`. Only the last step may contain an element several times; see
/// view_write.h.
graph::Value replace_each(std::span<const ViewStep> steps, graph::Value base,
                          graph::Value part);

/// The step that moves the dimensions `rows` and `columns` of a tensor of these
/// sizes to the end.
ViewStep transposed_last(const Shape &sizes, int64_t rows, int64_t columns);

/// Number of elements of a tensor with these dimensions.
int64_t count_of(const Shape &dims);

/// Throws the UserError for a write to a tensor that contains one element
/// several times.
[[noreturn]] void raise_overlapping_write();

} // namespace xlac::lazy
