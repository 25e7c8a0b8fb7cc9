// Formulas on graph values: operators that broadcast, numbers as constants of
// the value's type, reductions that carry half-precision sums in f32.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// The sizes of the value's tensor.
const Shape &sizes_of(const Value &value);
/// The shape that both broadcast to; callers have checked that there is one.
Shape joint_shape(const Shape &a, const Shape &b);

Value operator+(const Value &a, const Value &b);
Value operator-(const Value &a, const Value &b);
Value operator*(const Value &a, const Value &b);
Value operator/(const Value &a, const Value &b);
Value operator+(const Value &a, double b);
Value operator-(const Value &a, double b);
Value operator*(const Value &a, double b);
Value operator/(const Value &a, double b);
Value operator-(double a, const Value &b);
Value operator-(const Value &a);

/// `number` in every element of a value like `value`.
Value fill_like(const Value &value, const Scalar &number);
/// Smallest number of the type: -inf, or the least integer.
Scalar lowest(ElementType type);

Value exp_of(const Value &value);
Value log_of(const Value &value);
Value sqrt_of(const Value &value);
Value rsqrt_of(const Value &value);
Value tanh_of(const Value &value);
Value logistic_of(const Value &value);
/// Derivative 0 at 0.
Value abs_of(const Value &value);
/// max(value, 0) with derivative 0 at 0.
Value relu_of(const Value &value);
/// log(1 + exp(value)) without overflow.
Value softplus_of(const Value &value);
/// `value`, through which no gradient flows.
Value held(const Value &value);
/// `value`, whose gradient is scaled by `slope`. None reaches the slope, except
/// those of that gradient.
Value with_slope(const Value &value, const Value &slope);

/// i1 values; both broadcast.
Value compared(ops::ComparisonDirection direction, const Value &a,
               const Value &b);
Value compared(ops::ComparisonDirection direction, const Value &a,
               const Scalar &b);
/// All three broadcast.
Value chosen(const Value &predicate, const Value &on_true,
             const Value &on_false);

/// The value as f32 when it is f16 or bf16, else as it is.
Value widened(const Value &value);

/// Reductions over `dims`, counted from the front.
Value sum_of(const Value &value, const Shape &dims, bool keepdim = false);
Value mean_of(const Value &value, const Shape &dims, bool keepdim = false);
Value max_of(const Value &value, const Shape &dims, bool keepdim = false);
/// Of all dims.
Value sum_of(const Value &value);

/// exp(value - max) / sum along `dim`, and its logarithm.
Value softmax_of(const Value &value, int64_t dim);
Value log_softmax_of(const Value &value, int64_t dim);

/// lhs [..., m, k] times rhs [..., k, n] with equal leading sizes; the rhs
/// [..., n, k] if `transposed`.
Value batched_matmul(const Value &lhs, const Value &rhs,
                     bool transposed = false);
/// value [..., in] times weight [out, in], transposed.
Value linear_of(const Value &value, const Value &weight);

/// Elements [start, limit) of one dimension.
Value sliced(const Value &value, int64_t dim, int64_t start, int64_t limit,
             int64_t step = 1);
/// The dims in another order, by way of sizes alone.
Value swapped(const Value &value, int64_t a, int64_t b);
/// These numbers as a constant of rank 1.
Value constant_list(const std::vector<double> &numbers, ElementType type);
/// Row-major numbers of the elements of `sizes`, int64.
Value numbered(const Shape &sizes);

/// Where a function computes, in which dtype, and the dtype of its result: half
/// floats are carried in f32 and rounded once.
struct Setting {
  Device device;
  Dtype wide, dtype;

  /// The tensor there, in the dtype that the function computes in.
  Value of(const Tensor &tensor) const;
  /// A number that may change without a new program.
  Value number(double number) const;
  Tensor finish(const Value &value) const;
};
/// Promotes the tensors, undefined ones left out; DtypeError unless that gives
/// a floating dtype.
Setting setting_of(std::initializer_list<const Tensor *> tensors);

/// `value` [n] along dimension `dim` of a tensor with `rank` dimensions: the
/// other sizes are 1.
Value along(const Value &value, int64_t dim, size_t rank);

/// Product of the sizes.
int64_t count_of(const Shape &sizes);
/// `n` entries from a list of one or n; ValueError naming `what` else.
Shape spread(IntArrayRef given, size_t n, const char *what);

/// DtypeError unless the tensor's dtype is floating.
void require_floating(const Tensor &tensor);
/// DtypeError unless both dtypes are equal, as PyTorch asks of weights.
void require_same_dtype(const Tensor &a, const Tensor &b);

} // namespace xlac::frontend
