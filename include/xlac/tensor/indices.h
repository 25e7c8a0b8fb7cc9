// What functions share that take index tensors. On xla, gathers hold indices
// within bounds and scatters skip those outside; on the cpu they throw.
#pragma once

#include "xlac/tensor/views.h"

#include "xlac/host/strided.h"

namespace xlac::frontend {

/// Which negative indices are fine.
enum class Negative { CountFromEnd, Refuse };

/// The indices as i64 on `device`, negative ones counted from the end of `size`
/// elements. IndexError unless they are int32 or int64 or, on the cpu, where
/// one is out of bounds of dimension `dim`.
Value index_value(const Tensor &index, Device device, int64_t size, int64_t dim,
                  Negative negative);

/// Index tensors of gather and scatter, which have a place for each of their
/// own elements: `index` picks along `dim`, other dimensions stand still. The
/// index may be smaller there than the tensor.
struct AlongDim {
  /// ShapeError unless the ranks agree and the index fits.
  AlongDim(const Tensor &self, int64_t dim, const Tensor &index, Device device);

  /// Of the part of `self` that has the index' sizes but for `dim`.
  Value take(Value part) const;
  /// `part` with the updates folded in, or overwritten by them.
  Value put(std::optional<OpKind> fold, Value part, Value updates) const;

  Tensor self;                  ///< of rank 1 at least
  Shape sizes;                  ///< of the index, of rank 1 at least
  Shape starts, covered, steps; ///< where `self` has that part

private:
  int64_t dim_;
  Value indices_;
};

/// No elements, of sizes that hold none: a function of `operand` all the same,
/// whose gradient is zeros.
Value nothing_of(const Value &operand, const Shape &sizes);

/// Positions of the elements that are not 0, one row each: [count, rank]. Runs
/// what the values need.
Tensor nonzero_positions(const Tensor &self);

} // namespace xlac::frontend
