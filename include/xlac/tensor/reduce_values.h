// Building blocks of reductions and scans on graph values.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// Returns `given` counted from the front, ascending; all dims for an empty
/// list. Throws IndexError for dims out of range and ValueError for repeated
/// ones.
Shape resolve_dims(const Shape &sizes, IntArrayRef given);
/// Throws IndexError when one of `dims` has size 0, since min, max and the like
/// have no identity.
void reject_empty(const Shape &sizes, const Shape &dims);
/// Throws DtypeError for complex numbers, which have no order.
void reject_complex(const TensorImpl &impl);
/// Throws DtypeError unless the dtype is floating (or complex, if
/// `complex_too`).
void expect_floating(Dtype dtype, bool complex_too = false);

/// Reinserts `dims` of `sizes` into `reduced` with size 1.
Value keep_dims(Value reduced, const Shape &sizes, const Shape &dims);
/// Broadcasts `reduced`, which lacks `dims`, to `sizes`.
Value broadcast_along(Value reduced, const Shape &sizes, const Shape &dims);
/// As above, for one dim.
Value broadcast_along(Value reduced, const Shape &sizes, int64_t dim);
/// Returns the number of elements along `dims`.
int64_t count_along(const Shape &sizes, const Shape &dims);

/// Returns the accumulation type of sums: f32 for half floats, else the type.
ElementType wide_type(ElementType type);
/// Converts to wide_type.
Value widen(const Value &value);

/// Returns a constant of `like`'s shape and type that holds `number`.
Value constant_like(const Value &like, const Scalar &number);
/// Converts. Real numbers get an imaginary part of 0 for a complex type.
Value to_type(const Value &value, ElementType type);
/// True where an element is NaN.
Value is_nan(const Value &value);
/// The square root with derivative 0 at 0.
Value safe_sqrt(const Value &value);
/// x|², which is real for complex x too.
Value squared_magnitude(const Value &value);

/// Sums in the type of `value`; callers widen it before.
Value sum_value(Value value, const Shape &dims);
Value prod_value(Value value, const Shape &dims);
Value mean_value(Value value, const Shape &dims);
/// Maximum; NaN propagates.
Value max_value(Value value, const Shape &dims);
Value min_value(Value value, const Shape &dims);
/// For i1 values.
Value all_value(Value value, const Shape &dims);
Value any_value(Value value, const Shape &dims);

/// Returns the dtype of floating-point results: the default dtype for integers.
Dtype floating_dtype(Dtype dtype);
/// Returns the dtype of magnitudes: the real dtype of a complex one.
Dtype real_dtype(Dtype dtype);

/// A prepared reduction: prepare() makes it, the caller reduces `value`, and
/// conclude() makes the result.
struct Reduction {
  Shape sizes, dims;
  Device device;
  Value value; ///< of the whole operand
};
/// Converts the operand to `dtype`, widens it, and resolves the dims.
Reduction prepare(const Tensor &self, IntArrayRef dims, Dtype dtype);
/// Converts `reduced` to `dtype` and reinserts the dims if `keepdim`.
Tensor conclude(const Reduction &reduction, Value reduced, bool keepdim,
                Dtype dtype);

/// Slices [start, end) along `dim`.
Value part_of(const Value &value, int64_t dim, int64_t start, int64_t end);
/// Shifts elements by `step` positions towards the end of `dim`; `filler` fills
/// the first ones.
Value shifted(const Value &value, int64_t dim, int64_t step,
              const Value &filler);

} // namespace xlac::frontend
