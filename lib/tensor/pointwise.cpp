// Pointwise functions and their in-place forms.
#include "xlac/tensor/access.h"

namespace xlac {

using namespace front;
using ops::ComparisonDirection;

namespace {

//===- Binary -------------------------------------------------------------===//

/// Two operands brought to one device, dtype and shape.
struct Pair {
  Value a, b;
  Device device;
  Dtype dtype;
};

Pair join(const Tensor &a, const Tensor &b) {
  Device device = common_device({&a, &b});
  lazy::ResultType type;
  type.add(impl_of(a).dtype, !impl_of(a).sizes.empty());
  type.add(impl_of(b).dtype, !impl_of(b).sizes.empty());
  Dtype dtype = type.get();
  Shape sizes = broadcast_shapes(a, b);
  return {build::broadcast_to(value_on(a, device, dtype), sizes),
          build::broadcast_to(value_on(b, device, dtype), sizes), device,
          dtype};
}

Pair join(const Tensor &a, const Scalar &b) {
  TensorImpl &impl = impl_of(a);
  lazy::ResultType type;
  type.add(impl.dtype, !impl.sizes.empty());
  type.add(b);
  Dtype dtype = type.get();
  Device device = impl.device();
  return {value_on(a, device, dtype),
          build::broadcast_to(number_value(b, dtype, device), impl.sizes),
          device, dtype};
}

Tensor finish(const Pair &pair, OpKind op) {
  return front::finish(build::binary(op, pair.a, pair.b), pair.device,
                       pair.dtype);
}

/// As PyTorch, `self - other` of booleans is refused.
void refuse_booleans(const Pair &pair) {
  if (pair.dtype == kBool)
    raise<DtypeError>("Subtraction, the `-` operator, with two bool tensors is "
                      "not supported. Use the `^` or `logical_xor()` operator "
                      "instead.");
}

/// Whole numbers become the default dtype, as true division wants them.
Pair as_floats(Pair pair) {
  if (lazy::category(pair.dtype) < 2) {
    pair.dtype = get_default_dtype();
    pair.a = build::convert(pair.a, lazy::element_type(pair.dtype));
    pair.b = build::convert(pair.b, lazy::element_type(pair.dtype));
  }
  return pair;
}

Tensor compare(const Pair &pair, ComparisonDirection direction) {
  if (is_complex(pair.dtype) && direction != ComparisonDirection::EQ &&
      direction != ComparisonDirection::NE)
    raise<DtypeError>("complex numbers have no order");
  return front::finish(build::compare(direction, pair.a, pair.b), pair.device,
                       kBool);
}

bool is_one(const Scalar &number) {
  return number.to<std::complex<double>>() == 1.0;
}

/// `b` times alpha, for add and sub.
Pair scaled(Pair pair, const Scalar &alpha) {
  if (is_one(alpha))
    return pair;
  if (lazy::category(lazy::dtype_of_number(alpha)) > lazy::category(pair.dtype))
    raise<DtypeError>("For integral input tensors, argument alpha must not be "
                      "a floating point number.");
  Value factor = build::broadcast_to(
      number_value(alpha, pair.dtype, pair.device), pair.b.tensor().dims);
  pair.b = build::binary(OpKind::Multiply, pair.b, factor);
  return pair;
}

//===- Unary --------------------------------------------------------------===//

enum class Whole { Keep, ToFloat };

Tensor unary(const Tensor &self, OpKind op, Whole whole) {
  TensorImpl &impl = impl_of(self);
  Dtype dtype = impl.dtype;
  if (whole == Whole::ToFloat && lazy::category(dtype) < 2)
    dtype = get_default_dtype();
  Device device = impl.device();
  return front::finish(build::unary(op, value_on(self, device, dtype)), device,
                       dtype);
}

} // namespace

#define XLAC_FLOAT_UNARY(name, kind)                                           \
  Tensor name(const Tensor &self) {                                            \
    XLAC_CALL(#name);                                                          \
    return unary(self, OpKind::kind, Whole::ToFloat);                          \
  }
XLAC_FLOAT_UNARY(exp, Exponential)
XLAC_FLOAT_UNARY(log, Log)
XLAC_FLOAT_UNARY(sqrt, Sqrt)
XLAC_FLOAT_UNARY(rsqrt, Rsqrt)
XLAC_FLOAT_UNARY(tanh, Tanh)
XLAC_FLOAT_UNARY(sin, Sine)
XLAC_FLOAT_UNARY(cos, Cosine)
XLAC_FLOAT_UNARY(sigmoid, Logistic)
#undef XLAC_FLOAT_UNARY

Tensor neg(const Tensor &self) {
  XLAC_CALL("neg");
  if (impl_of(self).dtype == kBool)
    raise<DtypeError>("Negation, the `-` operator, on a bool tensor is not "
                      "supported.");
  return unary(self, OpKind::Negate, Whole::Keep);
}

Tensor abs(const Tensor &self) {
  XLAC_CALL("abs");
  TensorImpl &impl = impl_of(self);
  if (impl.dtype == kBool || !is_signed(impl.dtype))
    return self.clone();
  Dtype dtype = impl.dtype == kComplex64    ? kFloat32
                : impl.dtype == kComplex128 ? kFloat64
                                            : impl.dtype;
  return front::finish(build::unary(OpKind::Abs, value_on(self, impl.device())), impl.device(),
                       dtype);
}

Tensor relu(const Tensor &self) {
  XLAC_CALL("relu");
  TensorImpl &impl = impl_of(self);
  if (impl.dtype == kBool || is_complex(impl.dtype))
    raise<DtypeError>("not supported for torch." +
                      std::string(name(impl.dtype)));
  return finish(join(self, Scalar(0)), OpKind::Maximum);
}

//===- Arithmetic ---------------------------------------------------------===//

Tensor add(const Tensor &self, const Tensor &other, Scalar alpha) {
  XLAC_CALL("add");
  return finish(scaled(join(self, other), alpha), OpKind::Add);
}

Tensor sub(const Tensor &self, const Tensor &other, Scalar alpha) {
  XLAC_CALL("sub");
  Pair pair = join(self, other);
  refuse_booleans(pair);
  return finish(scaled(pair, alpha), OpKind::Subtract);
}

Tensor mul(const Tensor &self, const Tensor &other) {
  XLAC_CALL("mul");
  return finish(join(self, other), OpKind::Multiply);
}

Tensor div(const Tensor &self, const Tensor &other) {
  XLAC_CALL("div");
  return finish(as_floats(join(self, other)), OpKind::Divide);
}

Tensor add(const Tensor &self, Scalar other, Scalar alpha) {
  XLAC_CALL("add");
  return finish(scaled(join(self, other), alpha), OpKind::Add);
}

Tensor sub(const Tensor &self, Scalar other, Scalar alpha) {
  XLAC_CALL("sub");
  Pair pair = join(self, other);
  refuse_booleans(pair);
  return finish(scaled(pair, alpha), OpKind::Subtract);
}

Tensor mul(const Tensor &self, Scalar other) {
  XLAC_CALL("mul");
  return finish(join(self, other), OpKind::Multiply);
}

Tensor div(const Tensor &self, Scalar other) {
  XLAC_CALL("div");
  return finish(as_floats(join(self, other)), OpKind::Divide);
}

Tensor maximum(const Tensor &self, const Tensor &other) {
  XLAC_CALL("maximum");
  return finish(join(self, other), OpKind::Maximum);
}

Tensor minimum(const Tensor &self, const Tensor &other) {
  XLAC_CALL("minimum");
  return finish(join(self, other), OpKind::Minimum);
}

Tensor operator+(const Tensor &self, const Tensor &other) {
  XLAC_CALL("add");
  return add(self, other);
}
Tensor operator+(const Tensor &self, Scalar other) {
  XLAC_CALL("add");
  return add(self, other);
}
Tensor operator+(Scalar self, const Tensor &other) {
  XLAC_CALL("add");
  return add(other, self);
}
Tensor operator-(const Tensor &self, const Tensor &other) {
  XLAC_CALL("sub");
  return sub(self, other);
}
Tensor operator-(const Tensor &self, Scalar other) {
  XLAC_CALL("sub");
  return sub(self, other);
}
Tensor operator-(Scalar self, const Tensor &other) {
  XLAC_CALL("rsub");
  Pair pair = join(other, self);
  refuse_booleans(pair);
  std::swap(pair.a, pair.b);
  return finish(pair, OpKind::Subtract);
}
Tensor operator*(const Tensor &self, const Tensor &other) {
  XLAC_CALL("mul");
  return mul(self, other);
}
Tensor operator*(const Tensor &self, Scalar other) {
  XLAC_CALL("mul");
  return mul(self, other);
}
Tensor operator*(Scalar self, const Tensor &other) {
  XLAC_CALL("mul");
  return mul(other, self);
}
Tensor operator/(const Tensor &self, const Tensor &other) {
  XLAC_CALL("div");
  return div(self, other);
}
Tensor operator/(const Tensor &self, Scalar other) {
  XLAC_CALL("div");
  return div(self, other);
}
Tensor operator/(Scalar self, const Tensor &other) {
  XLAC_CALL("div");
  Pair pair = as_floats(join(other, self));
  std::swap(pair.a, pair.b);
  return finish(pair, OpKind::Divide);
}
Tensor operator-(const Tensor &self) {
  XLAC_CALL("neg");
  return neg(self);
}

//===- Comparison ---------------------------------------------------------===//

#define XLAC_COMPARISON(name, direction)                                       \
  Tensor name(const Tensor &self, const Tensor &other) {                       \
    XLAC_CALL(#name);                                                          \
    return compare(join(self, other), ComparisonDirection::direction);         \
  }                                                                            \
  Tensor name(const Tensor &self, Scalar other) {                              \
    XLAC_CALL(#name);                                                          \
    return compare(join(self, other), ComparisonDirection::direction);         \
  }
XLAC_COMPARISON(eq, EQ)
XLAC_COMPARISON(ne, NE)
XLAC_COMPARISON(lt, LT)
XLAC_COMPARISON(le, LE)
XLAC_COMPARISON(gt, GT)
XLAC_COMPARISON(ge, GE)
#undef XLAC_COMPARISON

Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other) {
  XLAC_CALL("where");
  if (impl_of(condition).dtype != kBool)
    raise<DtypeError>("expected condition to be a boolean tensor, but got a "
                      "tensor with dtype " +
                      lazy::legacy_name(impl_of(condition).dtype));
  Device device = common_device({&condition, &self, &other});
  Pair pair = join(self, other);
  Shape sizes = pair.a.tensor().dims;
  const Shape &given = impl_of(condition).sizes;
  Shape joined(std::max(sizes.size(), given.size()), 1);
  for (size_t i = 0; i < joined.size(); ++i) {
    int64_t p = i < sizes.size() ? sizes[sizes.size() - 1 - i] : 1;
    int64_t q = i < given.size() ? given[given.size() - 1 - i] : 1;
    if (p != q && p != 1 && q != 1)
      raise<ShapeError>("Shapes are not compatible for broadcasting: " +
                        describe(condition) + " vs. " + describe(self));
    joined[joined.size() - 1 - i] = p == 1 ? q : p;
  }
  auto on_device = [&](const Tensor &tensor) {
    return build::broadcast_to(value_on(tensor, device, pair.dtype), joined);
  };
  Value predicate = build::broadcast_to(value_on(condition, device), joined);
  return front::finish(
      build::select(predicate, on_device(self), on_device(other)), device,
      pair.dtype);
}

} // namespace xlac
