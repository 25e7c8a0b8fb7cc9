// What pointwise functions are written with: operands of several kinds brought
// to one device, dtype and shape, and formulas on graph values.
#pragma once

#include "xlac/tensor/access.h"

namespace xlac::frontend {

/// A value in a formula. C++ numbers beside it are constants of its type.
struct Term {
  Value value;

  ElementType type() const { return value.tensor().element; }
  const Shape &dims() const { return value.tensor().dims; }
  /// `number` as a constant like this value.
  Term like(const Scalar &number) const;
  Term to(ElementType type) const;
};

Term apply(OpKind op, const Term &x);
Term apply(OpKind op, const Term &x, const Term &y);
Term compare(ops::ComparisonDirection direction, const Term &x, const Term &y);
/// Chooses element by element. Values that are not chosen still take part in
/// derivatives, times 0: they must be finite there.
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
/// `x`, through which no gradient flows.
Term held(const Term &x);
/// Towards 0.
Term truncated(const Term &x);
/// The sign bit of floats.
Term has_sign_bit(const Term &x);

/// An operand of a pointwise function: a tensor or a number.
struct Argument {
  Argument(const Tensor &t) : tensor(&t) {}
  Argument(const Scalar &n) : number(&n) {}
  const Tensor *tensor = nullptr;
  const Scalar *number = nullptr;
};

/// Operands brought to one device, dtype and shape. Terms of half floats that
/// were widened are f32 while `dtype` stays.
struct Joined {
  std::vector<Term> terms;
  Device device;
  Dtype dtype = kFloat32;

  const Term &operator[](size_t i) const { return terms[i]; }
  /// `number` as a value like the operands; one that is not 0 or ±1 may change
  /// without a new program.
  Term number(const Scalar &number) const;
};

/// PyTorch's result_type.
Dtype result_dtype(std::initializer_list<Argument> operands);
/// Broadcast and promoted as PyTorch does.
Joined join(std::initializer_list<Argument> operands);
/// The same in `dtype`.
Joined join_as(std::initializer_list<Argument> operands, Dtype dtype);
/// The same, whole numbers made the default dtype.
Joined join_floats(std::initializer_list<Argument> operands);
/// Half floats carried in f32, for formulas of several steps: finish rounds
/// once.
Joined widened(Joined joined);
/// Both.
Joined join_wide(std::initializer_list<Argument> operands);

/// A new tensor that holds `result`, converted to the operands' dtype.
Tensor finish(const Joined &joined, const Term &result);
/// The same in another dtype.
Tensor finish(const Joined &joined, const Term &result, Dtype dtype);

/// DtypeError where the function takes no such tensors.
void refuse_complex(const Tensor &tensor);
void refuse_bool(const Tensor &tensor);
/// DtypeError unless the dtype is a real floating one.
void need_real_float(const Tensor &tensor);
/// DtypeError for whole numbers and booleans.
void need_float(const Tensor &tensor);

} // namespace xlac::frontend
