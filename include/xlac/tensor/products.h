// Matrix multiplication on graph values.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// Operands of a matrix multiplication on one device, of one dtype.
struct Factors {
  Value a, b;
  Device device;
  Dtype dtype;
};
/// Throws DtypeError unless the dtypes are equal.
Factors factors_of(const Tensor &a, const Tensor &b);

/// Throws ShapeError: "mat1 and mat2 shapes cannot be multiplied (2x3 and
/// 4x5)".
[[noreturn]] void reject_product(const Shape &a, const Shape &b);
/// Returns the shape to which the dimensions before the last two broadcast.
Shape broadcast_batches(const Shape &a, const Shape &b);
/// Broadcasts the leading dimensions of `value` to `batch`.
Value broadcast_batch(Value value, const Shape &batch);
/// torch.matmul by PyTorch's rules for 1 to n dimensions.
Value matmul_value(const Value &a, const Value &b);
/// Swaps the last two dimensions.
Value swap_last(const Value &value);

} // namespace xlac::frontend
