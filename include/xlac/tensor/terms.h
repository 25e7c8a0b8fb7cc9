// Terms: operands of pointwise functions brought to one device, dtype and
// shape, with operators for formulas on graph values.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// A value in a formula. C++ numbers combined with it become constants of its
/// type.
struct Term {
  Value value;

  ElementType type() const { return value.tensor().element; }
  const Shape &dims() const { return value.tensor().dims; }
  /// Returns `number` as a constant of this value's type and shape.
  Term like(const Scalar &number) const;
  Term to(ElementType type) const;
};

Term apply(OpKind op, const Term &x);
Term apply(OpKind op, const Term &x, const Term &y);
Term compare(ops::ComparisonDirection direction, const Term &x, const Term &y);
/// Selects element by element. Elements that are not selected still take part
/// in derivatives, multiplied by 0: they must be finite there.
Term select(const Term &condition, const Term &on_true, const Term &on_false);

// Each operator also takes a number on either side.
#define XLAC_TERM_OPERATOR(symbol, call)                                       \
  inline Term operator symbol(const Term &x, const Term &y) { return call; }   \
  inline Term operator symbol(const Term &x, const Scalar &y) {                \
    return x symbol x.like(y);                                                 \
  }                                                                            \
  inline Term operator symbol(const Scalar &x, const Term &y) {                \
    return y.like(x) symbol y;                                                 \
  }
XLAC_TERM_OPERATOR(+, apply(OpKind::Add, x, y))
XLAC_TERM_OPERATOR(-, apply(OpKind::Subtract, x, y))
XLAC_TERM_OPERATOR(*, apply(OpKind::Multiply, x, y))
XLAC_TERM_OPERATOR(/, apply(OpKind::Divide, x, y))
XLAC_TERM_OPERATOR(%, apply(OpKind::Remainder, x, y))
XLAC_TERM_OPERATOR(&, apply(OpKind::And, x, y))
XLAC_TERM_OPERATOR(|, apply(OpKind::Or, x, y))
XLAC_TERM_OPERATOR(^, apply(OpKind::Xor, x, y))
XLAC_TERM_OPERATOR(==, compare(ops::ComparisonDirection::EQ, x, y))
XLAC_TERM_OPERATOR(!=, compare(ops::ComparisonDirection::NE, x, y))
XLAC_TERM_OPERATOR(<, compare(ops::ComparisonDirection::LT, x, y))
XLAC_TERM_OPERATOR(<=, compare(ops::ComparisonDirection::LE, x, y))
XLAC_TERM_OPERATOR(>, compare(ops::ComparisonDirection::GT, x, y))
XLAC_TERM_OPERATOR(>=, compare(ops::ComparisonDirection::GE, x, y))
#undef XLAC_TERM_OPERATOR

inline Term operator-(const Term &x) { return apply(OpKind::Negate, x); }
inline Term operator!(const Term &x) { return apply(OpKind::Not, x); }

#define XLAC_TERM_FUNCTION(name, kind)                                         \
  inline Term name(const Term &x) { return apply(OpKind::kind, x); }
XLAC_TERM_FUNCTION(abs, Abs)
XLAC_TERM_FUNCTION(ceil, Ceil)
XLAC_TERM_FUNCTION(exp, Exponential)
XLAC_TERM_FUNCTION(expm1, ExponentialMinusOne)
XLAC_TERM_FUNCTION(floor, Floor)
XLAC_TERM_FUNCTION(log, Log)
XLAC_TERM_FUNCTION(log1p, LogPlusOne)
XLAC_TERM_FUNCTION(logistic, Logistic)
XLAC_TERM_FUNCTION(round_even, RoundNearestEven)
XLAC_TERM_FUNCTION(sqrt, Sqrt)
XLAC_TERM_FUNCTION(tanh, Tanh)
#undef XLAC_TERM_FUNCTION

Term is_nan(const Term &x);
/// Returns `x`; no gradient flows through the result.
Term held(const Term &x);
/// Rounds towards 0.
Term truncated(const Term &x);
/// True where the sign bit of a float is set.
Term has_sign_bit(const Term &x);

/// An operand of a pointwise function: a tensor or a number.
struct Argument {
  Argument(const Tensor &t) : tensor(&t) {}
  Argument(const Scalar &n) : number(&n) {}
  const Tensor *tensor = nullptr;
  const Scalar *number = nullptr;
};

/// Operands brought to one device, dtype and shape. Widened half floats are f32
/// terms, and `dtype` remains the half type.
struct Joined {
  std::vector<Term> terms;
  Device device;
  Dtype dtype = kFloat32;

  const Term &operator[](size_t i) const { return terms[i]; }
  /// Returns `number` as a value like the operands. Numbers other than 0 and ±1
  /// are arguments, so that they may change without a recompilation.
  Term number(const Scalar &number) const;
};

/// PyTorch's result_type.
Dtype result_dtype(std::initializer_list<Argument> operands);
/// Broadcasts and promotes as PyTorch does.
Joined join(std::initializer_list<Argument> operands);
/// As join, converted to `dtype`.
Joined join_as(std::initializer_list<Argument> operands, Dtype dtype);
/// As join; integers become the default dtype.
Joined join_floats(std::initializer_list<Argument> operands);
/// Converts half floats to f32 for formulas of several steps; finish() rounds
/// once.
Joined widened(Joined joined);
/// widened(join_floats(operands)).
Joined join_wide(std::initializer_list<Argument> operands);

/// Makes a new tensor of `result`, converted to the operands' dtype.
Tensor finish(const Joined &joined, const Term &result);
/// As above, converted to `dtype`.
Tensor finish(const Joined &joined, const Term &result, Dtype dtype);

/// Throws DtypeError for a complex (or bool) tensor.
void reject_complex(const Tensor &tensor);
void reject_bool(const Tensor &tensor);
/// Throws DtypeError unless the dtype is a real floating one.
void need_real_float(const Tensor &tensor);
/// Throws DtypeError for integers and booleans.
void need_float(const Tensor &tensor);

} // namespace xlac::frontend
