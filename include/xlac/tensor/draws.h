// Random values in a program, drawn from a device's generator. f64 is drawn and
// computed as such, every other type as f32, in the bf16 modes too. A
// function that computes with drawn values holds an FullPrecisionScope; values
// are rounded to the device's type when they leave it.
#pragma once

#include "xlac/tensor/factories.h"

namespace xlac::frontend {

/// What numbers of `dtype` are computed in: f64 or f32.
ElementType draw_type(Dtype dtype);

/// Random bits of an unsigned type.
Value draw_bits(Device device, ElementType type, const Shape &sizes);
/// Multiples of 2^-24 in [0, 1), of 2^-53 in f64: of `type`, F32 or F64.
Value draw_fine_uniform(Device device, ElementType type, const Shape &sizes);
/// The same with as many random bits as a number has that the device holds for
/// `dtype`, 11 for f16 and 8 for bf16, so that rounding never gives 1.
Value draw_uniform(Device device, Dtype dtype, const Shape &sizes);
/// In [from, to) of the numbers that the device holds for `dtype`; `from` where
/// these are one.
Value draw_between(Device device, Dtype dtype, const Shape &sizes, double from,
                   double to);
/// In (0, 1), symmetric around 1/2.
Value draw_open_uniform(Device device, Dtype dtype, const Shape &sizes);
/// What that makes of random bits: of UI64 for f64, of UI32 for f32.
Value open_uniform_of(Value bits, ElementType type);
/// Standard normal.
Value draw_normal(Device device, Dtype dtype, const Shape &sizes);
/// Exponential with rate 1; never 0.
Value draw_exponential(Device device, Dtype dtype, const Shape &sizes);

/// The number in type F32 or F64, whose bits it keeps in the bf16 modes.
Value exact_number(double number, ElementType type, Device device);
/// op(value, number) in the type of `value`.
Value with_number(OpKind op, Value value, const Scalar &number, Device device);

/// A tensor of `value` converted to `dtype`.
Tensor finish_drawn(Value value, Device device, Dtype dtype);
/// Writes `value`, converted, into `self`.
Tensor &overwrite_drawn(Tensor &self, Value value);

} // namespace xlac::frontend
