// Shared code of functions that take index tensors. On xla devices gathers
// clamp indices to the bounds and scatters skip indices that are out of bounds.
// On the cpu both throw.
#pragma once

#include "xlac/tensor/views.h"

#include "xlac/host/strided.h"

namespace xlac::frontend {

/// Whether negative indices count from the end or are rejected.
enum class Negative { CountFromEnd, Refuse };

/// Returns the indices as i64 on `device`. With CountFromEnd negative ones have
/// `size` added. Throws IndexError unless the dtype is int32 or int64, and on
/// the cpu for an index out of bounds of dimension `dim`.
Value index_value(const Tensor &index, Device device, int64_t size, int64_t dim,
                  Negative negative);

/// The index tensor of gather and scatter along one dimension. Each index
/// element addresses one element of `self`: the index replaces the coordinate
/// along `dim`, and the other coordinates are the same. In those dimensions the
/// index may be smaller than the tensor.
struct AlongDim {
  /// Throws ShapeError unless the ranks agree and the index fits. Throws
  /// IndexError for indices into a dimension of size 0.
  AlongDim(const Tensor &self, int64_t dim, const Tensor &index, Device device);

  /// Gathers from `part`, the slice of `self` that the index covers: it has the
  /// index' sizes except along `dim`.
  Value take(Value part) const;
  /// Scatters `updates` into `part`, combined with `fold` if given; else they
  /// overwrite.
  Value put(std::optional<OpKind> fold, Value part, Value updates) const;

  Tensor self;                  ///< of rank 1 at least
  Shape sizes;                  ///< of the index, of rank 1 at least
  Shape starts, covered, steps; ///< the slice of `self`

private:
  int64_t dim_;
  Value indices_;
};

/// Returns an empty value of `sizes`, which hold no elements. It depends on
/// `operand`, so that the gradient of `operand` is zeros.
Value nothing_of(const Value &operand, const Shape &sizes);

/// Returns the positions of the nonzero elements, one row each: [count, rank].
/// Runs the pending graph.
Tensor nonzero_positions(const Tensor &self);

} // namespace xlac::frontend
