// Norms of graph values and tensors.
#pragma once

#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// base to the power `exponent`, which is a constant of the program when it is
/// a small integer, else an argument.
Value power_value(const Value &base, double exponent, Device device);
/// The p-norm along `dims` of a value of a wide type. The derivative is 0 where
/// all elements are 0.
Value norm_value(const Value &value, double p, const Shape &dims,
                 Device device);
/// The p-norm of a tensor converted to `dtype`.
Tensor norm_of(const Tensor &self, double p, IntArrayRef dims, bool keepdim,
               Dtype dtype);

} // namespace xlac::frontend
