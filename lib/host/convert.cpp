// Conversions between element types, by value and by bits.
#include "op_context.h"

#include <cmath>
#include <cstring>
#include <limits>

namespace xlac::host {

/// A float as an integer of `type`: rounded towards zero and saturated; NaN is
/// 0.
static int64_t saturate(ElementType type, double value) {
  if (std::isnan(value))
    return 0;
  if (is_boolean(type))
    return value != 0;
  int width = bit_width(type);
  value = std::trunc(value);
  if (is_unsigned_integer(type)) {
    if (value <= 0)
      return 0;
    if (value >= std::ldexp(1.0, width))
      return wrap_to(type, -1);
    return static_cast<int64_t>(static_cast<uint64_t>(value));
  }
  double limit = std::ldexp(1.0, width - 1);
  if (value >= limit)
    return static_cast<int64_t>((uint64_t{1} << (width - 1)) - 1);
  if (value <= -limit)
    return wrap_to(type, static_cast<int64_t>(uint64_t{1} << (width - 1)));
  return static_cast<int64_t>(value);
}

static bool is_integral(ElementType type) {
  return is_boolean(type) || is_integer(type);
}

static void convert_one(const Literal &from, int64_t index, Literal &to) {
  ElementType source = from.type().element, target = to.type().element;
  if (is_complex(target)) {
    std::complex<double> value;
    load(from, index, 1, &value);
    store(to, index, 1, &value);
  } else if (is_integral(source) && is_integral(target)) {
    int64_t value = as_integer(from, index);
    if (is_boolean(target))
      value = value != 0;
    store(to, index, 1, &value);
  } else if (is_integral(source)) {
    double value = as_double(from, index);
    // Converts to f32 directly: a 64-bit integer must not be rounded twice.
    if (target == ElementType::F32) {
      int64_t whole = as_integer(from, index);
      value = source == ElementType::UI64
                  ? static_cast<float>(static_cast<uint64_t>(whole))
                  : static_cast<float>(whole);
    }
    store(to, index, 1, &value);
  } else if (is_integral(target)) {
    double value = as_double(from, index);
    bool nan_is_true = is_boolean(target) && std::isnan(value);
    int64_t whole = nan_is_true ? 1 : saturate(target, value);
    store(to, index, 1, &whole);
  } else {
    double value = as_double(from, index);
    store(to, index, 1, &value);
  }
}

Result<Literals> evaluate_convert(OpContext &context) {
  const Literal &from = context.operand(0);
  TensorType type = context.result();
  if (from.type().element == type.element)
    return Literals{from.with_type(type)};
  Result<Literal> to = Literal::allocate(type);
  if (!to)
    return to.error();
  for (int64_t i = 0; i < to->count(); ++i)
    convert_one(from, i, *to);
  return Literals{std::move(*to)};
}

} // namespace xlac::host
