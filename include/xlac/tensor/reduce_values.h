// What reductions and scans are made of, on graph values.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// Dims counted from the front, ascending; all of them for an empty list.
/// IndexError or ValueError for wrong or repeated ones.
Shape resolve_dims(const Shape &sizes, IntArrayRef given);
/// IndexError when one of `dims` has size 0: there is nothing to choose from.
void refuse_empty(const Shape &sizes, const Shape &dims);
/// DtypeError: complex numbers have no order.
void refuse_complex(const TensorImpl &impl);
/// DtypeError unless the dtype is a floating one (or complex, where allowed).
void expect_floating(Dtype dtype, bool complex_too = false);

/// `reduced` with `dims` of `sizes` put back with size 1.
Value keep_dims(Value reduced, const Shape &sizes, const Shape &dims);
/// `reduced`, which lacks `dims`, in each element of `sizes` along them.
Value spread(Value reduced, const Shape &sizes, const Shape &dims);
/// The same, of one dim.
Value spread(Value reduced, const Shape &sizes, int64_t dim);
/// Number of elements along `dims`.
int64_t count_along(const Shape &sizes, const Shape &dims);

/// In what sums of the type are carried: f32 for half floats.
ElementType wide_type(ElementType type);
/// Converted to wide_type.
Value widen(const Value &value);

/// `number` in each element of `like`'s shape, of its type; a constant.
Value constant_like(const Value &like, const Scalar &number);
/// Converted; real numbers get an imaginary part of 0 where the type has one.
Value to_type(const Value &value, ElementType type);
/// True where an element is NaN.
Value is_nan(const Value &value);
/// The square root, whose derivative at 0 is 0.
Value safe_sqrt(const Value &value);
/// |x|²: real for complex numbers too.
Value squared_magnitude(const Value &value);

/// Sums in the type itself: widen before.
Value sum_value(Value value, const Shape &dims);
Value prod_value(Value value, const Shape &dims);
/// Sum divided by count.
Value mean_value(Value value, const Shape &dims);
/// NaN wins.
Value max_value(Value value, const Shape &dims);
Value min_value(Value value, const Shape &dims);
/// Of truth values.
Value all_value(Value value, const Shape &dims);
Value any_value(Value value, const Shape &dims);

/// The dtype of float results: the default one for whole numbers.
Dtype floating_dtype(Dtype dtype);
/// The dtype of magnitudes: the real one of a complex dtype.
Dtype real_dtype(Dtype dtype);

/// A reduction in three steps: what it reduces, where, and what it gives.
struct Reduction {
  Shape sizes, dims;
  Device device;
  Value value; ///< of the whole operand
};
/// The operand in `dtype`, widened, and the dims.
Reduction prepare(const Tensor &self, IntArrayRef dims, Dtype dtype);
/// Converts `reduced` to `dtype` and puts dims back if asked to.
Tensor conclude(const Reduction &reduction, Value reduced, bool keepdim,
                Dtype dtype);

/// Part [start, end) along `dim`.
Value part_of(const Value &value, int64_t dim, int64_t start, int64_t end);
/// What stands `step` places before each element; `filler` before the first.
Value shifted(const Value &value, int64_t dim, int64_t step,
              const Value &filler);

} // namespace xlac::frontend
