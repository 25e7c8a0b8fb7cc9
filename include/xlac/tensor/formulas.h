// Formulas on graph values: operators that broadcast, numbers as constants of
// the value's type, and reductions that accumulate half-precision sums in f32.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

const Shape &sizes_of(const Value &value);
/// Returns the shape that both broadcast to. Callers check before that they do.
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

/// Returns a value like `value` whose elements are all `number`.
Value fill_like(const Value &value, const Scalar &number);
/// Returns the smallest number of the type: -inf, or the least integer.
Scalar lowest(ElementType type);

Value exp_of(const Value &value);
Value log_of(const Value &value);
Value sqrt_of(const Value &value);
Value rsqrt_of(const Value &value);
Value tanh_of(const Value &value);
Value logistic_of(const Value &value);
/// value| with derivative 0 at 0.
Value abs_of(const Value &value);
/// max(value, 0) with derivative 0 at 0.
Value relu_of(const Value &value);
/// log(1 + exp(value)) without overflow.
Value softplus_of(const Value &value);
/// Returns `value`; no gradient flows through the result.
Value held(const Value &value);
/// Returns `value`; its gradient is multiplied by `slope`. `slope` gets no
/// gradient from `value`, only from gradients of that gradient (second order).
Value with_slope(const Value &value, const Value &slope);

/// Returns i1 values; both operands broadcast.
Value compared(ops::ComparisonDirection direction, const Value &a,
               const Value &b);
Value compared(ops::ComparisonDirection direction, const Value &a,
               const Scalar &b);
/// Selects element by element; all three operands broadcast.
Value chosen(const Value &predicate, const Value &on_true,
             const Value &on_false);

/// Returns the value as f32 when it is f16 or bf16, else unchanged.
Value widened(const Value &value);

/// Reductions over `dims`, counted from the front.
Value sum_of(const Value &value, const Shape &dims, bool keepdim = false);
Value mean_of(const Value &value, const Shape &dims, bool keepdim = false);
Value max_of(const Value &value, const Shape &dims, bool keepdim = false);
/// Sum over all dims.
Value sum_of(const Value &value);

/// Softmax, exp(value - max) / sum, along `dim`, and its logarithm.
Value softmax_of(const Value &value, int64_t dim);
Value log_softmax_of(const Value &value, int64_t dim);

/// Multiplies lhs [..., m, k] by rhs [..., k, n] with equal leading sizes. The
/// rhs is [..., n, k] if `transposed`.
Value batched_matmul(const Value &lhs, const Value &rhs,
                     bool transposed = false);
/// Multiplies value [..., in] by the transpose of weight [out, in].
Value linear_of(const Value &value, const Value &weight);

/// Elements [start, limit) of dimension `dim`, every `step`-th.
Value sliced(const Value &value, int64_t dim, int64_t start, int64_t limit,
             int64_t step = 1);
/// Transposes dims `a` and `b`.
Value swapped(const Value &value, int64_t a, int64_t b);
/// Returns the numbers as a constant of rank 1.
Value constant_list(const std::vector<double> &numbers, ElementType type);
/// Returns the row-major index of each element of `sizes`, int64.
Value numbered(const Shape &sizes);

/// The device and dtypes of a function's computation. Half floats are computed
/// in f32 (`wide`) and rounded once to the result's `dtype`.
struct Setting {
  Device device;
  Dtype wide, dtype;

  /// Returns the tensor on the device, in the dtype of the computation.
  Value of(const Tensor &tensor) const;
  /// Returns a number as an argument of the program, so that it may change
  /// without a recompilation.
  Value number(double number) const;
  Tensor finish(const Value &value) const;
};
/// Returns the setting for the promoted dtype of the tensors; undefined ones
/// are skipped. Throws DtypeError unless that dtype is floating.
Setting setting_of(std::initializer_list<const Tensor *> tensors);

/// Reshapes `value` [n] to rank `rank` with n at dimension `dim` and sizes 1
/// elsewhere.
Value along(const Value &value, int64_t dim, size_t rank);

int64_t count_of(const Shape &sizes);
/// Expands a list of one or n entries to n. Throws ValueError naming `what` for
/// another length.
Shape size_per_dim(IntArrayRef given, size_t n, const char *what);
/// The same of the sizes, strides, dilations or paddings of a window:
/// ShapeError for one beyond 2^31. Products of two of them do not overflow.
Shape window_per_dim(IntArrayRef given, size_t n, const char *what);

/// Throws DtypeError unless the tensor's dtype is floating.
void require_floating(const Tensor &tensor);
/// Throws DtypeError unless both dtypes are equal, as PyTorch requires of
/// weights.
void require_same_dtype(const Tensor &a, const Tensor &b);

} // namespace xlac::frontend
