// Arithmetic on graph values, as rules write it: operands have one type, a
// number stands for a constant of the other operand's type.
#pragma once

#include "xlac/lazy/build.h"

#include <span>
#include <vector>

namespace xlac::autograd {

using graph::Value;
using ops::OpKind;

/// True for tensors of floating and complex elements.
bool is_differentiable(const Type &type);

inline const Shape &dims_of(const Value &value) { return value.tensor().dims; }
inline ElementType element_of(const Value &value) {
  return value.tensor().element;
}
/// Elements; sizes are known here.
inline int64_t count_of(const Value &value) {
  return *value.tensor().element_count();
}
inline int64_t rank_of(const Value &value) {
  return static_cast<int64_t>(dims_of(value).size());
}

/// `number` in every element, of the value's type.
Value number_like(const Value &value, const Scalar &number);

Value add(const Value &a, const Value &b);
Value sub(const Value &a, const Value &b);
Value mul(const Value &a, const Value &b);
Value div(const Value &a, const Value &b);
Value add(const Value &a, double b);
Value sub(double a, const Value &b);
Value mul(const Value &a, double b);
Value div(double a, const Value &b);
Value neg(const Value &a);
/// Complex conjugate; real values as they are.
Value conj(const Value &a);
Value unary(OpKind op, const Value &a);
Value binary(OpKind op, const Value &a, const Value &b);
Value compare(ops::ComparisonDirection direction, const Value &a,
              const Value &b);
/// `value` where `predicate`, else 0.
Value where(const Value &predicate, const Value &value);

/// The sum over `dims`, which fall away.
Value sum(const Value &value, const Shape &dims);
/// `value` without dims spread over a shape that has them at `dims`.
Value spread(const Value &value, const Shape &to, const Shape &dims);
/// 0 … rank - 1.
Shape all_dims(const Value &value);

} // namespace xlac::autograd
