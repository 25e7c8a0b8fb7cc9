// Elementwise ops in three wide forms: double, int64_t, complex<double>.
#include "op_context.h"
#include "scalar_math.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

namespace xlac::host {

using ops::OpKind;
using Complex = std::complex<double>;

namespace {

constexpr int64_t kChunk = 512;

/// Reads one operand in chunks; a single element is repeated.
template <class Wide> class Reader {
public:
  explicit Reader(const Literal &literal)
      : literal_(literal), scalar_(literal.count() == 1) {
    if (scalar_) {
      load(literal_, 0, 1, buffer_.data());
      std::fill(buffer_.begin(), buffer_.end(), buffer_[0]);
    }
  }
  const Wide *read(int64_t begin, int64_t count) {
    if (!scalar_)
      load(literal_, begin, count, buffer_.data());
    return buffer_.data();
  }

private:
  const Literal &literal_;
  bool scalar_;
  std::array<Wide, kChunk> buffer_;
};

/// Calls body(begin, count) for each chunk of `total`.
template <class Body> void for_chunks(int64_t total, Body body) {
  for (int64_t begin = 0; begin < total; begin += kChunk)
    body(begin, std::min(kChunk, total - begin));
}

template <class Out, class In, class F>
Result<Literals> map_unary(OpContext &context, F f) {
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  Reader<In> a(context.operand(0));
  std::array<Out, kChunk> out;
  for_chunks(to->count(), [&](int64_t begin, int64_t count) {
    const In *x = a.read(begin, count);
    for (int64_t i = 0; i < count; ++i)
      out[i] = f(x[i]);
    store(*to, begin, count, out.data());
  });
  return Literals{std::move(*to)};
}

template <class Out, class In, class F>
Result<Literals> map_binary(OpContext &context, F f) {
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  Reader<In> a(context.operand(0)), b(context.operand(1));
  std::array<Out, kChunk> out;
  for_chunks(to->count(), [&](int64_t begin, int64_t count) {
    const In *x = a.read(begin, count);
    const In *y = b.read(begin, count);
    for (int64_t i = 0; i < count; ++i)
      out[i] = f(x[i], y[i]);
    store(*to, begin, count, out.data());
  });
  return Literals{std::move(*to)};
}

ElementType operand_element(const OpContext &context) {
  return context.operand(0).type().element;
}

Failure unsupported(const OpContext &context) {
  return failure(FailureKind::Unsupported,
                 context.node.name() + ": not supported on " +
                     to_string(context.operand(0).type()));
}

//===- Unary --------------------------------------------------------------===//

Result<Literals> unary_float(OpContext &context) {
  if (auto predicate = float_predicate(context.node.op()))
    return map_unary<int64_t, double>(context, predicate);
  if (auto f = float_unary(context.node.op()))
    return map_unary<double, double>(context, f);
  return unsupported(context);
}

Result<Literals> unary_complex(OpContext &context) {
  if (context.node.op() == OpKind::Abs)
    return map_unary<double, Complex>(context,
                                      [](Complex x) { return std::abs(x); });
  if (auto f = complex_unary(context.node.op()))
    return map_unary<Complex, Complex>(context, f);
  return unsupported(context);
}

int64_t absolute(int64_t x) {
  return x < 0 ? static_cast<int64_t>(0 - static_cast<uint64_t>(x)) : x;
}
int64_t negated(int64_t x) {
  return static_cast<int64_t>(0 - static_cast<uint64_t>(x));
}
int64_t complement(int64_t x) { return ~x; }
int64_t logical_not(int64_t x) { return !x; }
int64_t sign_of(int64_t x) { return (x > 0) - (x < 0); }
int64_t squared(int64_t x) {
  return static_cast<int64_t>(static_cast<uint64_t>(x) *
                              static_cast<uint64_t>(x));
}

Result<Literals> count_bits(OpContext &context, bool leading_zeros) {
  ElementType type = operand_element(context);
  int width = bit_width(type);
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  uint64_t mask = width == 64 ? ~uint64_t{0} : (uint64_t{1} << width) - 1;
  for (int64_t i = 0; i < to->count(); ++i) {
    uint64_t bits =
        static_cast<uint64_t>(as_integer(context.operand(0), i)) & mask;
    int64_t count = leading_zeros ? std::countl_zero(bits) - (64 - width)
                                  : std::popcount(bits);
    store(*to, i, 1, &count);
  }
  return Literals{std::move(*to)};
}

Result<Literals> unary_integer(OpContext &context) {
  bool boolean = is_boolean(operand_element(context));
  bool is_unsigned = is_unsigned_integer(operand_element(context));
  switch (context.node.op()) {
  case OpKind::Abs:
    return map_unary<int64_t, int64_t>(context, absolute);
  case OpKind::Negate:
    return map_unary<int64_t, int64_t>(context, negated);
  case OpKind::Not:
    return map_unary<int64_t, int64_t>(context,
                                       boolean ? logical_not : complement);
  case OpKind::Sign:
    return map_unary<int64_t, int64_t>(
        context,
        is_unsigned ? +[](int64_t x) -> int64_t { return x != 0; } : sign_of);
  case OpKind::ChloSquare:
    return map_unary<int64_t, int64_t>(context, squared);
  case OpKind::Popcnt:
    return count_bits(context, false);
  case OpKind::CountLeadingZeros:
    return count_bits(context, true);
  default:
    return unsupported(context);
  }
}

//===- Binary -------------------------------------------------------------===//

Result<Literals> binary(OpContext &context) {
  ElementType type = operand_element(context);
  OpKind op = context.node.op();
  if (is_complex(type)) {
    if (auto f = complex_binary(op))
      return map_binary<Complex, Complex>(context, f);
    return unsupported(context);
  }
  if (is_float(type)) {
    if (op == OpKind::ChloNextAfter)
      return map_binary<double, double>(context, [type](double x, double y) {
        return next_after(type, x, y);
      });
    if (auto f = float_binary(op))
      return map_binary<double, double>(context, f);
    return unsupported(context);
  }
  IntegerBinary f = integer_binary(op, type);
  if (!f)
    return unsupported(context);
  int width = bit_width(type);
  return map_binary<int64_t, int64_t>(
      context, [f, width](int64_t x, int64_t y) { return f(x, y, width); });
}

//===- Compare, select, clamp ---------------------------------------------===//

/// A key that orders floats by IEEE totalOrder.
int64_t total_order_key(double x) {
  auto bits = std::bit_cast<int64_t>(x);
  return bits < 0 ? std::numeric_limits<int64_t>::min() - bits - 1 : bits;
}

template <class T> bool holds(ops::ComparisonDirection direction, T a, T b) {
  using ops::ComparisonDirection;
  switch (direction) {
  case ComparisonDirection::EQ:
    return a == b;
  case ComparisonDirection::NE:
    return a != b;
  case ComparisonDirection::GE:
    return a >= b;
  case ComparisonDirection::GT:
    return a > b;
  case ComparisonDirection::LE:
    return a <= b;
  case ComparisonDirection::LT:
    return a < b;
  }
  return false;
}

/// Compares real parts, then imaginary parts.
bool holds(ops::ComparisonDirection direction, Complex a, Complex b) {
  using ops::ComparisonDirection;
  bool equal = a.real() == b.real();
  switch (direction) {
  case ComparisonDirection::EQ:
    return a == b;
  case ComparisonDirection::NE:
    return a != b;
  case ComparisonDirection::GE:
  case ComparisonDirection::GT:
    return a.real() > b.real() ||
           (equal && holds(direction, a.imag(), b.imag()));
  case ComparisonDirection::LE:
  case ComparisonDirection::LT:
    return a.real() < b.real() ||
           (equal && holds(direction, a.imag(), b.imag()));
  }
  return false;
}

Result<Literals> compare(OpContext &context) {
  const auto &attributes = context.attributes<ops::CompareAttributes>();
  ops::ComparisonDirection direction = attributes.comparison_direction;
  ElementType type = operand_element(context);
  if (is_complex(type))
    return map_binary<int64_t, Complex>(
        context, [=](Complex a, Complex b) { return holds(direction, a, b); });
  if (is_float(type)) {
    if (attributes.compare_type == ops::ComparisonType::TOTALORDER)
      return map_binary<int64_t, double>(context, [=](double a, double b) {
        return holds(direction, total_order_key(a), total_order_key(b));
      });
    return map_binary<int64_t, double>(
        context, [=](double a, double b) { return holds(direction, a, b); });
  }
  if (type == ElementType::UI64)
    return map_binary<int64_t, int64_t>(context, [=](int64_t a, int64_t b) {
      return holds(direction, static_cast<uint64_t>(a),
                   static_cast<uint64_t>(b));
    });
  return map_binary<int64_t, int64_t>(
      context, [=](int64_t a, int64_t b) { return holds(direction, a, b); });
}

Result<Literals> select(OpContext &context) {
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  const Literal &predicate = context.operand(0);
  size_t size = byte_size(context.result().element);
  auto element = [&](const Literal &from, int64_t i) {
    return from.data() + (from.count() == 1 ? 0 : i) * size;
  };
  bool scalar = predicate.count() == 1;
  for (int64_t i = 0; i < to->count(); ++i) {
    bool chosen = static_cast<bool>(predicate.data()[scalar ? 0 : i]);
    std::copy_n(element(context.operand(chosen ? 1 : 2), i), size,
                to->mutable_data() + i * size);
  }
  return Literals{std::move(*to)};
}

/// minimum(maximum(x, low), high).
template <class Wide, class Maximum, class Minimum>
Result<Literals> clamp_as(OpContext &context, Maximum maximum,
                          Minimum minimum) {
  Result<Literal> to = Literal::allocate(context.result());
  if (!to)
    return to.error();
  Reader<Wide> low(context.operand(0)), value(context.operand(1)),
      high(context.operand(2));
  std::array<Wide, kChunk> out;
  for_chunks(to->count(), [&](int64_t begin, int64_t count) {
    const Wide *l = low.read(begin, count);
    const Wide *x = value.read(begin, count);
    const Wide *h = high.read(begin, count);
    for (int64_t i = 0; i < count; ++i)
      out[i] = minimum(maximum(x[i], l[i]), h[i]);
    store(*to, begin, count, out.data());
  });
  return Literals{std::move(*to)};
}

Result<Literals> clamp(OpContext &context) {
  ElementType type = context.result().element;
  if (is_complex(type))
    return clamp_as<Complex>(context, complex_binary(OpKind::Maximum),
                             complex_binary(OpKind::Minimum));
  if (is_float(type))
    return clamp_as<double>(context, float_binary(OpKind::Maximum),
                            float_binary(OpKind::Minimum));
  IntegerBinary maximum = integer_binary(OpKind::Maximum, type);
  IntegerBinary minimum = integer_binary(OpKind::Minimum, type);
  return clamp_as<int64_t>(
      context, [=](int64_t a, int64_t b) { return maximum(a, b, 64); },
      [=](int64_t a, int64_t b) { return minimum(a, b, 64); });
}

//===- Complex numbers and precision --------------------------------------===//

Result<Literals> reduce_precision(OpContext &context) {
  const auto &attributes = context.attributes<ops::ReducePrecisionAttributes>();
  ElementType type = context.result().element;
  return map_unary<double, double>(context, [&](double x) {
    return reduced_precision(type, x, attributes.exponent_bits,
                             attributes.mantissa_bits);
  });
}

Result<Literals> map_region(OpContext &context) {
  Literals arguments(context.operands.begin(), context.operands.end());
  Result<Literals> mapped = context.regions.run_lifted(
      context.node.regions()[0], arguments, *context.result().element_count());
  if (!mapped)
    return mapped;
  Literals results;
  for (size_t i = 0; i < mapped->size(); ++i) {
    Result<Literal> to = Literal::allocate(context.results[i]);
    if (!to)
      return to.error();
    size_t size = byte_size(context.results[i].element);
    const Literal &from = (*mapped)[i];
    for (int64_t k = 0; k < to->count(); ++k)
      std::copy_n(from.data() + (from.count() == 1 ? 0 : k) * size, size,
                  to->mutable_data() + k * size);
    results.push_back(std::move(*to));
  }
  return results;
}

bool is_binary(OpKind op) {
  return float_binary(op) || complex_binary(op) ||
         integer_binary(op, ElementType::I32) || op == OpKind::ChloNextAfter;
}

} // namespace

bool is_elementwise(OpKind op) {
  switch (op) {
  case OpKind::Compare:
  case OpKind::Select:
  case OpKind::Clamp:
  case OpKind::Convert:
  case OpKind::Complex:
  case OpKind::Real:
  case OpKind::Imag:
  case OpKind::ReducePrecision:
  case OpKind::Popcnt:
  case OpKind::CountLeadingZeros:
  case OpKind::Not:
  case OpKind::Abs:
    return true;
  default:
    return float_unary(op) || float_predicate(op) || is_binary(op) ||
           complex_unary(op);
  }
}

Result<Literals> evaluate_elementwise(OpContext &context) {
  OpKind op = context.node.op();
  ElementType type = operand_element(context);
  switch (op) {
  case OpKind::Compare:
    return compare(context);
  case OpKind::Select:
    return select(context);
  case OpKind::Clamp:
    return clamp(context);
  case OpKind::Convert:
    return evaluate_convert(context);
  case OpKind::ReducePrecision:
    return reduce_precision(context);
  case OpKind::Map:
    return map_region(context);
  case OpKind::Complex:
    return map_binary<Complex, double>(
        context, [](double a, double b) { return Complex(a, b); });
  case OpKind::Real:
    return map_unary<double, Complex>(context,
                                      [](Complex x) { return x.real(); });
  case OpKind::Imag:
    return map_unary<double, Complex>(context,
                                      [](Complex x) { return x.imag(); });
  default:
    break;
  }
  if (is_binary(op))
    return binary(context);
  if (is_complex(type))
    return unary_complex(context);
  if (is_float(type))
    return unary_float(context);
  return unary_integer(context);
}

} // namespace xlac::host
