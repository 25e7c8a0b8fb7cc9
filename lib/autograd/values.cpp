#include "values.h"

#include "xlac/lazy/dtypes.h"

#include <algorithm>
#include <numeric>

namespace xlac::autograd {

bool is_differentiable(const Type &type) {
  return type.is_tensor() &&
         (is_float(type.tensor().element) || is_complex(type.tensor().element));
}

Value number_like(const Value &value, const Scalar &number) {
  return build::constant(element_of(value), dims_of(value), number);
}

Value unary(OpKind op, const Value &a) { return build::unary(op, a); }
Value binary(OpKind op, const Value &a, const Value &b) {
  return build::binary(op, a, b);
}
Value add(const Value &a, const Value &b) { return binary(OpKind::Add, a, b); }
Value sub(const Value &a, const Value &b) {
  return binary(OpKind::Subtract, a, b);
}
Value mul(const Value &a, const Value &b) {
  return binary(OpKind::Multiply, a, b);
}
Value div(const Value &a, const Value &b) {
  return binary(OpKind::Divide, a, b);
}
Value add(const Value &a, double b) { return add(a, number_like(a, b)); }
Value sub(double a, const Value &b) { return sub(number_like(b, a), b); }
Value mul(const Value &a, double b) { return mul(a, number_like(a, b)); }
Value div(double a, const Value &b) { return div(number_like(b, a), b); }
Value neg(const Value &a) { return unary(OpKind::Negate, a); }

Value conj(const Value &a) {
  if (!is_complex(element_of(a)))
    return a;
  return unary(OpKind::ChloConj, a);
}

Value compare(ops::ComparisonDirection direction, const Value &a,
              const Value &b) {
  return build::compare(direction, a, b);
}

Value where(const Value &predicate, const Value &value) {
  return build::select(predicate, value, number_like(value, 0));
}

Value sum(const Value &value, const Shape &dims) {
  if (dims.empty())
    return value;
  return build::reduce(OpKind::Add, value,
                       build::constant(element_of(value), {}, 0), dims);
}

Value broadcast_along(const Value &value, const Shape &to, const Shape &dims) {
  Shape mapping;
  for (int64_t i = 0; i < static_cast<int64_t>(to.size()); ++i)
    if (std::find(dims.begin(), dims.end(), i) == dims.end())
      mapping.push_back(i);
  return build::broadcast_in_dim(value, to, mapping);
}

Shape all_dims(const Value &value) {
  Shape dims(dims_of(value).size());
  std::iota(dims.begin(), dims.end(), 0);
  return dims;
}

} // namespace xlac::autograd
