// Random values of a program, sampled from a device's generator. f64 is sampled
// and computed in f64, every other dtype in f32, in the bf16 modes too. A
// function that computes with sampled values holds a FullPrecisionScope; the
// values are rounded to the device's type at the end.
#pragma once

#include "xlac/tensor/factories.h"

namespace xlac::frontend {

/// Returns the type in which numbers of `dtype` are computed: F64 or F32.
ElementType draw_type(Dtype dtype);

/// Returns random bits of an unsigned type.
Value draw_bits(Device device, ElementType type, const Shape &sizes);
/// Uniform on [0, 1): multiples of 2^-24 for F32 and of 2^-53 for F64.
Value draw_fine_uniform(Device device, ElementType type, const Shape &sizes);
/// Uniform on [0, 1) with only as many random bits as the significand of the
/// device's type for `dtype` has: 11 for f16 and 8 for bf16. So rounding never
/// gives 1.
Value draw_uniform(Device device, Dtype dtype, const Shape &sizes);
/// Uniform on [from, to) over the numbers of the device's type for `dtype`;
/// `from` if both bounds round to the same number.
Value draw_between(Device device, Dtype dtype, const Shape &sizes, double from,
                   double to);
/// Uniform on (0, 1), symmetric around 1/2.
Value draw_open_uniform(Device device, Dtype dtype, const Shape &sizes);
/// Converts random bits to the values of draw_open_uniform. The bits are UI64
/// for F64 and UI32 for F32.
Value open_uniform_of(Value bits, ElementType type);
/// Standard normal.
Value draw_normal(Device device, Dtype dtype, const Shape &sizes);
/// Exponential with rate 1; never 0.
Value draw_exponential(Device device, Dtype dtype, const Shape &sizes);

/// Returns the number in type F32 or F64, which keeps all its bits in the bf16
/// modes.
Value exact_number(double number, ElementType type, Device device);
/// Returns op(value, number) in the type of `value`.
Value with_number(OpKind op, Value value, const Scalar &number, Device device);

/// Makes a tensor of `value` converted to `dtype`.
Tensor finish_drawn(Value value, Device device, Dtype dtype);
/// Writes `value`, converted, to `self`.
Tensor &overwrite_drawn(Tensor &self, Value value);

} // namespace xlac::frontend
