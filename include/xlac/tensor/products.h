// Matrix products on graph values, for products and what is built on them.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// Operands of a product on one device, of one dtype.
struct Factors {
  Value a, b;
  Device device;
  Dtype dtype;
};
/// DtypeError unless the dtypes are equal.
Factors factors_of(const Tensor &a, const Tensor &b);

/// ShapeError: "mat1 and mat2 shapes cannot be multiplied (2x3 and 4x5)".
[[noreturn]] void refuse_product(const Shape &a, const Shape &b);
/// The shape that the dimensions before the last two broadcast to.
Shape broadcast_batches(const Shape &a, const Shape &b);
/// `value` repeated over such a shape.
Value broadcast_batch(Value value, const Shape &batch);
/// PyTorch's rules for 1 to n dimensions.
Value matmul_value(const Value &a, const Value &b);
/// The last two dimensions swapped.
Value swap_last(const Value &value);

} // namespace xlac::frontend
