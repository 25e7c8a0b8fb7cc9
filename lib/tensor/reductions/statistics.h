// Norms, for the functions that measure distances and matrices with them.
#pragma once

#include "xlac/tensor/reduce_values.h"

namespace xlac::frontend {

/// base to the power `exponent`: part of the program when it is a small whole
/// number, else an argument.
Value power_value(const Value &base, double exponent, Device device);
/// The p-norm along `dims` of a value of wide type; its derivative is 0 where
/// all elements are.
Value norm_value(const Value &value, double p, const Shape &dims,
                 Device device);
/// The p-norm of a tensor converted to `dtype`.
Tensor norm_of(const Tensor &self, double p, IntArrayRef dims, bool keepdim,
               Dtype dtype);

} // namespace xlac::frontend
