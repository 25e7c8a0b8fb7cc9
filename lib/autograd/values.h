// Arithmetic on graph values for rules. Operands have one type; a number is a
// constant of the other operand's type.
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
/// Returns the number of elements; the shape must be static.
inline int64_t count_of(const Value &value) {
  return *value.tensor().element_count();
}
inline int64_t rank_of(const Value &value) {
  return static_cast<int64_t>(dims_of(value).size());
}

/// Returns a value like `value` whose elements are all `number`.
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
/// The complex conjugate; real values are unchanged.
Value conj(const Value &a);
Value unary(OpKind op, const Value &a);
Value binary(OpKind op, const Value &a, const Value &b);
Value compare(ops::ComparisonDirection direction, const Value &a,
              const Value &b);
/// Returns `value` where `predicate` is true, else 0.
Value where(const Value &predicate, const Value &value);

/// Sums over `dims` and removes them.
Value sum(const Value &value, const Shape &dims);
/// Broadcasts `value`, which lacks `dims`, to the shape `to`.
Value broadcast_along(const Value &value, const Shape &to, const Shape &dims);
/// Returns 0 … rank - 1.
Shape all_dims(const Value &value);

} // namespace xlac::autograd
