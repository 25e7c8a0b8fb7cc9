// Arithmetic, comparisons, selects and elementary functions of one operand.
#include "xlac/tensor/terms.h"

namespace xlac {

using namespace frontend;
using ops::ComparisonDirection;

namespace {

//===- Arithmetic ---------------------------------------------------------===//

Tensor binary(OpKind op, Argument self, Argument other) {
  Joined joined = join({self, other});
  Value result = build::binary(op, std::move(joined.terms[0].value),
                               std::move(joined.terms[1].value));
  return finish(std::move(result), joined.device, joined.dtype);
}

/// op(self, alpha * other); half floats are rounded once.
Tensor scaled(OpKind op, Argument self, Argument other, const Scalar &alpha) {
  if (alpha.to<std::complex<double>>() == 1.0)
    return binary(op, self, other);
  Joined joined = join({self, other});
  Dtype factor = lazy::dtype_of_number(alpha);
  if (factor == kBool && joined.dtype != kBool)
    raise<DtypeError>("Boolean alpha only supported for Boolean results.");
  if (lazy::category(factor) == 2 && lazy::category(joined.dtype) < 2)
    raise<DtypeError>("For integral input tensors, argument alpha must not be "
                      "a floating point number.");
  if (lazy::category(factor) == 3 && !is_complex(joined.dtype))
    raise<DtypeError>("For non-complex input tensors, argument alpha must not "
                      "be a complex number.");
  joined = widened(std::move(joined));
  return finish(joined, apply(op, joined[0], joined.number(alpha) * joined[1]));
}

bool is_boolean(Argument operand) {
  return operand.tensor ? impl_of(*operand.tensor).dtype == kBool
                        : lazy::dtype_of_number(*operand.number) == kBool;
}

/// Rejects differences of booleans, as PyTorch does.
void reject_booleans(Argument self, Argument other) {
  if (is_boolean(self) && is_boolean(other))
    raise<DtypeError>("Subtraction, the `-` operator, with two bool tensors is "
                      "not supported. Use the `^` or `logical_xor()` operator "
                      "instead.");
  if (is_boolean(self) || is_boolean(other))
    raise<DtypeError>("Subtraction, the `-` operator, with a bool tensor is "
                      "not supported. If you are trying to invert a mask, use "
                      "the `~` or `logical_not()` operator instead.");
}

Tensor difference(Argument self, Argument other, const Scalar &alpha = 1) {
  reject_booleans(self, other);
  return scaled(OpKind::Subtract, self, other, alpha);
}

Tensor quotient(Argument self, Argument other) {
  Joined joined = join_floats({self, other});
  return finish(joined, joined[0] / joined[1]);
}

/// Maximum or minimum; rejects complex numbers.
Tensor extreme(OpKind op, const Tensor &self, const Tensor &other) {
  reject_complex(self);
  reject_complex(other);
  return binary(op, self, other);
}

Tensor compared(Argument self, Argument other, ComparisonDirection direction) {
  Joined joined = join({self, other});
  if (is_complex(joined.dtype) && direction != ComparisonDirection::EQ &&
      direction != ComparisonDirection::NE)
    raise<DtypeError>("complex numbers have no order");
  return finish(joined, compare(direction, joined[0], joined[1]), kBool);
}

//===- One operand --------------------------------------------------------===//

/// One op on floats; integers are first converted to the default dtype.
Tensor unary(const Tensor &self, OpKind op) {
  Joined joined = join_floats({self});
  return finish(joined, apply(op, joined[0]));
}

} // namespace

#define XLAC_FLOAT_UNARY(name, kind)                                           \
  Tensor name(const Tensor &self) {                                            \
    XLAC_CALL(#name);                                                          \
    return unary(self, OpKind::kind);                                          \
  }
XLAC_FLOAT_UNARY(exp, Exponential)
XLAC_FLOAT_UNARY(log, Log)
XLAC_FLOAT_UNARY(sqrt, Sqrt)
XLAC_FLOAT_UNARY(rsqrt, Rsqrt)
XLAC_FLOAT_UNARY(tanh, Tanh)
XLAC_FLOAT_UNARY(sin, Sine)
XLAC_FLOAT_UNARY(cos, Cosine)
XLAC_FLOAT_UNARY(sigmoid, Logistic)
XLAC_FLOAT_UNARY(expm1, ExponentialMinusOne)
XLAC_FLOAT_UNARY(log1p, LogPlusOne)
XLAC_FLOAT_UNARY(tan, Tan)
XLAC_FLOAT_UNARY(asin, ChloAsin)
XLAC_FLOAT_UNARY(acos, ChloAcos)
XLAC_FLOAT_UNARY(atan, ChloAtan)
XLAC_FLOAT_UNARY(sinh, ChloSinh)
XLAC_FLOAT_UNARY(cosh, ChloCosh)
XLAC_FLOAT_UNARY(asinh, ChloAsinh)
XLAC_FLOAT_UNARY(acosh, ChloAcosh)
XLAC_FLOAT_UNARY(atanh, ChloAtanh)
#undef XLAC_FLOAT_UNARY

Tensor neg(const Tensor &self) {
  XLAC_CALL("neg");
  if (impl_of(self).dtype == kBool)
    raise<DtypeError>("Negation, the `-` operator, on a bool tensor is not "
                      "supported. If you are trying to invert a mask, use the "
                      "`~` or `logical_not()` operator instead.");
  Joined joined = join({self});
  return finish(joined, -joined[0]);
}

Tensor abs(const Tensor &self) {
  XLAC_CALL("abs");
  reject_bool(self);
  Joined joined = join({self});
  if (!is_signed(joined.dtype))
    return finish(joined, joined[0]);
  Dtype dtype = joined.dtype == kComplex64    ? kFloat32
                : joined.dtype == kComplex128 ? kFloat64
                                              : joined.dtype;
  return finish(joined, abs(joined[0]), dtype);
}

//===- Arithmetic ---------------------------------------------------------===//

Tensor add(const Tensor &self, const Tensor &other, Scalar alpha) {
  XLAC_CALL("add");
  return scaled(OpKind::Add, self, other, alpha);
}
Tensor add(const Tensor &self, Scalar other, Scalar alpha) {
  XLAC_CALL("add");
  return scaled(OpKind::Add, self, other, alpha);
}
Tensor sub(const Tensor &self, const Tensor &other, Scalar alpha) {
  XLAC_CALL("sub");
  return difference(self, other, alpha);
}
Tensor sub(const Tensor &self, Scalar other, Scalar alpha) {
  XLAC_CALL("sub");
  return difference(self, other, alpha);
}
Tensor rsub(const Tensor &self, const Tensor &other, Scalar alpha) {
  XLAC_CALL("rsub");
  return difference(other, self, alpha);
}
Tensor rsub(const Tensor &self, Scalar other, Scalar alpha) {
  XLAC_CALL("rsub");
  return difference(other, self, alpha);
}
Tensor mul(const Tensor &self, const Tensor &other) {
  XLAC_CALL("mul");
  return binary(OpKind::Multiply, self, other);
}
Tensor mul(const Tensor &self, Scalar other) {
  XLAC_CALL("mul");
  return binary(OpKind::Multiply, self, other);
}
Tensor div(const Tensor &self, const Tensor &other) {
  XLAC_CALL("div");
  return quotient(self, other);
}
Tensor div(const Tensor &self, Scalar other) {
  XLAC_CALL("div");
  return quotient(self, other);
}
Tensor true_divide(const Tensor &self, const Tensor &other) {
  XLAC_CALL("true_divide");
  return quotient(self, other);
}
Tensor true_divide(const Tensor &self, Scalar other) {
  XLAC_CALL("true_divide");
  return quotient(self, other);
}
Tensor maximum(const Tensor &self, const Tensor &other) {
  XLAC_CALL("maximum");
  return extreme(OpKind::Maximum, self, other);
}
Tensor minimum(const Tensor &self, const Tensor &other) {
  XLAC_CALL("minimum");
  return extreme(OpKind::Minimum, self, other);
}

//===- Operators ----------------------------------------------------------===//

#define XLAC_OPERATOR(symbol, name)                                            \
  Tensor operator symbol(const Tensor &self, const Tensor &other) {            \
    XLAC_CALL(#name);                                                          \
    return name(self, other);                                                  \
  }                                                                            \
  Tensor operator symbol(const Tensor &self, Scalar other) {                   \
    XLAC_CALL(#name);                                                          \
    return name(self, other);                                                  \
  }
XLAC_OPERATOR(+, add)
XLAC_OPERATOR(-, sub)
XLAC_OPERATOR(*, mul)
XLAC_OPERATOR(/, div)
XLAC_OPERATOR(%, remainder)
XLAC_OPERATOR(&, bitwise_and)
XLAC_OPERATOR(|, bitwise_or)
XLAC_OPERATOR(^, bitwise_xor)
XLAC_OPERATOR(<<, bitwise_left_shift)
XLAC_OPERATOR(>>, bitwise_right_shift)
#undef XLAC_OPERATOR

#define XLAC_OPERATOR_OF_NUMBER(symbol, name, call)                            \
  Tensor operator symbol(Scalar self, const Tensor &other) {                   \
    XLAC_CALL(#name);                                                          \
    return call;                                                               \
  }
XLAC_OPERATOR_OF_NUMBER(+, add, binary(OpKind::Add, self, other))
XLAC_OPERATOR_OF_NUMBER(-, rsub, difference(self, other))
XLAC_OPERATOR_OF_NUMBER(*, mul, binary(OpKind::Multiply, self, other))
XLAC_OPERATOR_OF_NUMBER(/, div, quotient(self, other))
XLAC_OPERATOR_OF_NUMBER(%, remainder, remainder(self, other))
XLAC_OPERATOR_OF_NUMBER(&, bitwise_and, bitwise_and(self, other))
XLAC_OPERATOR_OF_NUMBER(|, bitwise_or, bitwise_or(self, other))
XLAC_OPERATOR_OF_NUMBER(^, bitwise_xor, bitwise_xor(self, other))
#undef XLAC_OPERATOR_OF_NUMBER

Tensor operator-(const Tensor &self) {
  XLAC_CALL("neg");
  return neg(self);
}
Tensor operator~(const Tensor &self) {
  XLAC_CALL("bitwise_not");
  return bitwise_not(self);
}
Tensor operator!(const Tensor &self) {
  XLAC_CALL("logical_not");
  return logical_not(self);
}

//===- Comparisons and selects --------------------------------------------===//

#define XLAC_COMPARISON(name, direction)                                       \
  Tensor name(const Tensor &self, const Tensor &other) {                       \
    XLAC_CALL(#name);                                                          \
    return compared(self, other, ComparisonDirection::direction);              \
  }                                                                            \
  Tensor name(const Tensor &self, Scalar other) {                              \
    XLAC_CALL(#name);                                                          \
    return compared(self, other, ComparisonDirection::direction);              \
  }
XLAC_COMPARISON(eq, EQ)
XLAC_COMPARISON(ne, NE)
XLAC_COMPARISON(lt, LT)
XLAC_COMPARISON(le, LE)
XLAC_COMPARISON(gt, GT)
XLAC_COMPARISON(ge, GE)
#undef XLAC_COMPARISON

/// As PyTorch, accepts uint8 conditions as booleans.
static Tensor chosen(const Tensor &condition, Argument self, Argument other) {
  Dtype given = impl_of(condition).dtype;
  if (given != kBool && given != kUInt8)
    raise<DtypeError>("expected condition to be a boolean tensor, but got a "
                      "tensor with dtype " +
                      lazy::legacy_name(given));
  Joined joined =
      join_as({condition, self, other}, result_dtype({self, other}));
  Shape dims = joined[0].dims();
  // The condition is not promoted together with the operands.
  Term flags{
      build::broadcast_to(value_on(condition, joined.device, kBool), dims)};
  return finish(joined, select(flags, joined[1], joined[2]));
}

Tensor where(const Tensor &condition, const Tensor &self, const Tensor &other) {
  XLAC_CALL("where");
  return chosen(condition, self, other);
}
Tensor where(const Tensor &condition, Scalar self, const Tensor &other) {
  XLAC_CALL("where");
  return chosen(condition, self, other);
}
Tensor where(const Tensor &condition, const Tensor &self, Scalar other) {
  XLAC_CALL("where");
  return chosen(condition, self, other);
}
Tensor where(const Tensor &condition, Scalar self, Scalar other) {
  XLAC_CALL("where");
  return chosen(condition, self, other);
}

} // namespace xlac
