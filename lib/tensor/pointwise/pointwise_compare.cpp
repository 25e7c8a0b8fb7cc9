// Further comparisons, clamping, logical and bitwise functions.
#include "xlac/tensor/terms.h"

#include <cmath>

namespace xlac {

using namespace frontend;

namespace {

[[noreturn]] void reject(Dtype dtype) {
  raise<DtypeError>("not implemented for '" + lazy::legacy_name(dtype) + "'");
}

Joined join_ordered(std::initializer_list<Argument> operands) {
  Joined joined = join(operands);
  if (is_complex(joined.dtype))
    reject(joined.dtype);
  return joined;
}

//===- Clamping -----------------------------------------------------------===//

/// Returns `value`, or NaN where one of the terms is NaN. The NaN has no
/// gradient, as in PyTorch.
Term unless_nan(const Term &value, std::initializer_list<const Term *> terms) {
  Term result = value;
  if (is_float(value.type()))
    for (const Term *term : terms)
      result = select(is_nan(*term), value.like(NAN), result);
  return result;
}

/// Applies one bound. `self` has the gradient where it equals the bound.
Term bounded_once(const Term &x, const Term &bound,
                  ops::ComparisonDirection inside) {
  return select(compare(inside, x, bound), x, unless_nan(bound, {&x, &bound}));
}

/// Applies two bounds; the upper one takes precedence. Where `self` is below
/// two equal bounds, neither has a gradient, as in PyTorch.
Term bounded_twice(const Term &x, const Term &low, const Term &high) {
  Term above = (x > high) | (high < low);
  Term below = (x < low) & (low < high);
  Term bound = select(above, high, select(below, low, held(low)));
  return unless_nan(select((x >= low) & (x <= high), x, bound),
                    {&x, &low, &high});
}

Tensor bounded(const Tensor &self, std::optional<Argument> low,
               std::optional<Argument> high) {
  if (!low && !high)
    raise<ValueError>("At least one of 'min' or 'max' must not be None");
  Joined joined = low && high ? join_ordered({self, *low, *high})
                              : join_ordered({self, low ? *low : *high});
  if (joined.dtype == kBool)
    reject(kBool);
  const Term &x = joined[0];
  const Term result =
      !high  ? bounded_once(x, joined[1], ops::ComparisonDirection::GE)
      : !low ? bounded_once(x, joined[1], ops::ComparisonDirection::LE)
             : bounded_twice(x, joined[1], joined[2]);
  return finish(joined, result);
}

std::optional<Argument> bound(const std::optional<Scalar> &number) {
  return number ? std::optional<Argument>(*number) : std::nullopt;
}

std::optional<Argument> bound(const Tensor &tensor) {
  return tensor.defined() ? std::optional<Argument>(tensor) : std::nullopt;
}

/// Returns the operand that compares as `wins`, ignoring NaN. `self` has the
/// gradient of equal ones.
Tensor without_nan(const Tensor &self, const Tensor &other,
                   ops::ComparisonDirection wins) {
  Joined joined = join_ordered({self, other});
  const Term &x = joined[0], &y = joined[1];
  Term first = compare(wins, x, y);
  if (is_float(x.type()))
    first = first | is_nan(y);
  return finish(joined, select(first, x, y));
}

//===- Logic and bits -----------------------------------------------------===//

Tensor logical(OpKind op, const Tensor &self, const Tensor &other) {
  Joined joined = join({self, other});
  return finish(
      joined,
      apply(op, joined[0].to(ElementType::I1), joined[1].to(ElementType::I1)),
      kBool);
}

Joined join_integers(std::initializer_list<Argument> operands) {
  Joined joined = join(operands);
  if (lazy::category(joined.dtype) > 1)
    reject(joined.dtype);
  return joined;
}

Tensor bitwise(OpKind op, Argument self, Argument other) {
  Joined joined = join_integers({self, other});
  return finish(joined, apply(op, joined[0], joined[1]));
}

/// Shifts by a negative count or by at least the width shift all bits out, as
/// StableHLO's shifts do.
Tensor shifted(Argument self, Argument other, bool left) {
  Joined joined = join_integers({self, other});
  if (joined.dtype == kBool)
    reject(kBool);
  OpKind op = left                      ? OpKind::ShiftLeft
              : is_signed(joined.dtype) ? OpKind::ShiftRightArithmetic
                                        : OpKind::ShiftRightLogical;
  return finish(joined, apply(op, joined[0], joined[1]));
}

} // namespace

Tensor clamp(const Tensor &self, std::optional<Scalar> min,
             std::optional<Scalar> max) {
  XLAC_CALL("clamp");
  return bounded(self, bound(min), bound(max));
}
Tensor clamp(const Tensor &self, const Tensor &min, const Tensor &max) {
  XLAC_CALL("clamp");
  return bounded(self, bound(min), bound(max));
}
Tensor clamp_min(const Tensor &self, Scalar min) {
  XLAC_CALL("clamp_min");
  return bounded(self, Argument(min), {});
}
Tensor clamp_min(const Tensor &self, const Tensor &min) {
  XLAC_CALL("clamp_min");
  return bounded(self, Argument(min), {});
}
Tensor clamp_max(const Tensor &self, Scalar max) {
  XLAC_CALL("clamp_max");
  return bounded(self, {}, Argument(max));
}
Tensor clamp_max(const Tensor &self, const Tensor &max) {
  XLAC_CALL("clamp_max");
  return bounded(self, {}, Argument(max));
}

Tensor fmax(const Tensor &self, const Tensor &other) {
  XLAC_CALL("fmax");
  return without_nan(self, other, ops::ComparisonDirection::GE);
}
Tensor fmin(const Tensor &self, const Tensor &other) {
  XLAC_CALL("fmin");
  return without_nan(self, other, ops::ComparisonDirection::LE);
}

//===- Approximate equality -----------------------------------------------===//

Tensor isclose(const Tensor &self, const Tensor &other, double rtol,
               double atol, bool equal_nan) {
  XLAC_CALL("isclose");
  Dtype dtype = impl_of(self).dtype;
  if (dtype != impl_of(other).dtype)
    raise<DtypeError>(lazy::legacy_name(dtype) + " did not match " +
                      lazy::legacy_name(impl_of(other).dtype));
  if (rtol < 0 || atol < 0)
    raise<ValueError>("rtol and atol must be greater than or equal to zero");
  Joined joined = lazy::category(dtype) < 2 ? join_as({self, other}, kFloat64)
                                            : widened(join({self, other}));
  const Term &x = joined[0], &y = joined[1];
  Term close = x == y;
  if (equal_nan)
    close = close | (is_nan(x) & is_nan(y));
  Term distance = abs(x - y);
  Term allowed = abs(y) * rtol + atol;
  close = close | (apply(OpKind::IsFinite, distance) & (distance <= allowed));
  return finish(joined, close, kBool);
}

/// Whether all elements of a boolean tensor are true; runs the pending graph.
static bool holds_everywhere(const Tensor &flags) {
  Joined joined = join({flags});
  Shape dims(flags.sizes().size());
  for (size_t i = 0; i < dims.size(); ++i)
    dims[i] = static_cast<int64_t>(i);
  Term all{build::reduce(OpKind::And, joined[0].value,
                         build::constant(ElementType::I1, {}, true), dims)};
  return finish(joined, all).item<bool>();
}

bool allclose(const Tensor &self, const Tensor &other, double rtol, double atol,
              bool equal_nan) {
  XLAC_CALL("allclose");
  return holds_everywhere(isclose(self, other, rtol, atol, equal_nan));
}

bool equal(const Tensor &self, const Tensor &other) {
  XLAC_CALL("equal");
  if (impl_of(self).sizes != impl_of(other).sizes)
    return false;
  Joined joined = join({self, other});
  return holds_everywhere(finish(joined, joined[0] == joined[1], kBool));
}

//===- Logic and bits -----------------------------------------------------===//

Tensor logical_and(const Tensor &self, const Tensor &other) {
  XLAC_CALL("logical_and");
  return logical(OpKind::And, self, other);
}
Tensor logical_or(const Tensor &self, const Tensor &other) {
  XLAC_CALL("logical_or");
  return logical(OpKind::Or, self, other);
}
Tensor logical_xor(const Tensor &self, const Tensor &other) {
  XLAC_CALL("logical_xor");
  return logical(OpKind::Xor, self, other);
}

#define XLAC_WITH_NUMBERS(name, call)                                          \
  Tensor name(const Tensor &self, const Tensor &other) {                       \
    XLAC_CALL(#name);                                                          \
    return call;                                                               \
  }                                                                            \
  Tensor name(const Tensor &self, Scalar other) {                              \
    XLAC_CALL(#name);                                                          \
    return call;                                                               \
  }                                                                            \
  Tensor name(Scalar self, const Tensor &other) {                              \
    XLAC_CALL(#name);                                                          \
    return call;                                                               \
  }
XLAC_WITH_NUMBERS(bitwise_and, bitwise(OpKind::And, self, other))
XLAC_WITH_NUMBERS(bitwise_or, bitwise(OpKind::Or, self, other))
XLAC_WITH_NUMBERS(bitwise_xor, bitwise(OpKind::Xor, self, other))
XLAC_WITH_NUMBERS(bitwise_left_shift, shifted(self, other, true))
XLAC_WITH_NUMBERS(bitwise_right_shift, shifted(self, other, false))
#undef XLAC_WITH_NUMBERS

} // namespace xlac
